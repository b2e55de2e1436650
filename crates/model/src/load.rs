//! Loading a model from a stream of bytes: each piece goes to the device as it comes, and is in memory once.

use std::collections::HashMap;
use std::io::{ErrorKind, Read};
use std::ops::ControlFlow;

use burn::backend::Dispatch;
use seealso_gguf::{BlockTensor, Header, ModelConfig, Reader, Role, Tensor, TensorSink, dequantise};

use crate::Error;
use crate::decoder::{Decoder, Weights};
use crate::ops::{Attention, CacheShape, FeedForward, Head, Layer, Optional, Weight, WeightShape, WeightStore};

/// How a model is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadOptions {
    /// Positions of the cache: the longest prompt and answer together. At most what the model was trained for, which
    /// what is more than that becomes.
    pub context: usize,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { context: 4096 }
    }
}

impl LoadOptions {
    fn positions(self, config: &ModelConfig) -> usize {
        self.context.clamp(1, config.context)
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
    sink: WeightSink,
    progress: Progress,
}

impl Loader {
    /// A loader that places weights at `store`.
    #[must_use]
    pub fn new(store: Box<dyn WeightStore>, options: LoadOptions) -> Self {
        let sink = WeightSink { store, options, header: None, weights: HashMap::new(), vector: Vec::new() };
        Self { reader: Reader::new(), sink, progress: Progress { done: 0, total: 0 } }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// A file that is no model that can be run, or a device that has no place for it; the error says which tensor.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.reader.feed(bytes, &mut self.sink)?;
        self.progress.done += bytes.len() as u64;
        if self.progress.total == 0 {
            self.progress.total = self.reader.header().map_or(0, Header::file_bytes);
        }
        Ok(())
    }

    /// Takes a whole stream, piece by piece. `watch` is called after each piece, of a megabyte or less, and may stop it;
    /// gives whether it was let through to the end.
    ///
    /// # Errors
    ///
    /// The stream's, and those of [`Loader::feed`].
    pub fn feed_all(
        &mut self,
        mut stream: impl Read,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<bool, Error> {
        let mut piece = vec![0; PIECE];
        loop {
            match stream.read(&mut piece) {
                Ok(0) => return Ok(true),
                Ok(count) => self.feed(&piece[..count])?,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            }
            if watch(self.progress).is_break() {
                return Ok(false);
            }
        }
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
        let header = self.reader.finish(&mut self.sink)?;
        let config = ModelConfig::from_header(&header)?;
        let WeightSink { mut store, options, mut weights, .. } = self.sink;
        let context = options.positions(&config);
        let weights = assemble(&config, &mut weights, &mut *store, context)?;
        Ok((header, Decoder::new(config, weights, store, context)?))
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
    stream: impl Read,
    store: Box<dyn WeightStore>,
    options: LoadOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Header, Decoder), Error> {
    let mut loader = Loader::new(store, options);
    loader.feed_all(stream, &mut |step| {
        progress(step);
        ControlFlow::Continue(())
    })?;
    loader.finish()
}

/// Weights on their way to their store.
struct WeightSink {
    store: Box<dyn WeightStore>,
    options: LoadOptions,
    /// What each tensor of the file is, once the header is there.
    header: Option<Vec<(Role, Tensor)>>,
    weights: HashMap<Role, Weight<Dispatch>>,
    /// What has come of a vector, whose numbers are checked when it is whole.
    vector: Vec<u8>,
}

impl TensorSink for WeightSink {
    type Error = Error;

    fn begin(&mut self, header: &Header) -> Result<(), Error> {
        // What the decoder or its store can't do is refused here, before a weight is placed.
        let config = ModelConfig::from_header(header)?;
        check_head(&*self.store, config.head_dim)?;
        let cache = self.store.cache_bytes(CacheShape::of(&config, self.options.positions(&config)));
        let weights: u64 = header.tensors.iter().map(|tensor| self.store.weight_bytes(WeightShape::of(tensor))).sum();
        let short = |cause| Error::NoMemory { doing: "reserving memory for the model", cause };
        self.store.reserve(weights.saturating_add(cache as u64)).map_err(short)?;
        let roles = ModelConfig::roles(header).into_iter().zip(&header.tensors);
        // Every tensor has a role, or the configuration would have been refused.
        self.header = roles.map(|(role, tensor)| Some((role?, tensor.clone()))).collect();
        Ok(())
    }

    fn bytes(&mut self, tensor: usize, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        let Some((role, tensor)) = self.header.as_ref().and_then(|tensors| tensors.get(tensor)) else { return Ok(()) };
        let failed = |cause| Error::Tensor { name: tensor.name.clone(), cause };
        if offset == 0 {
            self.store.begin(WeightShape::of(tensor)).map_err(failed)?;
            self.vector.clear();
        }
        if role.is_vector() {
            self.vector.extend_from_slice(bytes);
        }
        self.store.bytes(offset, bytes).map_err(failed)?;
        if offset + bytes.len() as u64 == tensor.bytes {
            if role.is_vector() {
                check_vector(*role, tensor, &self.vector).map_err(failed)?;
            }
            let weight = self.store.end().map_err(failed)?;
            self.weights.insert(*role, weight);
        }
        Ok(())
    }
}

/// Refuses heads that the store's caches can't have.
fn check_head(store: &dyn WeightStore, elements: usize) -> Result<(), seealso_gguf::Error> {
    let unsupported = |supported| seealso_gguf::Error::Unsupported {
        what: format!("attention heads of {elements} elements"),
        supported,
    };
    store.check_head(elements).map_err(unsupported)
}

/// Refuses vectors that would turn every activation into no number: each of theirs goes into all that follows.
fn check_vector(role: Role, tensor: &Tensor, bytes: &[u8]) -> Result<(), String> {
    let mut values = vec![0.0; tensor.elements() as usize];
    dequantise(tensor.kind, bytes, &mut values).map_err(|error| error.to_string())?;
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return Err(format!("it holds {value}. Download the file again, or use another model."));
    }
    match values.iter().find(|&&value| role == Role::RopeFactors && value <= 0.0) {
        Some(factor) => Err(format!("it holds {factor}, and frequencies can't be divided by that. Use another model.")),
        None => Ok(()),
    }
}

/// Puts the weights where the decoder uses them.
fn assemble(
    config: &ModelConfig,
    weights: &mut HashMap<Role, Weight<Dispatch>>,
    store: &mut dyn WeightStore,
    context: usize,
) -> Result<Weights, Error> {
    let embedding = take(weights, Role::Embedding)?;
    let epsilon = config.norm_epsilon;
    let factors = optional(weights, Role::RopeFactors);
    let mut layers = Vec::with_capacity(config.layers);
    for number in 0..config.layers {
        let mut layer = layer(config, weights, number, &factors)?;
        let placed = store.attention(layer.attention, context);
        layer.attention = placed
            .map_err(|cause| Error::Tensor { name: Role::Block(number, BlockTensor::AttentionNorm).name(), cause })?;
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
) -> Result<Layer<Dispatch>, Error> {
    let epsilon = config.norm_epsilon;
    let may_have = |weights: &mut _, tensor| optional(weights, Role::Block(number, tensor));
    let must_have = |weights: &mut _, tensor| take(weights, Role::Block(number, tensor));
    Ok(Layer {
        attention: Attention {
            norm: must_have(weights, BlockTensor::AttentionNorm)?,
            query: must_have(weights, BlockTensor::Query)?,
            key: must_have(weights, BlockTensor::Key)?,
            value: must_have(weights, BlockTensor::Value)?,
            query_bias: may_have(weights, BlockTensor::QueryBias),
            key_bias: may_have(weights, BlockTensor::KeyBias),
            value_bias: may_have(weights, BlockTensor::ValueBias),
            query_norm: may_have(weights, BlockTensor::QueryNorm),
            key_norm: may_have(weights, BlockTensor::KeyNorm),
            rope_factors: rope_factors.clone(),
            rope: config.rope,
            epsilon,
        },
        attention_output: must_have(weights, BlockTensor::AttentionOutput)?,
        feed_forward: FeedForward {
            norm: must_have(weights, BlockTensor::FfnNorm)?,
            gate: must_have(weights, BlockTensor::Gate)?,
            up: must_have(weights, BlockTensor::Up)?,
            epsilon,
        },
        down: must_have(weights, BlockTensor::Down)?,
    })
}

fn optional(weights: &mut HashMap<Role, Weight<Dispatch>>, role: Role) -> Optional<Dispatch> {
    weights.remove(&role).map_or(Optional::Absent, Optional::Present)
}

fn take(weights: &mut HashMap<Role, Weight<Dispatch>>, role: Role) -> Result<Weight<Dispatch>, Error> {
    weights.remove(&role).ok_or_else(|| Error::Tensor { name: role.name(), cause: "it is missing".to_owned() })
}
