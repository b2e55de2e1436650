//! Runs of `*`, `_`, `~` and `=`, and how they pair to emphasis, by the rules of CommonMark; `==` marks as `**` does.

use super::token::{Kind, Style, Token};
use crate::links::is_mark;
use crate::render::is_invisible;

/// A run of one mark that may open or close emphasis.
#[derive(Clone, Copy)]
pub(super) struct Delimiter {
    /// The token of its first mark; each mark has one.
    token: usize,
    /// How many marks are left.
    count: usize,
    /// How many there were.
    length: usize,
    mark: u8,
    pub(super) can_open: bool,
    pub(super) can_close: bool,
}

impl Delimiter {
    /// The run from `start` to `end`.
    pub(super) fn new(text: &str, start: usize, end: usize, token: usize) -> Delimiter {
        let mark = text.as_bytes()[start];
        let length = end - start;
        // The ends of the text count as white space.
        let before = text[..start].chars().next_back().unwrap_or(' ');
        let after = text[end..].chars().next().unwrap_or(' ');
        // `*` and `~~` may stand inside a word, `_` and `~` may not; `==` may where words aren't set apart.
        let joined = !(before.is_ascii() && after.is_ascii());
        let inside = mark == b'*' || (mark == b'~' && length == 2) || (mark == b'=' && joined);
        let valid = match mark {
            b'~' => length <= 2,
            b'=' => length == 2,
            _ => true,
        };
        let (spaced_before, spaced_after) = (before.is_whitespace(), after.is_whitespace());
        let (marked_before, marked_after) = (is_punctuation(before), is_punctuation(after));
        let can_open = !spaced_after && (spaced_before || marked_before || inside && (!marked_after || mark == b'~'));
        let can_close = !spaced_before && (spaced_after || marked_after || inside && !marked_before);
        Delimiter { token, count: length, length, mark, can_open: valid && can_open, can_close: valid && can_close }
    }

    fn both(&self) -> bool {
        self.can_open && self.can_close
    }

    /// What closers that search alike have in common.
    fn class(&self) -> usize {
        let mark = match self.mark {
            b'*' => 0,
            b'_' => 1,
            b'~' => 2,
            _ => 3,
        };
        (mark * 2 + usize::from(self.both())) * 3 + self.length % 3
    }

    /// Whether `self` may open what `closer` closes.
    fn opens_for(&self, closer: &Delimiter) -> bool {
        let matching = if matches!(self.mark, b'~' | b'=') {
            self.length == closer.length
        } else {
            !(self.both() || closer.both())
                || !(self.length + closer.length).is_multiple_of(3)
                || closer.length.is_multiple_of(3)
        };
        self.mark == closer.mark && matching
    }
}

/// Pairs the runs, which stand in the order of the text, and marks their tokens.
pub(super) fn resolve(tokens: &mut [Token], delimiters: &[Delimiter]) {
    let mut openers: Vec<Delimiter> = Vec::new();
    // For each class, the height up to which the openers are known to hold none for it.
    let mut searched = [0; 24];
    for &delimiter in delimiters {
        let mut run = delimiter;
        while run.can_close && run.count > 0 {
            let from = searched[run.class()].min(openers.len());
            let Some(step) = openers[from..].iter().rposition(|opener| opener.opens_for(&run)) else {
                searched[run.class()] = openers.len();
                break;
            };
            let height = from + step;
            openers.truncate(height + 1);
            searched.iter_mut().for_each(|known| *known = height.min(*known));
            let opener = &mut openers[height];
            pair(tokens, opener, &mut run);
            if opener.count == 0 {
                openers.pop();
            }
        }
        if run.can_open && run.count > 0 {
            openers.push(run);
        }
    }
}

/// Uses up the last marks of the opener and the first ones of the closer, two where both have two.
fn pair(tokens: &mut [Token], opener: &mut Delimiter, closer: &mut Delimiter) {
    let marks = opener.count.min(closer.count).min(2);
    let style = match (opener.mark, marks) {
        (b'~', _) => Style::Strikethrough,
        (b'*' | b'_', 2) => Style::Strong,
        _ => Style::Emphasis,
    };
    opener.count -= marks;
    let open = opener.token + opener.count;
    let close = closer.token;
    closer.token += marks;
    closer.count -= marks;
    tokens[open + marks - 1].kind = Kind::Hidden;
    tokens[close + marks - 1].kind = Kind::Hidden;
    tokens[open].kind = Kind::Open(style);
    tokens[close].kind = Kind::Close(style);
}

/// Whether CommonMark takes a character for punctuation or a symbol. Beyond ASCII: what is neither letter, digit
/// nor space, without the marks and signs that belong to a letter or are not seen.
fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    let joined = is_mark(c) || is_invisible(c) || matches!(c, '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe2f}');
    !(joined || c.is_alphanumeric() || c.is_whitespace() || c.is_control())
}
