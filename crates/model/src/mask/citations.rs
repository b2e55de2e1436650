//! Free text in which square brackets are citation marks of sources that exist.

use super::Automaton;

/// Allows any text, but `[` only as the beginning of `[n]` with n in `1..=sources`, without leading zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Citations {
    /// How many sources there are to cite; with none, no `[` may be said.
    pub sources: u32,
}

/// Where a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Outside a mark.
    Text,
    /// Inside a mark, with the number read so far (0: none yet).
    Mark(u32),
}

impl Automaton for Citations {
    type State = Place;

    fn start(&self) -> Place {
        Place::Text
    }

    fn step(&self, state: &Place, byte: u8) -> Option<Place> {
        match (*state, byte) {
            (Place::Text, b'[') => (self.sources > 0).then_some(Place::Mark(0)),
            (Place::Text, _) => Some(Place::Text),
            (Place::Mark(0), b'0') => None,
            (Place::Mark(number), b'0'..=b'9') => {
                let longer = number.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?;
                (longer <= self.sources).then_some(Place::Mark(longer))
            }
            (Place::Mark(1..), b']') => Some(Place::Text),
            (Place::Mark(_), _) => None,
        }
    }

    fn is_end(&self, state: &Place) -> bool {
        *state == Place::Text
    }
}
