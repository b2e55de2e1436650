//! Texts to unit vectors by a model of BERT's kind: batches of like length, pooling, normalisation.

use super::bert::{Batch, Bert};
use super::config::BertConfig;
use super::wordpiece::WordPiece;
use super::{Embedder, corrupt, unsupported};
use crate::Error;

/// How a text's states become its vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pooling {
    /// The mean of all states, as in all-MiniLM-L6-v2.
    #[default]
    Mean,
    /// The first token's state, as in the BGE family.
    First,
}

/// How texts are embedded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderOptions {
    /// The id of the vector space, such as the model's name with the hash of its weights.
    pub space: String,
    /// Tokens of a text that are read, at most those that the model has positions for.
    pub max_tokens: usize,
    /// How states become a vector.
    pub pooling: Pooling,
}

impl EmbedderOptions {
    /// The options of all-MiniLM-L6-v2 for a space of this id: 256 tokens, the mean.
    #[must_use]
    pub fn new(space: impl Into<String>) -> Self {
        Self { space: space.into(), max_tokens: 256, pooling: Pooling::Mean }
    }

    /// The options that a [scheme](Self::scheme) stands for.
    ///
    /// # Errors
    ///
    /// A text that is no scheme.
    pub fn of_scheme(space: impl Into<String>, scheme: &str) -> Result<Self, Error> {
        let unknown =
            || unsupported(format!("the scheme `{}`", scheme.chars().take(50).collect::<String>()), "mean-256");
        let (pooling, max_tokens) = scheme.split_once('-').ok_or_else(unknown)?;
        let pooling = match pooling {
            "mean" => Pooling::Mean,
            "first" => Pooling::First,
            _ => return Err(unknown()),
        };
        Ok(Self { space: space.into(), max_tokens: max_tokens.parse().map_err(|_| unknown())?, pooling })
    }

    /// How a text becomes a vector, in a word: what vectors that can be compared have in common.
    #[must_use]
    pub fn scheme(&self) -> String {
        let pooling = match self.pooling {
            Pooling::Mean => "mean",
            Pooling::First => "first",
        };
        format!("{pooling}-{}", self.max_tokens)
    }
}

/// Tokens of a batch, filling included: enough to make products efficient, few enough to stay in a cache.
const BATCH_TOKENS: usize = 512;

/// An [`Embedder`] in this process.
#[derive(Debug, Clone)]
pub struct BertEmbedder {
    tokenizer: WordPiece,
    bert: Bert,
    options: EmbedderOptions,
}

impl BertEmbedder {
    /// Puts a tokenizer and a model together.
    ///
    /// # Errors
    ///
    /// A vocabulary that the model has no embeddings for.
    pub fn new(tokenizer: WordPiece, bert: Bert, mut options: EmbedderOptions) -> Result<Self, Error> {
        let (size, vocabulary) = (tokenizer.size(), bert.config().vocabulary);
        if size > vocabulary {
            return Err(corrupt("tokenizer", format!("it has {size} tokens, the model {vocabulary}")));
        }
        // The first token and the last are always there.
        if bert.config().positions < 2 {
            return Err(corrupt("config.json", "a text needs two positions at least"));
        }
        options.max_tokens = options.max_tokens.clamp(2, bert.config().positions);
        Ok(Self { tokenizer, bert, options })
    }

    /// The model's shape.
    #[must_use]
    pub fn config(&self) -> &BertConfig {
        self.bert.config()
    }

    /// Tokens of a text that are read; what is beyond them is left out.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.options.max_tokens
    }

    /// Each text's ids, at most so many as are read.
    fn encode(&self, texts: &[&str]) -> Vec<Vec<u32>> {
        texts.iter().map(|text| self.tokenizer.encode(text, self.options.max_tokens)).collect()
    }

    /// One batch's vectors.
    async fn embed_batch(&self, batch: &Batch) -> Result<Vec<Vec<f32>>, Error> {
        let pooled = match self.options.pooling {
            Pooling::Mean => self.bert.pool(batch, |_, length| 1.0 / length as f32),
            Pooling::First => self.bert.pool(batch, |at, _| if at == 0 { 1.0 } else { 0.0 }),
        };
        let data = pooled.into_data_async().await.map_err(|error| failed(error.to_string()))?;
        let data = data.try_into_vec::<f32>().map_err(|error| failed(error.to_string()))?;
        data.chunks(self.bert.config().width).map(unit).collect()
    }
}

impl Embedder for BertEmbedder {
    fn space(&self) -> &str {
        &self.options.space
    }

    fn dimensions(&self) -> usize {
        self.bert.config().width
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let ids = self.encode(texts);
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&text| ids[text].len());
        let mut vectors = vec![Vec::new(); ids.len()];
        for rows in batches(&order, |text| ids[text].len()) {
            let batch = Batch::new(rows.iter().map(|&text| ids[text].as_slice()), self.tokenizer.pad());
            for (&text, vector) in rows.iter().zip(self.embed_batch(&batch).await?) {
                vectors[text] = vector;
            }
        }
        Ok(vectors)
    }
}

/// Cuts texts, the shortest first, into batches of at most [`BATCH_TOKENS`], or of one text.
fn batches(order: &[usize], length: impl Fn(usize) -> usize) -> Vec<&[usize]> {
    let mut batches = Vec::new();
    let mut start = 0;
    for (at, &text) in order.iter().enumerate() {
        if at > start && (at + 1 - start) * length(text) > BATCH_TOKENS {
            batches.push(&order[start..at]);
            start = at;
        }
    }
    if start < order.len() {
        batches.push(&order[start..]);
    }
    batches
}

/// The vector of length 1 in this direction.
fn unit(vector: &[f32]) -> Result<Vec<f32>, Error> {
    let norm = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if !norm.is_finite() || norm == 0.0 {
        return Err(failed(format!("a vector has the length {norm}")));
    }
    Ok(vector.iter().map(|&x| (f64::from(x) / norm) as f32).collect())
}

fn failed(cause: String) -> Error {
    Error::Device { doing: "embedding texts", cause }
}
