//! The endpoints as a table: the router and the OpenAPI document are both made of it, so that they can't differ.

/// An endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endpoint {
    Retrieve,
    Ask,
    Search,
    Packs,
    Page,
    Feedback,
    Health,
    Metrics,
    OpenApi,
}

/// The method of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
}

impl Endpoint {
    /// All of them.
    pub(super) const ALL: [Endpoint; 9] = [
        Endpoint::Retrieve,
        Endpoint::Ask,
        Endpoint::Search,
        Endpoint::Packs,
        Endpoint::Page,
        Endpoint::Feedback,
        Endpoint::Health,
        Endpoint::Metrics,
        Endpoint::OpenApi,
    ];

    /// The path, as the router has it.
    pub(super) fn path(self) -> &'static str {
        match self {
            Endpoint::Retrieve => "/retrieve",
            Endpoint::Ask => "/ask",
            Endpoint::Search => "/search",
            Endpoint::Packs => "/packs",
            Endpoint::Page => "/packs/{*page}",
            Endpoint::Feedback => "/feedback",
            Endpoint::Health => "/health",
            Endpoint::Metrics => "/metrics",
            Endpoint::OpenApi => "/openapi.json",
        }
    }

    /// The method.
    pub(super) fn method(self) -> Method {
        match self {
            Endpoint::Retrieve | Endpoint::Ask | Endpoint::Search | Endpoint::Feedback => Method::Post,
            Endpoint::Packs | Endpoint::Page | Endpoint::Health | Endpoint::Metrics | Endpoint::OpenApi => Method::Get,
        }
    }

    /// Whether it answers without the token, where there is one.
    pub(super) fn is_open(self) -> bool {
        self == Endpoint::Health
    }
}
