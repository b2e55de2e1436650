//! The splitter: it takes a model's pieces, however they are cut, and separates answer and reasoning.
//!
//! A mark in a code span, in a fenced code block, between quotation marks, or after a backslash is text about a mark.
//! Text that cannot be classified yet is held back: the beginning of a mark, or a code span whose end has not come.

use crate::model::GenerationEvent;
use crate::reasoning::code::code;
use crate::reasoning::marks::{ANSWERING, Effect, MarkMatch, QUOTES, match_mark};

/// Takes the pieces of one text.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// All pieces received.
    raw: String,
    /// The parts that were reported.
    reported: Parts,
}

/// A text, separated into answer and reasoning.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The answer.
    pub(super) text: String,
    /// The reasoning, with an empty line between two parts of it.
    pub(super) reasoning: String,
    /// The part of `text` from here on proves to be reasoning if a closing mark comes alone.
    since: usize,
    /// Whether a closing mark came alone. Whether the text before it was reasoning shows when more comes.
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
    /// Takes the next piece, and reports what it adds.
    pub(super) fn push(&mut self, piece: &str, on_event: &mut dyn FnMut(GenerationEvent<'_>)) {
        self.raw.push_str(piece);
        self.report(false, on_event);
    }

    /// Sets the complete text, of which pieces may have been missing.
    pub(super) fn complete(&mut self, text: &str) {
        text.clone_into(&mut self.raw);
    }

    /// Ends the text.
    pub(super) fn end(mut self, on_event: &mut dyn FnMut(GenerationEvent<'_>)) -> Parts {
        self.report(true, on_event);
        self.reported
    }

    fn report(&mut self, last: bool, on_event: &mut dyn FnMut(GenerationEvent<'_>)) {
        let parts = split(&self.raw, last);
        match parts.text.strip_prefix(self.reported.text.as_str()) {
            Some("") => (),
            Some(more) => on_event(GenerationEvent::Text(more)),
            None => on_event(GenerationEvent::Revised(&parts.text)),
        }
        match parts.reasoning.strip_prefix(self.reported.reasoning.as_str()) {
            None | Some("") => (),
            Some(more) => on_event(GenerationEvent::Reasoning(more)),
        }
        self.reported = parts;
    }
}

/// Separates `raw`, as far as it can be classified; all of it if `last`.
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
            Some((bytes, Some(effect))) if parts.has_effect(effect, mode) => {
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
    // After reasoning with both its marks, one more mark means nothing.
    if last && parts.lone && !parts.reasoned {
        parts.revise();
    }
    parts
}

impl Parts {
    /// Whether a mark has an effect in this mode.
    fn has_effect(&self, effect: Effect, mode: Mode) -> bool {
        match (mode, effect) {
            (Mode::Answer, Effect::Frame) => self.reasoned || self.lone,
            (Mode::Answer, _) | (_, Effect::Header | Effect::End) => true,
            (Mode::Reasoning, effect) => effect == Effect::Close,
            (Mode::Header, effect) => effect == Effect::Message,
        }
    }

    /// The mode after a mark; `before` is the text between it and the previous mark.
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

    /// The text since the last reasoning was reasoning too.
    fn revise(&mut self) {
        let moved = self.text.split_off(self.since);
        (self.lone, self.reasoned) = (false, true);
        self.reason(&moved);
    }
}

/// The mark that begins at `at`: its bytes, and its effect, which is `None` if it may only become a mark. A quoted mark
/// is none.
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

/// The mode after a header.
fn speaker(header: &str) -> Mode {
    let name = header.split_whitespace().next().unwrap_or_default();
    if ANSWERING.iter().any(|known| name.eq_ignore_ascii_case(known)) { Mode::Answer } else { Mode::Reasoning }
}
