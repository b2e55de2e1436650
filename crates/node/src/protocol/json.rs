//! JSON as servers write it: with halves of surrogate pairs, where a text was cut between them, and with numbers that
//! only some languages write.

use serde::{Deserialize as _, Deserializer};
use serde_json::Value;

/// Numbers that JSON does not have.
const NO_NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// Parses JSON. Half a surrogate pair becomes U+FFFD, a number that JSON does not have becomes `null`.
///
/// # Errors
/// Those of `serde_json`, for what is no JSON all the same.
pub fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).or_else(|error| serde_json::from_str(&repair(text)).map_err(|_| error))
}

fn repair(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let (mut rest, mut in_text) = (text, false);
    while let Some(c) = rest.chars().next() {
        let (instead, bytes) = match c {
            '\\' if in_text => escape(rest),
            _ if in_text => (None, c.len_utf8()),
            _ => match NO_NUMBERS.iter().find(|name| rest.starts_with(**name)) {
                Some(name) => (Some("null"), name.len()),
                None => (None, c.len_utf8()),
            },
        };
        in_text ^= c == '"';
        whole.push_str(instead.unwrap_or(&rest[..bytes]));
        rest = &rest[bytes..];
    }
    whole
}

/// The number of bytes of an escape at the beginning of `text`, and its replacement if it is half a pair.
fn escape(text: &str) -> (Option<&'static str>, usize) {
    const LENGTH: usize = "\\ud83d".len();
    let unit = |at: usize| u16::from_str_radix(text.get(at..at + LENGTH)?.strip_prefix("\\u")?, 16).ok();
    match unit(0) {
        Some(0xd800..=0xdbff) if matches!(unit(LENGTH), Some(0xdc00..=0xdfff)) => (None, 2 * LENGTH),
        Some(0xd800..=0xdfff) => (Some("\\ufffd"), LENGTH),
        Some(_) => (None, LENGTH),
        None => (None, text.chars().take(2).map(char::len_utf8).sum()),
    }
}

/// A whole number in one of the forms that servers write: `4096`, `4096.0`, `"4096"`. `None` for negative numbers and
/// anything else.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    };
    number.filter(|number| *number >= 0.0 && *number < 1e15).map(|number| number as u64)
}

/// [`whole_number`] as a field; 0 for what is none.
pub(super) fn count<'de, D: Deserializer<'de>, N: TryFrom<u64> + Default>(from: D) -> Result<N, D::Error> {
    Ok(some_count(from)?.unwrap_or_default())
}

/// [`whole_number`] as a field that may be missing.
pub(super) fn some_count<'de, D: Deserializer<'de>, N: TryFrom<u64>>(from: D) -> Result<Option<N>, D::Error> {
    Ok(whole_number(&Value::deserialize(from)?).and_then(|number| N::try_from(number).ok()))
}

/// A logarithm of a probability; that of none is no number in JSON.
pub(super) fn logarithm<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Value::deserialize(from)?.as_f64().unwrap_or(f64::NEG_INFINITY))
}
