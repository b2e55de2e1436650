//! The GPU as a home of weights and caches.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use burn::backend::{Dispatch, DispatchDevice};
use burn::tensor::{DType, Device, Int, Shape, Tensor};
use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::profile::TimingMethod;
use burn_cubecl::cubecl::server::Handle;
use burn_cubecl::tensor::CubeTensor;
use burn_cubecl::{CubeBackend, CubeDevice};
use seealso_gguf::{Kind, RopeLayout, RopeScaling, dequantise};

use super::launch::{Launch, take_failure};
use super::layout::{Layout, Repacker};
use super::shader::{Program, THREADS};
use crate::ops::{Attention, Cache, CacheId, CacheShape, Home, Optional, Weight, WeightShape};

/// The most elements of a head: a pair of them goes to each thread of a workgroup.
const MOST_HEAD: usize = 512;

/// A GPU.
pub struct GpuHome {
    device: Device,
    client: Client,
    cube_device: CubeDevice,
    coming: Option<Coming>,
    /// The values of the model's vectors, by the number of their buffer: norms and biases, to be put together. Empty
    /// once there is a cache, for then every layer was.
    vectors: HashMap<u64, Vec<f32>>,
    /// The turns of positions that were last made, and for what.
    turns: Option<(Turns, Weight<Dispatch>)>,
    caches: BTreeMap<u32, (CacheShape, Vec<CubeTensor>)>,
    next_cache: u32,
    /// The most bytes of a buffer.
    limit: usize,
}

/// A weight whose bytes are coming.
enum Coming {
    /// A vector stays readable here until it is in a buffer together with others.
    Vector { shape: WeightShape, bytes: Vec<u8> },
    /// A matrix, cut where it is larger than what can be bound: its parts in order, the first `whole` being filled.
    Matrix { shape: WeightShape, parts: Vec<(Repacker, Handle)>, whole: usize, taken: u64 },
}

/// What the turns of all positions depend on.
#[derive(Debug, Clone, PartialEq)]
struct Turns {
    theta: f32,
    pairs: usize,
    scale: f32,
    positions: usize,
    factors: Vec<f32>,
}

impl GpuHome {
    /// A home on one of burn's GPU devices.
    ///
    /// # Errors
    ///
    /// Where the device is none of burn's CubeCL devices.
    pub fn new(device: Device) -> Result<Self, String> {
        let cube_device = cube_device(&device)?;
        let client = cube_device.client();
        let (vectors, caches) = Default::default();
        let limit = usize::try_from(client.properties().memory.max_page_size).unwrap_or(usize::MAX);
        Ok(Self { device, client, cube_device, coming: None, vectors, turns: None, caches, next_cache: 0, limit })
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
        let tensor = Tensor::<1, Int>::from_dispatch(weight.data.clone()).try_into_primitive::<CubeBackend>();
        let values = tensor.ok().and_then(|tensor| self.vectors.get(&number(&tensor)));
        values.cloned().ok_or_else(|| "a norm or bias is no vector".to_owned())
    }

    /// The values of a vector that a model may have.
    fn optional_values(&self, weight: &Optional<Dispatch>) -> Result<Vec<f32>, String> {
        match weight {
            Optional::Absent => Ok(Vec::new()),
            Optional::Present(weight) => self.values(weight),
        }
    }

    /// Cosine and sine of each position's angle for each pair (Su et al. 2021): in double precision here, since a GPU's
    /// own are not good enough for thousands of radians.
    fn turns(&mut self, turns: Turns) -> Result<Weight<Dispatch>, String> {
        if let Some((made, weight)) = &self.turns
            && *made == turns
        {
            return Ok(weight.clone());
        }
        let mut values = Vec::with_capacity(2 * turns.positions * turns.pairs);
        for position in 0..turns.positions {
            for pair in 0..turns.pairs {
                let factor = turns.factors.get(pair).copied().unwrap_or(1.0);
                let frequency = f64::from(turns.theta).powf(-(pair as f64) / turns.pairs as f64) / f64::from(factor);
                let angle = position as f64 * frequency * f64::from(turns.scale);
                values.extend([angle.cos() as f32, angle.sin() as f32]);
            }
        }
        let buffer = self.floats(&values)?;
        let bytes = buffer.size_in_used() as usize;
        let shape = WeightShape { kind: Kind::F32, rows: turns.positions, columns: 2 * turns.pairs };
        let weight = Weight { data: dispatch(self.tensor(buffer, bytes)), shape, more: Vec::new() };
        self.turns = Some((turns, weight.clone()));
        Ok(weight)
    }

    fn cache(&self, id: CacheId) -> Result<&(CacheShape, Vec<CubeTensor>), String> {
        self.caches.get(&id.0).ok_or_else(|| "the cache is gone".to_owned())
    }
}

impl Drop for GpuHome {
    /// Memory of just a weight's size is kept for the next weight of that size, unless one asks for it back.
    fn drop(&mut self) {
        (self.coming, self.turns) = (None, None);
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

/// The device as CubeCL knows it.
pub(super) fn cube_device(device: &Device) -> Result<CubeDevice, String> {
    match device.as_dispatch() {
        DispatchDevice::Cube(device) => Ok(device.clone()),
        _ => Err("the device is no GPU; choose another".to_owned()),
    }
}

/// The GPU that was opened, since one can't be opened twice.
static OPENED: Mutex<Option<Device>> = Mutex::new(None);

/// The GPU, if it was opened.
#[must_use]
pub fn opened() -> Option<Device> {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Opens this machine's GPU, or gives it again.
///
/// # Errors
///
/// Where there is none that can be used; the text says why.
pub async fn open() -> Result<Device, String> {
    if let Some(device) = opened() {
        return Ok(device);
    }
    let device = Device::wgpu_options().init_async().await.map_err(|error| error.to_string())?;
    let timing = cube_device(&device)?.client().properties().timing_method;
    // In a browser burn would stop the whole program at the first operation.
    if cfg!(target_family = "wasm") && timing == TimingMethod::System {
        return Err("the GPU has no `timestamp-query`, which burn needs in a browser".to_owned());
    }
    *OPENED.lock().unwrap_or_else(PoisonError::into_inner) = Some(device.clone());
    Ok(device)
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

fn dispatch(tensor: CubeTensor) -> burn::backend::DispatchTensor {
    Tensor::<1, Int>::from_primitive::<CubeBackend>(tensor).into_dispatch()
}

impl Home for GpuHome {
    fn device(&self) -> Device {
        self.device.clone()
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
            1 => Coming::Vector { shape, bytes: Vec::new() },
            _ => {
                let parts = parts(shape, self.limit).into_iter().map(|part| {
                    let buffer = self.allocate(Layout::of(part).bytes())?;
                    Ok((Repacker::new(part), buffer))
                });
                let parts = parts.collect::<Result<_, String>>()?;
                Coming::Matrix { shape, parts, whole: 0, taken: 0 }
            }
        });
        Ok(())
    }

    fn bytes(&mut self, offset: u64, bytes: &[u8]) -> Result<(), String> {
        match &mut self.coming {
            Some(Coming::Vector { bytes: taken, .. }) => {
                taken.extend_from_slice(bytes);
                Ok(())
            }
            Some(Coming::Matrix { parts, whole, taken, .. }) => {
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
            Some(Coming::Vector { shape, bytes }) => {
                let mut values = vec![0.0; shape.columns];
                dequantise(shape.kind, &bytes, &mut values).map_err(|error| error.to_string())?;
                self.vector(values)
            }
            Some(Coming::Matrix { shape, parts, .. }) => {
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
        let parts = buffers.iter().cloned().enumerate();
        let parts = parts.map(|(layer, buffer)| Cache { data: dispatch(buffer), layer, shape }).collect();
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
