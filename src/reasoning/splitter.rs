//! The splitter: a model's pieces in, however they are cut; its answer and its reasoning out, apart.
//!
//! A mark in a code span, in a fenced code block, between quotation marks, or after a backslash is text that speaks of a mark. What
//! can't be told yet is held back: the beginning of a mark, or a code span whose end has not come.

use crate::model::GenerationEvent;
use crate::reasoning::code::code;
use crate::reasoning::marks::{ANSWERING, Effect, MarkMatch, QUOTES, match_mark};

/// Takes the pieces of one text.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// All that came.
    raw: String,
    /// What was told of it.
    reported: Parts,
}

/// A text, taken apart.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The answer.
    pub(super) text: String,
    /// The reasoning, with an empty line between two parts of it.
    pub(super) reasoning: String,
    /// From here on, `text` proves to be reasoning where a closing mark comes alone.
    since: usize,
    /// A closing mark came alone. Whether what is before it was reasoning shows when more comes.
    lone: bool,
    /// Whether there was reasoning.
    reasoned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Answer,
    Reasoning,
    Header,
}

/// A header of a channel is no longer than this, in bytes.
const LONGEST_HEADER: usize = 200;

impl Splitter {
    /// Takes the next piece, and tells what it brings.
    pub(super) fn push(&mut self, piece: &str, tell: &mut dyn FnMut(GenerationEvent<'_>)) {
        self.raw.push_str(piece);
        self.tell(false, tell);
    }

    /// All of the text, of which pieces may have been missing.
    pub(super) fn complete(&mut self, text: &str) {
        text.clone_into(&mut self.raw);
    }

    /// No more comes.
    pub(super) fn end(mut self, tell: &mut dyn FnMut(GenerationEvent<'_>)) -> Parts {
        self.tell(true, tell);
        self.reported
    }

    fn tell(&mut self, last: bool, tell: &mut dyn FnMut(GenerationEvent<'_>)) {
        let parts = split(&self.raw, last);
        match parts.text.strip_prefix(self.reported.text.as_str()) {
            Some("") => (),
            Some(more) => tell(GenerationEvent::Text(more)),
            None => tell(GenerationEvent::Revised(&parts.text)),
        }
        match parts.reasoning.strip_prefix(self.reported.reasoning.as_str()) {
            None | Some("") => (),
            Some(more) => tell(GenerationEvent::Reasoning(more)),
        }
        self.reported = parts;
    }
}

/// Takes `raw` apart, as far as it can be told; all of it where no more comes.
fn split(raw: &str, last: bool) -> Parts {
    let mut parts = Parts::default();
    let (mut mode, mut from, mut at) = (Mode::Answer, 0, 0);
    while let Some(&byte) = raw.as_bytes().get(at) {
        if mode == Mode::Answer && byte == b'\\' {
            at += 2;
            continue;
        }
        if mode == Mode::Answer && matches!(byte, b'`' | b'~') {
            match code(raw.as_bytes(), from, at, last) {
                Some(end) => at = end,
                None => break,
            }
            continue;
        }
        if mode == Mode::Header && at - from > LONGEST_HEADER {
            mode = Mode::Answer;
        }
        match mark(raw, at, last) {
            Some((_, None)) => break,
            Some((bytes, Some(effect))) if parts.minds(effect, mode) => {
                let before = &raw[from..at];
                parts.take(before, mode);
                mode = parts.turn(effect, mode, before);
                at += bytes;
                from = at;
            }
            _ => at += 1,
        }
    }
    parts.take(&raw[from..at.min(raw.len())], mode);
    // After reasoning that had both its marks, one more says nothing.
    if last && parts.lone && !parts.reasoned {
        parts.revise();
    }
    parts
}

impl Parts {
    /// Whether a mark does anything here.
    fn minds(&self, effect: Effect, mode: Mode) -> bool {
        match (mode, effect) {
            (Mode::Answer, Effect::Frame) => self.reasoned || self.lone,
            (Mode::Answer, _) | (_, Effect::Header | Effect::End) => true,
            (Mode::Reasoning, effect) => effect == Effect::Close,
            (Mode::Header, effect) => effect == Effect::Message,
        }
    }

    /// What the text is after a mark; `before` is what stood between it and the last one.
    fn turn(&mut self, effect: Effect, mode: Mode, before: &str) -> Mode {
        let next = match effect {
            Effect::Open => Mode::Reasoning,
            Effect::Header => Mode::Header,
            Effect::Message if mode == Mode::Header => speaker(before),
            _ => Mode::Answer,
        };
        if mode == Mode::Reasoning {
            (self.reasoned, self.since) = (true, self.text.len());
        }
        self.lone |= effect == Effect::Close && mode == Mode::Answer;
        if self.lone && next != Mode::Answer {
            self.revise();
        }
        next
    }

    fn take(&mut self, said: &str, mode: Mode) {
        match mode {
            Mode::Header => (),
            Mode::Reasoning => self.reason(said),
            Mode::Answer => {
                let is_first = self.lone || self.reasoned && self.text.trim().is_empty();
                let said = if is_first { said.trim_start() } else { said };
                if self.lone && !said.is_empty() {
                    self.revise();
                }
                self.text.push_str(said);
            }
        }
    }

    fn reason(&mut self, said: &str) {
        let said = said.trim_start();
        if !said.is_empty() && !self.reasoning.is_empty() {
            self.reasoning.push_str("\n\n");
        }
        self.reasoning.push_str(said);
    }

    /// What came since the last reasoning was reasoning, too.
    fn revise(&mut self) {
        let moved = self.text.split_off(self.since);
        (self.lone, self.reasoned) = (false, true);
        self.reason(&moved);
    }
}

/// The mark that begins at `at`: its bytes, and its effect, which is none where it may only become a mark. One that is quoted is
/// none.
fn mark(raw: &str, at: usize, last: bool) -> Option<(usize, Option<Effect>)> {
    let (bytes, effect) = match match_mark(&raw.as_bytes()[at..])? {
        MarkMatch::Mark(bytes, effect) => (bytes, effect),
        MarkMatch::Part => return (!last).then_some((0, None)),
    };
    let is_quote = |c: char| QUOTES.contains(&c);
    let opened = raw[..at].chars().next_back().is_some_and(is_quote);
    match raw[at + bytes..].chars().next() {
        None if opened && !last => Some((0, None)),
        Some(after) if opened && is_quote(after) => None,
        _ => Some((bytes, Some(effect))),
    }
}

/// Who speaks after a header.
fn speaker(header: &str) -> Mode {
    let name = header.split_whitespace().next().unwrap_or_default();
    if ANSWERING.iter().any(|known| name.eq_ignore_ascii_case(known)) { Mode::Answer } else { Mode::Reasoning }
}
