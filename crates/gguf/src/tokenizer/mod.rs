//! Text to tokens and back, by the vocabulary that a model file carries.
//!
//! Two families: byte-level byte-pair encoding (`gpt2`: SmolLM2, Qwen, Llama 3), whose merges are ranked and stay
//! within the words of a pre-tokenizer; and SentencePiece's (`llama`: TinyLlama), whose tokens have scores and which
//! falls back to bytes.
//!
//! Written here rather than taken from the crate `tokenizers`, whose regular expressions, Unicode tables and training
//! code would be most of a model's wasm, and which reads another file format: what remains of it is small.

mod detokenizer;
#[cfg(test)]
mod golden;
mod merge;
mod merges;
mod sentencepiece;
mod special;
mod split;
#[cfg(test)]
mod tests;
mod vocabulary;

use unicode_normalization::{UnicodeNormalization, is_nfc};

pub use detokenizer::Detokenizer;
pub use vocabulary::TokenKind;

use crate::metadata::Metadata;
use crate::{Error, Header, Prompt, Special};
use merges::Merges;
use sentencepiece::Pieces;
use special::Specials;
use split::Splitter;
use vocabulary::Vocabulary;

/// A model's tokenizer.
#[derive(Debug, Clone)]
pub struct Tokenizer {
    vocabulary: Vocabulary,
    specials: Specials,
    model: Model,
    beginning: Option<u32>,
    end: Option<u32>,
    ends: Vec<u32>,
    add_beginning: bool,
}

#[derive(Debug, Clone)]
enum Model {
    /// Byte-level: words of a splitter, merged by rank.
    Bytes { splitter: Splitter, merges: Merges },
    /// SentencePiece: pieces with scores.
    Pieces(Pieces),
}

/// Names of tokens that end an answer, besides the one that the metadata names.
const END_NAMES: [&str; 6] = ["<|im_end|>", "<|eot_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>", "</s>"];

impl Tokenizer {
    /// Makes the tokenizer that a header describes.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] for a model or a pre-tokenizer that is not known, [`Error::Metadata`] and
    /// [`Error::Corrupt`] for what is missing or does not fit together.
    pub fn from_header(header: &Header) -> Result<Tokenizer, Error> {
        let metadata = &header.metadata;
        let model = metadata.need_text("tokenizer.ggml.model")?;
        let byte_level = match model {
            "gpt2" => true,
            "llama" => false,
            other => return Err(Error::unsupported(format!("tokenizer `{}`", clipped(other)), "gpt2, llama")),
        };
        let vocabulary = Vocabulary::read(metadata, byte_level)?;
        let model = if byte_level {
            let pre = split::name_in(metadata)?;
            let merges = Merges::read(metadata, &vocabulary, split::takes_whole_words(pre))?;
            Model::Bytes { splitter: Splitter::named(pre)?, merges }
        } else {
            Model::Pieces(Pieces::read(metadata, &vocabulary)?)
        };
        let specials = Specials::new(&vocabulary);
        let end = token_at(metadata, "tokenizer.ggml.eos_token_id", &vocabulary)?;
        Ok(Tokenizer {
            beginning: token_at(metadata, "tokenizer.ggml.bos_token_id", &vocabulary)?,
            end,
            ends: ends(metadata, &vocabulary, &specials, end)?,
            add_beginning: metadata.bool("tokenizer.ggml.add_bos_token").unwrap_or(!byte_level),
            vocabulary,
            specials,
            model,
        })
    }

    /// The tokens of `text`. No token is added before or after.
    pub fn encode(&self, text: &str, special: Special) -> Vec<u32> {
        let mut tokens = Vec::new();
        if special == Special::Plain {
            self.encode_plain(text, &mut tokens);
            return tokens;
        }
        let mut rest = text;
        while let Some((before, token, after)) = self.specials.next_in(rest) {
            self.encode_plain(before, &mut tokens);
            tokens.push(token);
            rest = after;
        }
        self.encode_plain(rest, &mut tokens);
        tokens
    }

    /// The tokens of a prompt: special tokens are found in its frame alone, what others wrote stays text. Where the
    /// model wants a token at the beginning and the frame has none, it is put there.
    ///
    /// Text is encoded across the borders between frame and contents, as it would be in one string.
    pub fn encode_prompt(&self, prompt: &Prompt) -> Vec<u32> {
        let (mut tokens, mut text) = (Vec::new(), String::new());
        for piece in &prompt.pieces {
            let mut rest = piece.text.as_str();
            while piece.special == Special::Parse
                && let Some((before, token, after)) = self.specials.next_in(rest)
            {
                text.push_str(before);
                self.encode_plain(&std::mem::take(&mut text), &mut tokens);
                tokens.push(token);
                rest = after;
            }
            text.push_str(rest);
        }
        self.encode_plain(&text, &mut tokens);
        if let Some(beginning) = self.beginning.filter(|_| self.add_beginning)
            && tokens.first() != Some(&beginning)
        {
            tokens.insert(0, beginning);
        }
        tokens
    }

    fn encode_plain(&self, text: &str, tokens: &mut Vec<u32>) {
        if text.is_empty() {
            return;
        }
        match &self.model {
            Model::Bytes { splitter, merges } if splitter.normalises() && !is_nfc(text) => {
                let text: String = text.nfc().collect();
                splitter.split(&text, |word| merges.encode(word.as_bytes(), &self.vocabulary, tokens));
            }
            Model::Bytes { splitter, merges } => {
                splitter.split(text, |word| merges.encode(word.as_bytes(), &self.vocabulary, tokens));
            }
            Model::Pieces(pieces) => pieces.encode(text, &self.vocabulary, tokens),
        }
    }

    /// The text of `tokens`, control tokens left out, broken characters as U+FFFD.
    pub fn decode(&self, tokens: &[u32]) -> String {
        let mut detokenizer = Detokenizer::new();
        let mut text: String = tokens.iter().map(|&token| detokenizer.push(self, token)).collect();
        text.push_str(&detokenizer.finish());
        text
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.vocabulary.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that a token stands for; for a control token, its name.
    pub fn bytes(&self, token: u32) -> Option<&[u8]> {
        self.vocabulary.bytes(token)
    }

    /// What sort of token it is.
    pub fn kind(&self, token: u32) -> Option<TokenKind> {
        self.vocabulary.kind(token)
    }

    /// The control or user-defined token of this name, such as `<|im_end|>`.
    pub fn special(&self, name: &str) -> Option<u32> {
        self.specials.find(name)
    }

    /// The token that begins a text.
    pub fn beginning(&self) -> Option<u32> {
        self.beginning
    }

    /// Whether the model wants [`beginning`](Tokenizer::beginning) before a prompt.
    pub fn adds_beginning(&self) -> bool {
        self.add_beginning && self.beginning.is_some()
    }

    /// The token that ends a text, by the metadata.
    pub fn end(&self) -> Option<u32> {
        self.end
    }

    /// All tokens that end an answer: the metadata's, and those with the usual names. Rising.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// Whether `token` ends an answer.
    pub fn is_end(&self, token: u32) -> bool {
        self.ends.binary_search(&token).is_ok()
    }

    /// Whether a text's first space was put there by the tokenizer.
    fn drops_first_space(&self) -> bool {
        matches!(&self.model, Model::Pieces(pieces) if pieces.adds_space())
    }
}

/// The token whose number stands under `key`, where the key is there.
fn token_at(metadata: &Metadata, key: &str, vocabulary: &Vocabulary) -> Result<Option<u32>, Error> {
    if metadata.get(key).is_none() {
        return Ok(None);
    }
    let number = metadata.need_unsigned(key)?;
    match u32::try_from(number) {
        Ok(token) if (token as usize) < vocabulary.len() => Ok(Some(token)),
        // Written by some converters for "none".
        _ if number == u64::from(u32::MAX) => Ok(None),
        _ => Err(Error::corrupt("tokenizer", format!("`{key}` is {number}, of {} tokens", vocabulary.len()))),
    }
}

fn ends(
    metadata: &Metadata,
    vocabulary: &Vocabulary,
    specials: &Specials,
    end: Option<u32>,
) -> Result<Vec<u32>, Error> {
    let turn = token_at(metadata, "tokenizer.ggml.eot_token_id", vocabulary)?;
    let named = END_NAMES.iter().filter_map(|name| specials.find(name));
    let mut ends: Vec<u32> = named.chain(end).chain(turn).collect();
    ends.sort_unstable();
    ends.dedup();
    Ok(ends)
}

/// A name short enough to be shown.
fn clipped(name: &str) -> String {
    name.chars().take(40).collect()
}
