//! A vector as bytes of its own, for files of other formats that hold vectors: a scale and its numbers, as a leaf has them.

use crate::error::Error;
use crate::format::bytes::{Cursor, put_vector, read_vector};
use crate::int8::{Int8Ref, Int8Table};

impl Int8Ref<'_> {
    /// The vector as bytes, which [`Int8Table::push_bytes`] reads.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_vector(&mut bytes, self);
        bytes
    }
}

impl Int8Table {
    /// Adds the vector that [`Int8Ref::to_bytes`] wrote. `name` is that of the file that has the bytes, for the error.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the bytes are no vector of the table's dimensions.
    pub fn push_bytes(&mut self, bytes: &[u8], name: &str) -> Result<(), Error> {
        let mut cursor = Cursor::new(bytes, name);
        let expected = size_of::<f32>() + self.dimensions();
        if cursor.rest() != expected {
            return Err(cursor.corrupt(&format!("a vector has {} bytes in place of {expected}", bytes.len())));
        }
        read_vector(&mut cursor, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int8::quantise;

    #[test]
    fn a_vector_comes_back_from_its_bytes() {
        let vector = quantise(&[0.6, -0.8]).unwrap();
        let bytes = vector.view().to_bytes();
        let mut table = Int8Table::new(2);
        table.push_bytes(&bytes, "a.json").unwrap();
        assert_eq!(table.get(0), Some(vector.view()));
        let check = |bytes: &[u8], says: &str| {
            let error = Int8Table::new(2).push_bytes(bytes, "a.json").unwrap_err().to_string();
            assert!(error.contains(&format!("damaged in the file a.json: {says}")), "{error}");
        };
        check(&bytes[1..], "a vector has 5 bytes in place of 6");
        check(&[bytes.as_slice(), &[0]].concat(), "a vector has 7 bytes in place of 6");
        check(&[0, 0, 192, 127, 1, 1], "a vector's scale or a number of it is out of bounds");
        check(
            &[bytes[0], bytes[1], bytes[2], bytes[3], 0x80, 1],
            "a vector's scale or a number of it is out of bounds",
        );
    }
}
