//! The splitter: a model's pieces in, however they are cut; its answer and its reasoning out, apart.
//!
//! A mark in a code span, in a fenced code block, between quotation marks, or after a backslash is text that speaks of a mark.
//! What can't be told yet is held back: the beginning of a mark, or a code span whose end has not come.

use crate::model::Wrote;
use crate::reasoning::code::{is_margin, run, span};
use crate::reasoning::marks::{ANSWERING, Effect, MARKS, QUOTES};

/// Hears of what was told apart.
pub(super) type Tell<'t> = &'t mut dyn FnMut(Wrote<'_>);

/// A mark, with the bytes that it takes; none where more text must come first, or none is left.
type Found = Option<(usize, Effect)>;

/// A header of a channel is no longer than this, in bytes.
const LONGEST_HEADER: usize = 200;

/// Takes the pieces of one text.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// What can't be told yet.
    held: String,
    mode: Mode,
    /// The answer so far.
    pub(super) text: String,
    /// The reasoning so far, with an empty line between two parts of it.
    pub(super) reasoning: String,
    /// From here on, `text` proves to be reasoning where a closing mark comes alone.
    since: usize,
    /// The fence of the code block that `text` ends in: its character, and how many of it.
    fence: Option<(u8, usize)>,
    /// A closing mark came alone. Whether what is before it was reasoning shows when more comes.
    lone: bool,
    /// Whether there was reasoning.
    reasoned: bool,
    /// A part of the reasoning begins.
    fresh: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Mode {
    #[default]
    Answer,
    Reasoning,
    Header,
}

/// How a text goes on at a place where a mark may begin.
enum Look {
    Mark(usize, Effect),
    /// It may become a mark.
    Beginning,
    Text,
}

impl Splitter {
    /// Takes the next piece.
    pub(super) fn push(&mut self, piece: &str, tell: Tell<'_>) {
        self.held.push_str(piece);
        self.go_on(false, tell);
    }

    /// No more comes.
    pub(super) fn end(&mut self, tell: Tell<'_>) {
        self.go_on(true, tell);
        // After reasoning that had both its marks, one more says nothing.
        if self.lone && !self.reasoned {
            self.revise(tell);
        }
    }

    fn go_on(&mut self, last: bool, tell: Tell<'_>) {
        loop {
            let (at, found) = match self.mode {
                Mode::Answer => self.next_in_answer(last),
                Mode::Reasoning => self.next_in_reasoning(last),
                Mode::Header => self.next_in_header(),
            };
            let said: String = self.held.drain(..at).collect();
            match self.mode {
                Mode::Answer => self.answer(&said, tell),
                Mode::Reasoning => self.reason(&said, tell),
                Mode::Header => (),
            }
            let Some((bytes, effect)) = found else { return };
            self.held.drain(..bytes);
            self.turn(effect, &said, tell);
        }
    }

    /// What comes after a mark; `said` is what stood before it.
    fn turn(&mut self, effect: Effect, said: &str, tell: Tell<'_>) {
        let was = self.mode;
        match effect {
            Effect::Close if was == Mode::Answer => self.lone = true,
            Effect::Open => self.mode = Mode::Reasoning,
            Effect::Header => self.mode = Mode::Header,
            Effect::Message if was == Mode::Header => self.mode = speaker(said),
            Effect::Close | Effect::End | Effect::Message => self.mode = Mode::Answer,
            Effect::Frame => (),
        }
        if was == Mode::Reasoning && self.mode != was {
            (self.reasoned, self.since) = (true, self.text.len());
        }
        self.fresh = self.mode == Mode::Reasoning;
        if self.lone && self.mode != Mode::Answer {
            self.revise(tell);
        }
    }

    /// The next mark in an answer, and the bytes before it that are its text.
    fn next_in_answer(&mut self, last: bool) -> (usize, Found) {
        let mut at = 0;
        while let Some(&byte) = self.held.as_bytes().get(at) {
            let end = match byte {
                _ if self.fence.is_some() => self.fenced(at, last),
                b'`' | b'~' => self.code(at, last),
                b'\\' => self.escaped(at, last),
                _ => match self.look(at, last) {
                    Look::Mark(_, Effect::Frame) if !(self.reasoned || self.lone) => Some(at + 1),
                    Look::Mark(bytes, effect) => return (at, Some((bytes, effect))),
                    Look::Beginning => None,
                    Look::Text => Some(at + 1),
                },
            };
            match end {
                Some(end) => at = end,
                None => return (at, None),
            }
        }
        (at, None)
    }

    fn next_in_reasoning(&self, last: bool) -> (usize, Found) {
        for at in 0..self.held.len() {
            match self.look(at, last) {
                Look::Mark(bytes, effect @ (Effect::Close | Effect::Header | Effect::End)) => {
                    return (at, Some((bytes, effect)));
                }
                Look::Beginning => return (at, None),
                _ => (),
            }
        }
        (self.held.len(), None)
    }

    /// Like [`Splitter::next_in_answer`]; what has no end is no header.
    fn next_in_header(&self) -> (usize, Found) {
        for at in 0..self.held.len() {
            match look(&self.held.as_bytes()[at..], |_| true) {
                Look::Mark(bytes, effect @ (Effect::Header | Effect::Message | Effect::End)) => {
                    return (at, Some((bytes, effect)));
                }
                _ if at > LONGEST_HEADER => return (0, Some((0, Effect::End))),
                _ => (),
            }
        }
        (0, None)
    }

    /// What begins at a place of `held`.
    fn look(&self, at: usize, last: bool) -> Look {
        let begins = |text: &str| {
            let whole = self.so_far().chars().chain(self.held.chars()).skip_while(|c| c.is_whitespace());
            text.is_empty() || self.mode == Mode::Answer && whole.take(text.len()).eq(text.chars())
        };
        match look(&self.held.as_bytes()[at..], begins) {
            Look::Mark(bytes, effect) => {
                let before = self.held[..at].chars().next_back().or_else(|| self.so_far().chars().next_back());
                let quoted = |c: Option<char>| c.is_some_and(|c| QUOTES.contains(c));
                match self.held[at + bytes..].chars().next() {
                    None if quoted(before) && !last => Look::Beginning,
                    after if quoted(before) && quoted(after) => Look::Text,
                    _ => Look::Mark(bytes, effect),
                }
            }
            Look::Beginning if last => Look::Text,
            other => other,
        }
    }

    /// The end of a backslash and what it takes its meaning from; none where that has not come.
    fn escaped(&self, at: usize, last: bool) -> Option<usize> {
        match self.held.as_bytes().get(at + 1) {
            None => last.then_some(at + 1),
            Some(next) => Some(at + 1 + usize::from(next.is_ascii())),
        }
    }

    /// The end of a code span or of an opening fence; none where that can't be told yet. A run that opens nothing is text.
    fn code(&mut self, at: usize, last: bool) -> Option<usize> {
        let bytes = self.held.as_bytes();
        let kind = bytes[at];
        let run = run(&bytes[at..], kind);
        let after = &bytes[at + run..];
        if after.is_empty() && !last {
            return None;
        }
        if run >= 3 && self.begins_line(at) {
            // After an opening fence of backticks, its line has no more of them.
            let line = after.iter().position(|&byte| byte == b'\n' || kind == b'`' && byte == b'`');
            match line.map(|end| after[end]) {
                None if !last => return None,
                Some(b'`') => (),
                _ => {
                    self.fence = Some((kind, run));
                    return Some(at + run);
                }
            }
        }
        let spanned = if kind == b'`' { span(after, run, last)? } else { 0 };
        Some(at + run + spanned)
    }

    /// The end of a line of a code block, or of what is there of it; none where that can't be told yet.
    fn fenced(&mut self, at: usize, last: bool) -> Option<usize> {
        let (kind, least) = self.fence?;
        let rest = &self.held.as_bytes()[at..];
        let through_line = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
        if self.before(at).next().is_some_and(|byte| byte != b'\n') {
            return Some(at + through_line);
        }
        let margin = rest.iter().take_while(|&&byte| is_margin(byte)).count();
        let run = run(&rest[margin..], kind);
        let blank = rest[margin + run..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        match rest.get(margin + run + blank) {
            None if !last => return None,
            None | Some(b'\n') if run >= least => self.fence = None,
            _ => (),
        }
        Some(at + through_line)
    }

    /// The bytes before a place of `held`, the last one first.
    fn before(&self, at: usize) -> impl Iterator<Item = u8> {
        self.held.as_bytes()[..at].iter().rev().chain(self.so_far().as_bytes().iter().rev()).copied()
    }

    /// What `held` goes on from: what came since the last reasoning, and nothing after a closing mark that came alone.
    fn so_far(&self) -> &str {
        match self.mode {
            _ if self.lone || self.fresh => "",
            Mode::Answer => &self.text[self.since..],
            _ => &self.reasoning,
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        self.before(at).find(|&byte| !is_margin(byte)).is_none_or(|byte| byte == b'\n')
    }

    fn answer(&mut self, said: &str, tell: Tell<'_>) {
        let said = if self.lone || self.reasoned && self.text.trim().is_empty() { said.trim_start() } else { said };
        if said.is_empty() {
            return;
        }
        if self.lone {
            self.revise(tell);
        }
        self.text.push_str(said);
        tell(Wrote::Text(said));
    }

    fn reason(&mut self, said: &str, tell: Tell<'_>) {
        let said = if self.fresh { said.trim_start() } else { said };
        if said.is_empty() {
            return;
        }
        if std::mem::take(&mut self.fresh) && !self.reasoning.is_empty() {
            self.reasoning.push_str("\n\n");
            tell(Wrote::Reasoning("\n\n"));
        }
        self.reasoning.push_str(said);
        tell(Wrote::Reasoning(said));
    }

    /// What came since the last reasoning was reasoning, too.
    fn revise(&mut self, tell: Tell<'_>) {
        let moved = self.text.split_off(self.since);
        (self.lone, self.reasoned) = (false, true);
        if !moved.is_empty() {
            tell(Wrote::Revised(&self.text));
            self.fresh = true;
            self.reason(&moved, tell);
            self.fresh = self.mode == Mode::Reasoning;
        }
    }
}

/// The mark at the beginning of `bytes`; `begins` tells whether the answer begins with a text.
fn look(bytes: &[u8], begins: impl Fn(&str) -> bool) -> Look {
    let mut look = Look::Text;
    for mark in MARKS {
        let both = bytes.len().min(mark.text.len());
        if !bytes[..both].eq_ignore_ascii_case(&mark.text.as_bytes()[..both]) || !begins(mark.after) {
            continue;
        }
        if both == mark.text.len() {
            return Look::Mark(both, mark.effect);
        }
        look = Look::Beginning;
    }
    look
}

/// Who speaks after a header.
fn speaker(header: &str) -> Mode {
    let name = header.split_whitespace().next().unwrap_or_default();
    if ANSWERING.iter().any(|known| name.eq_ignore_ascii_case(known)) { Mode::Answer } else { Mode::Reasoning }
}
