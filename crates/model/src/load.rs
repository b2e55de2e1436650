//! Loading a model from a stream of bytes: each piece goes to the device as it comes, and is in memory once.

use std::collections::HashMap;
use std::io::Read;

use burn::backend::Dispatch;
use seealso_gguf::{Header, ModelConfig, Part, Reader, Role, Tensor, TensorSink};

use crate::Error;
use crate::decoder::{Decoder, Layer, Weights};
use crate::ops::{Attention, FeedForward, Head, Home, Optional, Weight, WeightShape};

/// How a model is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadOptions {
    /// Positions of the cache: the longest prompt and answer together. At most what the model was trained for.
    pub context: usize,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { context: 2048 }
    }
}

/// How far the loading is, in bytes of the file. The total is 0 until the header is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken.
    pub done: u64,
    /// Bytes of the file.
    pub total: u64,
}

/// Takes a model's file piece by piece.
pub struct Loader {
    reader: Reader,
    placing: Placing,
    progress: Progress,
}

impl Loader {
    /// A loader that places weights at `home`.
    #[must_use]
    pub fn new(home: Box<dyn Home>, options: LoadOptions) -> Self {
        let placing = Placing { home, options, header: None, weights: HashMap::new() };
        Self { reader: Reader::new(), placing, progress: Progress { done: 0, total: 0 } }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// A file that is no model that can be run, or a device that has no place for it; the error says which tensor.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.reader.feed(bytes, &mut self.placing)?;
        self.progress.done += bytes.len() as u64;
        if self.progress.total == 0 {
            self.progress.total = self.reader.header().map_or(0, Header::file_bytes);
        }
        Ok(())
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Ends the file; gives the header, with the tokenizer in it, and the decoder.
    ///
    /// # Errors
    ///
    /// A file that was cut, or no memory for the cache.
    pub fn finish(mut self) -> Result<(Header, Decoder), Error> {
        let header = self.reader.finish(&mut self.placing)?;
        let config = ModelConfig::from_header(&header)?;
        let Placing { mut home, options, mut weights, .. } = self.placing;
        let context = options.context.clamp(1, config.context);
        let weights = assemble(&config, &mut weights, &mut *home, context)?;
        Ok((header, Decoder::new(config, weights, home, context)?))
    }
}

/// Bytes that are read at once.
const PIECE: usize = 1 << 20;

/// Loads a model from a stream. `progress` is called after each piece, of a megabyte or less.
///
/// # Errors
///
/// The stream's, and those of [`Loader`].
pub fn load(
    mut stream: impl Read,
    home: Box<dyn Home>,
    options: LoadOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Header, Decoder), Error> {
    let mut loader = Loader::new(home, options);
    let mut piece = vec![0; PIECE];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return loader.finish(),
            Ok(count) => loader.feed(&piece[..count])?,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        }
        progress(loader.progress());
    }
}

/// Weights on their way to their home.
struct Placing {
    home: Box<dyn Home>,
    options: LoadOptions,
    /// What each tensor of the file is, once the header is there.
    header: Option<Vec<(Role, Tensor)>>,
    weights: HashMap<Role, Weight<Dispatch>>,
}

impl TensorSink for Placing {
    type Error = Error;

    fn begin(&mut self, header: &Header) -> Result<(), Error> {
        // Whatever the decoder can't do is refused here, before a weight is placed.
        ModelConfig::from_header(header)?;
        let bytes = header.tensor_bytes();
        self.home.reserve(bytes).map_err(|cause| Error::Device { doing: "reserving memory for the model", cause })?;
        let roles = ModelConfig::roles(header).into_iter().zip(&header.tensors);
        // Every tensor has a role, or the configuration would have been refused.
        self.header = roles.map(|(role, tensor)| Some((role?, tensor.clone()))).collect();
        Ok(())
    }

    fn bytes(&mut self, tensor: usize, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        let Some((role, tensor)) = self.header.as_ref().and_then(|tensors| tensors.get(tensor)) else { return Ok(()) };
        let failed = |cause| Error::Tensor { name: tensor.name.clone(), cause };
        if offset == 0 {
            let (rows, columns) = (tensor.rows() as usize, tensor.columns() as usize);
            self.home.begin(WeightShape { kind: tensor.kind, rows, columns }).map_err(failed)?;
        }
        self.home.bytes(offset, bytes).map_err(failed)?;
        if offset + bytes.len() as u64 == tensor.bytes {
            let weight = self.home.end().map_err(failed)?;
            self.weights.insert(*role, weight);
        }
        Ok(())
    }
}

/// Puts the weights where the decoder uses them.
fn assemble(
    config: &ModelConfig,
    weights: &mut HashMap<Role, Weight<Dispatch>>,
    home: &mut dyn Home,
    context: usize,
) -> Result<Weights, Error> {
    let embedding = take(weights, Role::Embedding)?;
    let epsilon = config.norm_epsilon;
    let factors = optional(weights, Role::RopeFactors);
    let mut layers = Vec::with_capacity(config.layers);
    for number in 0..config.layers {
        let mut layer = layer(config, weights, number, &factors)?;
        let placed = home.attention(layer.attention, context);
        layer.attention =
            placed.map_err(|cause| Error::Tensor { name: Role::Block(number, Part::AttentionNorm).name(), cause })?;
        layers.push(layer);
    }
    let output = if config.tied { embedding.clone() } else { take(weights, Role::Output)? };
    let head = Head { norm: take(weights, Role::OutputNorm)?, output, epsilon };
    Ok(Weights { embedding, layers, head })
}

fn layer(
    config: &ModelConfig,
    weights: &mut HashMap<Role, Weight<Dispatch>>,
    number: usize,
    rope_factors: &Optional<Dispatch>,
) -> Result<Layer, Error> {
    let epsilon = config.norm_epsilon;
    let may_have = |weights: &mut _, part| optional(weights, Role::Block(number, part));
    let must_have = |weights: &mut _, part| take(weights, Role::Block(number, part));
    Ok(Layer {
        attention: Attention {
            norm: must_have(weights, Part::AttentionNorm)?,
            query: must_have(weights, Part::Query)?,
            key: must_have(weights, Part::Key)?,
            value: must_have(weights, Part::Value)?,
            query_bias: may_have(weights, Part::QueryBias),
            key_bias: may_have(weights, Part::KeyBias),
            value_bias: may_have(weights, Part::ValueBias),
            query_norm: may_have(weights, Part::QueryNorm),
            key_norm: may_have(weights, Part::KeyNorm),
            rope_factors: rope_factors.clone(),
            rope: config.rope,
            epsilon,
        },
        attention_output: must_have(weights, Part::AttentionOutput)?,
        feed_forward: FeedForward {
            norm: must_have(weights, Part::FfnNorm)?,
            gate: must_have(weights, Part::Gate)?,
            up: must_have(weights, Part::Up)?,
            epsilon,
        },
        down: must_have(weights, Part::Down)?,
    })
}

fn optional(weights: &mut HashMap<Role, Weight<Dispatch>>, role: Role) -> Optional<Dispatch> {
    weights.remove(&role).map_or(Optional::Absent, Optional::Present)
}

fn take(weights: &mut HashMap<Role, Weight<Dispatch>>, role: Role) -> Result<Weight<Dispatch>, Error> {
    weights.remove(&role).ok_or_else(|| Error::Tensor { name: role.name(), cause: "it is missing".to_owned() })
}
