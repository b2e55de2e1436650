//! Reads JSON (RFC 8259) as far as a catalog needs it: texts, whole numbers, lists and maps. All else is checked and
//! passed over. A reader of all of JSON, with its tables for fractions, took about 8 KB of gzip in the browser.

/// Lists and maps may lie in each other so deep; a hostile file must not use up the stack.
const MOST_DEPTH: usize = 128;

/// A value of a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    /// A number without sign, fraction and exponent, below 2⁶⁴.
    Number(u64),
    List(Vec<Value>),
    /// In the order of the text. Of equal keys the last counts.
    Map(Vec<(String, Value)>),
    /// Null, a truth value, or another number.
    Other,
}

impl Value {
    /// Reads a whole text.
    ///
    /// # Errors
    /// What is wrong, with line and column (in bytes).
    pub(super) fn read(text: &str) -> Result<Value, String> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        reader.whole().map_err(|what| reader.located(what))
    }

    /// What a map has under `key`.
    pub(super) fn get(&self, key: &str) -> &Value {
        match self {
            Value::Map(pairs) => pairs.iter().rev().find(|pair| pair.0 == key).map_or(&Value::Other, |pair| &pair.1),
            _ => &Value::Other,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn as_number(&self) -> Option<u64> {
        if let Value::Number(number) = self { Some(*number) } else { None }
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Value::Map(_))
    }

    pub(super) fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(items) = self { Some(items) } else { None }
    }
}

/// What is wrong at the place that was reached.
type Read<T> = Result<T, &'static str>;

struct Reader<'t> {
    text: &'t str,
    /// The next byte; always at a character's start.
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn whole(&mut self) -> Read<Value> {
        let value = self.value()?;
        match self.next_byte() {
            None => Ok(value),
            Some(_) => Err("trailing characters"),
        }
    }

    fn located(&self, what: &str) -> String {
        let before = &self.text.as_bytes()[..self.at];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        format!("{what} at line {line} column {column}")
    }

    fn value(&mut self) -> Read<Value> {
        match self.next_byte() {
            None => Err("EOF while parsing a value"),
            Some(b'"') => self.string().map(Value::Text),
            Some(b'[') => self.list(),
            Some(b'{') => self.map(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
        }
    }

    fn list(&mut self) -> Read<Value> {
        let mut items = Vec::new();
        self.members(b']', &mut |reader| {
            items.push(reader.value()?);
            Ok(())
        })?;
        Ok(Value::List(items))
    }

    fn map(&mut self) -> Read<Value> {
        let mut pairs = Vec::new();
        self.members(b'}', &mut |reader| {
            if reader.next_byte() != Some(b'"') {
                return Err("key must be a string");
            }
            let key = reader.string()?;
            reader.next_byte();
            if !reader.take(b':') {
                return Err("expected `:`");
            }
            pairs.push((key, reader.value()?));
            Ok(())
        })?;
        Ok(Value::Map(pairs))
    }

    /// What stands in brackets, of which the first is next, with commas between.
    fn members(&mut self, end: u8, member: &mut dyn FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.at += 1;
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err("recursion limit exceeded");
        }
        self.next_byte();
        let mut more = !self.take(end);
        while more {
            member(self)?;
            self.next_byte();
            more = self.take(b',');
            if !more && !self.take(end) {
                return Err("expected `,` or the end of the list or object");
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// A string, whose opening mark is next.
    fn string(&mut self) -> Read<String> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let stop = rest.find(|c| c < ' ' || matches!(c, '"' | '\\')).ok_or("EOF while parsing a string")?;
            text.push_str(&rest[..stop]);
            self.at += stop + 1;
            match rest.as_bytes()[stop] {
                b'"' => return Ok(text),
                b'\\' => text.push(self.escaped()?),
                _ => return Err("control character found while parsing a string"),
            }
        }
    }

    /// The character that an escape stands for; its backslash is read.
    fn escaped(&mut self) -> Read<char> {
        const BAD: &str = "invalid escape";
        let letter = *self.text.as_bytes().get(self.at).ok_or(BAD)?;
        let plain = match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.code_point().ok_or(BAD);
            }
            _ => return Err(BAD),
        };
        self.at += 1;
        Ok(plain)
    }

    /// Four hexadecimal digits, or two times four where they are a surrogate pair.
    fn code_point(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        let escapes = self.take(b'\\') && self.take(b'u');
        let second = if escapes { self.hex()?.checked_sub(0xdc00).filter(|low| *low < 0x400)? } else { return None };
        char::from_u32(0x1_0000 + (first - 0xd800) * 0x400 + second)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4)?;
        let number = digits.iter().try_fold(0, |sum, &digit| Some(sum * 16 + char::from(digit).to_digit(16)?))?;
        self.at += 4;
        Some(number)
    }

    fn number(&mut self) -> Read<Value> {
        let start = self.at;
        self.take(b'-');
        let mut well_formed = self.take(b'0') || self.digits();
        if self.take(b'.') {
            well_formed &= self.digits();
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            well_formed &= self.digits();
        }
        match well_formed {
            true => Ok(self.text[start..self.at].parse().map_or(Value::Other, Value::Number)),
            false => Err("invalid number"),
        }
    }

    /// Whether there are digits, which are passed over.
    fn digits(&mut self) -> bool {
        let count = self.text.as_bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        count > 0
    }

    fn word(&mut self) -> Read<Value> {
        let rest = &self.text[self.at..];
        let word = ["null", "true", "false"].into_iter().find(|word| rest.starts_with(word)).ok_or("expected value")?;
        self.at += word.len();
        Ok(Value::Other)
    }

    /// The next byte that is no white space, to which it moves.
    fn next_byte(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// Whether that byte is next; it is then passed over.
    fn take(&mut self, byte: u8) -> bool {
        let there = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(there);
        there
    }
}

#[cfg(test)]
mod tests {
    use super::Value;
    use proptest::prelude::*;

    /// What serde_json makes of a text, in our terms.
    fn reference(value: &serde_json::Value) -> Value {
        match value {
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Number(number) => number.as_u64().map_or(Value::Other, Value::Number),
            serde_json::Value::Array(items) => Value::List(items.iter().map(reference).collect()),
            serde_json::Value::Object(map) => {
                Value::Map(map.iter().map(|(key, value)| (key.clone(), reference(value))).collect())
            }
            _ => Value::Other,
        }
    }

    #[test]
    fn values_are_read() {
        let text = r#" { "a" : [ 1, -2, 1.5e3, true, null ], "b\u00e9\ud83c\udf75\n": "ü", "a": [] , "c": {} } "#;
        let value = Value::read(text).unwrap();
        assert_eq!(value.get("a"), &Value::List(vec![]));
        assert_eq!(value.get("b\u{e9}\u{1f375}\n").as_text(), Some("ü"));
        assert_eq!(value.get("none"), &Value::Other);
        let numbers = Value::read("[0, 18446744073709551615, 18446744073709551616, -0]").unwrap();
        assert_eq!(numbers.as_list().unwrap(), [Value::Number(0), Value::Number(u64::MAX), Value::Other, Value::Other]);
    }

    #[test]
    fn faults_are_located() {
        for (text, expected) in [
            ("", "EOF while parsing a value at line 1 column 0"),
            ("{\n \"a\": x}", "expected value at line 2 column 6"),
            ("[1,]", "expected value at line 1 column 3"),
            ("{\"a\" 1}", "expected `:` at line 1 column 5"),
            ("{1: 2}", "key must be a string at line 1 column 1"),
            ("[1 2]", "expected `,` or the end of the list or object at line 1 column 3"),
            ("[1", "expected `,` or the end of the list or object at line 1 column 2"),
            ("\"a\tb\"", "control character found while parsing a string at line 1 column 3"),
            ("\"a", "EOF while parsing a string at line 1 column 1"),
            ("\"\\ud800x\"", "invalid escape at line 1 column 7"),
            ("-", "invalid number at line 1 column 1"),
            ("1. ", "invalid number at line 1 column 2"),
            ("01", "trailing characters at line 1 column 1"),
        ] {
            assert_eq!(Value::read(text), Err(expected.to_owned()), "{text}");
        }
        assert!(Value::read(&"[".repeat(100_000)).is_err_and(|why| why.starts_with("recursion limit exceeded")));
    }

    proptest! {
        #[test]
        fn what_is_read_agrees_with_serde_json(text in "[\\[\\]{}\":,\\\\ \n0-9.eE+\\-utrfalsn\"é]{0,24}") {
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            let ours = Value::read(&text);
            match theirs {
                Ok(value) => prop_assert_eq!(sorted(ours.unwrap()), sorted(reference(&value)), "{}", text),
                // It refuses fractions beyond the range of its numbers, which nobody here reads.
                Err(why) if why.to_string().contains("out of range") => {}
                Err(_) => prop_assert!(ours.is_err(), "{}", text),
            }
        }
    }

    /// With maps in the order of their keys, the last of equal ones kept.
    fn sorted(value: Value) -> Value {
        match value {
            Value::Map(pairs) => {
                let by_key: std::collections::BTreeMap<String, Value> =
                    pairs.into_iter().map(|(key, value)| (key, sorted(value))).collect();
                Value::Map(by_key.into_iter().collect())
            }
            Value::List(items) => Value::List(items.into_iter().map(sorted).collect()),
            other => other,
        }
    }
}
