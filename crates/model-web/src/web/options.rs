//! What calls are given and give, as plain structs; `engine-types.js` says the same for JavaScript.

use js_sys::Float32Array;
use seealso_model::mask::{Citations, Mask, OneOf, StringArray};
use seealso_model::sample::Sampling;
use seealso_model::{Adapters, Probe, Unit};
use serde::{Deserialize, Serialize};

/// How a model is loaded.
#[derive(Deserialize)]
pub(super) struct LoaderSettings {
    /// Positions of the cache; 0 takes 4,096, or what the model was trained for where that is less.
    #[serde(default)]
    pub(super) context: usize,
}

/// One turn of a conversation.
#[derive(Deserialize)]
pub(super) struct Message {
    pub(super) role: String,
    pub(super) content: String,
}

/// What a model continues: a conversation, or a text as it is, in which names of control tokens are these tokens.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Prompt {
    Text(String),
    Messages(Vec<Message>),
}

/// How an answer is generated.
#[derive(Deserialize)]
#[serde(default)]
pub(super) struct GenerationOptions {
    pub(super) max_tokens: usize,
    temperature: f32,
    top_k: usize,
    top_p: f32,
    repetition_penalty: f32,
    seed: f64,
    pub(super) stop: Vec<String>,
    mask: Option<MaskOptions>,
    /// Names a prompt whose beginning is worth keeping.
    pub(super) prefix: Option<String>,
    /// The answer's tokens so far, to go on from.
    pub(super) begun: Vec<u32>,
}

impl Default for GenerationOptions {
    fn default() -> Self {
        let Sampling { temperature, top_k, top_p, repeat_penalty, .. } = Sampling::default();
        Self {
            max_tokens: 256,
            temperature,
            top_k,
            top_p,
            repetition_penalty: repeat_penalty,
            seed: 0.0,
            stop: Vec::new(),
            mask: None,
            prefix: None,
            begun: Vec::new(),
        }
    }
}

/// The form that an answer must have: one of these.
#[derive(Deserialize)]
#[serde(untagged)]
enum MaskOptions {
    Words { words: Vec<String> },
    Citations { citations: u32 },
    Strings { strings: usize },
}

/// A string of a masked array is as long as a question at most.
const LONGEST_STRING: usize = 200;

impl GenerationOptions {
    pub(super) fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            top_k: self.top_k,
            top_p: self.top_p,
            repeat_penalty: self.repetition_penalty,
            seed: self.seed as u64,
            ..Sampling::default()
        }
    }

    pub(super) fn mask(&self) -> Option<Box<dyn Mask>> {
        self.mask.as_ref().map(|mask| -> Box<dyn Mask> {
            match mask {
                MaskOptions::Words { words } => Box::new(OneOf::new(words)),
                MaskOptions::Citations { citations } => Box::new(Citations { sources: *citations }),
                MaskOptions::Strings { strings } => Box::new(StringArray { most: *strings, longest: LONGEST_STRING }),
            }
        })
    }
}

/// What came of generating.
#[derive(Serialize)]
pub(super) struct Outcome {
    pub(super) reason: &'static str,
    pub(super) prompt_tokens: usize,
    /// Of the prompt, that were there from before.
    pub(super) reused_tokens: usize,
    /// Tokens generated.
    pub(super) tokens: usize,
    /// Which.
    pub(super) ids: Vec<u32>,
    pub(super) prefill_ms: f64,
    pub(super) decode_ms: f64,
}

/// What a model is.
#[derive(Serialize, Clone)]
pub(super) struct Info {
    pub(super) architecture: &'static str,
    /// Tokens that prompt and answer may have together.
    pub(super) context: usize,
    pub(super) vocabulary: usize,
    pub(super) layers: usize,
    /// Of its file.
    pub(super) bytes: u64,
    /// Of the cache of keys and values.
    pub(super) cache_bytes: usize,
}

/// A token and its logit.
#[derive(Serialize)]
pub(super) struct Candidate {
    pub(super) token: u32,
    pub(super) logit: f32,
}

/// A probe of a model's state: see [`Probe`].
#[derive(Deserialize)]
pub(super) struct ProbeInput {
    layers: usize,
    read: usize,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    weights: Float32Array,
    /// Two numbers for each unit: what is added to its sum, and what it counts.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    units: Float32Array,
    bias: f64,
    #[serde(default)]
    adapters: Option<AdapterInput>,
}

/// What the prompt is read through: see [`Adapters`].
#[derive(Deserialize)]
struct AdapterInput {
    layers: usize,
    units: usize,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    numbers: Float32Array,
}

impl ProbeInput {
    /// None where a unit lacks a number.
    pub(super) fn probe(&self) -> Option<Probe> {
        let numbers = self.units.to_vec();
        let (units, rest) = numbers.as_chunks();
        let units = units.iter().map(|&[bias, counts]| Unit { bias, counts }).collect();
        let adapters = self.adapters.as_ref().map(|adapters| Adapters {
            layers: adapters.layers,
            units: adapters.units,
            numbers: adapters.numbers.to_vec(),
        });
        let (layers, read, weights, bias) = (self.layers, self.read, self.weights.to_vec(), self.bias);
        let probe = Probe { layers, read, weights, units, bias, adapters };
        rest.is_empty().then_some(probe)
    }
}
