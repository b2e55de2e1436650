//! The token that clients must send, where the server's keeper sets one.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, ensure};
use axum::http::{HeaderMap, header};
use sha2::{Digest as _, Sha256};

/// The variable that holds the token, where no file does.
pub(crate) const TOKEN_VARIABLE: &str = "SEEALSO_TOKEN";
/// The least characters of a token, which others should not find by trying.
const LEAST_CHARS: usize = 16;

/// A token. Its hash alone is kept: hashes are compared, so how long a comparison takes tells nothing about the token.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token([u8; 32]);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// The token in the file, or in the variable; none where there is neither.
    ///
    /// # Errors
    /// A file that can't be read, and a token that is too short.
    pub(crate) fn find(file: Option<&Path>, variable: Option<String>) -> anyhow::Result<Option<Token>> {
        let (text, place) = match (file, variable) {
            (Some(file), _) => {
                let text = std::fs::read_to_string(file);
                (text.with_context(|| format!("reading the token in {}", file.display()))?, file.display().to_string())
            }
            (None, Some(text)) => (text, format!("the variable {TOKEN_VARIABLE}")),
            (None, None) => return Ok(None),
        };
        let token = text.trim();
        ensure!(
            token.len() >= LEAST_CHARS && token.bytes().all(|byte| byte.is_ascii_graphic()),
            "{place}: a token has {LEAST_CHARS} or more letters, digits and signs, and no blanks; make one with \
             `openssl rand -hex 32`"
        );
        Ok(Some(Token::of(token)))
    }

    /// The token of this text.
    pub(super) fn of(text: &str) -> Token {
        Token(Sha256::digest(text.as_bytes()).into())
    }

    /// Whether a request has it in its header `Authorization`, as `Bearer`.
    pub(super) fn is_in(&self, headers: &HeaderMap) -> bool {
        let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let sent = sent.and_then(|value| value.split_once(' '));
        sent.is_some_and(|(scheme, text)| scheme.eq_ignore_ascii_case("bearer") && *self == Token::of(text.trim()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_from_its_file_or_the_variable() {
        let path = std::env::temp_dir().join(format!("seealso-token-{}", std::process::id()));
        std::fs::write(&path, "0123456789abcdef\n").unwrap();
        let file = Token::of("0123456789abcdef");
        let variable = || Some("fedcba9876543210".to_owned());
        assert_eq!(Token::find(Some(&path), variable()).unwrap(), Some(file));
        assert_eq!(Token::find(None, variable()).unwrap(), Some(Token::of("fedcba9876543210")));
        assert_eq!(Token::find(None, None).unwrap(), None);
        let says = Token::find(None, Some("short".to_owned())).unwrap_err().to_string();
        assert!(says.starts_with("the variable SEEALSO_TOKEN: a token has 16 or more"), "{says}");
        assert!(Token::find(None, Some("0123456789 abcdef".to_owned())).is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(Token::find(Some(&path), None).is_err());
    }

    #[test]
    fn a_request_sends_it_as_bearer() {
        let token = Token::of("0123456789abcdef");
        let check = |value: &str, expected: bool| {
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]);
            assert_eq!(token.is_in(&headers), expected, "{value}");
        };
        check("Bearer 0123456789abcdef", true);
        check("bearer  0123456789abcdef ", true);
        check("Bearer 0123456789abcdeF", false);
        check("Basic 0123456789abcdef", false);
        check("0123456789abcdef", false);
        check("Bearer", false);
        assert!(!token.is_in(&HeaderMap::new()));
    }
}
