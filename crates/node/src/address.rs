//! The address of a node: its base URL, restricted to what may be requested at all.

use crate::error::Error;
use crate::protocol::{CHAT_PATH, MODELS_PATH};

/// The base URL of an OpenAI-compatible endpoint, such as `http://127.0.0.1:8080/v1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Without a slash at the end.
    base: String,
    origin: String,
    encrypted: bool,
}

impl Address {
    /// Parses a base URL. `/chat/completions` at the end is removed.
    ///
    /// # Errors
    /// [`Error::Address`] for anything but http(s), a host, a port and a path.
    pub fn parse(url: &str) -> Result<Address, Error> {
        let url = url.trim();
        // The text before an @ may be a password, so a wrong URL is never repeated.
        let (scheme, rest) = url.split_once("://").ok_or(Error::Address("it must begin with http:// or https://"))?;
        let encrypted = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err(Error::Address("it must begin with http:// or https://")),
        };
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
        let authority = checked_authority(authority, encrypted)?;
        let path = checked_path(path)?;
        let origin = format!("{}://{authority}", if encrypted { "https" } else { "http" });
        Ok(Address { base: format!("{origin}{path}"), origin, encrypted })
    }

    /// The base URL.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Scheme, host and port: the recipient of a question.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether nobody on the way to the node can read what is sent: it is encrypted, or stays on this machine.
    pub fn is_private(&self) -> bool {
        self.encrypted || is_this_machine(self.host())
    }

    /// The host alone; an IPv6 address in its brackets.
    pub fn host(&self) -> &str {
        let authority = self.origin.split_once("://").map_or("", |(_, authority)| authority);
        match authority.rfind(']') {
            Some(end) => &authority[..=end],
            None => authority.split(':').next().unwrap_or_default(),
        }
    }

    /// The address that is probably meant if this one has no version in its path: `/v1` below it.
    pub(crate) fn versioned(&self) -> Option<Address> {
        let is_version =
            |part: &str| part.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let path = &self.base[self.origin.len()..];
        let has_none = !path.split('/').any(is_version);
        has_none.then(|| Address { base: format!("{}/v1", self.base), ..self.clone() })
    }

    pub(crate) fn chat(&self) -> String {
        format!("{}{CHAT_PATH}", self.base)
    }

    pub(crate) fn models(&self) -> String {
        format!("{}{MODELS_PATH}", self.base)
    }
}

/// Whether a host name denotes this machine.
pub fn is_this_machine(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host == "[::1]"
        || host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// Host and port in normal form: lower case, without the scheme's default port.
fn checked_authority(text: &str, encrypted: bool) -> Result<String, Error> {
    if text.contains('@') {
        return Err(Error::Address("it must not hold a name or a password; give the key apart from it"));
    }
    let (host, port) = match text.rfind(']') {
        Some(end) => text.split_at(end + 1),
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let known = match inside {
        Some(inside) => inside.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')),
    };
    if !known {
        return Err(Error::Address("its host is no plain name and no IP address; write other scripts as xn--…"));
    }
    let host = host.to_ascii_lowercase();
    let default = if encrypted { 443 } else { 80 };
    match port.strip_prefix(':') {
        None if port.is_empty() => Ok(host),
        Some("") => Ok(host),
        Some(digits) => match digits.parse::<u16>() {
            Ok(port) if port == default => Ok(host),
            Ok(port) if port > 0 => Ok(format!("{host}:{port}")),
            _ => Err(Error::Address("its port is not in 1..=65535")),
        },
        None => Err(Error::Address("after its host only a port and a path may follow")),
    }
}

fn checked_path(path: &str) -> Result<&str, Error> {
    if path.contains(['?', '#']) {
        return Err(Error::Address("it must not hold ? or #; give the path before /chat/completions alone"));
    }
    if !path.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '\\' | '"' | '<' | '>')) {
        return Err(Error::Address("its path holds a character that a URL can't"));
    }
    let path = path.trim_end_matches('/');
    Ok(path.strip_suffix(CHAT_PATH).unwrap_or(path).trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_are_read() {
        let check = |url: &str, base: &str, origin: &str, private: bool| {
            let address = Address::parse(url).unwrap();
            assert_eq!((address.base(), address.origin(), address.is_private()), (base, origin, private), "{url}");
        };
        check("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080", true);
        check(" HTTPS://Node.Example ", "https://node.example", "https://node.example", true);
        check("https://node.example:443/api//", "https://node.example/api", "https://node.example", true);
        check("http://node.example:443/v1", "http://node.example:443/v1", "http://node.example:443", false);
        check("http://[::1]:80/v1", "http://[::1]/v1", "http://[::1]", true);
        check("http://localhost/v1/chat/completions", "http://localhost/v1", "http://localhost", true);
        check("http://192.168.1.7:11434/v1", "http://192.168.1.7:11434/v1", "http://192.168.1.7:11434", false);
    }

    #[test]
    fn a_version_is_missed_where_there_is_none() {
        let check = |url: &str, expected: Option<&str>| {
            let versioned = Address::parse(url).unwrap().versioned();
            assert_eq!(versioned.as_ref().map(Address::base), expected, "{url}");
        };
        check("http://localhost:11434", Some("http://localhost:11434/v1"));
        check("http://localhost:1234/", Some("http://localhost:1234/v1"));
        check("https://node.example/api", Some("https://node.example/api/v1"));
        check("https://node.example/openai/vision", Some("https://node.example/openai/vision/v1"));
        check("http://localhost:8080/v1", None);
        check("https://node.example/v1beta/openai", None);
        check("https://node.example/api/v3", None);
    }

    #[test]
    fn other_urls_are_refused_and_never_repeated() {
        for (url, says) in [
            ("node.example/v1", "http:// or https://"),
            ("ftp://node.example", "http:// or https://"),
            ("file:///etc/passwd", "http:// or https://"),
            ("javascript://x", "http:// or https://"),
            ("http://", "its host"),
            ("http://no de/v1", "its host"),
            ("http://bücher.example", "xn--"),
            ("http://[::g]/", "its host"),
            ("http://a%2eb/", "its host"),
            ("http://ann:secret@node.example/v1", "name or a password"),
            ("http://node.example:0/", "its port"),
            ("http://node.example:99999/", "its port"),
            ("http://[::1]x/", "only a port"),
            ("http://node.example/v1?key=secret", "? or #"),
            ("http://node.example#x", "? or #"),
            ("http://node.example/a b", "a character"),
            ("http://node.example\\@evil.example/", "a character"),
        ] {
            let said = Address::parse(url).unwrap_err().to_string();
            assert!(said.contains(says) && !said.contains("secret"), "{url}: {said}");
        }
    }
}
