//! The web pages that may ask. Any page that is open in a browser can reach a node on the same machine, so a node answers
//! pages of this machine and of origins that were named, and no others. So does every server of this command.

use std::net::IpAddr;

use seealso_node::{Address, is_this_machine};

/// The origins that were named.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origins(pub(crate) Vec<String>);

/// Parses an origin, such as `https://docs.example.org`.
pub(crate) fn parse_origin(text: &str) -> Result<String, String> {
    match Address::parse(text) {
        Ok(address) if address.base() == address.origin() => Ok(address.origin().to_owned()),
        _ => {
            Err("give an origin, such as https://docs.example.org: scheme, host and port, and nothing else".to_owned())
        }
    }
}

impl Origins {
    /// Whether one of them has this host, whatever its port.
    pub(crate) fn have_host(&self, host: &str) -> bool {
        let has =
            |origin: &String| Address::parse(origin).is_ok_and(|address| address.host().eq_ignore_ascii_case(host));
        self.0.iter().any(has)
    }

    /// Whether a page of `origin` may ask the node at `host`, as the request's headers have them.
    pub(crate) fn allows(&self, origin: &str, host: &str) -> bool {
        let Ok(address) = Address::parse(origin) else { return false };
        let name = address.host();
        let own = address.origin().split_once("://").is_some_and(|(_, authority)| authority == host);
        // The owner of a name can make it resolve to this machine; a numeric address can't be changed so.
        let is_number = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        is_this_machine(name) || (own && is_number) || self.0.iter().any(|named| named == address.origin())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_machine_and_named_ones_may_ask() {
        let origins = Origins(vec![parse_origin("https://Docs.example.org:443/").unwrap()]);
        let check =
            |page: &str, host: &str, expected: bool| assert_eq!(origins.allows(page, host), expected, "{page} {host}");
        check("http://localhost:3000", "127.0.0.1:8322", true);
        check("http://127.0.0.1:8321", "127.0.0.1:8322", true);
        check("http://[::1]", "[::1]:8322", true);
        check("https://docs.example.org", "127.0.0.1:8322", true);
        check("http://192.168.1.7:8322", "192.168.1.7:8322", true);
        check("http://192.168.1.7:8321", "192.168.1.7:8322", false);
        check("http://docs.example.org", "127.0.0.1:8322", false);
        check("https://docs.example.org.evil.example", "127.0.0.1:8322", false);
        check("http://localhost.evil.example", "127.0.0.1:8322", false);
        // A name that was made to resolve to this machine.
        check("http://evil.example:8322", "evil.example:8322", false);
        check("null", "127.0.0.1:8322", false);
        check("", "", false);
    }

    #[test]
    fn only_origins_can_be_named() {
        for wrong in ["*", "docs.example.org", "https://docs.example.org/pages", "null", "file://"] {
            assert!(parse_origin(wrong).is_err(), "{wrong}");
        }
    }
}
