//! The encoder: a loader of its files, and texts to vectors. It computes on the CPU, in this wasm's own memory.

use js_sys::Float32Array;
use seealso_boundary::coded;
use seealso_model::Embedder;
use seealso_model::encoder::{BertEmbedder, EmbedderLoader, EmbedderOptions};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::error::{into_error, spent};

/// Takes an encoder's files in their order: `config.json`, `tokenizer.json`, `model.safetensors`.
#[wasm_bindgen]
pub struct EncoderLoader {
    loader: Option<EmbedderLoader>,
    bytes: u64,
}

#[wasm_bindgen]
impl EncoderLoader {
    /// A loader of an encoder whose vectors are of the space of this id. Without a scheme, which says how a text becomes a vector
    /// (`mean-256`), it is that of all-MiniLM-L6-v2.
    ///
    /// # Errors
    ///
    /// A text that is no scheme.
    #[wasm_bindgen(constructor)]
    pub fn new(space: String, scheme: Option<String>) -> Result<EncoderLoader, JsValue> {
        let options = match scheme {
            Some(scheme) => EmbedderOptions::of_scheme(space, &scheme).map_err(into_error)?,
            None => EmbedderOptions::new(space),
        };
        Ok(Self { loader: Some(EmbedderLoader::on_cpu(options)), bytes: 0 })
    }

    /// Takes the next bytes of the current file.
    ///
    /// # Errors
    ///
    /// What is wrong with them; the loader is then of no more use.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.bytes += bytes.len() as u64;
        self.loader.as_mut().ok_or_else(spent)?.feed(bytes).map_err(into_error)
    }

    /// The current file has ended.
    ///
    /// # Errors
    ///
    /// A file that was cut, or does not fit those before it.
    #[wasm_bindgen(js_name = endFile)]
    pub fn end_file(&mut self) -> Result<(), JsValue> {
        self.loader.as_mut().ok_or_else(spent)?.end_file().map_err(into_error)
    }

    /// Gives the encoder; the loader is spent.
    ///
    /// # Errors
    ///
    /// A file that is missing.
    pub fn finish(&mut self) -> Result<Encoder, JsValue> {
        let embedder = self.loader.take().ok_or_else(spent)?.finish().map_err(into_error)?;
        Ok(Encoder { embedder, bytes: self.bytes })
    }
}

/// What an encoder is.
#[derive(Serialize)]
struct EncoderInfo<'a> {
    architecture: &'static str,
    /// The id of the vectors' space.
    space: &'a str,
    /// Numbers of a vector.
    dimensions: usize,
    /// Tokens of a text that are read.
    context: usize,
    vocabulary: usize,
    layers: usize,
    /// Of its files.
    bytes: u64,
}

/// An encoder that is ready.
#[wasm_bindgen]
pub struct Encoder {
    embedder: BertEmbedder,
    bytes: u64,
}

#[wasm_bindgen]
impl Encoder {
    /// What it is.
    ///
    /// # Errors
    ///
    /// None that are known.
    pub fn info(&self) -> Result<JsValue, JsValue> {
        let config = self.embedder.config();
        let info = EncoderInfo {
            architecture: "bert",
            space: self.embedder.space(),
            dimensions: self.embedder.dimensions(),
            context: self.embedder.max_tokens(),
            vocabulary: config.vocabulary,
            layers: config.layers,
            bytes: self.bytes,
        };
        serde_wasm_bindgen::to_value(&info).map_err(|error| coded("internal", &error.to_string()))
    }

    /// The texts' vectors one after another, each of `dimensions` numbers and of length 1.
    ///
    /// # Errors
    ///
    /// Numbers that are none: a broken file.
    pub async fn embed(&self, texts: Vec<String>) -> Result<Float32Array, JsValue> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = self.embedder.embed(&texts).await.map_err(into_error)?;
        let length = u32::try_from(vectors.len() * self.embedder.dimensions())
            .map_err(|_| coded("bad-call", "these are too many texts at once"))?;
        let all = Float32Array::new_with_length(length);
        for (at, vector) in (0..).step_by(self.embedder.dimensions()).zip(&vectors) {
            all.subarray(at, at + vector.len() as u32).copy_from(vector);
        }
        Ok(all)
    }

    /// The bytes of this wasm's memory, weights included.
    pub fn memory_bytes(&self) -> f64 {
        seealso_boundary::memory_bytes()
    }
}
