//! A cross-encoder: BERT reads a query and a text together and says how well the text answers the query, after Nogueira and
//! Cho 2019, "Passage Re-ranking with BERT". Any model of BERT's kind serves whose head has one output, such as those that
//! sentence-transformers publishes for ranking passages.
//!
//! ```text
//! score = classifier(tanh(pooler(state of the first token)))
//! ```

use std::io::Read;

use burn::tensor::Device;

use super::bert::{Batch, Bert};
use super::config::BertConfig;
use super::corrupt;
use super::load::{BertLoader, ScoreHead};
use super::wordpiece::WordPiece;
use crate::Error;

/// Tokens of a batch, filling included.
const BATCH_TOKENS: usize = 1024;

/// A cross-encoder in this process.
#[derive(Debug, Clone)]
pub struct CrossEncoder {
    tokenizer: WordPiece,
    bert: Bert,
    head: ScoreHead,
}

impl CrossEncoder {
    /// Loads a model: its `config.json`, its `tokenizer.json`, and a stream of its `model.safetensors`.
    ///
    /// # Errors
    ///
    /// A file that is damaged or not of BERT's kind, a head of more outputs than one, files that don't fit each other, or the
    /// stream's error.
    pub fn load(config: &[u8], tokenizer: &[u8], mut weights: impl Read, device: Device) -> Result<Self, Error> {
        let config = BertConfig::from_json(config)?;
        let tokenizer = WordPiece::from_json(tokenizer)?;
        if tokenizer.size() > config.vocabulary {
            let reason = format!("it has {} tokens, the model {}", tokenizer.size(), config.vocabulary);
            return Err(corrupt("tokenizer", reason));
        }
        if config.positions < 3 {
            return Err(corrupt("config.json", "a query and a text need three positions at least"));
        }
        let mut loader = BertLoader::with_head(config, device);
        let mut piece = vec![0; 1 << 20];
        loop {
            match weights.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => loader.feed(&piece[..count])?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            }
        }
        let (bert, head) = loader.finish_with_head()?;
        Ok(Self { tokenizer, bert, head })
    }

    /// [`CrossEncoder::load`] onto the CPU.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn load_on_cpu(config: &[u8], tokenizer: &[u8], weights: impl Read) -> Result<Self, Error> {
        Self::load(config, tokenizer, weights, Device::flex())
    }

    /// The score of each text as an answer to `query`, in the order of the texts: logits, of which a higher one is better.
    /// What of a query or text is beyond the model's positions is left out.
    ///
    /// # Errors
    ///
    /// Where the device fails.
    pub async fn score(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, Error> {
        let positions = self.bert.config().positions;
        let pairs: Vec<(Vec<u32>, usize)> =
            texts.iter().map(|text| self.tokenizer.encode_pair(query, text, positions)).collect();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&text| pairs[text].0.len());
        let mut scores = vec![0.0; pairs.len()];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            // The last text of a batch is its longest.
            let fits = |count: &usize| *count == 1 || count * pairs[rest[count - 1]].0.len() <= BATCH_TOKENS;
            let count = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
            let (rows, later) = rest.split_at(count);
            for (&text, score) in rows.iter().zip(self.score_batch(rows, &pairs).await?) {
                scores[text] = score;
            }
            rest = later;
        }
        Ok(scores)
    }

    async fn score_batch(&self, rows: &[usize], pairs: &[(Vec<u32>, usize)]) -> Result<Vec<f32>, Error> {
        let ids = rows.iter().map(|&text| pairs[text].0.as_slice());
        let seconds = rows.iter().map(|&text| pairs[text].1).collect();
        let batch = Batch { seconds, ..Batch::new(ids, self.tokenizer.pad()) };
        let pooled = self.head.pooler.forward(self.bert.first_states(&batch)).tanh();
        let failed = |cause: String| Error::Device { doing: "scoring texts", cause };
        let data = self.head.classifier.forward(pooled).into_data_async().await;
        let data = data.map_err(|error| failed(error.to_string()))?;
        data.try_into_vec::<f32>().map_err(|error| failed(error.to_string()))
    }
}
