//! The values of the format: the primitive ones of [`seealso_bytes`], with errors that name the file, texts that share the
//! beginning of the one before, and vectors.

use crate::error::Error;
use crate::int8::{Int8Ref, Int8Table};

pub(crate) use seealso_bytes::{put_str, put_varint};

/// The largest scale of a vector: that of a vector of length 127, where all vectors have the length 1.
pub(crate) const MAX_SCALE: f32 = 1.0;

/// Appends `text` less the bytes that it shares with the text `before` it.
pub(crate) fn put_text_after(out: &mut Vec<u8>, before: &str, text: &str) {
    let mut shared = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    while !text.is_char_boundary(shared) {
        shared -= 1;
    }
    put_varint(out, shared as u64);
    put_str(out, &text[shared..]);
}

/// Appends a vector.
pub(crate) fn put_vector(out: &mut Vec<u8>, vector: Int8Ref<'_>) {
    out.extend(vector.scale.to_le_bytes());
    out.extend(vector.values.iter().map(|&value| value as u8));
}

/// How many bytes a vector takes.
pub(crate) fn vector_bytes(dimensions: usize) -> usize {
    size_of::<f32>() + dimensions
}

/// A reading position in a file.
pub(crate) type Cursor<'a> = seealso_bytes::Cursor<'a, FileName<'a>>;

/// The name of a file, for errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileName<'a>(&'a str);

impl<'a> From<&'a str> for FileName<'a> {
    fn from(name: &'a str) -> FileName<'a> {
        FileName(name)
    }
}

impl seealso_bytes::Part for FileName<'_> {
    type Error = Error;

    fn corrupt(self, reason: &str) -> Error {
        Error::corrupt(self.0, reason)
    }
}

/// Reads the text after `before`, of which it may share a beginning.
pub(crate) fn read_text_after(cursor: &mut Cursor<'_>, before: &str) -> Result<String, Error> {
    let shared = cursor.number()? as usize;
    let kept = before.get(..shared).ok_or_else(|| cursor.corrupt("a text shares more than the one before has"))?;
    Ok(format!("{kept}{}", cursor.text()?))
}

/// Reads a vector, and appends it to `table`.
pub(crate) fn read_vector(cursor: &mut Cursor<'_>, table: &mut Int8Table) -> Result<(), Error> {
    let scale = f32::from_le_bytes(cursor.array()?);
    let values = cursor.take(table.dimensions())?;
    if !(scale > 0.0 && scale <= MAX_SCALE) || values.contains(&0x80) {
        return Err(cursor.corrupt("a vector's scale or a number of it is out of bounds"));
    }
    let values: Vec<i8> = values.iter().map(|&value| value as i8).collect();
    table.push(Int8Ref { scale, values: &values });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share_whole_characters() {
        let check = |before: &str, text: &str, bytes: &[u8]| {
            let mut out = Vec::new();
            put_text_after(&mut out, before, text);
            assert_eq!(out, bytes, "{before} {text}");
            assert_eq!(read_text_after(&mut Cursor::new(&out, "test"), before).as_deref(), Ok(text));
        };
        check("", "ab", &[0, 2, b'a', b'b']);
        check("ab", "ab", &[2, 0]);
        check("concepts/tea.md", "concepts/tee.md", b"\x0b\x04e.md");
        // ü and ö share their first byte.
        check("fü", "fö", &[1, 2, 0xc3, 0xb6]);
        check("abc", "ab", &[2, 0]);
    }

    #[test]
    fn hostile_values_are_errors() {
        let refused = |bytes: &[u8], read: fn(&mut Cursor<'_>) -> Result<(), Error>| {
            let error = read(&mut Cursor::new(bytes, "0001.idx")).unwrap_err().to_string();
            assert!(error.contains("damaged in the file 0001.idx"), "{error}");
        };
        refused(&[200, 1], |cursor| cursor.text().map(drop));
        refused(&[3, 1, b'a'], |cursor| read_text_after(cursor, "ab").map(drop));
        refused(&[1, 1, b'a'], |cursor| read_text_after(cursor, "ü").map(drop));
        let vector = |scale: f32, value: u8| [&scale.to_le_bytes()[..], &[value]].concat();
        for bytes in [vector(f32::NAN, 1), vector(-0.1, 1), vector(0.0, 1), vector(1.1, 1), vector(0.1, 0x80)] {
            refused(&bytes, |cursor| read_vector(cursor, &mut Int8Table::new(1)));
        }
        let mut table = Int8Table::new(1);
        read_vector(&mut Cursor::new(&vector(0.1, 0x81), ""), &mut table).unwrap();
        assert_eq!(table.get(0).unwrap().values, [-127]);
    }
}
