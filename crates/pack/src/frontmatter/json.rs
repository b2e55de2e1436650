//! Reads JSON front matter: one object, with or without its braces.

use super::{Entry, FrontMatter, OddLine, Value, scalar};

/// Reads JSON whose first line is line `first_line` of its file.
pub(super) fn read(text: &str, first_line: usize) -> FrontMatter {
    let trimmed = text.trim();
    let object = if trimmed.starts_with('{') { trimmed.to_string() } else { ["{", trimmed, "}"].concat() };
    let Some(Value::Map(pairs)) = scalar::flow(&object.replace('\n', " "), 0) else {
        let message = "no JSON object: left out".to_string();
        return FrontMatter { entries: Vec::new(), odd: vec![OddLine { line: first_line, message }] };
    };
    // Keys come in the order written, so each is looked for behind the one before it.
    let (mut at, mut line) = (0, first_line);
    let entry = |(key, value): (String, Value)| {
        let quoted = format!("\"{key}\"");
        let end = text[at..].find(&quoted).map_or(at, |step| at + step + quoted.len());
        line += text[at..end].matches('\n').count();
        at = end;
        Entry { key, value, line }
    };
    FrontMatter { entries: pairs.into_iter().map(entry).collect(), odd: Vec::new() }
}
