//! The second pass: finds what a block's text holds besides plain text, from left to right.
//!
//! Code spans, links and raw HTML are found at once; runs of `*`, `_` and `~` wait until the text around them is
//! known, and become emphasis in [`emphasis`].

use super::definitions::{self, Definitions};
use super::emphasis::{self, Delimiter};
use super::html;
use super::line::run;
use super::remarks;
use super::signs::{self, Sign};
use super::target::{self, unescape};
use super::token::{Kind, Token};

/// Longest run of backticks that may enclose code.
const MAX_TICKS: usize = 64;

/// A link or an image.
pub(super) struct Link {
    pub(super) image: bool,
    pub(super) target: String,
    /// Where it stands, from its first bracket on.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// `[` or `![`, waiting for its `]`.
struct Bracket {
    token: usize,
    image: bool,
    /// How many delimiters stand before it.
    delimiters: usize,
    /// Whether another bracket opens behind it, so that its text is no label.
    holds_bracket: bool,
}

pub(super) struct Inline<'t> {
    text: &'t str,
    definitions: &'t Definitions,
    pub(super) tokens: Vec<Token>,
    pub(super) links: Vec<Link>,
    delimiters: Vec<Delimiter>,
    brackets: Vec<Bracket>,
    /// Brackets below this height cannot start a link, as they would hold one.
    inactive: usize,
    remarks: remarks::Finder,
    /// Where the last run of so many backticks starts, of those looked at; so that many runs that close nothing
    /// cost no more than one.
    ticks: [usize; MAX_TICKS + 1],
    /// Whether all runs of backticks have been looked at.
    ticks_known: bool,
}

/// Finds the tokens of a text and its links, from `start` on.
pub(super) fn read<'t>(text: &'t str, start: usize, definitions: &'t Definitions) -> Inline<'t> {
    let mut inline = Inline {
        text,
        definitions,
        tokens: Vec::new(),
        links: Vec::new(),
        delimiters: Vec::new(),
        brackets: Vec::new(),
        inactive: 0,
        remarks: remarks::Finder::default(),
        ticks: [0; MAX_TICKS + 1],
        ticks_known: false,
    };
    let special = |byte: &u8| b"\\`<&![]*_~=%{^:$\n".contains(byte);
    let mut at = start;
    while let Some(step) = text.as_bytes()[at..].iter().position(special) {
        at = inline.special(at + step);
    }
    emphasis::resolve(&mut inline.tokens, &inline.delimiters);
    inline
}

impl Inline<'_> {
    /// Reads what may stand at `at`; gives where to read on.
    fn special(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        match bytes[at] {
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => self.push(at, at + 2, Kind::HardBreak),
            b'\\' => self.character(at, target::escape(self.text, at)),
            b'&' => self.character(at, target::entity(self.text, at)),
            b'\n' => self.line_break(at),
            b'`' => self.code(at),
            b'<' => self.angle(at),
            b'!' if bytes.get(at + 1) != Some(&b'[') => at + 1,
            b'!' => self.open_bracket(at, true),
            b'[' | b'%' | b'{' | b'^' | b':' | b'$' => self.sign(at),
            b']' => self.close_bracket(at),
            mark => self.delimiter(at, mark),
        }
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) -> usize {
        self.tokens.push(Token { start, end, kind });
        end
    }

    fn character(&mut self, at: usize, found: Option<(char, usize)>) -> usize {
        match found {
            Some((c, length)) => self.push(at, at + length, Kind::Char(c)),
            None => at + 1,
        }
    }

    fn line_break(&mut self, at: usize) -> usize {
        let start = self.text[..at].trim_end_matches([' ', '\t']).len();
        let kind = if at - start >= 2 { Kind::HardBreak } else { Kind::SoftBreak };
        self.push(start, at + 1, kind)
    }

    fn code(&mut self, at: usize) -> usize {
        let ticks = run(&self.text[at..], b'`');
        match self.closing_ticks(at + ticks, ticks) {
            Some(close) => self.push(at, close + ticks, Kind::Code(ticks)),
            None => at + ticks,
        }
    }

    /// Where the next run of exactly so many backticks starts.
    fn closing_ticks(&mut self, from: usize, ticks: usize) -> Option<usize> {
        if ticks > MAX_TICKS || (self.ticks_known && self.ticks[ticks] < from) {
            return None;
        }
        let mut at = from;
        while let Some(step) = self.text[at..].find('`') {
            let start = at + step;
            let length = run(&self.text[start..], b'`');
            if length <= MAX_TICKS {
                self.ticks[length] = self.ticks[length].max(start);
            }
            if length == ticks {
                return Some(start);
            }
            at = start + length;
        }
        self.ticks_known = true;
        None
    }

    /// A URL or an address in angle brackets, a comment, or a tag.
    fn angle(&mut self, at: usize) -> usize {
        if let Some((length, kind)) = autolink(&self.text[at + 1..]) {
            return self.push(at, at + length + 2, kind);
        }
        if let Some(end) = self.remarks.end(self.text, at) {
            return self.push(at, end, Kind::Remark);
        }
        match html::tag(self.text, at) {
            Some((end, kind)) => self.push(at, end, kind),
            None => at + 1,
        }
    }

    /// A remark, a sign of another dialect, or a bracket.
    fn sign(&mut self, at: usize) -> usize {
        if let Some(end) = self.remarks.end(self.text, at) {
            return self.push(at, end, Kind::Remark);
        }
        match signs::read(self.text, at, self.definitions) {
            Some(Sign { kind, text, length }) => {
                self.push(at, at + text.start, kind);
                self.push(at + text.start, at + text.end, Kind::Text);
                self.push(at + text.end, at + length, Kind::Hidden)
            }
            None if self.text.as_bytes()[at] == b'[' => self.open_bracket(at, false),
            None => at + 1,
        }
    }

    fn open_bracket(&mut self, at: usize, image: bool) -> usize {
        if let Some(outer) = self.brackets.last_mut() {
            outer.holds_bracket = true;
        }
        let (token, delimiters) = (self.tokens.len(), self.delimiters.len());
        self.brackets.push(Bracket { token, image, delimiters, holds_bracket: false });
        self.push(at, at + 1 + usize::from(image), Kind::Text)
    }

    fn close_bracket(&mut self, at: usize) -> usize {
        let Some(bracket) = self.brackets.pop() else { return at + 1 };
        let active = bracket.image || self.brackets.len() >= self.inactive;
        self.inactive = self.inactive.min(self.brackets.len());
        let found = if active { self.target(&bracket, at) } else { None };
        let Some((target, end)) = found else { return at + 1 };
        emphasis::resolve(&mut self.tokens, &self.delimiters[bracket.delimiters..]);
        self.delimiters.truncate(bracket.delimiters);
        if !bracket.image {
            self.inactive = self.brackets.len();
        }
        let start = self.tokens[bracket.token].start;
        self.tokens[bracket.token].kind = Kind::LinkStart(self.links.len());
        self.push(at, end, Kind::LinkEnd(self.links.len()));
        self.links.push(Link { image: bracket.image, target, start, end });
        end
    }

    /// The target of the link whose label ends at `at`, and where all of the link ends.
    fn target(&self, bracket: &Bracket, at: usize) -> Option<(String, usize)> {
        if let Some((target, end)) = target::inline(self.text, at + 1) {
            return Some((unescape(target), end));
        }
        let following = definitions::label(self.text, at + 1);
        let own = &self.text[self.tokens[bracket.token].end..at];
        let (label, end) = match following {
            Some((label, end)) if !label.is_empty() => (label, end),
            _ if bracket.holds_bracket => return None,
            Some((_, end)) => (own, end),
            None => (own, at + 1),
        };
        self.definitions.target(label).map(|target| (target.to_string(), end))
    }

    fn delimiter(&mut self, at: usize, mark: u8) -> usize {
        let length = run(&self.text[at..], mark);
        let end = at + length;
        let delimiter = Delimiter::new(self.text, at, end, self.tokens.len());
        if delimiter.can_open || delimiter.can_close {
            self.delimiters.push(delimiter);
            for start in at..end {
                self.push(start, start + 1, Kind::Text);
            }
        }
        end
    }
}

/// A URL or an e-mail address that `text` starts with, and that ends before a `>`: its length, and which it is.
fn autolink(text: &str) -> Option<(usize, Kind)> {
    let stop = |byte: u8| byte <= b' ' || matches!(byte, b'<' | b'>' | 0x7f);
    let length = text.bytes().position(stop)?;
    if text.as_bytes()[length] != b'>' {
        return None;
    }
    let inner = &text[..length];
    if let Some((scheme, _)) = inner.split_once(':') {
        let letters = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'));
        return (letters && (2..=32).contains(&scheme.len())).then_some((length, Kind::Url));
    }
    is_email(inner).then_some((length, Kind::Email))
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let part = |part: &str| {
        (1..=63).contains(&part.len())
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    !name.is_empty() && name.bytes().all(plain) && host.split('.').all(part)
}
