//! What a model's `config.json` says of its shape, checked before a weight is read.

use serde::Deserialize;

use super::{corrupt, unsupported};
use crate::Error;

/// The shape of a model of BERT's kind: the fields of `config.json` that matter.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BertConfig {
    /// Tokens of the vocabulary.
    #[serde(rename = "vocab_size")]
    pub vocabulary: usize,
    /// Numbers of a token's state, and of a vector.
    #[serde(rename = "hidden_size")]
    pub width: usize,
    /// Layers.
    #[serde(rename = "num_hidden_layers")]
    pub layers: usize,
    /// Heads of attention; they divide the width.
    #[serde(rename = "num_attention_heads")]
    pub heads: usize,
    /// Numbers of a state inside the feed-forward part.
    #[serde(rename = "intermediate_size")]
    pub ffn_width: usize,
    /// Positions: the longest input, in tokens.
    #[serde(rename = "max_position_embeddings")]
    pub positions: usize,
    /// Kinds of segments; a text is of kind 0.
    #[serde(rename = "type_vocab_size")]
    pub segments: usize,
    /// What is added to a variance before its root is taken.
    #[serde(rename = "layer_norm_eps", default = "usual_epsilon")]
    pub norm_epsilon: f64,
    /// The id of the architecture.
    model_type: String,
    #[serde(rename = "hidden_act")]
    activation: String,
    position_embedding_type: Option<String>,
}

fn usual_epsilon() -> f64 {
    1e-12
}

impl BertConfig {
    /// Reads a `config.json`.
    ///
    /// # Errors
    ///
    /// A file that is damaged, an architecture that is not built here (by name), or sizes that make no sense.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let config: Self = serde_json::from_slice(json).map_err(|error| corrupt("config.json", error.to_string()))?;
        config.check_kind()?;
        config.check_sizes()?;
        Ok(config)
    }

    fn check_kind(&self) -> Result<(), Error> {
        let positions = self.position_embedding_type.as_deref().unwrap_or("absolute");
        for (part, found, expected) in [
            ("architecture", self.model_type.as_str(), "bert"),
            ("activation", self.activation.as_str(), "gelu"),
            ("position embedding", positions, "absolute"),
        ] {
            if found != expected {
                let found: String = found.chars().take(50).collect();
                return Err(unsupported(format!("the {part} `{found}`"), expected));
            }
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<(), Error> {
        // Far above any such model; below it, no product of two sizes overflows 32 bits.
        const MOST: usize = 1 << 15;
        for (name, size, most) in [
            ("vocab_size", self.vocabulary, 1 << 20),
            ("hidden_size", self.width, MOST),
            ("num_hidden_layers", self.layers, 1 << 10),
            ("num_attention_heads", self.heads, MOST),
            ("intermediate_size", self.ffn_width, MOST),
            ("max_position_embeddings", self.positions, MOST),
            ("type_vocab_size", self.segments, MOST),
        ] {
            if size == 0 || size > most {
                return Err(corrupt("config.json", format!("`{name}` is {size}, not between 1 and {most}")));
            }
        }
        if !self.width.is_multiple_of(self.heads) {
            let reason = format!("{} heads do not divide a width of {}", self.heads, self.width);
            return Err(corrupt("config.json", reason));
        }
        if !(self.norm_epsilon >= 0.0 && self.norm_epsilon < 1.0) {
            return Err(corrupt("config.json", format!("`layer_norm_eps` is {}", self.norm_epsilon)));
        }
        Ok(())
    }
}
