//! Masks against tables of texts, and against random walks that must always find an end.

use super::*;
use crate::random::Random;

/// A vocabulary of every single byte, some joined pieces, and an end token.
fn vocabulary() -> (Vocabulary, u32) {
    let mut pieces: Vec<Vec<u8>> = (0..=255u8).map(|byte| vec![byte]).collect();
    let joined = ["[\"", "\", \"", "\"]", " [1", "][", "12", "yes", "ye", "é", "\\u00", "\\ud", "日本", "]", "[]"];
    pieces.extend(joined.iter().map(|piece| piece.as_bytes().to_vec()));
    pieces.push(Vec::new());
    let end = pieces.len() as u32 - 1;
    (Vocabulary::new(&pieces, &[end]), end)
}

/// What may follow `so_far`, as readable pieces of the joined tokens and ASCII bytes, and whether it may end.
fn following(mask: &impl Mask, so_far: &str) -> (Vec<String>, bool) {
    let (vocabulary, end) = vocabulary();
    let allowed = mask.allowed(so_far.as_bytes(), &vocabulary);
    assert!(!allowed.tokens.contains(end));
    assert_eq!(mask.may_end(so_far.as_bytes()), allowed.may_end);
    for token in 0..end {
        let follows = mask.may_follow(so_far.as_bytes(), vocabulary.bytes_of(token));
        assert_eq!(follows, allowed.tokens.contains(token), "token {token} after {so_far:?}");
    }
    let pieces = (0..end).filter(|&token| allowed.tokens.contains(token));
    let readable = pieces.map(|token| String::from_utf8_lossy(vocabulary.bytes_of(token)).into_owned());
    (readable.collect(), allowed.may_end)
}

#[test]
fn one_of_a_few_words() {
    let mask = OneOf::new(["yes", "yellow", "no"]);
    let check = |so_far: &str, next: &[&str], may_end: bool| {
        assert_eq!(
            following(&mask, so_far),
            (next.iter().map(|s| s.to_string()).collect(), may_end),
            "after {so_far:?}"
        );
    };
    check("", &["n", "y", "yes", "ye"], false);
    check("ye", &["l", "s"], false);
    check("yes", &[], true);
    check("n", &["o"], false);
    check("maybe", &[], true);
}

#[test]
fn citation_marks_only_of_sources_that_exist() {
    let mask = Citations { sources: 12 };
    let accepts = |text: &str| mask.run(text.as_bytes()).is_some_and(|state| mask.is_end(&state));
    for text in ["", "plain", "a [1].", "[12][3]", "] stray", "é [10]"] {
        assert!(accepts(text), "{text:?}");
    }
    for text in ["[0]", "[13]", "[01]", "[", "[1", "[]", "[a]", "[1 ]", "[1,2]", "[99999999999]"] {
        assert!(!accepts(text), "{text:?}");
    }
    assert!(mask.run(b"[2]").is_some() && mask.run(b"[20").is_none());
    assert!(Citations { sources: 0 }.run(b"[").is_none());
    let (next, may_end) = following(&mask, "see [1");
    assert_eq!((next, may_end), (["0", "1", "2", "]", "][", "]"].map(String::from).to_vec(), false));
}

#[test]
fn an_object_with_an_array_of_strings() {
    let mask = NamedStrings::new("yes", StringArray { most: 2, longest: 8 });
    let accepts = |text: &str| mask.run(text.as_bytes()).is_some_and(|state| mask.is_end(&state));
    for text in [r#"{"yes": []}"#, r#"{"yes": ["a"]}"#, r#"{"yes": ["a", "b"]}"#, "{\"yes\": [\"日本\"]}"] {
        assert!(accepts(text), "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
    }
    for text in
        ["", "{}", "[]", r#"{"yes": ["a"]"#, r#"{"yes": ["a"]}}"#, r#"{"yes": ["a", "b", "c"]}"#, r#"{"no": []}"#]
    {
        assert!(!accepts(text), "{text}");
    }
    assert!(mask.run(br#"{"yes": ["a"], "#).is_none() && mask.run(br#"{"yes": ["a"]}} "#).is_none());
    assert_eq!(following(&mask, "{\""), (["y", "yes", "ye"].map(String::from).to_vec(), false));
    assert_eq!(following(&mask, r#"{"yes": ["a"]"#), (vec!["}".to_owned()], false));
    assert_eq!(following(&mask, r#"{"yes": ["a"]}"#), (vec![], true));
}

#[test]
fn an_array_of_strings() {
    let mask = StringArray { most: 2, longest: 8 };
    let accepts = |text: &str| mask.run(text.as_bytes()).is_some_and(|state| mask.is_end(&state));
    for text in
        ["[]", r#"["a"]"#, r#"["a", "b"]"#, r#"["a","b"]"#, r#"[""]"#, "[\"日本\"]", r#"["\u00e9"]"#, r#"["\n\""]"#]
    {
        assert!(accepts(text), "{text}");
        assert!(serde_json::from_str::<Vec<String>>(text).is_ok(), "{text}");
    }
    for text in [
        "",
        "[",
        r#"["a""#,
        r#"["a",]"#,
        r#"["a", "b", "c"]"#,
        r#"["123456789"]"#,
        "[\"\n\"]",
        r#"["\x"]"#,
        r#"["\ud800"]"#,
        " []",
        "[] ",
        r#"["a",  "b"]"#,
        "[1]",
    ] {
        assert!(!accepts(text), "{text}");
    }
    assert_eq!(following(&mask, r#"["a"]"#), (vec![], true));
    let (next, _) = following(&mask, "[");
    // A token that closes one string and opens the next may also open a string whose text is a comma.
    assert_eq!(next, ["\"", "]", "\", \"", "\"]", "]"]);
}

/// Whatever a model says, as long as the mask allows it, is JSON in the end.
#[test]
fn random_walks_end_in_valid_json() {
    let (vocabulary, _) = vocabulary();
    let mask = StringArray { most: 3, longest: 12 };
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let mut said = Vec::new();
        loop {
            let allowed = mask.allowed(&said, &vocabulary);
            if allowed.is_finished() {
                break;
            }
            let tokens: Vec<u32> = (0..vocabulary.len() as u32).filter(|&t| allowed.tokens.contains(t)).collect();
            assert!(!tokens.is_empty(), "stuck after {:?}", String::from_utf8_lossy(&said));
            said.extend(vocabulary.bytes_of(tokens[random.bits() as usize % tokens.len()]));
            assert!(said.len() < 100, "no end in sight");
        }
        let strings: Vec<String> = serde_json::from_slice(&said).unwrap();
        assert!(strings.len() <= 3);
    }
}
