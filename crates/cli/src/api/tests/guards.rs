//! What a request must pass: host, origin, limits, token.

use std::net::SocketAddr;
use std::num::NonZeroU32;

use axum::extract::ConnectInfo;

use super::*;
use crate::api::{RateLimit, Token};

const ENDLESS: &str = r#"{"question": "endless", "asker": "ada"}"#;

#[test]
fn the_token_is_asked_for_everywhere_but_in_health() {
    let settings = ApiSettings { token: Some(Token::of("0123456789abcdef")), ..ApiSettings::default() };
    with_api(settings, async |api| {
        let check = async |mut request: Request<Body>, token: Option<&str>, status: u16| {
            if let Some(token) = token {
                request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
            }
            let path = request.uri().path().to_owned();
            let reply = send(&api, request).await;
            assert_eq!(reply.status.as_u16(), status, "{path} {token:?}");
            reply
        };
        for path in ["/packs", "/openapi.json", "/metrics", "/packs/tea/concepts/green-tea", "/nowhere"] {
            let reply = check(get(path), None, 401).await;
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
            assert_eq!(reply.error().1, "token_missing_or_wrong");
        }
        check(post("/search", r#"{"query": "tea"}"#), Some("fedcba9876543210"), 401).await;
        check(post("/search", r#"{"query": "tea"}"#), Some("0123456789abcdef"), 200).await;
        let short = check(get("/health"), None, 200).await.json();
        assert_eq!(short, serde_json::json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }));
        assert!(check(get("/health"), Some("0123456789abcdef"), 200).await.json()["packs"].is_array());
    });
}

#[test]
fn pages_of_named_origins_may_ask() {
    with_api(ApiSettings::default(), async |api| {
        let check = async |origin: &str, allowed: bool| {
            let mut request = post("/search", r#"{"query": "tea"}"#);
            request.headers_mut().insert("origin", origin.parse().unwrap());
            let reply = send(&api, request).await;
            let (status, header) = if allowed { (200, Some(origin)) } else { (403, None) };
            assert_eq!(
                (reply.status.as_u16(), reply.header("access-control-allow-origin")),
                (status, header),
                "{origin}"
            );
            if !allowed {
                assert_eq!(reply.error().1, "origin_not_allowed");
            }
        };
        check("https://docs.example.org", true).await;
        check("http://localhost:3000", true).await;
        check("https://evil.example", false).await;
        check("null", false).await;
        let preflight = Request::options("/ask").header("origin", "https://docs.example.org");
        let reply = send(&api, preflight.body(Body::empty()).unwrap()).await;
        assert_eq!(reply.status, StatusCode::NO_CONTENT);
        let allowed = reply.header("access-control-allow-headers").unwrap();
        assert!(allowed.contains("authorization") && allowed.contains("content-type"), "{allowed}");
    });
}

#[test]
fn a_preflight_needs_no_token_and_a_refusal_can_be_read() {
    let settings = ApiSettings { token: Some(Token::of("0123456789abcdef")), ..ApiSettings::default() };
    with_api(settings, async |api| {
        let from = |request: axum::http::request::Builder| request.header("origin", "https://docs.example.org");
        let preflight = from(Request::options("/ask")).body(Body::empty()).unwrap();
        assert_eq!(send(&api, preflight).await.status, StatusCode::NO_CONTENT);
        let refused = send(&api, from(Request::get("/packs")).body(Body::empty()).unwrap()).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert_eq!(refused.header("access-control-allow-origin"), Some("https://docs.example.org"));
    });
}

#[test]
fn a_local_server_answers_to_local_names() {
    let check = |is_local: bool, host: &str, status: u16| check_host(is_local, None, host, status);
    check(true, "127.0.0.1:8321", 200);
    check(true, "localhost", 200);
    check(true, "evil.example:8321", 403);
}

#[test]
fn without_a_token_a_server_answers_to_numbers_and_hosts_of_its_origins() {
    let check = |host: &str, status: u16| check_host(false, None, host, status);
    check("192.168.1.7:8321", 200);
    check("localhost:8321", 200);
    check("docs.example.org", 200);
    check("Docs.Example.org:8321", 200);
    check("evil.example:8321", 403);
    check("evil.docs.example.org", 403);
    check_host(false, Some(Token::of("0123456789abcdef")), "evil.example:8321", 200);
}

/// Asks for the health, which needs no token.
#[track_caller]
fn check_host(is_local: bool, token: Option<Token>, host: &str, status: u16) {
    with_api(ApiSettings { is_local, token, ..ApiSettings::default() }, async |api| {
        let request = Request::get("/health").header("host", host).body(Body::empty()).unwrap();
        assert_eq!(send(&api, request).await.status.as_u16(), status, "{is_local} {host}");
    });
}

#[test]
fn each_client_has_its_own_limit() {
    let rate = NonZeroU32::new(2).map(RateLimit::per_minute);
    with_api(ApiSettings { rate, ..ApiSettings::default() }, async |api| {
        let ask = async |client: &str| {
            let mut request = get("/packs");
            request.extensions_mut().insert(ConnectInfo(client.parse::<SocketAddr>().unwrap()));
            send(&api, request).await
        };
        assert_eq!(ask("10.0.0.1:1000").await.status, StatusCode::OK);
        assert_eq!(ask("10.0.0.1:1001").await.status, StatusCode::OK);
        let refused = ask("10.0.0.1:1002").await;
        assert_eq!(refused.error(), (429, "too_many_requests".to_owned()));
        let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=30).contains(&seconds), "{seconds}");
        assert_eq!(ask("10.0.0.2:1000").await.status, StatusCode::OK);
    });
}

#[test]
fn a_full_queue_refuses_at_once() {
    let limits = PoolLimits { queue: 1, ..LIMITS };
    with_limits(limits, ApiSettings::default(), async |api| {
        let ask = || send(&api, post("/retrieve", ENDLESS));
        // One is worked on and one waits, without end; so the first reply is a refusal.
        let first = tokio::select! {
            reply = ask() => reply,
            reply = ask() => reply,
            reply = ask() => reply,
        };
        assert_eq!(first.error(), (503, "busy".to_owned()));
        assert_eq!(first.header("retry-after"), Some("1"));
    });
}

#[test]
fn a_request_is_given_up_in_time() {
    let limits = PoolLimits { time: Duration::ZERO, ..LIMITS };
    with_limits(limits, ApiSettings::default(), async |api| {
        let reply = send(&api, post("/retrieve", ENDLESS)).await;
        assert_eq!(reply.error(), (504, "timed_out".to_owned()));
        assert_eq!(send(&api, get("/health")).await.status, StatusCode::OK);
    });
}
