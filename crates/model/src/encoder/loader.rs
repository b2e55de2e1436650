//! An embedder from its files, one after another and each in pieces: `config.json`, `tokenizer.json`, and
//! `model.safetensors`, whose weights are on the device before the next piece comes.

use std::io::Read;

use burn::tensor::Device;

use super::config::BertConfig;
use super::embedder::{BertEmbedder, EmbedderOptions};
use super::load::BertLoader;
use super::wordpiece::WordPiece;
use super::{corrupt, unsupported};
use crate::Error;

/// The first two files are read whole. The largest `tokenizer.json` of such models has some 20 MB.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// The files, in their order.
const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// Takes a model's three files in their order. After an error, it is done with.
#[derive(Debug)]
pub struct EmbedderLoader {
    device: Device,
    options: EmbedderOptions,
    stage: Stage,
}

/// What comes next.
#[derive(Debug)]
enum Stage {
    Config(Vec<u8>),
    Tokenizer(BertConfig, Vec<u8>),
    Weights(WordPiece, Box<BertLoader>),
    Whole(Box<BertEmbedder>),
    Spent,
}

impl EmbedderLoader {
    /// A loader onto this device.
    #[must_use]
    pub fn new(device: Device, options: EmbedderOptions) -> Self {
        Self { device, options, stage: Stage::Config(Vec::new()) }
    }

    /// A loader onto the CPU.
    #[must_use]
    pub fn on_cpu(options: EmbedderOptions) -> Self {
        Self::new(Device::flex(), options)
    }

    /// Takes the next bytes of the current file.
    ///
    /// # Errors
    ///
    /// A file that is damaged, or not of BERT's kind; a fourth file.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match &mut self.stage {
            Stage::Config(text) => append(text, bytes, FILES[0]),
            Stage::Tokenizer(_, text) => append(text, bytes, FILES[1]),
            Stage::Weights(_, loader) => loader.feed(bytes),
            Stage::Whole(_) | Stage::Spent => Err(too_many()),
        }
    }

    /// The current file has ended.
    ///
    /// # Errors
    ///
    /// A file that was cut or is damaged, files that don't fit each other, or a fourth file.
    pub fn end_file(&mut self) -> Result<(), Error> {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Spent) {
            Stage::Config(text) => Stage::Tokenizer(BertConfig::from_json(&text)?, Vec::new()),
            Stage::Tokenizer(config, text) => {
                let tokenizer = WordPiece::from_json(&text)?;
                Stage::Weights(tokenizer, Box::new(BertLoader::new(config, self.device.clone())))
            }
            Stage::Weights(tokenizer, loader) => {
                let embedder = BertEmbedder::new(tokenizer, loader.finish()?, self.options.clone())?;
                Stage::Whole(Box::new(embedder))
            }
            Stage::Whole(_) | Stage::Spent => return Err(too_many()),
        };
        Ok(())
    }

    /// The embedder, once all three files have ended.
    ///
    /// # Errors
    ///
    /// A file that is missing.
    pub fn finish(self) -> Result<BertEmbedder, Error> {
        let missing = match self.stage {
            Stage::Whole(embedder) => return Ok(*embedder),
            Stage::Config(_) => FILES[0],
            Stage::Tokenizer(..) => FILES[1],
            Stage::Weights(..) | Stage::Spent => FILES[2],
        };
        Err(corrupt(missing, "it is missing"))
    }
}

impl BertEmbedder {
    /// Loads a model: its `config.json`, its `tokenizer.json`, and a stream of its `model.safetensors`.
    ///
    /// # Errors
    ///
    /// A file that is damaged or not of BERT's kind, files that don't fit each other, or the stream's error.
    pub fn load(
        config: &[u8],
        tokenizer: &[u8],
        mut weights: impl Read,
        device: Device,
        options: EmbedderOptions,
    ) -> Result<Self, Error> {
        let mut loader = EmbedderLoader::new(device, options);
        for text in [config, tokenizer] {
            loader.feed(text)?;
            loader.end_file()?;
        }
        let mut piece = vec![0; 1 << 20];
        loop {
            match weights.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => loader.feed(&piece[..count])?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            }
        }
        loader.end_file()?;
        loader.finish()
    }
}

fn append(text: &mut Vec<u8>, bytes: &[u8], name: &str) -> Result<(), Error> {
    if text.len() + bytes.len() > MAX_TEXT_BYTES {
        return Err(corrupt(name, format!("it is longer than {} MB", MAX_TEXT_BYTES >> 20)));
    }
    text.extend_from_slice(bytes);
    Ok(())
}

fn too_many() -> Error {
    unsupported("more than three files", &FILES.join(", "))
}
