//! The GPU as a store of weights and caches.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::pin::Pin;

use burn::backend::{Dispatch, DispatchTensor};
use burn::tensor::{DType, Device, Int, Shape, Tensor};
use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::server::Handle;
use burn_cubecl::tensor::CubeTensor;
use burn_cubecl::{CubeBackend, CubeDevice};
use seealso_gguf::{Kind, RopeLayout, RopeScaling, dequantise};

use super::choose::{HEAD, tokens_words};
use super::device::cube_device;
use super::launch::{Launch, take_failure};
use super::layout::{Layout, Repacker};
use super::program::Program;
use super::record;
use super::turns::Turns;
use super::wgsl::THREADS;
use crate::ops::{
    Attention, Cache, CacheId, CacheShape, Drawing, Optional, Recording, Weight, WeightShape, WeightStore,
};
use crate::sample::{GumbelSampling, RECENT};

/// The most elements of a head: a pair of them goes to each thread of a workgroup.
const MOST_HEAD: usize = 512;

/// A GPU.
pub struct GpuStore {
    device: Device,
    client: Client,
    cube_device: CubeDevice,
    coming: Option<PartialWeight>,
    /// The values of the model's vectors, by the number of their buffer: norms and biases, to be put together. Empty
    /// once there is a cache, for then every layer was.
    vectors: HashMap<u64, Vec<f32>>,
    /// The turns of positions that were last made, and for what.
    turns: Option<(Turns, Weight<Dispatch>)>,
    /// The token that is run next and those drawn last, once tokens are drawn.
    tokens: Option<Handle>,
    caches: BTreeMap<u32, (CacheShape, Vec<CubeTensor>)>,
    next_cache: u32,
    /// The most bytes of a buffer.
    limit: usize,
}

/// A weight whose bytes are coming.
enum PartialWeight {
    /// A vector stays readable here until it is in a buffer together with others.
    Vector { shape: WeightShape, bytes: Vec<u8> },
    /// A matrix, cut where it is larger than what can be bound: its parts in order, the first `whole` being filled.
    Matrix { shape: WeightShape, parts: Vec<(Repacker, Handle)>, whole: usize, taken: u64 },
}

impl GpuStore {
    /// A store on one of burn's GPU devices.
    ///
    /// # Errors
    ///
    /// Where the device is none of burn's CubeCL devices.
    pub fn new(device: Device) -> Result<Self, String> {
        let cube_device = cube_device(&device)?;
        let client = cube_device.client();
        let (vectors, caches) = Default::default();
        let limit = usize::try_from(client.properties().memory.max_page_size).unwrap_or(usize::MAX);
        let (coming, turns, tokens) = (None, None, None);
        Ok(Self { device, client, cube_device, coming, vectors, turns, tokens, caches, next_cache: 0, limit })
    }

    /// Binds at most so many bytes at once, if the GPU can't do with less anyway.
    #[must_use]
    pub fn with_binding_limit(mut self, bytes: usize) -> Self {
        self.limit = self.limit.min(bytes);
        self
    }

    /// Memory of just this size, for as long as the model is there.
    fn allocate(&self, bytes: usize) -> Result<Handle, String> {
        if bytes > self.limit {
            return Err(format!("it takes {bytes} bytes, and this GPU binds at most {} at once", self.limit));
        }
        Ok(self.client.memory_persistent_allocation(bytes, |bytes| self.client.empty(bytes)))
    }

    fn write(&self, buffer: &Handle, place: Range<usize>, bytes: Vec<u8>) {
        write(&self.client, buffer, place, bytes);
    }

    /// A buffer as burn's tensor of words.
    fn tensor(&self, buffer: Handle, bytes: usize) -> CubeTensor {
        let shape = Shape::from([bytes / 4]);
        CubeTensor::new_contiguous(self.client.clone(), self.cube_device.clone(), shape, buffer, DType::I32)
    }

    /// Floats in a buffer of their own.
    fn floats(&self, values: &[f32]) -> Result<Handle, String> {
        let mut bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        bytes.resize(bytes.len().next_multiple_of(16).max(16), 0);
        let buffer = self.allocate(bytes.len())?;
        self.write(&buffer, 0..bytes.len(), bytes);
        Ok(buffer)
    }

    fn vector(&mut self, values: Vec<f32>) -> Result<Weight<Dispatch>, String> {
        let buffer = self.floats(&values)?;
        let shape = WeightShape { kind: Kind::F32, rows: 1, columns: values.len() };
        let bytes = buffer.size_in_used() as usize;
        let tensor = self.tensor(buffer, bytes);
        self.vectors.insert(number(&tensor), values);
        Ok(Weight { data: dispatch(tensor), shape, more: Vec::new() })
    }

    /// A vector's values.
    fn values(&self, weight: &Weight<Dispatch>) -> Result<Vec<f32>, String> {
        let values = primitive(weight).ok().and_then(|tensor| self.vectors.get(&number(&tensor)));
        values.cloned().ok_or_else(|| "a norm or bias is no vector".to_owned())
    }

    /// The values of a vector that a model may have.
    fn optional_values(&self, weight: &Optional<Dispatch>) -> Result<Vec<f32>, String> {
        match weight {
            Optional::Absent => Ok(Vec::new()),
            Optional::Present(weight) => self.values(weight),
        }
    }

    /// The turns of all positions, in a buffer.
    fn turns(&mut self, turns: Turns) -> Result<Weight<Dispatch>, String> {
        if let Some((made, weight)) = &self.turns
            && *made == turns
        {
            return Ok(weight.clone());
        }
        let buffer = self.floats(&turns.values())?;
        let bytes = buffer.size_in_used() as usize;
        let shape = WeightShape { kind: Kind::F32, rows: turns.positions, columns: 2 * turns.pairs };
        let weight = Weight { data: dispatch(self.tensor(buffer, bytes)), shape, more: Vec::new() };
        self.turns = Some((turns, weight.clone()));
        Ok(weight)
    }

    /// Where the device keeps count of positions: before the turns that all layers share, which a model without any lacks.
    fn count_of_positions(&mut self) -> Result<DispatchTensor, String> {
        if self.turns.is_none() {
            self.turns(Turns::default())?;
        }
        let turns = self.turns.as_ref().map(|(_, turns)| turns.data.clone());
        turns.ok_or_else(|| "there is no count of positions".to_owned())
    }

    fn cache(&self, id: CacheId) -> Result<&(CacheShape, Vec<CubeTensor>), String> {
        self.caches.get(&id.0).ok_or_else(|| "the cache is gone".to_owned())
    }
}

impl Drop for GpuStore {
    /// Memory of just a weight's size is kept for the next weight of that size, unless one asks for it back.
    fn drop(&mut self) {
        (self.coming, self.turns, self.tokens) = (None, None, None);
        self.caches.clear();
        // A device that is lost has no memory to give back.
        let _ = self.client.memory_cleanup();
    }
}

/// A weight's parts of whole rows that are no larger than `limit` bytes each.
fn parts(shape: WeightShape, limit: usize) -> Vec<WeightShape> {
    let bytes = |rows| Layout::of(WeightShape { rows, ..shape }).bytes();
    let mut rows = shape.rows;
    while bytes(rows) > limit && rows > 1 {
        rows = rows.div_ceil(2);
    }
    let count = shape.rows.div_ceil(rows);
    // Each has about the same size.
    let rows = shape.rows.div_ceil(count);
    (0..count).map(|part| WeightShape { rows: rows.min(shape.rows - part * rows), ..shape }).collect()
}

/// Writes to a part of a buffer.
fn write(client: &Client, buffer: &Handle, place: Range<usize>, bytes: Vec<u8>) {
    let after = buffer.size_in_used() - place.end as u64;
    let part = buffer.clone().offset_start(place.start as u64).offset_end(after);
    client.write(&part, burn_cubecl::cubecl::bytes::Bytes::from_bytes_vec(bytes));
}

/// The number of a tensor's buffer.
fn number(tensor: &CubeTensor) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    tensor.handle.memory.clone().binding().id().hash(&mut hasher);
    hasher.finish()
}

/// A weight as CubeCL knows it.
fn primitive(weight: &Weight<Dispatch>) -> Result<CubeTensor, String> {
    let tensor = Tensor::<1, Int>::from_dispatch(weight.data.clone()).try_into_primitive::<CubeBackend>();
    tensor.map_err(|_| "a weight is on another device".to_owned())
}

fn dispatch(tensor: CubeTensor) -> DispatchTensor {
    Tensor::<1, Int>::from_primitive::<CubeBackend>(tensor).into_dispatch()
}

impl WeightStore for GpuStore {
    fn device(&self) -> Device {
        self.device.clone()
    }

    /// Twice what a CPU reads at once. Larger passes are up to half faster on a large GPU, but an answer is stopped between passes
    /// alone, and a browser takes a small GPU for hung that is at one for many seconds.
    fn chunk(&self) -> Option<usize> {
        Some(256)
    }

    fn check_head(&self, elements: usize) -> Result<(), String> {
        match elements.is_multiple_of(2) && elements <= MOST_HEAD {
            true => Ok(()),
            false => Err(format!("heads of an even number of elements, {MOST_HEAD} at most")),
        }
    }

    fn reserve(&mut self, _bytes: u64) -> Result<(), String> {
        // Each weight is allocated in its own size; a GPU does not say how much it has.
        Ok(())
    }

    fn begin(&mut self, shape: WeightShape) -> Result<(), String> {
        self.coming = Some(match shape.rows {
            1 => PartialWeight::Vector { shape, bytes: Vec::new() },
            _ => {
                let parts = parts(shape, self.limit).into_iter().map(|part| {
                    let buffer = self.allocate(Layout::of(part).bytes())?;
                    Ok((Repacker::new(part), buffer))
                });
                let parts = parts.collect::<Result<_, String>>()?;
                PartialWeight::Matrix { shape, parts, whole: 0, taken: 0 }
            }
        });
        Ok(())
    }

    fn bytes(&mut self, offset: u64, bytes: &[u8]) -> Result<(), String> {
        match &mut self.coming {
            Some(PartialWeight::Vector { bytes: taken, .. }) => {
                taken.extend_from_slice(bytes);
                Ok(())
            }
            Some(PartialWeight::Matrix { parts, whole, taken, .. }) => {
                if offset != *taken {
                    return Err(format!("bytes from {offset} on, where those from {taken} on were due"));
                }
                *taken += bytes.len() as u64;
                let client = &self.client;
                let mut bytes = bytes;
                while !bytes.is_empty() {
                    let (repacker, buffer) = parts.get_mut(*whole).ok_or("more bytes than the weight has")?;
                    let count = usize::try_from(repacker.missing()).unwrap_or(usize::MAX).min(bytes.len());
                    repacker.take(&bytes[..count], &mut |place, bytes| write(client, buffer, place, bytes));
                    bytes = &bytes[count..];
                    *whole += usize::from(repacker.missing() == 0);
                }
                Ok(())
            }
            None => Err("bytes of a weight that was not begun".to_owned()),
        }
    }

    fn end(&mut self) -> Result<Weight<Dispatch>, String> {
        match self.coming.take() {
            Some(PartialWeight::Vector { shape, bytes }) => {
                let mut values = vec![0.0; shape.columns];
                dequantise(shape.kind, &bytes, &mut values).map_err(|error| error.to_string())?;
                self.vector(values)
            }
            Some(PartialWeight::Matrix { shape, parts, .. }) => {
                let parts = parts.into_iter().map(|(mut repacker, buffer)| {
                    repacker.end(&mut |place, bytes| self.write(&buffer, place, bytes))?;
                    let (shape, bytes) = (repacker.shape(), repacker.layout().bytes());
                    Ok(Weight { data: dispatch(self.tensor(buffer, bytes)), shape, more: Vec::new() })
                });
                let mut more = parts.collect::<Result<Vec<_>, String>>()?;
                let first = more.remove(0);
                Ok(Weight { data: first.data, shape, more })
            }
            None => Err("the end of a weight that was not begun".to_owned()),
        }
    }

    /// Puts the norm, the biases and the norms of heads into one buffer, and the positions' turns into another, which
    /// takes the place of the frequencies' factors.
    fn attention(
        &mut self,
        mut attention: Attention<Dispatch>,
        positions: usize,
    ) -> Result<Attention<Dispatch>, String> {
        let mut values = self.values(&attention.norm)?;
        values.resize(attention.norm.shape.columns.next_multiple_of(4), 0.0);
        let biases = [&attention.query_bias, &attention.key_bias, &attention.value_bias];
        let norms = [&attention.query_norm, &attention.key_norm];
        for weight in biases.into_iter().chain(norms) {
            values.extend(self.optional_values(weight)?);
        }
        let scale = match attention.rope.scaling {
            RopeScaling::Linear(factor) => 1.0 / factor,
            _ => 1.0,
        };
        let turns = Turns {
            theta: attention.rope.theta,
            pairs: attention.rope.dimensions / 2,
            scale,
            positions,
            factors: self.optional_values(&attention.rope_factors)?,
        };
        attention.rope_factors = Optional::Present(self.turns(turns)?);
        let shape = attention.norm.shape;
        attention.norm = Weight { shape, ..self.vector(values)? };
        Ok(attention)
    }

    fn new_cache(&mut self, shape: CacheShape) -> Result<(CacheId, Vec<Cache<Dispatch>>), String> {
        self.vectors = HashMap::new();
        let bytes = layer_bytes(shape);
        let buffers = (0..shape.layers).map(|_| Ok(self.tensor(self.allocate(bytes)?, bytes)));
        let buffers = buffers.collect::<Result<Vec<_>, String>>()?;
        let place = self.count_of_positions()?;
        let parts = buffers.iter().cloned().enumerate();
        let parts =
            parts.map(|(layer, buffer)| Cache { data: dispatch(buffer), place: place.clone(), layer, shape }).collect();
        let id = CacheId(self.next_cache);
        self.next_cache += 1;
        self.caches.insert(id.0, (shape, buffers));
        Ok((id, parts))
    }

    fn cache_bytes(&self, shape: CacheShape) -> usize {
        shape.bytes()
    }

    fn copy_cache(&mut self, from: CacheId, to: CacheId, length: usize) -> Result<(), String> {
        let (from, to) = (self.cache(from)?, self.cache(to)?);
        if length > from.0.capacity.min(to.0.capacity) {
            return Err(format!("{length} positions, and a cache has fewer"));
        }
        let words = from.0.head_dim / 2;
        let info = [(length * words) as u32, (from.0.capacity * words) as u32, (to.0.capacity * words) as u32, 0];
        let workgroups = ((length * words).div_ceil(THREADS as usize), 2 * from.0.kv_heads, 1);
        for (from, to) in from.1.iter().zip(&to.1) {
            let launch = Launch::new(Program::CopyCache).reads(from.handle.clone()).writes(to.handle.clone());
            launch.start(&self.client, workgroups, &[info]);
        }
        Ok(())
    }

    fn drop_cache(&mut self, cache: CacheId) {
        self.caches.remove(&cache.0);
    }

    fn drawing(&mut self) -> Result<Option<Drawing<Dispatch>>, String> {
        let place = self.count_of_positions()?;
        let tokens = self.floats(&[0.0; HEAD + RECENT])?;
        let next = dispatch(self.tensor(tokens.clone(), 4));
        let all = dispatch(self.tensor(tokens.clone(), 4 * (HEAD + RECENT)));
        self.tokens = Some(tokens);
        Ok(Some(Drawing { next, tokens: all, place }))
    }

    fn place(&mut self, before: &[u32], token: u32, chance: GumbelSampling) -> Result<(), String> {
        let (Some((_, turns)), Some(tokens)) = (&self.turns, &self.tokens) else {
            return Err("there is nothing to draw with".to_owned());
        };
        let turns = primitive(turns)?.handle;
        // Once more as a float for the kernel that reads all of this buffer as floats: the bits of a small integer would be those of a
        // subnormal one, which a GPU may take for zero.
        let count = before.len() as u32;
        let counts = [count.to_le_bytes(), (count as f32).to_le_bytes()];
        self.write(&turns, 0..8, counts.concat());
        let words = tokens_words(before, token, chance);
        self.write(tokens, 0..4 * words.len(), words.into_iter().flat_map(u32::to_le_bytes).collect());
        Ok(())
    }

    fn drawn(&self, position: usize) -> Pin<Box<dyn Future<Output = Result<u32, String>>>> {
        let Some(tokens) = &self.tokens else {
            return Box::pin(std::future::ready(Err("there is nothing to draw with".to_owned())));
        };
        record::read_word(&self.client, tokens, HEAD + position % RECENT)
    }

    fn record(&self, work: &dyn Fn()) -> Option<Recording> {
        record::record(&self.client, work)
    }

    fn failure(&mut self) -> Option<String> {
        take_failure()
    }
}

/// Bytes of a layer's part of a cache: keys and values as half floats.
fn layer_bytes(shape: CacheShape) -> usize {
    CacheShape { layers: 1, ..shape }.bytes()
}

/// Whether pairs are of neighbours, as a shader is told.
pub(super) fn interleaved(layout: RopeLayout) -> u32 {
    u32::from(layout == RopeLayout::Interleaved)
}
