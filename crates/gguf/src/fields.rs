//! The fields of a header: names, descriptions of tensors, typed values and lists of them.
//!
//! Names and a vocabulary must be UTF-8. What a file tells of itself, such as its author, need not be: U+FFFD takes the place of
//! what is none.

use std::borrow::Cow;

use crate::bytes::{Cursor, Stop};
use crate::metadata::{Array, Texts, Value};
use crate::tensor::{MAX_RANK, Tensor};
use crate::{Error, Kind};

/// Keys and names are no longer than this.
const MAX_NAME_BYTES: usize = 65_535;

/// Lists of lists go no deeper.
const MAX_NESTING: usize = 4;

/// What the keys of a vocabulary begin with.
const VOCABULARY: &str = "tokenizer.";

/// Numbers in all lists together, of eight bytes each: thirty times those of the largest vocabularies.
const MAX_NUMBERS: u64 = 1 << 23;

pub(super) fn read_name(cursor: &mut Cursor<'_>) -> Result<String, Stop> {
    let name = cursor.text()?;
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return Err(Error::corrupt("header", format!("a name of {} bytes", name.len())).into());
    }
    Ok(name.to_owned())
}

pub(super) fn read_tensor(cursor: &mut Cursor<'_>) -> Result<Tensor, Stop> {
    let name = read_name(cursor)?;
    let rank = cursor.u32()? as usize;
    if rank > MAX_RANK {
        return Err(Error::corrupt(format!("tensor `{name}`"), format!("{rank} dimensions")).into());
    }
    let mut shape = [0; MAX_RANK];
    for dimension in &mut shape[..rank] {
        *dimension = cursor.u64()?;
    }
    let code = cursor.u32()?;
    let kind = Kind::from_code(code).map_err(|what| {
        Error::unsupported(format!("{what} for its tensor `{name}`"), Kind::ALL.map(Kind::name).join(", "))
    })?;
    let offset = cursor.u64()?;
    Ok(Tensor::new(name, kind, &shape[..rank], offset)?)
}

/// The value under `key`.
pub(super) fn read_value(cursor: &mut Cursor<'_>, key: &str) -> Result<Value, Stop> {
    Ok(match cursor.u32()? {
        code @ (0 | 2 | 4 | 10) => Value::Unsigned(read_unsigned(cursor, code)?),
        code @ (1 | 3 | 5 | 11) => Value::Signed(read_signed(cursor, code)?),
        code @ (6 | 12) => Value::Float(read_float(cursor, code)?),
        7 => Value::Bool(read_bool(cursor)?),
        8 => Value::Text(String::from_utf8_lossy(cursor.text_bytes()?).into_owned()),
        9 => Value::Array(read_array(cursor, key, 1)?),
        code => return Err(Error::corrupt("metadata", format!("a value of type {code}")).into()),
    })
}

fn read_unsigned(cursor: &mut Cursor<'_>, code: u32) -> Result<u64, Stop> {
    Ok(match code {
        0 => u64::from(cursor.bytes::<1>()?[0]),
        2 => u64::from(u16::from_le_bytes(cursor.bytes()?)),
        4 => u64::from(cursor.u32()?),
        _ => cursor.u64()?,
    })
}

fn read_signed(cursor: &mut Cursor<'_>, code: u32) -> Result<i64, Stop> {
    Ok(match code {
        1 => i64::from(i8::from_le_bytes(cursor.bytes()?)),
        3 => i64::from(i16::from_le_bytes(cursor.bytes()?)),
        5 => i64::from(i32::from_le_bytes(cursor.bytes()?)),
        _ => i64::from_le_bytes(cursor.bytes()?),
    })
}

fn read_float(cursor: &mut Cursor<'_>, code: u32) -> Result<f64, Stop> {
    Ok(if code == 6 { f64::from(f32::from_le_bytes(cursor.bytes()?)) } else { f64::from_le_bytes(cursor.bytes()?) })
}

fn read_bool(cursor: &mut Cursor<'_>) -> Result<bool, Stop> {
    match cursor.bytes::<1>()?[0] {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Error::corrupt("metadata", format!("{other} as a truth value")).into()),
    }
}

/// The fewest bytes of a value of this type; for numbers, its size.
fn least_bytes(code: u32) -> Option<u64> {
    Some(match code {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        8 | 10..=12 => 8,
        9 => 12,
        _ => return None,
    })
}

fn read_array(cursor: &mut Cursor<'_>, key: &str, depth: usize) -> Result<Array, Stop> {
    let (code, count) = (cursor.u32()?, cursor.u64()?);
    let least = least_bytes(code)
        .ok_or_else(|| Stop::from(Error::corrupt("metadata", format!("a list of values of type {code}"))))?;
    // Before anything is reserved: so many bytes must be there for what follows, and so much may be made of them.
    cursor.expect_room(count.saturating_mul(least))?;
    if code != 8 && cursor.count_numbers(count) > MAX_NUMBERS {
        return Err(Error::corrupt("metadata", format!("lists of more than {MAX_NUMBERS} numbers")).into());
    }
    Ok(match code {
        0 | 2 | 4 | 10 => Array::Unsigned(list(count, || read_unsigned(cursor, code))?),
        1 | 3 | 5 | 11 => Array::Signed(list(count, || read_signed(cursor, code))?),
        6 | 12 => Array::Float(list(count, || read_float(cursor, code))?),
        7 => Array::Bool(list(count, || read_bool(cursor))?),
        8 => Array::Text(read_texts(cursor, key, count)?),
        _ if depth == MAX_NESTING => return Err(Error::corrupt("metadata", "lists within lists within lists").into()),
        _ => {
            let mut lists = Vec::new();
            for _ in 0..count {
                lists.push(read_array(cursor, key, depth + 1)?);
            }
            Array::Nested(lists)
        }
    })
}

/// A list of numbers, all of whose bytes are there: reserved at once, it takes eight times these at most.
fn list<T>(count: u64, mut read: impl FnMut() -> Result<T, Stop>) -> Result<Vec<T>, Stop> {
    let mut list = Vec::new();
    if list.try_reserve_exact(count as usize).is_err() {
        return Err(Error::corrupt("metadata", format!("a list of {count} values, for which memory is short")).into());
    }
    for _ in 0..count {
        list.push(read()?);
    }
    Ok(list)
}

fn read_texts(cursor: &mut Cursor<'_>, key: &str, count: u64) -> Result<Texts, Stop> {
    let mut texts = Texts::default();
    for done in 0..count {
        cursor.expect_room((count - done).saturating_mul(8))?;
        // Two tokens must not become one.
        let text = match key.starts_with(VOCABULARY) {
            true => Cow::Borrowed(cursor.text()?),
            false => String::from_utf8_lossy(cursor.text_bytes()?),
        };
        texts.push(&text);
    }
    Ok(texts)
}
