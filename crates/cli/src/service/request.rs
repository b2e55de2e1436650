//! The requests, with the bounds of their values.

use schemars::JsonSchema;
use seealso::EntryRequest;
use serde::Deserialize;

use super::fault::ServiceFault;

/// The most characters of a question.
pub(crate) const MAX_QUESTION_CHARS: usize = 2_000;
/// The most characters of a page's name.
const MAX_PAGE_CHARS: usize = 1_000;
/// How many pages a search lists where it does not say.
const LIMIT: i64 = 10;
/// How many pages a search may list.
const MAX_LIMIT: i64 = 50;

/// A search for pages by words.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchRequest {
    /// The words to search for: 1 to 2,000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub(crate) query: String,
    /// The most pages to list, by default 10; a number outside 1 to 50 is taken to the nearer of them.
    #[serde(default)]
    limit: Option<i64>,
}

/// A page to read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageRequest {
    /// The page's id, as `page` of a search result or a source has it, such as `tea/concepts/green-tea`.
    #[schemars(length(min = 1, max = 1000))]
    pub(crate) page: String,
}

/// A question to be answered with sentences of pages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskRequest {
    /// The question: 1 to 2,000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub(crate) question: String,
}

/// A question for which entries are retrieved.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrieveRequest {
    /// The question: 1 to 2,000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub(crate) question: String,
    /// Who asks: a person, a team or a program; 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub(crate) asker: String,
    /// The most entries, by default 5; a number outside 1 to 20 is taken to the nearer of them.
    #[serde(default)]
    top_n: Option<i64>,
}

impl SearchRequest {
    /// The request, where its values are within their bounds.
    ///
    /// # Errors
    /// [`ServiceFault::InvalidRequest`].
    pub(crate) fn check(self) -> Result<SearchRequest, ServiceFault> {
        check_text("query", &self.query, MAX_QUESTION_CHARS)?;
        Ok(self)
    }

    /// The most pages to list.
    pub(crate) fn limit(&self) -> usize {
        self.limit.unwrap_or(LIMIT).clamp(1, MAX_LIMIT) as usize
    }
}

impl PageRequest {
    /// The request, where its values are within their bounds.
    ///
    /// # Errors
    /// [`ServiceFault::InvalidRequest`].
    pub(crate) fn check(self) -> Result<PageRequest, ServiceFault> {
        check_text("page", &self.page, MAX_PAGE_CHARS)?;
        Ok(self)
    }
}

impl AskRequest {
    /// The request, where its values are within their bounds.
    ///
    /// # Errors
    /// [`ServiceFault::InvalidRequest`].
    pub(crate) fn check(self) -> Result<AskRequest, ServiceFault> {
        check_text("question", &self.question, MAX_QUESTION_CHARS)?;
        Ok(self)
    }
}

impl RetrieveRequest {
    /// The engine's request, where the values are within their bounds.
    ///
    /// # Errors
    /// [`ServiceFault::InvalidRequest`].
    pub(crate) fn check(&self) -> Result<EntryRequest, ServiceFault> {
        EntryRequest::new(&self.question, &self.asker, self.top_n)
            .map_err(|error| ServiceFault::InvalidRequest(error.to_string()))
    }
}

/// Checks that a text of the request says something, in at most so many characters.
fn check_text(field: &str, text: &str, most: usize) -> Result<(), ServiceFault> {
    match text.trim().is_empty() {
        true => Err(ServiceFault::InvalidRequest(format!("`{field}` is empty; give 1 to {most} characters"))),
        false => check_length(field, text, most),
    }
}

/// Checks that a text of a request has at most so many characters.
///
/// # Errors
/// [`ServiceFault::InvalidRequest`].
pub(crate) fn check_length(field: &str, text: &str, most: usize) -> Result<(), ServiceFault> {
    match text.chars().count() {
        count if count > most => Err(ServiceFault::InvalidRequest(format!(
            "`{field}` has {count} characters; {most} are allowed, so shorten it"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_bounds() {
        let check = |body: &str, expected: Result<(), &str>| {
            let request: AskRequest = serde_json::from_str(body).unwrap();
            let checked = request.check().map(drop).map_err(|fault| fault.to_string());
            assert_eq!(checked, expected.map_err(str::to_owned), "{body:.60}");
        };
        let (most, long) = ("ü".repeat(2_000), "ü".repeat(2_001));
        check(r#"{"question": "q"}"#, Ok(()));
        check(&format!(r#"{{"question": "{most}"}}"#), Ok(()));
        check(r#"{"question": " "}"#, Err("`question` is empty; give 1 to 2000 characters"));
        check(
            &format!(r#"{{"question": "{long}"}}"#),
            Err("`question` has 2001 characters; 2000 are allowed, so shorten it"),
        );
    }

    #[test]
    fn a_retrieval_has_the_bounds_of_the_engine() {
        let check = |body: &str, expected: Result<usize, &str>| {
            let request: RetrieveRequest = serde_json::from_str(body).unwrap();
            let checked = request.check().map(|request| request.top_n()).map_err(|fault| fault.to_string());
            assert_eq!(checked, expected.map_err(str::to_owned), "{body}");
        };
        check(r#"{"question": "q", "asker": "a"}"#, Ok(5));
        check(r#"{"question": "q", "asker": "a", "top_n": 21}"#, Ok(20));
        check(r#"{"question": "q", "asker": "a", "top_n": -3}"#, Ok(1));
        check(r#"{"question": "q", "asker": "a", "top_n": null}"#, Ok(5));
        check(r#"{"question": "q", "asker": " "}"#, Err("the asker is missing or empty; a request needs it"));
    }

    #[test]
    fn a_search_lists_ten_pages_or_what_is_asked_for() {
        for (body, expected) in
            [(r#"{"query": "q"}"#, 10), (r#"{"query": "q", "limit": 0}"#, 1), (r#"{"query": "q", "limit": 1000}"#, 50)]
        {
            let request: SearchRequest = serde_json::from_str(body).unwrap();
            assert_eq!(request.limit(), expected, "{body}");
        }
    }
}
