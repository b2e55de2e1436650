//! The requests, with the bounds of their values.

use schemars::JsonSchema;
use serde::Deserialize;

use super::fault::ServiceFault;

/// The most characters of a question.
pub(crate) const MAX_QUESTION_CHARS: usize = 2_000;
/// The most characters of the name of who asks.
const MAX_ASKER_CHARS: usize = 200;
/// The most characters of a page's name.
const MAX_PAGE_CHARS: usize = 1_000;
/// The pages that a search lists.
const LIMIT: Bounds = Bounds { least: 1, usual: 10, most: 50 };
/// The entries that a retrieval returns.
const TOP_N: Bounds = Bounds { least: 1, usual: 5, most: 20 };

/// The bounds of a number that may be left out. A number outside is taken to the nearer bound.
struct Bounds {
    least: i64,
    usual: i64,
    most: i64,
}

impl Bounds {
    fn clamp(&self, number: Option<i64>) -> usize {
        number.unwrap_or(self.usual).clamp(self.least, self.most) as usize
    }
}

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
        LIMIT.clamp(self.limit)
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
    /// The request, where its values are within their bounds.
    ///
    /// # Errors
    /// [`ServiceFault::InvalidRequest`].
    pub(crate) fn check(self) -> Result<RetrieveRequest, ServiceFault> {
        check_text("question", &self.question, MAX_QUESTION_CHARS)?;
        check_text("asker", &self.asker, MAX_ASKER_CHARS)?;
        Ok(self)
    }

    /// The most entries.
    pub(crate) fn top_n(&self) -> usize {
        TOP_N.clamp(self.top_n)
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
        let check = |body: &str, expected: Result<usize, &str>| {
            let request: RetrieveRequest = serde_json::from_str(body).unwrap();
            let checked = request.check().map(|request| request.top_n()).map_err(|fault| fault.to_string());
            assert_eq!(checked, expected.map_err(str::to_owned), "{body:.60}");
        };
        let long = "ü".repeat(2_001);
        check(r#"{"question": "q", "asker": "a"}"#, Ok(5));
        check(r#"{"question": "q", "asker": "a", "top_n": 20}"#, Ok(20));
        check(r#"{"question": "q", "asker": "a", "top_n": 21}"#, Ok(20));
        check(r#"{"question": "q", "asker": "a", "top_n": -3}"#, Ok(1));
        check(r#"{"question": "q", "asker": "a", "top_n": null}"#, Ok(5));
        check(r#"{"question": " ", "asker": "a"}"#, Err("`question` is empty; give 1 to 2000 characters"));
        check(r#"{"question": "q", "asker": ""}"#, Err("`asker` is empty; give 1 to 200 characters"));
        check(
            &format!(r#"{{"question": "{long}", "asker": "a"}}"#),
            Err("`question` has 2001 characters; 2000 are allowed, so shorten it"),
        );
        check(
            &format!(r#"{{"question": "q", "asker": "{}"}}"#, "a".repeat(201)),
            Err("`asker` has 201 characters; 200 are allowed, so shorten it"),
        );
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
