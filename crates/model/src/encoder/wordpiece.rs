//! BERT's tokenizer: text to ids, by the vocabulary of a `tokenizer.json` or a `vocab.txt`.
//!
//! After Devlin et al. 2018, "BERT: Pre-training of Deep Bidirectional Transformers" and its published tokenizer: text
//! is cleaned of control characters, ideographs become words of their own, letters lose case and accents, punctuation
//! is split off; each word then falls into the longest pieces that the vocabulary has (Wu et al. 2016, "Google's Neural
//! Machine Translation System", without its scores), those within a word marked `##`.
//!
//! Written here rather than taken from the crate `tokenizers`, whose regular expressions and training code would be
//! most of a model's wasm. Unlike there, the name of a special token in a text is mere characters: no text becomes a
//! control token. And the classes of characters are of a recent Unicode, not of its version 8: some 900 characters that
//! are newer, none of them in such a vocabulary, are split off or left out otherwise than there.

use std::collections::HashMap;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::{corrupt, unsupported};
use crate::Error;

/// Longer words are unknown, in characters.
const MAX_WORD: usize = 100;

/// Ids are below this: a hundred times as many as the largest vocabularies have.
const MAX_ID: u32 = 1 << 24;

/// What stands before a piece that does not begin a word.
const WITHIN: &str = "##";

/// What is done to a text before it falls into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Normalizer {
    clean_text: bool,
    handle_chinese_chars: bool,
    /// Where it isn't said, accents go when case goes.
    strip_accents: Option<bool>,
    lowercase: bool,
}

impl Default for Normalizer {
    fn default() -> Self {
        Self { clean_text: true, handle_chinese_chars: true, strip_accents: None, lowercase: true }
    }
}

/// A vocabulary of pieces.
#[derive(Debug, Clone)]
pub struct WordPiece {
    normalizer: Normalizer,
    /// Pieces that begin a word.
    first: HashMap<Box<str>, u32>,
    /// Pieces within a word, without their mark.
    within: HashMap<Box<str>, u32>,
    /// No piece has more bytes.
    longest: usize,
    max_word: usize,
    unknown: u32,
    begin: u32,
    end: u32,
    pad: u32,
    size: usize,
}

/// `tokenizer.json`, as far as it matters here.
#[derive(Deserialize)]
struct File {
    normalizer: Option<Normalizer>,
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<String, u32>,
    unk_token: Option<String>,
    continuing_subword_prefix: Option<String>,
    max_input_chars_per_word: Option<usize>,
}

/// Its parts' names, which say whether it is of BERT's kind.
#[derive(Deserialize)]
struct Components {
    normalizer: Option<Component>,
    pre_tokenizer: Option<Component>,
    model: Component,
}

#[derive(Deserialize)]
struct Component {
    r#type: Option<String>,
}

impl Components {
    /// Whatever does otherwise than BERT is refused by name.
    fn check(&self) -> Result<(), Error> {
        let named = |part: &Option<Component>| part.as_ref().and_then(|part| part.r#type.clone()).unwrap_or_default();
        let model = self.model.r#type.as_deref().unwrap_or("WordPiece");
        for (part, found, expected) in [
            ("tokenizer", model.to_owned(), "WordPiece"),
            ("normalizer", named(&self.normalizer), "BertNormalizer"),
            ("pre-tokenizer", named(&self.pre_tokenizer), "BertPreTokenizer"),
        ] {
            if found != expected {
                let found: String = found.chars().take(50).collect();
                return Err(unsupported(format!("the {part} `{found}`"), expected));
            }
        }
        Ok(())
    }
}

impl WordPiece {
    /// The tokenizer of a `tokenizer.json`.
    ///
    /// # Errors
    ///
    /// A file that is damaged, or whose tokenizer is not of BERT's kind.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let damaged = |error: serde_json::Error| corrupt("tokenizer.json", error.to_string());
        serde_json::from_slice::<Components>(json).map_err(damaged)?.check()?;
        let File { normalizer, model } = serde_json::from_slice(json).map_err(damaged)?;
        let within = model.continuing_subword_prefix.as_deref().unwrap_or(WITHIN);
        let unknown = model.unk_token.as_deref().unwrap_or("[UNK]");
        let mut this = Self::new(model.vocab, within, unknown)?;
        this.normalizer = normalizer.unwrap_or_default();
        this.max_word = model.max_input_chars_per_word.unwrap_or(MAX_WORD);
        Ok(this)
    }

    /// The tokenizer of a `vocab.txt`: a piece a line, its number the id. `lowercase` is `do_lower_case` of
    /// `tokenizer_config.json`; accents go with case.
    ///
    /// # Errors
    ///
    /// A file without the tokens that every text needs.
    pub fn from_vocab(text: &str, lowercase: bool) -> Result<Self, Error> {
        let vocabulary = text.lines().enumerate().map(|(id, piece)| (piece.trim_end().to_owned(), id as u32));
        let mut this = Self::new(vocabulary.collect(), WITHIN, "[UNK]")?;
        this.normalizer.lowercase = lowercase;
        Ok(this)
    }

    fn new(vocabulary: HashMap<String, u32>, within: &str, unknown: &str) -> Result<Self, Error> {
        let special = |name: &str| match vocabulary.get(name) {
            Some(&id) => Ok(id),
            None => Err(corrupt("tokenizer", format!("the vocabulary has no `{name}`"))),
        };
        if let Some((_, id)) = vocabulary.iter().find(|&(_, &id)| id >= MAX_ID) {
            return Err(corrupt("tokenizer", format!("an id of {id}, where all are below {MAX_ID}")));
        }
        let (unknown, begin, end) = (special(unknown)?, special("[CLS]")?, special("[SEP]")?);
        let pad = vocabulary.get("[PAD]").copied().unwrap_or(unknown);
        let mut this = Self {
            normalizer: Normalizer::default(),
            first: HashMap::new(),
            within: HashMap::new(),
            longest: vocabulary.keys().map(String::len).max().unwrap_or(0),
            max_word: MAX_WORD,
            unknown,
            begin,
            end,
            pad,
            size: vocabulary.values().max().map_or(0, |&id| id as usize + 1),
        };
        for (piece, id) in vocabulary {
            match piece.strip_prefix(within) {
                Some(rest) if !within.is_empty() => this.within.insert(rest.into(), id),
                _ => this.first.insert(piece.into(), id),
            };
        }
        Ok(this)
    }

    /// Ids are below this.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The token that fills rows up.
    #[must_use]
    pub fn pad(&self) -> u32 {
        self.pad
    }

    /// The ids of two texts read together, at most `max_tokens` with the token before them and the one behind each; and where
    /// the second begins. Of texts that are too long the longer one is cut, down to the length of the other, and then both.
    #[must_use]
    pub fn encode_pair(&self, first: &str, second: &str, max_tokens: usize) -> (Vec<u32>, usize) {
        let room = max_tokens.max(3) - 3;
        let inner = |text: &str| {
            let ids = self.encode(text, room + 2);
            ids[1..ids.len() - 1].to_vec()
        };
        let (mut one, mut other) = (inner(first), inner(second));
        if one.len() + other.len() > room {
            let half = room / 2;
            if one.len() <= half {
                other.truncate(room - one.len());
            } else if other.len() <= half {
                one.truncate(room - other.len());
            } else {
                // The longer one keeps the token that halves can't share.
                let longer = room - half;
                let (of_one, of_other) = if one.len() > other.len() { (longer, half) } else { (half, longer) };
                one.truncate(of_one);
                other.truncate(of_other);
            }
        }
        let mut ids = vec![self.begin];
        ids.extend(one);
        ids.push(self.end);
        let start = ids.len();
        ids.extend(other);
        ids.push(self.end);
        (ids, start)
    }

    /// The ids of a text between its first token and its last, at most `max_tokens` with those two: what is beyond is
    /// left out, and not looked at.
    #[must_use]
    pub fn encode(&self, text: &str, max_tokens: usize) -> Vec<u32> {
        let limit = max_tokens.max(2) - 1;
        let mut ids = vec![self.begin];
        for chunk in text.split(|c| self.is_space(c)) {
            if ids.len() >= limit {
                break;
            }
            self.encode_chunk(chunk, &mut ids);
        }
        ids.truncate(limit);
        ids.push(self.end);
        ids
    }

    /// What is between spaces. Normalising it alone gives the same as normalising the text, since no character combines
    /// with a space before it.
    fn encode_chunk(&self, chunk: &str, ids: &mut Vec<u32>) {
        let mut normal = String::new();
        let mut flush = |raw: &mut String| {
            normal.clear();
            self.normalise(raw, &mut normal);
            split_punctuation(&normal, |word| self.encode_word(word, ids));
            raw.clear();
        };
        let mut raw = String::new();
        for c in chunk.chars().filter(|&c| !(self.normalizer.clean_text && is_removed(c))) {
            let ideograph = self.normalizer.handle_chinese_chars && is_ideograph(c);
            if ideograph {
                flush(&mut raw);
            }
            raw.push(c);
            if ideograph {
                flush(&mut raw);
            }
        }
        flush(&mut raw);
    }

    /// Case and accents taken away.
    fn normalise(&self, raw: &str, normal: &mut String) {
        let Normalizer { lowercase, strip_accents, .. } = self.normalizer;
        let mut lower = |c: char| match lowercase {
            true => normal.extend(c.to_lowercase()),
            false => normal.push(c),
        };
        match strip_accents.unwrap_or(lowercase) && !raw.is_ascii() {
            true => raw.nfd().filter(|&c| !is_accent(c)).for_each(lower),
            false => raw.chars().for_each(&mut lower),
        }
    }

    /// The longest pieces from the left; a word that has none somewhere is unknown as a whole.
    fn encode_word(&self, word: &str, ids: &mut Vec<u32>) {
        let start = ids.len();
        let mut rest = if word.chars().nth(self.max_word).is_some() { None } else { Some(word) };
        while let Some(text) = rest.filter(|text| !text.is_empty()) {
            let pieces = if ids.len() == start { &self.first } else { &self.within };
            rest = self.longest_piece(text, pieces).map(|(id, bytes)| {
                ids.push(id);
                &text[bytes..]
            });
        }
        if rest.is_none() {
            ids.truncate(start);
            ids.push(self.unknown);
        }
    }

    /// The longest of `pieces` that `text` begins with: its id and its bytes.
    fn longest_piece(&self, text: &str, pieces: &HashMap<Box<str>, u32>) -> Option<(u32, usize)> {
        let most = text.floor_char_boundary(self.longest);
        let ends = text[..most].char_indices().rev().map(|(start, c)| start + c.len_utf8());
        ends.into_iter().find_map(|end| pieces.get(&text[..end]).map(|&id| (id, end)))
    }

    /// Whether words end here. Cleaning takes away those spaces that are control characters.
    fn is_space(&self, c: char) -> bool {
        c.is_whitespace() && !(self.normalizer.clean_text && is_removed(c))
    }
}

/// Hands out words and marks of punctuation, each of these alone.
fn split_punctuation(text: &str, mut word: impl FnMut(&str)) {
    for part in text.split_inclusive(is_punctuation) {
        let last = part.chars().next_back().filter(|&c| is_punctuation(c));
        let (before, mark) = part.split_at(part.len() - last.map_or(0, char::len_utf8));
        for word_or_mark in [before, mark] {
            if !word_or_mark.is_empty() {
                word(word_or_mark);
            }
        }
    }
}

/// Control characters and those without a meaning for a text, but for the three that are spaces.
fn is_removed(c: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{fffd}' => true,
        ' '..='~' => false,
        _ => matches!(c.general_category(), Control | Format | PrivateUse),
    }
}

fn is_accent(c: char) -> bool {
    c.general_category() == GeneralCategory::NonspacingMark
}

/// Unicode's punctuation, and all of ASCII's that is neither letter, digit nor space.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// The blocks of Chinese characters, as BERT counts them.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}'
        | '\u{2b820}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{2f800}'..='\u{2fa1f}')
}
