//! JSON of two shapes: an array of strings (RFC 8259), bounded so that it must come to an end; and an object with such an
//! array as its only field.

use super::Automaton;

/// Allows `["…", "…"]`: at most `most` strings of at most `longest` bytes each as written between the quotes, no
/// white space but a single space after a comma. Strings are valid UTF-8; `\u` escapes of surrogates are left out,
/// since half a pair is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StringArray {
    /// The most strings.
    pub most: usize,
    /// The most bytes of a string; a character or escape that has begun may still be finished.
    pub longest: usize,
}

/// Allows `{"name": ["…", "…"]}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedStrings {
    /// What stands before the array.
    before: String,
    array: StringArray,
}

impl NamedStrings {
    /// The object whose only field is `name`, written in letters that need no escapes, with this array.
    #[must_use]
    pub fn new(name: &str, array: StringArray) -> Self {
        Self { before: format!("{{\"{name}\": "), array }
    }
}

/// Where the object stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// So many bytes of what stands before the array are there.
    Before(usize),
    Array(State),
    /// After `}`.
    End,
}

impl Automaton for NamedStrings {
    type State = Position;

    fn start(&self) -> Position {
        Position::Before(0)
    }

    fn step(&self, state: &Position, byte: u8) -> Option<Position> {
        match state {
            Position::Before(at) if *at == self.before.len() => {
                self.array.step(&self.array.start(), byte).map(Position::Array)
            }
            Position::Before(at) => (self.before.as_bytes()[*at] == byte).then_some(Position::Before(at + 1)),
            Position::Array(inside) if self.array.is_end(inside) => (byte == b'}').then_some(Position::End),
            Position::Array(inside) => self.array.step(inside, byte).map(Position::Array),
            Position::End => None,
        }
    }

    fn is_end(&self, state: &Position) -> bool {
        *state == Position::End
    }
}

/// Where the array stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    place: Place,
    /// Strings begun so far.
    strings: usize,
    /// Bytes of the present string.
    length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before `[`.
    Start,
    /// After `[`.
    Open,
    /// Between a string's characters.
    Text,
    /// Inside a character: how many bytes are to come, and the range of the next.
    Character { left: u8, low: u8, high: u8 },
    /// After a backslash.
    Escape,
    /// After `\u`: how many hexadecimal digits are to come, and whether the first of them was a `d`.
    Hex { left: u8, after_d: bool },
    /// After a string.
    Closed,
    /// After a comma, and whether the space stands already.
    Comma { spaced: bool },
    /// After `]`.
    End,
}

impl Automaton for StringArray {
    type State = State;

    fn start(&self) -> State {
        State { place: Place::Start, strings: 0, length: 0 }
    }

    fn step(&self, state: &State, byte: u8) -> Option<State> {
        let at = |place| Some(State { place, ..*state });
        match (state.place, byte) {
            (Place::Start, b'[') => at(Place::Open),
            (Place::Open | Place::Closed, b']') => at(Place::End),
            (Place::Open | Place::Comma { .. }, b'"') if state.strings < self.most => {
                Some(State { place: Place::Text, strings: state.strings + 1, length: 0 })
            }
            (Place::Closed, b',') if state.strings < self.most => at(Place::Comma { spaced: false }),
            (Place::Comma { spaced: false }, b' ') => at(Place::Comma { spaced: true }),
            (Place::Text, b'"') => at(Place::Closed),
            (Place::Text, _) if state.length >= self.longest => None,
            (Place::Text, _) => within(state, begin(byte)?),
            (Place::Character { .. } | Place::Escape | Place::Hex { .. }, _) => {
                within(state, proceed(state.place, byte)?)
            }
            _ => None,
        }
    }

    fn is_end(&self, state: &State) -> bool {
        state.place == Place::End
    }
}

/// One byte further inside a string.
fn within(state: &State, place: Place) -> Option<State> {
    Some(State { place, length: state.length + 1, ..*state })
}

/// What a string's character, beginning with `byte`, needs (table 3-7 of the Unicode Standard: no overlong forms, no
/// surrogates, nothing beyond U+10FFFF).
fn begin(byte: u8) -> Option<Place> {
    let character = |left, low, high| Some(Place::Character { left, low, high });
    match byte {
        b'\\' => Some(Place::Escape),
        0x20..=0x7f => Some(Place::Text),
        0xc2..=0xdf => character(1, 0x80, 0xbf),
        0xe0 => character(2, 0xa0, 0xbf),
        0xe1..=0xec | 0xee..=0xef => character(2, 0x80, 0xbf),
        0xed => character(2, 0x80, 0x9f),
        0xf0 => character(3, 0x90, 0xbf),
        0xf1..=0xf3 => character(3, 0x80, 0xbf),
        0xf4 => character(3, 0x80, 0x8f),
        _ => None,
    }
}

/// One byte further inside a character or an escape.
fn proceed(place: Place, byte: u8) -> Option<Place> {
    match place {
        Place::Character { left, low, high } if (low..=high).contains(&byte) => Some(match left {
            1 => Place::Text,
            _ => Place::Character { left: left - 1, low: 0x80, high: 0xbf },
        }),
        Place::Escape => match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(Place::Text),
            b'u' => Some(Place::Hex { left: 4, after_d: false }),
            _ => None,
        },
        Place::Hex { after_d: true, .. } if !byte.is_ascii_digit() || byte > b'7' => None,
        Place::Hex { left, .. } if byte.is_ascii_hexdigit() => Some(match left {
            1 => Place::Text,
            _ => Place::Hex { left: left - 1, after_d: left == 4 && byte.eq_ignore_ascii_case(&b'd') },
        }),
        _ => None,
    }
}
