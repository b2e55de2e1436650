//! A streamed answer in the making: events in, text and counts out.

use seealso::Generation;
use serde_json::Value;

use crate::error::Instead;
use crate::events::Event;
use crate::protocol::{Fault, Piece, Progress, Usage, json};

/// What an event brings.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AnswerEvent {
    /// More text.
    Text(String),
    /// More of the reasoning before it.
    Reasoning(String),
    /// The prompt is read so far.
    Read(Progress),
    /// It says something that is no answer.
    NonText,
    /// Nothing to be shown.
    Nothing,
    /// No more will come.
    Done,
}

/// What is wrong with an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AnswerFault {
    /// It is not understood: why, and what came. The key is to be hidden in that before it is cut to fit a message.
    Form(String, String),
    /// The server gave up.
    Gave(Fault),
    /// The server's filter withheld it.
    Withheld,
    /// It ended before it was whole.
    Unfinished,
    /// It is whole, and has no text.
    NoText(Instead),
}

/// What came so far.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    text: String,
    reasoning: String,
    usage: Usage,
    /// What ended it.
    finish: Option<String>,
    /// What was said that is no text, if anything was.
    instead: Instead,
    /// More bytes of text than this are not taken: the server does not keep to what it was asked for.
    most_bytes: usize,
    /// Events that hold something beside text, and how many of them are taken.
    non_text_events: usize,
    most_non_text_events: usize,
    full: bool,
    /// Whether an event had an empty reason for its end, as some servers write with every word.
    names_no_reason: bool,
}

/// A model that reasons does so within its tokens, an event for each; some servers count them apart.
const NON_TEXT_EVENTS_PER_TOKEN: usize = 4;
/// No model's tokens are longer on the whole.
const BYTES_PER_TOKEN: usize = 64;

impl Answer {
    /// One of at most so many tokens.
    pub(crate) fn of_tokens(max_tokens: usize) -> Answer {
        let most_bytes = max_tokens.saturating_mul(BYTES_PER_TOKEN).saturating_add(1024);
        let most_non_text_events = max_tokens.saturating_mul(NON_TEXT_EVENTS_PER_TOKEN).saturating_add(64);
        Answer { most_bytes, most_non_text_events, ..Answer::default() }
    }

    /// Whether a word of it is there.
    pub(crate) fn is_begun(&self) -> bool {
        !self.text.is_empty()
    }

    /// Whether nothing of it is there, not even reasoning.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty()
    }

    /// Whether the server said that it is whole, though counts of its tokens may follow.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Takes an event.
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
            // A complaint may be in words.
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

    /// More of the answer, as far as there is room for it.
    fn add(&mut self, piece: Piece) -> AnswerEvent {
        self.usage = piece.usage.unwrap_or(self.usage);
        // A model that reasons first and then refuses has refused.
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

    /// The whole, when no more comes.
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

/// The answer of a server that does not stream, of at most so many tokens.
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

/// What went wrong, where an event says so: in `error`, or in words in the place of an answer.
fn failure(name: &str, value: &Value) -> Option<Fault> {
    // Some have the complaint in a list.
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    let speaks = |field: &str| value[field].is_string() || value[field].is_array();
    let says = value["choices"].is_null() && (speaks("message") || speaks("detail"));
    let failed = name == "error" || value["object"] == "error" || !value["error"].is_null() || says;
    failed.then(|| Fault::of(value).unwrap_or_default())
}

#[cfg(test)]
mod tests;
