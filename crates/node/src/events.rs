//! Server-sent events from chunks of bytes, cut anywhere, after the HTML standard's "event stream interpretation".
//!
//! Chat completions do not reconnect, so ids and retry times are ignored. The decoder also accepts what the standard
//! discards and servers write nevertheless: a last event without its empty line, and JSON on a line of its own, without
//! `data:`. So JSON lines alone are a stream of events. If no empty line stands between two events that are a line of
//! JSON each, they are two events nevertheless: together they would not be JSON.

use std::fmt;

use serde::de::IgnoredAny;

/// An event: the values of its `event:` and `data:` fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// Its type; empty where it has none.
    pub name: String,
    /// Its lines of data, separated by line feeds.
    pub data: String,
}

impl Event {
    /// Whether it marks the end of the stream.
    pub fn is_done(&self) -> bool {
        self.data.trim() == "[DONE]"
    }
}

/// An event has more bytes than are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// The most bytes allowed.
    pub limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an event of more than {} bytes", self.limit)
    }
}

impl std::error::Error for TooLarge {}

/// Decodes bytes to events.
#[derive(Debug, Clone)]
pub struct Decoder {
    /// The most bytes of one event, field names included.
    limit: usize,
    /// Bytes of the current event, including ignored lines.
    size: usize,
    /// The current line.
    line: Vec<u8>,
    /// The current event; its data has a line feed after each line.
    name: Vec<u8>,
    data: Vec<u8>,
    /// The type that followed the data: of this event, or of the next one if that begins without an empty line.
    late_name: Option<Vec<u8>>,
    /// The closing bracket that begins the last line of an event of JSON without `data:`.
    bare: Option<u8>,
    /// The last byte was a carriage return, so a line feed now ends no other line.
    returned: bool,
    /// No line was ended yet, so a byte order mark may stand here.
    at_start: bool,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

impl Decoder {
    /// A decoder at a stream's beginning, which refuses events of more than `limit` bytes.
    pub fn new(limit: usize) -> Decoder {
        Decoder {
            limit,
            size: 0,
            line: Vec::new(),
            name: Vec::new(),
            data: Vec::new(),
            late_name: None,
            bare: None,
            returned: false,
            at_start: true,
        }
    }

    /// Decodes the next bytes, and returns the events that they complete.
    ///
    /// # Errors
    /// [`TooLarge`]; the events before it are lost too, and nothing after it can be read.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLarge> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_return = std::mem::replace(&mut self.returned, byte == b'\r');
            match byte {
                b'\n' if after_return => (),
                b'\r' | b'\n' => events.extend(self.end_line()),
                _ => {
                    self.size += 1;
                    if self.size > self.limit {
                        return Err(TooLarge { limit: self.limit });
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(events)
    }

    /// The events that the stream's end completes, two at most. The last may be cut off in the middle.
    pub fn end(mut self) -> Vec<Event> {
        let before = if self.line.is_empty() { None } else { self.end_line() };
        before.into_iter().chain(self.end_event()).collect()
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if std::mem::take(&mut self.at_start) {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        if line.is_empty() {
            return self.end_event();
        }
        if self.bare.is_some() || self.data.is_empty() && matches!(line[0], b'{' | b'[') {
            return self.end_bare_line(line);
        }
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                let before = if matches!(value.first(), Some(b'{' | b'[')) { self.end_whole_line() } else { None };
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
                self.size += if before.is_some() { line.len() } else { 0 };
                return before;
            }
            b"event" if self.data.is_empty() => self.name = value.to_vec(),
            b"event" => self.late_name = Some(value.to_vec()),
            // A comment keeps the connection alive, possibly for hours.
            b"" => self.size -= line.len(),
            _ => (),
        }
        None
    }

    /// Adds a line of JSON without a field name. It may be complete, or the first of several of which the last begins
    /// with the closing bracket.
    fn end_bare_line(&mut self, line: &[u8]) -> Option<Event> {
        self.data.extend_from_slice(line);
        self.data.push(b'\n');
        let ends = match self.bare {
            None => {
                let closing = if line[0] == b'{' { b'}' } else { b']' };
                self.bare = Some(closing);
                line.trim_ascii_end().ends_with(&[closing])
            }
            Some(closing) => line[0] == closing,
        };
        if ends { self.end_event() } else { None }
    }

    /// The current event, if its data is one line of JSON: another line that begins as JSON does is another event.
    fn end_whole_line(&mut self) -> Option<Event> {
        let line = self.data.strip_suffix(b"\n").filter(|line| matches!(line.first(), Some(b'{' | b'[')))?;
        if line.contains(&b'\n') || serde_json::from_slice::<IgnoredAny>(line).is_err() {
            return None;
        }
        let next = self.late_name.take();
        let event = self.end_event();
        self.name = next.unwrap_or_default();
        event
    }

    fn end_event(&mut self) -> Option<Event> {
        if let Some(name) = self.late_name.take() {
            self.name = name;
        }
        (self.size, self.bare) = (0, None);
        let (name, data) = (std::mem::take(&mut self.name), std::mem::take(&mut self.data));
        let data = data.strip_suffix(b"\n")?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some(Event { name: text(&name), data: text(data) })
    }
}

#[cfg(test)]
mod tests;
