//! A streamed answer in progress: events in, text and counts out.

use seealso::Generation;
use serde_json::Value;

use crate::error::Instead;
use crate::events::Event;
use crate::protocol::{Fault, Piece, Progress, Usage, json};

/// The content of an event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AnswerEvent {
    /// More text.
    Text(String),
    /// More of the reasoning before it.
    Reasoning(String),
    /// Progress of reading the prompt.
    Read(Progress),
    /// Content that is not part of the answer.
    NonText,
    /// Nothing to report.
    Nothing,
    /// The end of the answer.
    Done,
}

/// A fault of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AnswerFault {
    /// It is malformed: why, and the received text. The key must be hidden in that before it is cut to fit a message.
    Form(String, String),
    /// The server reported an error.
    Gave(Fault),
    /// The server's filter withheld it.
    Withheld,
    /// It ended before it was complete.
    Unfinished,
    /// It is complete, and has no text.
    NoText(Instead),
}

/// The answer received so far.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    text: String,
    reasoning: String,
    usage: Usage,
    /// The reason for its end.
    finish: Option<String>,
    /// Content other than text, if there was any.
    instead: Instead,
    /// The most bytes of text; a server that sends more does not honour its limit of tokens.
    most_bytes: usize,
    /// The number of events with content other than text, and the most of them.
    non_text_events: usize,
    most_non_text_events: usize,
    full: bool,
    /// Whether an event had an empty finish reason, as some servers write with every word.
    names_no_reason: bool,
}

/// The most events with other content per token. A model reasons within its tokens, one event each; some servers count them
/// separately.
const NON_TEXT_EVENTS_PER_TOKEN: usize = 4;
/// The most bytes per token; the average of every model is lower.
const BYTES_PER_TOKEN: usize = 64;

impl Answer {
    /// An answer of at most `max_tokens` tokens.
    pub(crate) fn of_tokens(max_tokens: usize) -> Answer {
        let most_bytes = max_tokens.saturating_mul(BYTES_PER_TOKEN).saturating_add(1024);
        let most_non_text_events = max_tokens.saturating_mul(NON_TEXT_EVENTS_PER_TOKEN).saturating_add(64);
        Answer { most_bytes, most_non_text_events, ..Answer::default() }
    }

    /// Whether it has text.
    pub(crate) fn is_begun(&self) -> bool {
        !self.text.is_empty()
    }

    /// Whether it has neither text nor reasoning.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty()
    }

    /// Whether the server reported its end, though token counts may follow.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Adds an event.
    pub(crate) fn take(&mut self, event: &Event) -> Result<AnswerEvent, AnswerFault> {
        if event.is_done() {
            if self.names_no_reason && self.finish.is_none() {
                self.finish = Some("stop".to_owned());
            }
            return Ok(AnswerEvent::Done);
        }
        if event.data.trim().is_empty() && event.name != "error" {
            return Ok(AnswerEvent::Nothing);
        }
        let came = || event.data.clone();
        let value = match json::parse(&event.data) {
            Ok(Value::Null) => return Ok(AnswerEvent::Nothing),
            Ok(value) => value,
            // An error may be plain text.
            Err(_) if event.name == "error" => {
                return Err(AnswerFault::Gave(Fault::parse(&event.data).unwrap_or_default()));
            }
            Err(_) => return Err(AnswerFault::Form("an event that is no JSON".to_owned(), came())),
        };
        if let Some(fault) = failure(&event.name, &value) {
            return Err(AnswerFault::Gave(fault));
        }
        let piece =
            Piece::of(&value).map_err(|what| AnswerFault::Form(format!("an event of another form, {what}"), came()))?;
        match piece.progress {
            Some(progress) => {
                self.usage = piece.usage.unwrap_or(self.usage);
                Ok(AnswerEvent::Read(progress))
            }
            None => Ok(self.add(piece)),
        }
    }

    /// Adds a piece, as far as there is room.
    fn add(&mut self, piece: Piece) -> AnswerEvent {
        self.usage = piece.usage.unwrap_or(self.usage);
        // A refusal after reasoning is a refusal.
        if self.instead == Instead::Nothing || !matches!(piece.instead, Instead::Nothing | Instead::Reasoning) {
            self.instead = piece.instead;
        }
        self.names_no_reason |= piece.finish.as_deref() == Some("");
        self.finish = piece.finish.filter(|reason| !reason.is_empty()).or(self.finish.take());
        self.non_text_events += usize::from(piece.instead != Instead::Nothing);
        for (so_far, more) in [(&mut self.text, &piece.text), (&mut self.reasoning, &piece.reasoning)] {
            so_far.push_str(more);
            self.full |= so_far.len() > self.most_bytes;
            so_far.truncate(so_far.floor_char_boundary(self.most_bytes));
        }
        self.full |= self.non_text_events > self.most_non_text_events;
        match (piece.text.is_empty(), piece.reasoning.is_empty()) {
            _ if self.full => AnswerEvent::Done,
            (false, _) => AnswerEvent::Text(piece.text),
            (true, false) => AnswerEvent::Reasoning(piece.reasoning),
            (true, true) if piece.instead != Instead::Nothing => AnswerEvent::NonText,
            (true, true) => AnswerEvent::Nothing,
        }
    }

    /// The complete answer, when no more comes.
    pub(crate) fn end(self) -> Result<Generation, AnswerFault> {
        match self.finish.as_deref() {
            None if !self.full => Err(AnswerFault::Unfinished),
            Some("content_filter") => Err(AnswerFault::Withheld),
            _ if self.text.trim().is_empty() => Err(AnswerFault::NoText(self.instead)),
            finish => Ok(Generation {
                tokens: self.usage.completion_tokens,
                prompt_tokens: self.usage.prompt_tokens,
                known_tokens: self.usage.prompt_tokens_details.unwrap_or_default().cached_tokens,
                cut: self.full || finish == Some("length"),
                text: self.text,
                reasoning: self.reasoning,
            }),
        }
    }
}

/// The answer of a server that does not stream, of at most `max_tokens` tokens.
pub(crate) fn whole(value: &Value, max_tokens: usize) -> Result<Generation, AnswerFault> {
    let form = |what: &str| AnswerFault::Form(what.to_owned(), String::new());
    if let Some(fault) = failure("", value) {
        return Err(AnswerFault::Gave(fault));
    }
    let piece = Piece::of(value).map_err(form)?;
    if !piece.answers {
        return Err(form("an answer without choices"));
    }
    let mut answer = Answer::of_tokens(max_tokens);
    answer.add(piece);
    answer.finish.get_or_insert_with(|| "stop".to_owned());
    answer.end()
}

/// The error that an event reports: in `error`, or as text in place of an answer.
fn failure(name: &str, value: &Value) -> Option<Fault> {
    // Some servers put the error in a list.
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    let speaks = |field: &str| value[field].is_string() || value[field].is_array();
    let says = value["choices"].is_null() && (speaks("message") || speaks("detail"));
    let failed = name == "error" || value["object"] == "error" || !value["error"].is_null() || says;
    failed.then(|| Fault::of(value).unwrap_or_default())
}

#[cfg(test)]
mod tests;
