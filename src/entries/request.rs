//! `EntryRequest`: a question to the entries, and who asks it.

use std::fmt;

use serde::Deserialize;

/// The most characters of a question.
const QUESTION_CHARS: usize = 2_000;
/// The most characters of an asker's name.
const ASKER_CHARS: usize = 200;
/// How many entries are found where a request does not say.
const TOP_N: usize = 5;
/// How many entries may be found.
const MOST_ENTRIES: i64 = 20;

/// A question to the entries. As JSON it is `{"question": "…", "asker": "…", "top_n": 5}`, and `top_n` may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RequestFields")]
pub struct EntryRequest {
    question: String,
    asker: String,
    top_n: usize,
}

/// A request as it comes in.
#[derive(Deserialize)]
struct RequestFields {
    #[serde(default)]
    question: String,
    #[serde(default)]
    asker: String,
    #[serde(default)]
    top_n: Option<i64>,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryRequestError {
    /// A field is missing, or has only white space and control characters.
    Empty {
        /// The field.
        field: &'static str,
    },
    /// A field is too long.
    TooLong {
        /// The field.
        field: &'static str,
        /// Its characters.
        chars: usize,
        /// How many it may have.
        most: usize,
    },
}

impl fmt::Display for EntryRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryRequestError::Empty { field } => write!(f, "the {field} is missing or empty; a request needs it"),
            EntryRequestError::TooLong { field, chars, most } => {
                write!(f, "the {field} has {chars} characters, more than the {most} allowed; shorten it")
            }
        }
    }
}

impl std::error::Error for EntryRequestError {}

impl EntryRequest {
    /// A request for the `top_n` nearest entries, from 1 to 20; 5 where it is `None`. A number outside of that is the nearest of
    /// them. White space and control characters are made single spaces.
    ///
    /// # Errors
    /// [`EntryRequestError`]: an empty question or asker, a question of more than 2,000 characters, an asker of more than 200.
    pub fn new(question: &str, asker: &str, top_n: Option<i64>) -> Result<EntryRequest, EntryRequestError> {
        Ok(EntryRequest {
            question: field("question", question, QUESTION_CHARS)?,
            asker: field("asker", asker, ASKER_CHARS)?,
            top_n: top_n.map_or(TOP_N, |count| count.clamp(1, MOST_ENTRIES) as usize),
        })
    }

    /// The question.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Who asks.
    pub fn asker(&self) -> &str {
        &self.asker
    }

    /// How many entries are found at most.
    pub fn top_n(&self) -> usize {
        self.top_n
    }
}

impl TryFrom<RequestFields> for EntryRequest {
    type Error = EntryRequestError;

    fn try_from(fields: RequestFields) -> Result<EntryRequest, EntryRequestError> {
        EntryRequest::new(&fields.question, &fields.asker, fields.top_n)
    }
}

fn field(field: &'static str, text: &str, most: usize) -> Result<String, EntryRequestError> {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() {
        0 => Err(EntryRequestError::Empty { field }),
        chars if chars > most => Err(EntryRequestError::TooLong { field, chars, most }),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_and_asker_are_required_and_bounded() {
        let check = |question: &str, asker: &str, expected: Result<(&str, &str), &str>| {
            let request = EntryRequest::new(question, asker, None).map_err(|error| error.to_string());
            let read = request.as_ref().map(|request| (request.question(), request.asker()));
            assert_eq!(read.map_err(String::as_str), expected, "{question} {asker}");
        };
        check(" How\n so? ", "Ada\t B", Ok(("How so?", "Ada B")));
        check("", "Ada", Err("the question is missing or empty; a request needs it"));
        check("How?", " \u{0} ", Err("the asker is missing or empty; a request needs it"));
        let (most, name) = ("é".repeat(2_000), "é".repeat(200));
        check(&most, &name, Ok((most.as_str(), name.as_str())));
        let long = format!("{most}é");
        check(&long, "Ada", Err("the question has 2001 characters, more than the 2000 allowed; shorten it"));
        let long = format!("{name}é");
        check("How?", &long, Err("the asker has 201 characters, more than the 200 allowed; shorten it"));
    }

    #[test]
    fn a_number_of_entries_is_five_or_from_one_to_twenty() {
        let check = |top_n: Option<i64>, expected: usize| {
            assert_eq!(EntryRequest::new("q", "a", top_n).unwrap().top_n(), expected, "{top_n:?}");
        };
        check(None, 5);
        for (asked, count) in [(1, 1), (20, 20), (0, 1), (-7, 1), (21, 20), (i64::MIN, 1), (i64::MAX, 20)] {
            check(Some(asked), count);
        }
    }

    #[test]
    fn a_request_is_read_from_json() {
        let check = |json: &str, expected: Result<usize, &str>| {
            let read = serde_json::from_str::<EntryRequest>(json).map_err(|error| error.to_string());
            match (read, expected) {
                (Ok(request), Ok(top_n)) => assert_eq!(request.top_n(), top_n, "{json}"),
                (Err(error), Err(says)) => assert!(error.starts_with(says), "{json}: {error}"),
                (read, expected) => panic!("{json}: {read:?}, not {expected:?}"),
            }
        };
        check(r#"{"question": "q", "asker": "a"}"#, Ok(5));
        check(r#"{"question": "q", "asker": "a", "top_n": 300, "more": true}"#, Ok(20));
        check(r#"{"asker": "a"}"#, Err("the question is missing or empty"));
        check(r#"{"question": "q"}"#, Err("the asker is missing or empty"));
        check(r#"{"question": "q", "asker": "a", "top_n": 2.5}"#, Err("invalid type: floating point"));
        check(r#"{"question": 7, "asker": "a"}"#, Err("invalid type: integer"));
    }
}
