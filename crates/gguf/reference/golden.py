#!/usr/bin/env python3
"""Prints the table of `src/tokenizer/golden.rs`: texts with their ids by the Python package `tokenizers`, over a tiny
vocabulary that the tests build too. Redirect it there, then `cargo fmt`.

    golden.py FOLDER

FOLDER holds the real models, whose ids of some texts are printed too."""

import sys

import compare
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA = QWEN.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
MERGES = """Ġ t|h e|Ġt he|i n|in g|' s|Ġ Ġ|ĠĠ ĠĠ|Ċ Ċ|r e|' re|l l|' ll|Ã ©|e r|t he|Ġ a|1 2|12 3|2 3|o n|a n|an d|Ġ and
Ġ 1|ð Ł|ðŁ ĳ|ðŁĳ į|æ Ĺ|æĹ ¥|Ð ¼|à ¤|' S|S t|Ġ 's|č Ċ|! !|a a|aa aa|Ġ Ċ|b a|n a|ba na|Ċ Ġ""".replace("\n", "|").split("|")
SPECIAL = ["<|end|>", "<|im_start|>", "<|im_end|>"]
PIECES = ["▁", "t", "h", "e", "a", "n", "d", "s", "i", "o", "r", "l", ".", "日"]
PIECE_MERGES = "h e|▁ t|▁t he|a n|an d|▁ and|i n|o n|▁ a|l l|e r|▁ ▁|▁▁ ▁▁".split("|")

TEXTS = {
    "gpt-2": ["", " ", "the", " the", "the the", "The  the", "it's", "IT'S", "we'll", "12 123", " 123", "a  \n the", "\n\n a",
              "tab\tthe", "été", "hé!!", "!! !!", "the\u00a0the", "日 x", "x²½", "don't'd"],
    "smollm": ["123", "a1b 2", "the 12 things", "  5", "it's 1's", "v1.2.3", "१२", "the   the", "\n\nthe\n", "  \n 1",
               "👍", "👍🏽", "日本", "x\r\ny", "<|im_start|>the<|im_end|>", "<|im_start|", "banana bandana", "aaaaaaa", "é"],
    "qwen2": ["IT'S", "we'LL", "'ſ", "the 123", "a\n\n  the", "the \n\n\n", "!!\n\nthe", "\tthe", "(the", "\r\n\r\n", "e\u0301te\u0301",
              "   the", "the   ", "हिन्", "мм", "<|im_end|>", "x<|end|><|end|>", "…and", "\u3000the", "1a2", "ⅣⓐⒶ"],
    "llama-bpe": ["1234567", "the 123", "12345", "IT's", "banana", "!! \n", "and\n\n\nthe", "👍👍", "١٢٣٤", "the", " the12", "St"],
    "llama": ["the", "the and", " the", "", "in  on", "日本", "é", "the\n", "    ", "will", "<|im_end|>the", "and.the"],
}


def byte_level():
    characters = {token: None for token in pre_tokenizers.ByteLevel.alphabet()}
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = [chr(byte) if byte in printable else chr(256 + others.index(byte)) for byte in range(256)]
    assert set(letters) == set(characters)
    return letters


def byte_tokens():
    return ["".join(merge.split(" ")) for merge in MERGES]


def reference(name):
    if name == "llama":
        tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)] + PIECES
        merges = [tuple(merge.split(" ")) for merge in PIECE_MERGES]
        tokens += ["".join(merge) for merge in merges]
        vocabulary = {token: number for number, token in enumerate(tokens)}
        tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, byte_fallback=True, unk_token="<unk>", fuse_unk=True))
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
        return tokenizer
    merges = [tuple(merge.split(" ")) for merge in MERGES]
    vocabulary = {token: number for number, token in enumerate(byte_level() + byte_tokens())}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=name == "llama-bpe"))
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=name in ("gpt-2", "smollm"))
    parts = {
        "gpt-2": [],
        "smollm": [pre_tokenizers.Digits(individual_digits=True)],
        "qwen2": [pre_tokenizers.Split(Regex(QWEN), behavior="isolated")],
        "llama-bpe": [pre_tokenizers.Split(Regex(LLAMA), behavior="isolated")],
    }[name]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*parts, level])
    if name == "qwen2":
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in SPECIAL])
    return tokenizer


def literal(text):
    escaped = "".join(c if " " <= c <= "~" and c not in '"\\' or c.isalpha() else f"\\u{{{ord(c):x}}}" for c in text)
    return f'"{escaped}"'


def rust_list(items):
    return "&[" + ", ".join(literal(item) for item in items) + "]"


print("//! Golden ids, made by `reference/golden.py`: pre-tokenizer, text, ids with special tokens found.\n")
print("/// The merges of the byte-level vocabulary, whose first 256 tokens are the bytes; each makes a token, in their order.")
print(f"pub(super) const MERGES: &[&str] = {rust_list(MERGES)};")
print("/// Control tokens after these.")
print(f"pub(super) const SPECIAL: &[&str] = {rust_list(SPECIAL)};")
print("/// Pieces after `<unk>`, `<s>`, `</s>` and the 256 bytes.")
print(f"pub(super) const PIECES: &[&str] = {rust_list(PIECES)};")
print("/// Pairs of pieces that are pieces too, the best first, after those.")
print(f"pub(super) const PIECE_MERGES: &[&str] = {rust_list(PIECE_MERGES)};")
print("/// The golden table.")
print("pub(super) const GOLDEN: &[(&str, &str, &[u32])] = &[")
for name, texts in TEXTS.items():
    tokenizer = reference(name)
    for text in texts:
        print(f"    ({literal(name)}, {literal(text)}, &{tokenizer.encode(text).ids}),")
print("];")

REAL = ["The answer isn't 42; it's 1,000.5!", "fn main() {\n    println!(\"Grüße, 世界 👍🏽\");\n}\n\n\n", "  Москва\t東京\u00a0café cafe\u0301 IT'S we'LL",
        "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n", "हिन्दी العربية ภาษาไทย 한국어", "a\r\nb   c \n \n  d"]
print("/// Texts and ids by the real models' tokenizers.")
print("pub(super) const REAL: &[(&str, &str, &[u32])] = &[")
for file in ("smollm2.gguf", "qwen.gguf"):
    tokenizer = compare.reference(compare.metadata(f"{sys.argv[1]}/{file}"), True)
    for text in REAL:
        print(f'    ("{file}", {literal(text)}, &{tokenizer.encode(text).ids}),')
print("];")
