//! Pre-tokenizers: where a text falls into words that no merge crosses.
//!
//! Each is given as a regular expression by the model's authors, shown at its function here, and written out by hand:
//! the expressions need look-ahead, which small engines lack, and Unicode classes, which the standard library has.

use unicode_normalization::char::is_combining_mark;

use crate::Error;
use crate::metadata::Metadata;

/// How a text falls into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Splitter {
    /// GPT-2's.
    Gpt2,
    /// GPT-2's, each digit a word before: SmolLM, StarCoder.
    Digits,
    /// Llama 3's and Qwen's, with so many digits in a word at most; Qwen's text is in Unicode's form C.
    Words { digits: usize, normalises: bool },
}

/// Whether a vocabulary with this pre-tokenizer takes words that are tokens as they are.
pub(super) fn takes_whole_words(name: &str) -> bool {
    matches!(name, "llama-bpe" | "llama3" | "llama-v3")
}

/// The pre-tokenizer that a file names, or, in files from before they did, that its architecture has.
pub(super) fn name_in(metadata: &Metadata) -> Result<&str, Error> {
    let has = |token: &str| {
        metadata.texts("tokenizer.ggml.tokens").is_some_and(|tokens| tokens.iter().any(|other| other == token))
    };
    match (metadata.text("tokenizer.ggml.pre"), metadata.text("general.architecture").unwrap_or_default()) {
        (Some(name), _) => Ok(name),
        (None, "qwen2" | "qwen3") => Ok("qwen2"),
        (None, "llama") if has("<|begin_of_text|>") => Ok("llama-bpe"),
        (None, _) => {
            let what = "a byte-level vocabulary that does not name its pre-tokenizer";
            Err(Error::unsupported(what, "those of Qwen and Llama 3 without a name; convert the model anew"))
        }
    }
}

impl Splitter {
    /// The splitter that `tokenizer.ggml.pre` names.
    pub(super) fn named(name: &str) -> Result<Splitter, Error> {
        Ok(match name {
            "default" | "gpt-2" | "gpt2" => Splitter::Gpt2,
            "smollm" | "starcoder" | "refact" => Splitter::Digits,
            "qwen2" | "deepseek-r1-qwen" => Splitter::Words { digits: 1, normalises: true },
            "llama-bpe" | "llama3" | "llama-v3" => Splitter::Words { digits: 3, normalises: false },
            other => {
                let what = format!("pre-tokenizer `{}`", super::clipped(other));
                return Err(Error::unsupported(what, "default, gpt-2, smollm, qwen2, llama-bpe"));
            }
        })
    }

    /// Whether text is brought into form C before it is split.
    pub(super) fn normalises(self) -> bool {
        matches!(self, Splitter::Words { normalises: true, .. })
    }

    /// Calls `word` with each word of `text`, in order; together they are the text.
    pub(super) fn split(self, text: &str, mut word: impl FnMut(&str)) {
        match self {
            Splitter::Gpt2 => each(text, gpt2_word, &mut word),
            Splitter::Words { digits, .. } => each(text, |rest| llama_word(rest, digits), &mut word),
            Splitter::Digits => {
                let mut rest = text;
                while !rest.is_empty() {
                    let (before, digit) = rest.split_at(rest.find(is_number).unwrap_or(rest.len()));
                    each(before, gpt2_word, &mut word);
                    let (digit, after) = digit.split_at(prefix(digit, 1, is_number));
                    if !digit.is_empty() {
                        word(digit);
                    }
                    rest = after;
                }
            }
        }
    }
}

/// Cuts words off `text` by their length in bytes.
fn each(text: &str, length: impl Fn(&str) -> usize, word: &mut impl FnMut(&str)) {
    let mut rest = text;
    while !rest.is_empty() {
        let (first, after) = rest.split_at(length(rest));
        word(first);
        rest = after;
    }
}

/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
fn gpt2_word(text: &str) -> usize {
    if let Some(length) = contraction(text, |letter, expected| letter == expected) {
        return length;
    }
    let space = usize::from(text.starts_with(' '));
    let rest = &text[space..];
    for class in [is_letter, is_number, is_other] {
        let run = prefix(rest, usize::MAX, class);
        if run > 0 {
            return space + run;
        }
    }
    spaces(text)
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
/// in Qwen's `\p{N}` in place of `\p{N}{1,3}`.
fn llama_word(text: &str, digits: usize) -> usize {
    // In Unicode's case folding, the long s is an s.
    let folded =
        |letter: char, expected: char| letter.eq_ignore_ascii_case(&expected) || letter == '\u{17f}' && expected == 's';
    if let Some(length) = contraction(text, folded) {
        return length;
    }
    let before = prefix(text, 1, |c| !matches!(c, '\r' | '\n') && !is_letter(c) && !is_number(c));
    let letters = prefix(&text[before..], usize::MAX, is_letter);
    if letters > 0 {
        return before + letters;
    }
    let number = prefix(text, digits, is_number);
    if number > 0 {
        return number;
    }
    let space = usize::from(text.starts_with(' '));
    let others = prefix(&text[space..], usize::MAX, is_other);
    if others > 0 {
        let word = space + others;
        return word + prefix(&text[word..], usize::MAX, is_line_end);
    }
    let run = &text[..prefix(text, usize::MAX, char::is_whitespace)];
    match run.rfind(is_line_end) {
        Some(last) => last + 1,
        None => spaces(text),
    }
}

/// `\s+(?!\S)|\s+`: the spaces that `text` begins with, without the last where a word follows, which takes that one.
fn spaces(text: &str) -> usize {
    let run = prefix(text, usize::MAX, char::is_whitespace);
    let last = text[..run].chars().next_back().map_or(0, char::len_utf8);
    if run < text.len() && run > last { run - last } else { run }
}

/// The length of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` at the start of `text`.
fn contraction(text: &str, same: impl Fn(char, char) -> bool) -> Option<usize> {
    let rest = text.strip_prefix('\'')?;
    ["s", "t", "re", "ve", "m", "ll", "d"].iter().find_map(|letters| {
        let mut found = rest.chars();
        let matches = letters.chars().all(|expected| found.next().is_some_and(|letter| same(letter, expected)));
        matches.then(|| text.len() - found.as_str().len())
    })
}

/// How many bytes at the start of `text` are characters of `class`, of `most` characters at most.
fn prefix(text: &str, most: usize, class: impl Fn(char) -> bool) -> usize {
    text.char_indices()
        .take(most)
        .find(|&(_, c)| !class(c))
        .map_or_else(|| text.char_indices().nth(most).map_or(text.len(), |(at, _)| at), |(at, _)| at)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\r' | '\n')
}

/// `\p{N}`.
fn is_number(c: char) -> bool {
    c.is_numeric()
}

/// `\p{L}`: what is alphabetic, but for letter numbers, vowel signs and letters in circles and squares.
fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    let circled = matches!(c as u32, 0x24b6..=0x24e9 | 0x1f130..=0x1f149 | 0x1f150..=0x1f169 | 0x1f170..=0x1f189);
    c.is_alphabetic() && !c.is_numeric() && !is_combining_mark(c) && !circled
}

/// `[^\s\p{L}\p{N}]`.
fn is_other(c: char) -> bool {
    !c.is_whitespace() && !is_letter(c) && !is_number(c)
}
