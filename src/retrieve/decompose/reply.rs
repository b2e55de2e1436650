//! A model's reply, read as a list of texts. It was asked for `{"sub_queries": ["…", "…"]}`; a model that cannot be
//! constrained to that adds words around it, fences it as code, or ends in the middle.

/// The name before the list in a reply of the requested form.
pub(super) const NAME: &str = "sub_queries";

/// The texts of the list in `reply`; `None` if there is no list of texts. Of a list that is cut off, the complete
/// texts.
pub(crate) fn texts(reply: &str) -> Option<Vec<String>> {
    let from = reply.find(NAME).map_or(0, |at| at + NAME.len());
    let mut rest = reply[from..].split_once('[')?.1.chars();
    let mut found = Vec::new();
    loop {
        match rest.next() {
            Some('"') => match text(&mut rest) {
                Some(text) => found.push(text),
                None => return Some(found),
            },
            Some(c) if c == ',' || c.is_whitespace() => {}
            Some(']') | None => return Some(found),
            Some(_) => return None,
        }
    }
}

/// A JSON string after its opening quotation mark; `None` if it does not end.
fn text(rest: &mut std::str::Chars<'_>) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    loop {
        let c = match rest.next()? {
            '"' => return Some(String::from_utf16_lossy(&units)),
            '\\' => match rest.next()? {
                'u' => {
                    units.push(code(rest)?);
                    continue;
                }
                'n' | 'r' | 't' | 'b' | 'f' => ' ',
                other => other,
            },
            c => c,
        };
        units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    }
}

/// Four hexadecimal digits.
fn code(rest: &mut std::str::Chars<'_>) -> Option<u16> {
    (0..4).try_fold(0, |code, _| Some(code * 16 + rest.next()?.to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reply: &str, expected: Option<&[&str]>) {
        assert_eq!(
            texts(reply).as_deref(),
            expected.map(|e| e.iter().map(|t| t.to_string()).collect::<Vec<_>>()).as_deref()
        );
    }

    #[test]
    fn replies_are_read_tolerantly() {
        check(r#"{"sub_queries": ["green tea", "espresso"]}"#, Some(&["green tea", "espresso"]));
        check(r#"{"sub_queries":["green tea"]}"#, Some(&["green tea"]));
        check("Here [1] it is:\n```json\n{\n  \"sub_queries\": [\n    \"tea\",\n  ]\n}\n```", Some(&["tea"]));
        check(r#"["tea", "coffee"] is all"#, Some(&["tea", "coffee"]));
        check(r#"{"sub_queries": ["caf\u00e9 \"A\"", "a\nb \ud83e\uded6"]}"#, Some(&["café \"A\"", "a b 🫖"]));
        check(r#"{"sub_queries": ["tea", "cof"#, Some(&["tea"]));
        check(r#"{"sub_queries": ["tea"#, Some(&[]));
        check(r#"{"sub_queries": ["\u12"#, Some(&[]));
        check(r#"{"sub_queries": []}"#, Some(&[]));
        check("", None);
        check("tea and coffee", None);
        check(r#"{"sub_queries": [{"text": "tea"}]}"#, None);
        check("{'sub_queries': ['tea']}", None);
        check(r#"{"sub_queries": "tea"}"#, None);
    }
}
