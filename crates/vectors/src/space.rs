//! The vector space of a set: vectors are comparable where it is equal, and only there.

use std::fmt::Write as _;

use crate::error::Error;
use crate::format::bytes::{Cursor, put_str, put_varint};

/// The most dimensions of a vector. A product of two vectors of bytes then fits 32 bits.
pub const MAX_DIMENSIONS: usize = 8192;

/// The bytes of a SHA-256.
const SHA256_BYTES: usize = 32;

/// A vector space: the model, and how texts are put together for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The model's name, such as `all-MiniLM-L6-v2`.
    pub model: String,
    /// The SHA-256 of the model's weights.
    pub sha256: [u8; SHA256_BYTES],
    /// How a text becomes the model's input and its states a vector, such as `mean-256`: their mean, of 256 tokens.
    pub scheme: String,
    /// How many numbers a vector has.
    pub dimensions: usize,
}

impl Space {
    /// The space as text that is equal where the spaces are: the model, the beginning of its hash, the scheme.
    #[must_use]
    pub fn id(&self) -> String {
        let mut id = format!("{}@", self.model);
        for byte in &self.sha256[..6] {
            let _ = write!(id, "{byte:02x}");
        }
        let _ = write!(id, " ({}, {})", self.scheme, self.dimensions);
        id
    }

    /// Checks that vectors of `self` can be compared with those of the space with the [id](Space::id) `asked`. The model's
    /// name does not matter.
    ///
    /// # Errors
    /// [`Error::OtherSpace`], which names both.
    pub fn check(&self, asked: &str) -> Result<(), Error> {
        let stored = self.id();
        match without_name(&stored) == without_name(asked) {
            true => Ok(()),
            false => Err(Error::OtherSpace { stored, asked: asked.to_owned() }),
        }
    }

    /// Whether vectors of both can be compared: hash, scheme and dimensions are equal. The models' names do not matter.
    #[must_use]
    pub fn has_same_vectors(&self, other: &Space) -> bool {
        (self.sha256, &self.scheme, self.dimensions) == (other.sha256, &other.scheme, other.dimensions)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_str(out, &self.model);
        put_str(out, &self.scheme);
        out.extend(self.sha256);
        put_varint(out, self.dimensions as u64);
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Space, Error> {
        let (model, scheme) = (cursor.text()?.to_owned(), cursor.text()?.to_owned());
        let sha256 = cursor.array::<SHA256_BYTES>()?;
        let dimensions = cursor.number()? as usize;
        if dimensions == 0 || dimensions > MAX_DIMENSIONS {
            return Err(cursor.corrupt(&format!("its vectors have {dimensions} dimensions")));
        }
        Ok(Space { model, sha256, scheme, dimensions })
    }
}

/// What follows the model's name in a space's id.
fn without_name(id: &str) -> &str {
    id.rsplit_once('@').map_or(id, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Space {
        Space { model: "m".into(), sha256: [0xab; 32], scheme: "mean-256".into(), dimensions: 384 }
    }

    #[test]
    fn spaces_are_told_apart_by_hash_scheme_and_dimensions() {
        assert_eq!(space().id(), "m@abababababab (mean-256, 384)");
        let check = |asked: Space, expected: bool| {
            assert_eq!(space().check(&asked.id()).is_ok(), expected, "{asked:?}");
            assert_eq!(space().has_same_vectors(&asked), expected, "{asked:?}");
        };
        check(space(), true);
        check(Space { model: "the same under another name".into(), ..space() }, true);
        check(Space { sha256: [0xac; 32], ..space() }, false);
        check(Space { scheme: "plain".into(), ..space() }, false);
        check(Space { dimensions: 768, ..space() }, false);
        check(Space { model: "a@b".into(), ..space() }, true);
        assert!(space().check("anything").is_err());
    }

    #[test]
    fn the_refusal_names_both_models() {
        let other = Space { model: "other".into(), sha256: [1; 32], ..space() };
        let refused = space().check(&other.id()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the vectors are of the model m@abababababab (mean-256, 384), the encoder is \
             other@010101010101 (mean-256, 384); use that model, or make the vectors again with `seealso setup`"
        );
    }

    #[test]
    fn a_space_comes_back_and_absurd_dimensions_are_refused() {
        let read = |dimensions: usize| {
            let mut bytes = Vec::new();
            Space { dimensions, ..space() }.write(&mut bytes);
            Space::read(&mut Cursor::new(&bytes, "root"))
        };
        assert_eq!(read(384), Ok(space()));
        for dimensions in [0, MAX_DIMENSIONS + 1] {
            assert!(read(dimensions).unwrap_err().to_string().contains("dimensions"), "{dimensions}");
        }
    }
}
