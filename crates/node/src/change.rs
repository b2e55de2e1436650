//! The changes to a request: the parts that a node refuses, and what is sent in their place.
//!
//! Servers, and the models behind them, understand different parts of the protocol. A server refuses a part in words of
//! its own, but always names it. So the field that is named first is omitted, or gets the limit that the server names,
//! and the request is sent again.

use serde_json::{Value, json};

/// A deviation from the protocol's newest form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Without this field.
    Without(&'static str),
    /// With this number at most in this field.
    AtMost(&'static str, u64),
    /// With `max_completion_tokens` in the place of `max_tokens`.
    CompletionTokens,
    /// With the system's text at the beginning of the first question.
    SystemInQuestion,
}

const MAX_TOKENS: &str = "max_tokens";
const MAX_COMPLETION_TOKENS: &str = "max_completion_tokens";
const LOGPROBS: &str = "logprobs";

/// The fields that a request may omit, and the least value of each that is worth sending.
const OPTIONAL: [(&str, u64); 9] = [
    ("stream_options", u64::MAX),
    ("return_progress", u64::MAX),
    ("seed", u64::MAX),
    ("temperature", u64::MAX),
    (MAX_TOKENS, 16),
    (MAX_COMPLETION_TOKENS, 16),
    ("top_logprobs", 1),
    ("stop", u64::MAX),
    ("stream", u64::MAX),
];

/// Phrases before the greatest value of a field, in lower case.
const LIMITS: [&str; 13] = [
    "at most ",
    "or equal to ",
    "less than ",
    "up to ",
    "<= ",
    "maximum of ",
    "maximum is ",
    "limit of ",
    "limit is ",
    "between 0 and ",
    "between 1 and ",
    "[0, ",
    "[1, ",
];

/// Phrases with which servers, and templates of models that were trained without it, refuse the system role, in lower
/// case.
const NO_SYSTEM: [&str; 11] = [
    "system role",
    "role system",
    "role 'system'",
    "role \"system\"",
    "role `system`",
    "does not support 'system'",
    "system message",
    "system prompt",
    "developer instruction",
    "roles must alternate",
    "user and assistant roles",
];

/// Phrases of a failed server that mean a refusal, in lower case.
const REFUSALS: [&str; 13] = [
    "not support",
    "unsupported",
    "unrecognized",
    "unexpected",
    "unknown",
    "invalid",
    "not permitted",
    "not allowed",
    "not enabled",
    "not implemented",
    "must ",
    "forbidden",
    "only ",
];

/// Words between the name of a field and the refusal, in lower case.
const KINDS: [&str; 9] = ["parameter", "parameters", "param", "params", "field", "argument", "name", "option", "value"];

impl Change {
    /// The change to `order`, which was refused with the text `said`.
    pub(crate) fn of(said: &str, status: u16, order: &Value) -> Option<Change> {
        let said = said.to_lowercase();
        if status >= 500 && !REFUSALS.iter().any(|words| said.contains(words)) {
            return None;
        }
        let sent = |name: &str| order.get(name).is_some();
        let names = OPTIONAL.iter().copied().chain([(LOGPROBS, u64::MAX)]);
        let named =
            names.filter(|(name, _)| sent(name)).filter_map(|name| Some((refused(&said, name.0, status)?, name))).min();
        match named {
            // Without likelihoods, a score request is pointless.
            Some((_, (LOGPROBS, _))) => None,
            Some((_, (name, least))) => Some(match limit(&said, least, order[name].as_u64()) {
                Some(most) => Change::AtMost(name, most),
                None if name == MAX_TOKENS && places(&said, MAX_COMPLETION_TOKENS).next().is_some() => {
                    Change::CompletionTokens
                }
                None => Change::Without(name),
            }),
            None if has_system(order) && NO_SYSTEM.iter().any(|words| said.contains(words)) => {
                Some(Change::SystemInQuestion)
            }
            None => None,
        }
    }

    /// At most `most` tokens, if more were requested.
    pub(crate) fn at_most_tokens(most: u64) -> Change {
        Change::AtMost(MAX_TOKENS, most)
    }

    /// Makes this change to a request.
    pub(crate) fn apply(self, order: &mut Value) {
        let Value::Object(fields) = &mut *order else { return };
        match self {
            Change::Without(name) => {
                fields.remove(name);
                if name == "stream" {
                    fields.remove("stream_options");
                }
            }
            Change::AtMost(name, most) => {
                let names = if name == MAX_TOKENS { [MAX_TOKENS, MAX_COMPLETION_TOKENS] } else { [name; 2] };
                for name in names {
                    if let Some(field) = fields.get_mut(name) {
                        *field = json!(field.as_u64().map_or(most, |number| number.min(most)));
                    }
                }
            }
            Change::CompletionTokens => {
                if let Some(most) = fields.remove(MAX_TOKENS) {
                    fields.insert(MAX_COMPLETION_TOKENS.to_owned(), most);
                }
            }
            Change::SystemInQuestion if has_system(order) => {
                let Some(messages) = order["messages"].as_array_mut() else { return };
                let system = messages.remove(0);
                if let Some(first) = messages.first_mut() {
                    let texts = [&system, first].map(|message| message["content"].as_str().unwrap_or_default());
                    first["content"] = json!(texts.join("\n\n"));
                }
            }
            Change::SystemInQuestion => (),
        }
    }
}

fn has_system(order: &Value) -> bool {
    order["messages"].as_array().is_some_and(|messages| messages.len() > 1 && messages[0]["role"] == "system")
}

/// Where `text` names a field that a server refuses. A failed server (status 500 and above) may use the same word in
/// another sense ("EOF in stream"): there the name must be quoted, or next to words of refusal.
fn refused(text: &str, name: &str, status: u16) -> Option<usize> {
    places(text, name).find(|&at| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        status < 500 || is_quoted(before, after) || is_refused_before(before, after) || is_refused_after(after)
    })
}

/// Where `name` occurs in `text` as a whole word.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).map(|(at, _)| at).filter(move |&at| {
        !is_inside(text[..at].chars().next_back()) && !is_inside(text[at + name.len()..].chars().next())
    })
}

/// Whether a name is quoted; in text within JSON, quotes have a backslash.
fn is_quoted(before: &str, after: &str) -> bool {
    let quotes = ['"', '\'', '`'];
    before.ends_with(quotes) && after.trim_start_matches('\\').starts_with(quotes)
}

/// Whether a refusal ends before a name at the end of its phrase: "unknown field: seed", but not "invalid stream
/// state". "Unexpected" refuses a field only if it is called one.
fn is_refused_before(before: &str, after: &str) -> bool {
    let before = before.trim_end_matches([' ', ':', '[', '(', '{']);
    let kind = KINDS.iter().find_map(|kind| before.strip_suffix(kind)?.strip_suffix(' '));
    let ends = after.trim_start_matches(' ');
    let is_last = ends.len() == after.len() || KINDS.iter().any(|kind| ends.starts_with(kind));
    let said = kind.unwrap_or(before).trim_end();
    let refuses = |words: &&&str| kind.is_some() || **words != "unexpected";
    is_last && REFUSALS.iter().filter(refuses).any(|words| said.ends_with(words.trim_end()))
}

/// Whether a refusal begins after a name: "seed is not supported", "temperature: must be 1", but not "stream:
/// unexpected EOF".
fn is_refused_after(after: &str) -> bool {
    let mut said = after.trim_start_matches([' ', ':', '-']);
    for word in KINDS.iter().chain(&["is", "are", "does", "extra inputs are"]) {
        said = said.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')).unwrap_or(said);
    }
    after.starts_with([' ', ':']) && REFUSALS.iter().any(|words| *words != "unexpected" && said.starts_with(words))
}

/// The greatest value that is named as a limit, from `least` up to less than was requested.
fn limit(text: &str, least: u64, asked: Option<u64>) -> Option<u64> {
    let asked = asked?;
    let number = |after: &str| {
        let after = after.trim_start_matches(['`', '\'', '"']);
        after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let limits = LIMITS.iter().filter_map(|words| number(text.split_once(words)?.1));
    limits.filter(|number| (least..asked).contains(number)).max()
}

#[cfg(test)]
mod tests;
