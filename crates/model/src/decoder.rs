//! The decoder: llama, qwen2 and qwen3 over the coarse operations, with a cache of keys and values.

mod draw;

use std::collections::BTreeMap;

use burn::backend::Dispatch;
use burn::tensor::{Device, Int, Tensor, TensorData};
use seealso_gguf::ModelConfig;

use crate::Error;
use crate::adapters::{ADAPTED, Adapters};
use crate::network::{Network, Rows, Snapshot};
use crate::ops::{
    Attention, Cache, CacheId, CacheShape, DecoderOps, FeedForward, Head, Layer, Position, Weight, WeightStore,
};
use crate::sample::GumbelSampling;
use draw::Drawer;

/// All weights, in the order of their use.
#[derive(Debug)]
pub(crate) struct Weights {
    /// `[vocab, width]`.
    pub(crate) embedding: Weight<Dispatch>,
    pub(crate) layers: Vec<Layer<Dispatch>>,
    pub(crate) head: Head<Dispatch>,
}

/// A decoder with its cache, on a device.
pub struct Decoder {
    config: ModelConfig,
    /// Where the device draws tokens by itself. It is dropped before what it reads and writes.
    drawer: Option<Drawer>,
    network: Layers,
    cache_id: CacheId,
    shape: CacheShape,
    /// Kept beginnings: caches of their own, just large enough, and the positions in them.
    kept: BTreeMap<u32, (CacheId, usize)>,
    /// It is dropped last, when nothing of it is held any more.
    store: Box<dyn WeightStore>,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("config", &self.config).field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// What a pass goes through.
struct Layers {
    weights: Weights,
    cache: Vec<Cache<Dispatch>>,
    /// What stands before the second layer and those after it where tokens are read through adapters.
    adapters: Option<(Adapters, Vec<Activations>)>,
}

/// A matrix of activations: `[rows, width]`.
type Activations = Tensor<2>;

/// Tokens on the device.
struct Tokens {
    ids: Tensor<1, Int>,
    /// Whether they are read through adapters: all of them, or none.
    are_adapted: bool,
}

impl Tokens {
    fn count(&self) -> usize {
        self.ids.dims()[0]
    }
}

impl Decoder {
    pub(crate) fn new(
        config: ModelConfig,
        weights: Weights,
        mut store: Box<dyn WeightStore>,
        context: usize,
    ) -> Result<Self, Error> {
        let shape = CacheShape::of(&config, context);
        let short = |cause| Error::NoMemory { doing: "making the cache", cause };
        let (cache_id, cache) = store.new_cache(shape).map_err(short)?;
        let drawer = store.drawing().map_err(short)?.map(Drawer::new);
        let network = Layers { weights, cache, adapters: None };
        Ok(Self { config, drawer, network, cache_id, shape, kept: BTreeMap::new(), store })
    }

    /// The model's configuration.
    #[must_use]
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// The device that it runs on.
    #[must_use]
    pub fn device(&self) -> Device {
        self.store.device()
    }

    /// The bytes of the cache of keys and values.
    #[must_use]
    pub fn cache_bytes(&self) -> usize {
        self.store.cache_bytes(self.shape)
    }

    /// Brings tokens to the device: those that are read through adapters, or those that are not.
    fn place(&self, tokens: &[u32]) -> Tokens {
        let ids: Vec<i32> = tokens.iter().map(|&token| (token & !ADAPTED) as i32).collect();
        let ids = Tensor::<1, Int>::from_data(TensorData::new(ids, [tokens.len()]), &self.store.device());
        Tokens { ids, are_adapted: tokens.first().is_some_and(|token| token & ADAPTED != 0) }
    }

    /// The numbers of a tensor, once the device is done; its failure, where it had one meanwhile.
    async fn numbers(&mut self, tensor: Option<Activations>) -> Result<Vec<f32>, Error> {
        let numbers = match tensor {
            Some(tensor) => {
                let data = tensor.into_data_async().await;
                let data = data.map_err(|error| device("reading its numbers", error.to_string()))?;
                data.try_into_vec::<f32>().map_err(|error| device("reading its numbers", error.to_string()))?
            }
            None => Vec::new(),
        };
        self.failure()?;
        Ok(numbers)
    }

    /// What went wrong on the device meanwhile.
    fn failure(&mut self) -> Result<(), Error> {
        self.store.failure().map_or(Ok(()), |cause| Err(device("running the model", cause)))
    }

    fn check(&self, position: usize, tokens: &[u32]) -> Result<(), Error> {
        let (needed, context) = (position + tokens.len(), self.shape.capacity);
        if tokens.is_empty() {
            return Err(Error::EmptyPrompt);
        }
        if needed > context {
            return Err(Error::TooLong { needed, context });
        }
        let vocabulary = self.config.vocab;
        match tokens.iter().map(|token| token & !ADAPTED).find(|&token| token as usize >= vocabulary) {
            Some(token) => Err(Error::UnknownToken { token, vocabulary }),
            None => Ok(()),
        }
    }
}

impl Layers {
    /// One pass: the logits of the rows asked for, `[rows, vocab]`, or nothing where none are.
    fn pass(&self, position: Position, tokens: &Tokens, rows: Rows) -> Option<Activations> {
        let (weights, cache) = (self.weights.layers.last()?, self.cache.last()?);
        let before = self.weights.layers.len() - 1;
        let x = self.adapted(self.through(tokens, position, before), tokens, before);
        let x = match rows {
            Rows::None => {
                // Its keys and values are cached; nothing else of the last layer is asked for.
                qkv(x, &weights.attention, cache, position);
                return None;
            }
            Rows::Last if tokens.count() > 1 => last_row(x, weights, cache, position),
            _ => layer(x, weights, cache, position),
        };
        Some(logits(x, &self.weights.head))
    }

    /// What stands behind the first `layers` layers.
    fn through(&self, tokens: &Tokens, position: Position, layers: usize) -> Activations {
        let mut x = embed(&self.weights.embedding, tokens.ids.clone());
        for (number, (weights, cache)) in self.weights.layers.iter().zip(&self.cache).take(layers).enumerate() {
            x = layer(self.adapted(x, tokens, number), weights, cache, position);
        }
        x
    }

    /// What goes into layer `number`: what stands before it, changed where the tokens are read through adapters.
    fn adapted(&self, x: Activations, tokens: &Tokens, number: usize) -> Activations {
        let adapters = self.adapters.iter().filter(|_| tokens.are_adapted);
        let adapter = number.checked_sub(1).and_then(|at| adapters.flat_map(|(_, placed)| placed).nth(at));
        match adapter {
            Some(adapter) => adapt(x, adapter.clone(), ADAPTERS_EPSILON),
            None => x,
        }
    }
}

/// What is added to a row's mean square where adapters look at it.
const ADAPTERS_EPSILON: f32 = 1e-6;

impl Network for Decoder {
    fn context(&self) -> usize {
        self.shape.capacity
    }

    fn vocabulary_size(&self) -> usize {
        self.config.vocab
    }

    fn chunk(&self) -> Option<usize> {
        self.store.chunk()
    }

    fn adapt(&mut self, adapters: &Adapters) -> Result<bool, Error> {
        if self.network.adapters.as_ref().is_some_and(|(had, _)| had == adapters) {
            return Ok(false);
        }
        let width = self.config.width;
        adapters.check(self.network.weights.layers.len(), width)?;
        let device = self.store.device();
        let placed = adapters.each(width).map(|numbers| {
            Tensor::from_data(TensorData::new(numbers.to_vec(), [2 * adapters.units + 1, width]), &device)
        });
        self.network.adapters = Some((adapters.clone(), placed.collect()));
        Ok(true)
    }

    async fn forward(&mut self, position: usize, tokens: &[u32], rows: Rows) -> Result<Vec<f32>, Error> {
        self.check(position, tokens)?;
        self.stop_drawing().await;
        let (mut at, mut numbers) = (position, Vec::new());
        // What is read through adapters and what is not go through the layers one after the other.
        for run in tokens.chunk_by(|a, b| (a ^ b) & ADAPTED == 0) {
            let is_last = at + run.len() == position + tokens.len();
            let rows = if is_last || rows == Rows::All { rows } else { Rows::None };
            let logits = self.network.pass(Position::At(at), &self.place(run), rows);
            numbers.extend(self.numbers(logits).await?);
            at += run.len();
        }
        Ok(numbers)
    }

    fn draws_ahead(&self) -> bool {
        self.drawer.is_some()
    }

    async fn draw(&mut self, before: &[u32], token: u32, chance: GumbelSampling) -> Result<u32, Error> {
        self.check(before.len(), &[token])?;
        match self.drawer.is_some() && token & ADAPTED == 0 {
            true => self.draw_ahead(before, token, chance).await,
            false => {
                let logits = self.forward(before.len(), &[token], Rows::Last).await?;
                chance.draw(&logits, &[before, &[token]].concat()).ok_or(Error::NoNumbers)
            }
        }
    }

    async fn stop_drawing(&mut self) {
        if let Some(drawer) = &mut self.drawer {
            drawer.stop().await;
        }
    }

    async fn state(&mut self, position: usize, token: u32, layers: usize) -> Result<Vec<f32>, Error> {
        self.check(position, &[token])?;
        self.stop_drawing().await;
        let have = self.network.weights.layers.len();
        if !(1..=have).contains(&layers) {
            return Err(Error::NoLayer { asked: layers, have });
        }
        let state = self.network.through(&self.place(&[token]), Position::At(position), layers);
        self.numbers(Some(state)).await
    }

    fn snapshot_bytes(&self, length: usize) -> usize {
        self.store.cache_bytes(CacheShape { capacity: length, ..self.shape })
    }

    fn keep(&mut self, length: usize) -> Result<Snapshot, Error> {
        let failed = |cause| device("keeping the beginning of a prompt", cause);
        let shape = CacheShape { capacity: length.max(1), ..self.shape };
        let (id, _) = self.store.new_cache(shape).map_err(failed)?;
        if let Err(cause) = self.store.copy_cache(self.cache_id, id, length) {
            self.store.drop_cache(id);
            return Err(failed(cause));
        }
        let number = self.kept.keys().next_back().map_or(0, |last| last + 1);
        self.kept.insert(number, (id, length));
        Ok(Snapshot(number))
    }

    fn restore(&mut self, snapshot: Snapshot, length: usize) -> Result<(), Error> {
        let &(id, kept) = self.kept.get(&snapshot.0).ok_or(Error::NoSnapshot)?;
        if length > kept {
            return Err(Error::NoSnapshot);
        }
        let copied = self.store.copy_cache(id, self.cache_id, length);
        copied.map_err(|cause| device("taking up the beginning of a prompt", cause))
    }

    fn drop_snapshot(&mut self, snapshot: Snapshot) {
        if let Some((id, _)) = self.kept.remove(&snapshot.0) {
            self.store.drop_cache(id);
        }
    }
}

fn device(doing: &'static str, cause: String) -> Error {
    Error::Device { doing, cause }
}

/// The last row behind a layer: all rows' keys and values are cached, and this one alone goes on.
fn last_row(x: Activations, weights: &Layer<Dispatch>, cache: &Cache<Dispatch>, position: Position) -> Activations {
    let row = x.dims()[0] - 1;
    let q = qkv(x.clone(), &weights.attention, cache, position).narrow(0, row, 1);
    let x = x.narrow(0, row, 1);
    let x = project_add(attend(q, cache, later(position, row)), &weights.attention_output, x);
    let gated = gate_up(x.clone(), &weights.feed_forward);
    project_add(gated, &weights.down, x)
}

/// So many rows further.
fn later(position: Position, rows: usize) -> Position {
    match position {
        Position::At(position) => Position::At(position + rows),
        placed @ Position::Placed(_) => placed,
    }
}

// Each operation as a function of tensors: the step from burn's tensors to a backend's and back.

fn embed(table: &Weight<Dispatch>, tokens: Tensor<1, Int>) -> Activations {
    Tensor::from_dispatch(Dispatch::embed(table.clone(), tokens.into_dispatch()))
}

fn qkv(x: Activations, weights: &Attention<Dispatch>, cache: &Cache<Dispatch>, position: Position) -> Activations {
    Tensor::from_dispatch(Dispatch::qkv(x.into_dispatch(), weights.clone(), cache.clone(), position))
}

fn attend(q: Activations, cache: &Cache<Dispatch>, position: Position) -> Activations {
    Tensor::from_dispatch(Dispatch::attend(q.into_dispatch(), cache.clone(), position))
}

fn project_add(x: Activations, weight: &Weight<Dispatch>, residual: Activations) -> Activations {
    Tensor::from_dispatch(Dispatch::project_add(x.into_dispatch(), weight.clone(), residual.into_dispatch()))
}

fn gate_up(x: Activations, weights: &FeedForward<Dispatch>) -> Activations {
    Tensor::from_dispatch(Dispatch::gate_up(x.into_dispatch(), weights.clone()))
}

fn adapt(x: Activations, adapter: Activations, epsilon: f32) -> Activations {
    Tensor::from_dispatch(Dispatch::adapt(x.into_dispatch(), adapter.into_dispatch(), epsilon))
}

fn layer(x: Activations, weights: &Layer<Dispatch>, cache: &Cache<Dispatch>, position: Position) -> Activations {
    Tensor::from_dispatch(Dispatch::layer(x.into_dispatch(), weights.clone(), cache.clone(), position))
}

fn logits(x: Activations, head: &Head<Dispatch>) -> Activations {
    Tensor::from_dispatch(Dispatch::logits(x.into_dispatch(), head.clone()))
}
