//! Metadata of a model file: typed values under dotted keys.
//!
//! The file's twelve number types are kept as three (unsigned, signed, float), which loses nothing. Lists of text,
//! which make up most of a header, lie in one block of bytes each.

use std::collections::BTreeMap;

use crate::Error;

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `u8`, `u16`, `u32` or `u64`.
    Unsigned(u64),
    /// `i8`, `i16`, `i32` or `i64`.
    Signed(i64),
    /// `f32` or `f64`.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// UTF-8 text.
    Text(String),
    /// A list of values of one type.
    Array(Array),
}

/// A list of values of one type.
#[derive(Debug, Clone, PartialEq)]
pub enum Array {
    /// Unsigned integers.
    Unsigned(Vec<u64>),
    /// Signed integers.
    Signed(Vec<i64>),
    /// Floats.
    Float(Vec<f64>),
    /// Truth values.
    Bool(Vec<bool>),
    /// Texts.
    Text(Texts),
    /// Lists of lists.
    Nested(Vec<Array>),
}

/// A list of texts, one after another in one block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    /// Where each text ends in `text`; never falling, each at a character's border.
    ends: Vec<u32>,
}

impl Texts {
    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text at `index`.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }

    /// All texts, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index).expect("each end lies at a character's border"))
    }

    /// Appends a text. A header's size is bounded far below what 32 bits count.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).expect("a header is shorter than 4 GiB"));
    }
}

/// All values of a file by key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    values: BTreeMap<String, Value>,
}

impl Metadata {
    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// All keys and values, in the keys' order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The text under `key`, where there is one.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer under `key`, where there is one and it is not negative.
    pub fn unsigned(&self, key: &str) -> Option<u64> {
        match *self.get(key)? {
            Value::Unsigned(number) => Some(number),
            Value::Signed(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// The number under `key`, where there is one.
    pub fn float(&self, key: &str) -> Option<f64> {
        match *self.get(key)? {
            Value::Float(number) => Some(number),
            Value::Unsigned(number) => Some(number as f64),
            Value::Signed(number) => Some(number as f64),
            _ => None,
        }
    }

    /// The truth value under `key`, where there is one.
    pub fn bool(&self, key: &str) -> Option<bool> {
        match *self.get(key)? {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The list under `key`, where there is one.
    pub fn array(&self, key: &str) -> Option<&Array> {
        match self.get(key)? {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The list of texts under `key`, where there is one.
    pub fn texts(&self, key: &str) -> Option<&Texts> {
        match self.array(key)? {
            Array::Text(texts) => Some(texts),
            _ => None,
        }
    }

    /// [`unsigned`](Metadata::unsigned), or an error that names the key.
    ///
    /// # Errors
    ///
    /// [`Error::Metadata`] where there is no such value.
    pub fn need_unsigned(&self, key: &str) -> Result<u64, Error> {
        self.unsigned(key).ok_or_else(|| Error::metadata(key, "a whole number"))
    }

    /// [`text`](Metadata::text), or an error that names the key.
    ///
    /// # Errors
    ///
    /// [`Error::Metadata`] where there is no such value.
    pub fn need_text(&self, key: &str) -> Result<&str, Error> {
        self.text(key).ok_or_else(|| Error::metadata(key, "text"))
    }

    /// [`texts`](Metadata::texts), or an error that names the key.
    ///
    /// # Errors
    ///
    /// [`Error::Metadata`] where there is no such value.
    pub fn need_texts(&self, key: &str) -> Result<&Texts, Error> {
        self.texts(key).ok_or_else(|| Error::metadata(key, "a list of texts"))
    }

    /// Puts a value under a key, and says whether the key was new.
    pub(crate) fn insert(&mut self, key: String, value: Value) -> bool {
        self.values.insert(key, value).is_none()
    }
}
