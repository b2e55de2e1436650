//! Golden ids over tiny vocabularies, what hostile vocabularies do, and the real models' ids where they are at hand.

use std::sync::LazyLock;

use proptest::prelude::*;
use seealso_test_support::or_skip;

use super::golden::{GOLDEN, MERGES, PIECE_MERGES, PIECES, SPECIAL};
use super::vocabulary::{bytes_of, hash};
use super::{Detokenizer, Special, TokenKind, Tokenizer};
use crate::testing::{Writer, byte_char};
use crate::{Array, Header, HeaderProgress, Value};

fn header(file: &[u8]) -> Header {
    match Header::parse(file).unwrap() {
        HeaderProgress::Done(header, _) => header,
        HeaderProgress::NeedMore { .. } => panic!("the whole file was given"),
    }
}

fn kinds(counts: &[(usize, TokenKind)]) -> Value {
    let kinds = counts.iter().flat_map(|&(count, kind)| std::iter::repeat_n(kind as i64, count));
    Value::Array(Array::Signed(kinds.collect()))
}

/// The byte-level vocabulary of the golden table, with this pre-tokenizer.
fn byte_level(pre: &str) -> Writer {
    let bytes = (0..=255u8).map(|byte| byte_char(byte).to_string());
    let merged = MERGES.iter().map(|merge| merge.replace(' ', ""));
    let special = SPECIAL.iter().map(|name| (*name).to_owned());
    let mut writer = Writer::new();
    writer
        .text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", pre)
        .texts("tokenizer.ggml.tokens", bytes.chain(merged).chain(special))
        .texts("tokenizer.ggml.merges", MERGES)
        .value(
            "tokenizer.ggml.token_type",
            kinds(&[(256 + MERGES.len(), TokenKind::Normal), (SPECIAL.len(), TokenKind::Control)]),
        );
    writer
}

/// The SentencePiece vocabulary of the golden table.
fn pieces() -> Writer {
    let merged: Vec<String> = PIECE_MERGES.iter().map(|merge| merge.replace(' ', "")).collect();
    let bytes = (0..=255).map(|byte| format!("<0x{byte:02X}>"));
    let names = ["<unk>", "<s>", "</s>"].map(str::to_owned).into_iter().chain(bytes);
    let tokens: Vec<String> = names.chain(PIECES.iter().map(|piece| (*piece).to_owned())).chain(merged).collect();
    let first_merged = tokens.len() - PIECE_MERGES.len();
    let score = |token: usize| if token < first_merged { -1000.0 } else { -((token - first_merged) as f64) };
    let scores = (0..tokens.len()).map(score).collect();
    let mut writer = Writer::new();
    writer
        .text("tokenizer.ggml.model", "llama")
        .value(
            "tokenizer.ggml.token_type",
            kinds(&[
                (1, TokenKind::Unknown),
                (2, TokenKind::Control),
                (256, TokenKind::Byte),
                (tokens.len() - 259, TokenKind::Normal),
            ]),
        )
        .texts("tokenizer.ggml.tokens", tokens)
        .value("tokenizer.ggml.scores", Value::Array(Array::Float(scores)));
    writer
}

fn tokenizer(pre: &str) -> Tokenizer {
    let file = if pre == "llama" { pieces() } else { byte_level(pre) };
    Tokenizer::from_header(&header(&file.finish())).unwrap()
}

#[test]
fn ids_are_those_of_the_reference() {
    for (pre, text, expected) in GOLDEN {
        assert_eq!(tokenizer(pre).encode(text, Special::Parse), *expected, "{pre} of {text:?}");
    }
}

#[test]
fn what_is_encoded_is_decoded_to_the_same() {
    for (pre, text, _) in GOLDEN {
        let tokenizer = tokenizer(pre);
        let back = tokenizer.decode(&tokenizer.encode(text, Special::Plain));
        let composed = if *text == "e\u{301}te\u{301}" { "été" } else { text };
        assert_eq!(back, composed, "{pre} of {text:?}");
    }
}

#[test]
fn no_plain_text_becomes_a_control_token() {
    for pre in ["gpt-2", "smollm", "qwen2", "llama-bpe", "llama"] {
        let tokenizer = tokenizer(pre);
        for name in SPECIAL.iter().chain(&["<s>", "</s>", "<unk>", "<0x41>"]) {
            let tokens = tokenizer.encode(&format!("a{name} {name}"), Special::Plain);
            let text = |&token: &u32| matches!(tokenizer.kind(token), Some(TokenKind::Normal | TokenKind::Byte));
            assert!(tokens.iter().all(text), "{pre}: {name} became {tokens:?}");
            assert_eq!(tokenizer.decode(&tokens), format!("a{name} {name}"));
        }
    }
}

#[test]
fn special_tokens_are_found_by_name() {
    let tokenizer = tokenizer("qwen2");
    let end = tokenizer.special("<|im_end|>").unwrap();
    assert_eq!(tokenizer.encode("<|im_end|>", Special::Parse), [end]);
    assert_eq!((tokenizer.kind(end), tokenizer.bytes(end)), (Some(TokenKind::Control), Some(&b"<|im_end|>"[..])));
    assert_eq!((tokenizer.ends(), tokenizer.is_end(end), tokenizer.is_end(0)), (&[end - 2, end][..], true, false));
    assert_eq!((tokenizer.special("<|nothing|>"), tokenizer.bytes(u32::MAX), tokenizer.kind(9999)), (None, None, None));
    assert_eq!(tokenizer.decode(&[end, 116, u32::MAX]), "t");
}

#[test]
fn the_longest_of_special_tokens_is_taken() {
    let mut writer = byte_level("gpt-2");
    let tokens = ["<a", "<a>", "a", "<", ">"];
    writer
        .texts("tokenizer.ggml.tokens", tokens)
        .value("tokenizer.ggml.token_type", kinds(&[(2, TokenKind::UserDefined), (3, TokenKind::Normal)]));
    let tokenizer = Tokenizer::from_header(&header(&writer.finish())).unwrap();
    assert_eq!(tokenizer.encode("<a>a<a<<a>>", Special::Parse), [1, 2, 0, 3, 1, 4]);
    assert_eq!(tokenizer.encode("<a>", Special::Plain), [3, 2, 4]);
    assert_eq!(tokenizer.encode("b a", Special::Plain), [2], "bytes without a token are left out");
}

#[test]
fn a_stream_never_splits_a_character() {
    let tokenizer = tokenizer("gpt-2");
    let mut detokenizer = Detokenizer::new();
    let mut push = |byte: u8| detokenizer.push(&tokenizer, u32::from(byte));
    // A thumb in four bytes, a broken sequence, a lone continuation, then an é.
    let pieces: Vec<String> = [0xf0, 0x9f, 0x91, 0x8d, 0xe2, 0x82, b'a', 0x80, 0xc3, 0xa9].map(&mut push).to_vec();
    assert_eq!(pieces, ["", "", "", "👍", "", "", "\u{fffd}a", "\u{fffd}", "", "é"]);
    assert_eq!(detokenizer.push(&tokenizer, 0xe2), "");
    assert_eq!((detokenizer.finish(), detokenizer.finish()), ("\u{fffd}".into(), String::new()));
}

#[test]
fn control_tokens_are_no_text_unless_they_frame_reasoning() {
    let mut writer = byte_level("gpt-2");
    let names = ["<s>", "<|im_end|>", "[THINK]", "[/THINK]", "</think>", "<|START_THINKING|>", "◁think▷", "tea"];
    let kinds = kinds(&[(names.len() - 1, TokenKind::Control), (1, TokenKind::Normal)]);
    writer.texts("tokenizer.ggml.tokens", names).value("tokenizer.ggml.token_type", kinds);
    let tokenizer = Tokenizer::from_header(&header(&writer.finish())).unwrap();
    let mut detokenizer = Detokenizer::new();
    let pieces: Vec<String> = (0..8).map(|token| detokenizer.push(&tokenizer, token)).collect();
    assert_eq!(pieces, ["", "", "[THINK]", "[/THINK]", "</think>", "<|START_THINKING|>", "◁think▷", "tea"]);
}

#[test]
fn byte_characters_go_both_ways() {
    for byte in 0..=255 {
        assert_eq!(bytes_of(&byte_char(byte).to_string()), [byte]);
    }
    assert_eq!(bytes_of("Ġ日"), " 日".as_bytes());
}

#[test]
fn long_words_take_no_square_of_time() {
    let tokenizer = tokenizer("gpt-2");
    // 50,000 letters of one word: a method that looks at all pairs again for each merge would not come back.
    assert_eq!(tokenizer.encode(&"a".repeat(50_000), Special::Plain).len(), 12_500);
    assert_eq!(tokenizer.encode(&"the".repeat(30_000), Special::Plain).len(), 30_000);
}

#[test]
fn vocabularies_that_contradict_themselves_are_refused() {
    type Change = fn(&mut Writer) -> &mut Writer;
    let table: [(Change, &str); 9] = [
        (|w| w.text("tokenizer.ggml.model", "bert"), "tokenizer `bert`"),
        (|w| w.text("tokenizer.ggml.pre", "tekken"), "pre-tokenizer `tekken`"),
        (|w| w.texts("tokenizer.ggml.tokens", ["a"]), "1 tokens, but 303 types"),
        (|w| w.texts("tokenizer.ggml.tokens", [""; 0]), "0 tokens"),
        (|w| w.texts("tokenizer.ggml.merges", ["a"]), "a merge of one part, `a`"),
        (|w| w.text("tokenizer.ggml.merges", "a b"), "tokenizer.ggml.merges"),
        (|w| w.number("tokenizer.ggml.eos_token_id", 303), "`tokenizer.ggml.eos_token_id` is 303, of 303 tokens"),
        (|w| w.value("tokenizer.ggml.token_type", kinds(&[(302, TokenKind::Normal)])), "302 types"),
        (|w| w.text("tokenizer.ggml.model", "llama"), "tokenizer.ggml.scores"),
    ];
    for (change, message) in table {
        let mut writer = byte_level("gpt-2");
        change(&mut writer);
        let error = Tokenizer::from_header(&header(&writer.finish())).unwrap_err().to_string();
        assert!(error.contains(message), "{error:?} does not say {message:?}");
    }
}

#[test]
fn vocabularies_without_a_named_pre_tokenizer_have_their_architectures() {
    let check = |architecture: &str, first: &str, expected: Result<&str, &str>| {
        let mut writer = Writer::new();
        writer.text("general.architecture", architecture).texts("tokenizer.ggml.tokens", [first]);
        let header = header(&writer.finish());
        let name = super::split::name_in(&header.metadata).map_err(|error| error.to_string());
        match expected {
            Ok(expected) => assert_eq!(name.unwrap(), expected),
            Err(part) => assert!(name.unwrap_err().contains(part)),
        }
    };
    check("qwen2", "a", Ok("qwen2"));
    check("qwen3", "a", Ok("qwen2"));
    check("llama", "<|begin_of_text|>", Ok("llama-bpe"));
    check("llama", "a", Err("does not name its pre-tokenizer"));
}

#[test]
fn tokens_made_to_collide_are_refused() {
    // 700 tokens have 2,048 places.
    let one_place = |number: &u32| hash(number.to_string().as_bytes()) & 2047 == 0;
    let tokens: Vec<String> = (0..).filter(one_place).take(700).map(|number| number.to_string()).collect();
    let mut writer = byte_level("gpt-2");
    writer
        .value("tokenizer.ggml.token_type", kinds(&[(700, TokenKind::Normal)]))
        .texts("tokenizer.ggml.tokens", tokens);
    let error = Tokenizer::from_header(&header(&writer.finish())).unwrap_err().to_string();
    assert!(error.contains("too much alike"), "{error}");
}

#[test]
fn odd_merges_do_no_harm() {
    let mut writer = byte_level("gpt-2");
    writer.texts("tokenizer.ggml.merges", ["h e", "h e", "x yz", "Ġ ", "  ", "ab cd", "é é", "t he t he"]);
    let tokenizer = Tokenizer::from_header(&header(&writer.finish())).unwrap();
    assert_eq!(tokenizer.encode("the", Special::Plain), [116, 257]);
}

/// Those that bring text into no other form.
static TOKENIZERS: LazyLock<Vec<Tokenizer>> =
    LazyLock::new(|| ["gpt-2", "smollm", "llama-bpe", "llama"].map(tokenizer).to_vec());

proptest! {
    #[test]
    fn any_text_comes_back(text in any::<String>()) {
        for tokenizer in TOKENIZERS.iter() {
            prop_assert_eq!(tokenizer.decode(&tokenizer.encode(&text, Special::Plain)), text.as_str());
        }
    }

    #[test]
    fn any_bytes_are_streamed_as_they_are_read_whole(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let tokens: Vec<u32> = bytes.iter().map(|&byte| u32::from(byte)).collect();
        prop_assert_eq!(TOKENIZERS[0].decode(&tokens), String::from_utf8_lossy(&bytes));
    }
}

/// A real model's ids are the reference's.
fn check_ids(model: &str) {
    let header = or_skip!(crate::tests::real_header(model));
    let tokenizer = Tokenizer::from_header(&header).unwrap();
    for (_, text, expected) in super::golden::REAL.iter().filter(|row| row.0 == model) {
        assert_eq!(tokenizer.encode(text, Special::Parse), *expected, "{model}: {text:?}");
    }
}

#[test]
fn smollm2_has_the_references_ids() {
    check_ids("smollm2.gguf");
}

#[test]
fn qwen_has_the_references_ids() {
    check_ids("qwen.gguf");
}
