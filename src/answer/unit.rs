//! A unit: what can be quoted from a page, with its place on the page and the terms that it holds.

use crate::answer::Form;
use crate::answer::sentences::{is_lead_in, may_end_sentence};
use crate::answer::terms::{Match, TermSet};

/// Units of fewer letters are not quoted by themselves, a Chinese, Japanese or Korean one counted twice; nor those of more
/// characters.
const FEWEST_LETTERS: usize = 15;
const MOST_CHARACTERS: usize = 600;
/// Code longer than that is quoted up to the last line within so many bytes.
const CODE_BYTES: usize = 400;
/// From here on scripts are written in characters each of which says as much as some letters do.
const FIRST_WIDE: char = '\u{2e80}';

/// What can be quoted: a sentence, a sentence of a list item, a row, a block of code.
pub(super) struct Unit {
    pub(super) text: String,
    pub(super) form: Form,
    /// Its section's place in the page's sections.
    pub(super) section: usize,
    /// The place of its block on the page.
    pub(super) block: usize,
    /// The unit that introduces the list, table or code that it belongs to.
    pub(super) intro: Option<usize>,
    /// The list that it stands in, numbered from 1; 0 outside of lists.
    pub(super) list: u32,
    /// How many lists it stands in, one inside the other; of a heading, its level.
    pub(super) depth: u8,
    /// The number that its page shows before it.
    pub(super) number: Option<u32>,
    /// Whether it goes on in the paragraph or item of the unit before it.
    pub(super) joins: bool,
    pub(super) standing: Standing,
    /// Whether it can be what is quoted, not only what is quoted along.
    pub(super) is_seed: bool,
    /// Whether it stands beside the page's own thread, as a warning does.
    pub(super) is_aside: bool,
    /// The terms that it holds.
    pub(super) own: TermSet,
    /// The terms of which it holds another word of the family.
    pub(super) kin: TermSet,
    /// Of a row, the terms in the heads of its columns.
    pub(super) heads: TermSet,
}

/// How near a unit stands to what its whole page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The page's description, where its text does not say it.
    Description,
    /// The page's description, as its text says it.
    SaidDescription,
    /// The page's opening or abstract.
    Lead,
    /// The opening of a section.
    Opening,
    /// One of its key points, which stand out of their context.
    KeyPoint,
    Body,
}

impl Unit {
    /// A unit with the terms that it and the heads of its columns hold, outside of lists.
    pub(super) fn of(text: &str, form: Form, intro: Option<usize>, found: Match, heads: TermSet) -> Unit {
        // A short item or command says enough behind the line that introduces it.
        let is_enough = is_long_enough(text) || intro.is_some();
        let is_short = form == Form::Code || text.chars().count() <= MOST_CHARACTERS;
        let is_seed = is_enough && is_short && (form == Form::Code || !is_lead_in(text));
        Unit {
            text: text.to_owned(),
            form,
            section: 0,
            block: 0,
            intro,
            list: 0,
            depth: 0,
            number: None,
            joins: false,
            standing: Standing::Body,
            is_seed: is_seed && form != Form::Heading,
            is_aside: false,
            own: found.exact,
            kin: found.kin,
            heads,
        }
    }

    /// The length of what is quoted of it, in characters.
    pub(super) fn characters(&self) -> usize {
        self.quotable().chars().count()
    }

    /// What is quoted of it: all, or of long code the first lines.
    pub(super) fn quotable(&self) -> &str {
        if self.form != Form::Code || self.text.len() <= MOST_CHARACTERS {
            return &self.text;
        }
        let cut = self.text.floor_char_boundary(CODE_BYTES);
        let end = self.text[..cut].rfind('\n').unwrap_or(cut);
        self.text[..end].trim_end()
    }

    /// Whether it is too long to be quoted whole.
    pub(super) fn is_cut(&self) -> bool {
        self.quotable().len() < self.text.len()
    }

    /// Whether it announces what follows it.
    pub(super) fn is_lead_in(&self) -> bool {
        self.form != Form::Code && is_lead_in(&self.text)
    }

    /// Whether it belongs to `list` at `depth`, or to a list inside of it, as the unit before it does.
    pub(super) fn is_inside(&self, list: u32, depth: u8) -> bool {
        list != 0 && (self.list == list || self.list != 0 && self.depth > depth)
    }
}

/// Whether `text` says enough to be quoted by itself.
fn is_long_enough(text: &str) -> bool {
    let wide = text.chars().filter(|c| *c >= FIRST_WIDE).count();
    text.chars().count() + wide >= FEWEST_LETTERS
}

/// `text` without the numbers of the page's own references at its end, as in `It grew. [2][3]`: a reader would take them
/// for numbers of the answer's sources.
pub(super) fn strip_references(text: &str) -> &str {
    let is_number =
        |inside: &str| !inside.is_empty() && inside.chars().all(|c| c.is_ascii_digit() || ", –-".contains(c));
    let mut text = text.trim_end();
    while let Some(open) = text.strip_suffix(']').and_then(|inside| inside.rfind('['))
        && is_number(&text[open + 1..text.len() - 1])
        && is_said_before(&text[..open], &text[open + 1..text.len() - 1])
    {
        text = text[..open].trim_end();
    }
    text
}

/// Whether the `number` of a reference can stand behind `text`: a sentence, or the words of a cell or an item. `The interval
/// [0, 10]` has no reference, nor has `See [1]`.
fn is_said_before(text: &str, number: &str) -> bool {
    let is_apart = text.ends_with(' ') && number.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.trim_end();
    text.ends_with(|c| may_end_sentence(c) || matches!(c, ']' | ')' | '"' | '”' | '’'))
        || is_apart && text.ends_with(char::is_alphabetic) && text.split_whitespace().nth(2).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pages_own_reference_marks_are_left_out() {
        let check = |text: &str, expected: &str| assert_eq!(strip_references(text), expected);
        check("It grew. [2]", "It grew.");
        check("It grew.[2][3, 4]", "It grew.");
        check("\"It grew.\" [2–5]", "\"It grew.\"");
        check("Rule type: Protocol [1] [2]", "Rule type: Protocol");
        check("The element is items[3]", "The element is items[3]");
        check("See [1]", "See [1]");
        check("[1]", "[1]");
        check("Lies in the interval [0, 10]", "Lies in the interval [0, 10]");
        check("See [the page]", "See [the page]");
        check("长大了。[2]", "长大了。");
    }
}
