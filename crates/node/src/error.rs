//! The errors of a node: each says what failed, where, and what to do.

use std::fmt;

use seealso::ModelError;

/// A node could not be set up, or did not answer. No message contains the key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The base URL cannot be used, and why. The URL itself is not repeated, because it may contain a password.
    Address(&'static str),
    /// The key cannot be used, and why.
    Key(&'static str),
    /// The reader's consent is for another origin.
    OtherOrigin {
        /// What was agreed to.
        agreed: String,
        /// Where the node is.
        origin: String,
    },
    /// No model was named, and the node does not have exactly one.
    NameOne {
        /// Where.
        origin: String,
        /// What the node has.
        names: Vec<String>,
    },
    /// No connection.
    NotReached {
        /// Where.
        origin: String,
        /// What the network said.
        reason: String,
    },
    /// The connection broke, or the answer ended, before it was whole.
    Cut {
        /// Where.
        origin: String,
        /// What the network said.
        reason: String,
    },
    /// Nothing came in time.
    Silent {
        /// Where.
        origin: String,
        /// The time limit.
        seconds: u32,
        /// Whether the answer had begun.
        begun: bool,
    },
    /// 401 or 403.
    KeyRefused {
        /// Where.
        origin: String,
        /// The status.
        status: u16,
        /// Whether a key was sent.
        sent: bool,
    },
    /// 404: no such model, or no such path.
    NotFound {
        /// The base URL.
        base: String,
        /// The model that was asked for; empty for the list of models.
        model: String,
    },
    /// Status 429, on the last attempt too, or with a longer wait than is allowed.
    Busy {
        /// Where.
        origin: String,
        /// Seconds that it asks to wait, where it says.
        wait: Option<u32>,
    },
    /// Status 5xx, on the last attempt too.
    Failing {
        /// Where.
        origin: String,
        /// The status.
        status: u16,
        /// What it said.
        said: String,
    },
    /// Any other status that is no success.
    Rejected {
        /// Where.
        origin: String,
        /// The status.
        status: u16,
        /// What it said.
        said: String,
    },
    /// A redirect, which is not followed.
    Redirected {
        /// Where.
        origin: String,
        /// Where to, if it says.
        to: Option<String>,
    },
    /// A web page instead of JSON.
    WebPage {
        /// The base URL.
        base: String,
    },
    /// An answer that is neither JSON nor events.
    NoChat {
        /// The base URL.
        base: String,
    },
    /// A response that violates the protocol.
    NotUnderstood {
        /// Where.
        origin: String,
        /// What was wrong with it.
        what: String,
    },
    /// An error in the middle of an answer, in the node's words.
    Gave {
        /// Where.
        origin: String,
        /// What it said.
        said: String,
    },
    /// The node's own filter withheld the answer.
    Withheld {
        /// Where.
        origin: String,
    },
    /// The answer has no text.
    NoText {
        /// Where.
        origin: String,
        /// What it has instead.
        instead: Instead,
    },
    /// The prompt does not fit the model's context.
    TooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that there is room for.
        room: usize,
    },
    /// The node gives no likelihoods.
    CannotScore,
    /// The caller stopped it.
    Stopped,
}

impl Error {
    /// Whether the server has no list of models, and so may be no node.
    pub(crate) fn is_of_no_list(&self) -> bool {
        matches!(
            self,
            Error::NotFound { .. } | Error::Rejected { .. } | Error::NotUnderstood { .. } | Error::WebPage { .. }
        )
    }
}

/// The content of an answer without text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Instead {
    /// Nothing.
    #[default]
    Nothing,
    /// Reasoning alone.
    Reasoning,
    /// The model's refusal.
    Refusal,
    /// Calls of tools.
    ToolCall,
}

impl fmt::Display for Instead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Instead::Nothing => "gave an empty answer; ask again, or name another model",
            Instead::Reasoning => "gave no answer but reasoning; turn that off there, or name another model",
            Instead::Refusal => "gave no answer, for its model refused; ask in other words, or another model",
            Instead::ToolCall => "gave no answer, for its model called a tool instead; name another model",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Address(why) => write!(f, "the node's base URL can't be used: {why}"),
            Error::Key(why) => write!(f, "the node's key can't be used: {why}"),
            Error::OtherOrigin { agreed, origin } => {
                write!(f, "consent was given for {agreed}, not for {origin}; ask the reader again")
            }
            Error::NameOne { origin, names } if names.is_empty() => {
                write!(f, "the node {origin} lists no model; name the one to ask")
            }
            Error::NameOne { origin, names } => {
                write!(f, "the node {origin} has several models; name one of: {}", listed(names))
            }
            Error::NotReached { origin, reason } => {
                write!(f, "the node {origin} can't be reached ({reason}); check its address, and that it is running")
            }
            Error::Cut { origin, reason } => {
                write!(f, "the answer of the node {origin} ended in the middle ({reason}); ask again")
            }
            Error::Silent { origin, seconds, begun: false } => write!(
                f,
                "the node {origin} gave no word within {seconds} s; try a smaller model there, or allow it more time"
            ),
            Error::Silent { origin, seconds, begun: true } => write!(
                f,
                "the node {origin} fell silent in its answer for {seconds} s; it may be overloaded, so ask again later"
            ),
            Error::KeyRefused { origin, status, sent: true } => {
                write!(f, "the node {origin} refuses the key (status {status}); check the key and what it is for")
            }
            Error::KeyRefused { origin, status, sent: false } => {
                write!(f, "the node {origin} asks for a key (status {status}), and none was given; give one")
            }
            Error::NotFound { base, model } if model.is_empty() => write!(
                f,
                "{base} has no list of models, so it is not the base URL of a node (status 404); check the URL, which often \
                 ends in /v1"
            ),
            Error::NotFound { base, model } => write!(
                f,
                "{base} has no model \"{model}\", or is not the base URL of a node (status 404); check the model's \
                 name, and the URL, which often ends in /v1"
            ),
            Error::Busy { origin, wait: Some(seconds) } => {
                write!(
                    f,
                    "the node {origin} has too much to do (status 429) and asks to wait {seconds} s; ask again then"
                )
            }
            Error::Busy { origin, wait: None } => {
                write!(f, "the node {origin} has too much to do (status 429); ask again later")
            }
            Error::Failing { origin, status, said } => {
                write!(
                    f,
                    "the node {origin} failed (status {status}{}); look at its log, or ask again later",
                    Complaint(said)
                )
            }
            Error::Rejected { origin, status, said } => {
                write!(
                    f,
                    "the node {origin} rejects the request (status {status}{}); check the model and its settings",
                    Complaint(said)
                )
            }
            Error::Redirected { origin, to: Some(to) } => {
                write!(
                    f,
                    "the node {origin} points to {to}, which is not followed; give that as the base URL if you trust it"
                )
            }
            Error::Redirected { origin, to: None } => {
                write!(f, "the node {origin} points to another address, which is not followed; check the base URL")
            }
            Error::WebPage { base } => {
                write!(f, "{base} answers with a web page, not as a node; check the base URL, which often ends in /v1")
            }
            Error::NoChat { base } => {
                write!(f, "{base} answers, but not as a chat endpoint; check the base URL, which often ends in /v1")
            }
            Error::NotUnderstood { origin, what } => {
                write!(
                    f,
                    "the node {origin} answers in a form that is not understood ({what}); check that it is compatible with OpenAI's chat completions"
                )
            }
            Error::Gave { origin, said } => {
                write!(f, "the node {origin} gave up in the middle{}; look at its log, or ask again", Complaint(said))
            }
            Error::Withheld { origin } => {
                write!(
                    f,
                    "the node {origin} withheld its answer by its own filter; ask in other words, or another model"
                )
            }
            Error::NoText { origin, instead } => write!(f, "the node {origin} {instead}"),
            Error::TooLong { .. } | Error::CannotScore | Error::Stopped => ModelError::from(self.clone()).fmt(f),
        }
    }
}

/// Names of models, as many as a message has room for.
fn listed(names: &[String]) -> String {
    const MOST: usize = 8;
    const LONGEST: usize = 60;
    let short = |name: &String| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.clone(),
    };
    let shown: Vec<String> = names.iter().take(MOST).map(short).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{}, and {more} more", shown.join(", ")),
    }
}

/// A node's text after a colon, if there is any.
struct Complaint<'s>(&'s str);

impl fmt::Display for Complaint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, ": {}", self.0) }
    }
}

impl std::error::Error for Error {}

impl From<Error> for ModelError {
    fn from(error: Error) -> ModelError {
        match error {
            Error::Stopped => ModelError::Stopped,
            Error::CannotScore => ModelError::CannotScore,
            Error::TooLong { tokens, room } => ModelError::TooLong { tokens, room },
            other => ModelError::Failed(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn a_message_names_as_many_models_as_it_has_room_for() {
        let message = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            Error::NameOne { origin: "http://n".to_owned(), names }.to_string()
        };
        assert_eq!(message(&["a", "b"]), "the node http://n has several models; name one of: a, b");
        let long = "é".repeat(61);
        assert_eq!(
            message(&[&long, "b", "c", "d", "e", "f", "g", "h", "i", "j"]),
            format!(
                "the node http://n has several models; name one of: {}…, b, c, d, e, f, g, h, and 2 more",
                "é".repeat(60)
            )
        );
    }
}
