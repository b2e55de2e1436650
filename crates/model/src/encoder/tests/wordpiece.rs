//! BERT's tokenizer against ids that the Python package `tokenizers` 0.23 gave for the tiny vocabulary.

use super::tiny::{VOCABULARY, tokenizer};
use crate::encoder::WordPiece;

fn words() -> WordPiece {
    WordPiece::from_json(tokenizer().to_string().as_bytes()).unwrap()
}

#[test]
fn ids_are_golden() {
    let golden: &[(&str, &[u32])] = &[
        ("", &[2, 3]),
        ("See also the wikis.", &[2, 4, 5, 6, 11, 12, 19, 3]),
        ("UNAFFABLE unaffed", &[2, 7, 8, 9, 7, 8, 10, 3]),
        ("unaffx a", &[2, 7, 8, 46, 13, 3]),
        ("  the\twiki\n\r\n", &[2, 6, 11, 3]),
        ("Café CAFÉ cafe\u{301} café!", &[2, 14, 14, 14, 14, 20, 3]),
        ("日本语 wiki日the", &[2, 27, 28, 29, 11, 27, 6, 3]),
        ("a,b", &[2, 13, 18, 1, 3]),
        ("σς ΣΣ", &[2, 30, 31, 30, 32, 3]),
        ("naïve-123 1-2", &[2, 33, 23, 24, 25, 26, 24, 23, 1, 3]),
        ("see\u{200b}also \u{ad}the", &[2, 4, 47, 49, 6, 3]),
        ("see\u{0}al\u{fffd}so", &[2, 4, 47, 49, 3]),
        ("a\u{a0}a\u{3000}a\u{2028}a", &[2, 13, 13, 13, 13, 3]),
        ("[[see]] $1", &[2, 21, 21, 4, 22, 22, 42, 24, 3]),
        ("«wiki»", &[2, 43, 11, 44, 3]),
        ("ß ﬁ", &[2, 37, 39, 3]),
        ("İ I", &[2, 40, 40, 3]),
        ("\u{301}\u{301} a", &[2, 13, 3]),
        ("a\u{b}a\u{85}a", &[2, 13, 51, 51, 3]),
        ("the wiki's", &[2, 6, 11, 17, 1, 3]),
        ("\u{e000}see􏿽", &[2, 4, 3]),
        ("\u{37e} a", &[2, 50, 13, 3]),
        ("12 123 1234", &[2, 24, 25, 24, 25, 26, 1, 3]),
        ("日\u{301}本", &[2, 27, 28, 3]),
    ];
    let lines = WordPiece::from_vocab(&VOCABULARY.join("\r\n"), true).unwrap();
    for (text, ids) in golden {
        assert_eq!(words().encode(text, 100), *ids, "{text:?}");
        assert_eq!(lines.encode(text, 100), *ids, "{text:?} by vocab.txt");
    }
}

#[test]
fn a_word_of_more_than_a_hundred_characters_is_unknown() {
    let ids = words().encode(&"x".repeat(100), 200);
    assert_eq!((ids.len(), ids[1], ids[100]), (102, 45, 46));
    assert_eq!(words().encode(&"x".repeat(101), 200), [2, 1, 3]);
}

#[test]
fn texts_are_cut_to_the_length_given() {
    let text = "see also the unaffable wikis";
    let whole = [2, 4, 5, 6, 7, 8, 9, 11, 12, 3];
    for max in 2..12 {
        let mut expected = whole[..max.min(whole.len()) - 1].to_vec();
        expected.push(3);
        assert_eq!(words().encode(text, max), expected, "at most {max}");
    }
    assert_eq!(words().encode(text, 0), [2, 3]);
}

#[test]
fn special_tokens_in_texts_are_characters() {
    assert_eq!(words().encode("[CLS]", 9), [2, 21, 34, 22, 3]);
    assert!(!words().encode("a [SEP] [PAD] a", 99)[1..8].contains(&3));
}

#[test]
fn case_and_accents_can_stay() {
    let lines = WordPiece::from_vocab(&VOCABULARY.join("\n"), false).unwrap();
    assert_eq!(lines.encode("See see café", 9), [2, 1, 4, 1, 3]);
}

/// What is said of a tokenizer of which one part was changed.
fn check_refused(path: &str, value: impl Into<serde_json::Value>, expected: &str) {
    let mut json = tokenizer();
    *json.pointer_mut(path).unwrap() = value.into();
    let message = WordPiece::from_json(json.to_string().as_bytes()).unwrap_err().to_string();
    assert!(message.contains(expected), "{message}");
}

#[test]
fn other_tokenizers_are_refused_by_name() {
    check_refused("/model/type", "BPE", "the tokenizer `BPE`");
    check_refused("/normalizer/type", "NFC", "the normalizer `NFC`");
    check_refused("/pre_tokenizer/type", "ByteLevel", "the pre-tokenizer `ByteLevel`");
    check_refused("/model/vocab", "none", "tokenizer.json");
    check_refused("/model/vocab/[PAD]", u32::MAX, "an id of 4294967295");
    check_refused("/model/unk_token", "<unk>", "the vocabulary has no `<unk>`");
    assert!(WordPiece::from_vocab("a\nb", true).unwrap_err().to_string().contains("`[UNK]`"));
    assert!(WordPiece::from_json(b"{").unwrap_err().to_string().contains("tokenizer.json"));
}
