//! The shape of a decoder, from the metadata, checked against the tensors that it needs.

use crate::metadata::{Metadata, Value};
use crate::role::{BlockTensor, Role};
use crate::{Error, Header, Kind};

/// Architectures that a decoder is described for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Architecture {
    /// Llama and what is built like it: SmolLM2, TinyLlama, Llama 3.
    Llama,
    /// Qwen2 and Qwen2.5: biases at query, key and value.
    Qwen2,
    /// Qwen3: a norm over each head of query and key.
    Qwen3,
}

impl Architecture {
    /// All architectures.
    pub const ALL: [Architecture; 3] = [Architecture::Llama, Architecture::Qwen2, Architecture::Qwen3];

    /// The name in a file's metadata.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::Llama => "llama",
            Architecture::Qwen2 => "qwen2",
            Architecture::Qwen3 => "qwen3",
        }
    }
}

/// Which elements of a head a rotary position embedding turns together
/// (RoPE, <https://arxiv.org/abs/2104.09864>, and its other common arrangement).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RopeLayout {
    /// Neighbours: 0 with 1, 2 with 3, …; llama's, whose files have queries and keys arranged for it.
    Interleaved,
    /// Halves: 0 with d/2, 1 with d/2 + 1, …; Qwen's, known as "neox".
    Halves,
}

/// How positions are stretched for contexts longer than those trained with.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum RopeScaling {
    /// Not at all.
    None,
    /// Positions are divided by this factor.
    Linear(f32),
    /// Each pair's frequency is divided by its element of the tensor `rope_freqs.weight`: Llama 3.1 and later.
    Factors,
}

/// The rotary position embedding: pair i of position p is turned by p · theta^(−2i / dimensions).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rope {
    /// The base of the frequencies.
    pub theta: f32,
    /// Which elements are turned together.
    pub layout: RopeLayout,
    /// How many elements of a head are turned, from its first on; even, at most the head's dimension.
    pub dimensions: usize,
    /// The scaling.
    pub scaling: RopeScaling,
}

/// What a decoder needs to know of a model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelConfig {
    /// The architecture.
    pub architecture: Architecture,
    /// The model's own name, where it gives one.
    pub name: Option<String>,
    /// How many blocks there are.
    pub layers: usize,
    /// The width of the residual stream.
    pub width: usize,
    /// Heads of queries.
    pub heads: usize,
    /// Heads of keys and values; divides `heads`.
    pub kv_heads: usize,
    /// Elements of a head, of queries, keys and values alike.
    pub head_dim: usize,
    /// The feed-forward network's inner width.
    pub ffn_width: usize,
    /// The rotary position embedding.
    pub rope: Rope,
    /// The epsilon of all RMS norms.
    pub norm_epsilon: f32,
    /// The context that the model was trained for, in tokens.
    pub context: usize,
    /// Rows of the embedding, so of the logits too: as many as the vocabulary has tokens, or more.
    pub vocab: usize,
    /// Whether the embedding is also the output matrix: there is no `output.weight`.
    pub tied: bool,
    /// Whether each head of queries and keys has a norm before it is turned.
    pub qk_norm: bool,
    /// Whether queries, keys and values have biases.
    pub qkv_bias: bool,
}

impl ModelConfig {
    /// Reads the configuration from a header, and checks that all tensors that a decoder needs are there, in the
    /// right shapes, and no others.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] for an architecture or a variant that is not known; [`Error::Metadata`] and
    /// [`Error::Tensor`] for what is missing or contradicts itself.
    pub fn from_header(header: &Header) -> Result<ModelConfig, Error> {
        let metadata = &header.metadata;
        let architecture = architecture(metadata)?;
        let keys = Keys { metadata, architecture };
        refuse_variants(&keys)?;
        let width = keys.size("embedding_length", MAX_WIDTH)?;
        let heads = keys.size("attention.head_count", 4096)?;
        let kv_heads = keys.optional_size("attention.head_count_kv", 4096)?.unwrap_or(heads);
        let head_dim = head_dim(&keys, width, heads)?;
        if !heads.is_multiple_of(kv_heads) {
            return Err(keys.bad("attention.head_count_kv", "a divisor of the number of heads"));
        }
        let config = ModelConfig {
            architecture,
            name: metadata.text("general.name").map(str::to_owned),
            layers: keys.size("block_count", 1024)?,
            width,
            heads,
            kv_heads,
            head_dim,
            ffn_width: keys.size("feed_forward_length", MAX_WIDTH)?,
            rope: rope(&keys, header, head_dim)?,
            norm_epsilon: epsilon(&keys)?,
            context: keys.size("context_length", 1 << 30)?,
            vocab: vocab(header)?,
            tied: header.tensor(&Role::Output.name()).is_none(),
            qk_norm: architecture == Architecture::Qwen3,
            qkv_bias: architecture == Architecture::Qwen2 || header.tensor("blk.0.attn_q.bias").is_some(),
        };
        config.check_tensors(header)?;
        Ok(config)
    }

    /// The elements of all heads of queries together.
    pub fn query_width(&self) -> usize {
        self.heads * self.head_dim
    }

    /// The elements of all heads of keys together; of values as many.
    pub fn kv_width(&self) -> usize {
        self.kv_heads * self.head_dim
    }

    /// What each tensor of `header` is, by its index there. After [`from_header`](ModelConfig::from_header) all have
    /// a role.
    pub fn roles(header: &Header) -> Vec<Option<Role>> {
        header.tensors.iter().map(|tensor| Role::of(&tensor.name)).collect()
    }

    /// The roles that this decoder needs, in the order in which it uses them.
    pub fn needed(&self) -> impl Iterator<Item = Role> + '_ {
        let blocks = (0..self.layers)
            .flat_map(move |number| BlockTensor::ALL.into_iter().map(move |tensor| Role::Block(number, tensor)))
            .filter(|&role| self.shape(role).is_some());
        let after = [Role::OutputNorm, Role::Output].into_iter().filter(|&role| self.shape(role).is_some());
        let factors = Some(Role::RopeFactors).filter(|&role| self.shape(role).is_some());
        [Role::Embedding].into_iter().chain(factors).chain(blocks).chain(after)
    }

    /// The shape that a tensor of this role must have, a row's length first; none where the decoder has no such
    /// tensor.
    pub fn shape(&self, role: Role) -> Option<Vec<u64>> {
        let (width, query, kv, ffn) = (self.width, self.query_width(), self.kv_width(), self.ffn_width);
        let shape = match role {
            Role::Embedding => vec![width, self.vocab],
            Role::OutputNorm => vec![width],
            Role::Output if self.tied => return None,
            Role::Output => vec![width, self.vocab],
            Role::RopeFactors if self.rope.scaling != RopeScaling::Factors => return None,
            Role::RopeFactors => vec![self.rope.dimensions / 2],
            Role::Block(number, _) if number >= self.layers => return None,
            Role::Block(_, tensor) => match tensor {
                BlockTensor::AttentionNorm | BlockTensor::FfnNorm => vec![width],
                BlockTensor::Query => vec![width, query],
                BlockTensor::Key | BlockTensor::Value => vec![width, kv],
                BlockTensor::QueryBias | BlockTensor::KeyBias | BlockTensor::ValueBias if !self.qkv_bias => {
                    return None;
                }
                BlockTensor::QueryBias => vec![query],
                BlockTensor::KeyBias | BlockTensor::ValueBias => vec![kv],
                BlockTensor::QueryNorm | BlockTensor::KeyNorm if !self.qk_norm => return None,
                BlockTensor::QueryNorm | BlockTensor::KeyNorm => vec![self.head_dim],
                BlockTensor::AttentionOutput => vec![query, width],
                BlockTensor::Gate | BlockTensor::Up => vec![width, ffn],
                BlockTensor::Down => vec![ffn, width],
            },
        };
        Some(shape.into_iter().map(|dimension| dimension as u64).collect())
    }

    fn check_tensors(&self, header: &Header) -> Result<(), Error> {
        for role in self.needed() {
            let name = role.name();
            if header.tensor(&name).is_none() {
                return Err(Error::tensor(name, "it is missing"));
            }
        }
        for tensor in &header.tensors {
            let shape = Role::of(&tensor.name).and_then(|role| Some((role, self.shape(role)?)));
            let Some((role, shape)) = shape else {
                let what = format!("a tensor `{}` in architecture `{}`", tensor.name, self.architecture.name());
                return Err(Error::unsupported(what, "decoders without it"));
            };
            if tensor.shape() != shape {
                return Err(Error::tensor(&tensor.name, format!("its shape is {:?}, not {shape:?}", tensor.shape())));
            }
            if role.is_vector() && !matches!(tensor.kind, Kind::F32 | Kind::F16 | Kind::BF16) {
                return Err(Error::tensor(&tensor.name, format!("it is quantised ({})", tensor.kind)));
            }
        }
        Ok(())
    }
}

/// No model is wider.
const MAX_WIDTH: u64 = 1 << 20;

/// The metadata under an architecture's prefix.
struct Keys<'a> {
    metadata: &'a Metadata,
    architecture: Architecture,
}

impl Keys<'_> {
    fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.architecture.name())
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.metadata.get(&self.key(name))
    }

    fn bad(&self, name: &str, expected: &'static str) -> Error {
        Error::metadata(self.key(name), expected)
    }

    /// A whole number from 1 to `most`.
    fn size(&self, name: &str, most: u64) -> Result<usize, Error> {
        self.optional_size(name, most)?.ok_or_else(|| self.bad(name, "a whole number"))
    }

    fn optional_size(&self, name: &str, most: u64) -> Result<Option<usize>, Error> {
        if self.get(name).is_none() {
            return Ok(None);
        }
        let number = self.metadata.unsigned(&self.key(name)).filter(|number| (1..=most).contains(number));
        number.map(|number| Some(number as usize)).ok_or_else(|| self.bad(name, "a whole number in sensible bounds"))
    }

    fn float(&self, name: &str) -> Option<f64> {
        self.metadata.float(&self.key(name))
    }
}

fn architecture(metadata: &Metadata) -> Result<Architecture, Error> {
    let name = metadata.need_text("general.architecture")?;
    Architecture::ALL.into_iter().find(|architecture| architecture.name() == name).ok_or_else(|| {
        let what = format!("architecture `{}`", name.chars().take(40).collect::<String>());
        Error::unsupported(what, Architecture::ALL.map(Architecture::name).join(", "))
    })
}

/// Refuses what would make the same tensors mean something else.
fn refuse_variants(keys: &Keys<'_>) -> Result<(), Error> {
    let count = |name: &str| keys.metadata.unsigned(&keys.key(name)).unwrap_or(0);
    if count("expert_count") > 0 {
        return Err(Error::unsupported("a mixture of experts", "dense decoders"));
    }
    if keys.metadata.bool(&keys.key("attention.causal")) == Some(false) {
        return Err(Error::unsupported("attention to later tokens", "causal decoders"));
    }
    for name in ["logit_scale", "attention.scale", "embedding_scale", "residual_scale"] {
        if keys.float(name).is_some_and(|scale| scale != 0.0 && scale != 1.0) {
            return Err(Error::unsupported(format!("`{}`", keys.key(name)), "decoders without it"));
        }
    }
    let (window, context) = (count("attention.sliding_window"), count("context_length"));
    if window > 0 && window < context {
        return Err(Error::unsupported("attention within a sliding window", "attention to the whole context"));
    }
    Ok(())
}

fn head_dim(keys: &Keys<'_>, width: usize, heads: usize) -> Result<usize, Error> {
    let key = keys.optional_size("attention.key_length", 4096)?;
    let value = keys.optional_size("attention.value_length", 4096)?;
    let head_dim = match key.or(value) {
        Some(given) => given,
        None if width.is_multiple_of(heads) => width / heads,
        None => return Err(keys.bad("attention.head_count", "a divisor of the width")),
    };
    if value.is_some_and(|value| value != head_dim) {
        return Err(Error::unsupported("heads of values and of keys of different sizes", "heads of one size"));
    }
    if !head_dim.is_multiple_of(2) {
        return Err(keys.bad("attention.key_length", "an even number"));
    }
    Ok(head_dim)
}

fn rope(keys: &Keys<'_>, header: &Header, head_dim: usize) -> Result<Rope, Error> {
    let theta = keys.float("rope.freq_base").unwrap_or(10_000.0) as f32;
    if !(theta.is_finite() && theta > 1.0) {
        return Err(keys.bad("rope.freq_base", "a number above 1"));
    }
    let dimensions = keys.optional_size("rope.dimension_count", 4096)?.unwrap_or(head_dim);
    if dimensions > head_dim || !dimensions.is_multiple_of(2) {
        return Err(keys.bad("rope.dimension_count", "an even number, at most the head's size"));
    }
    let layout = match keys.architecture {
        Architecture::Llama => RopeLayout::Interleaved,
        Architecture::Qwen2 | Architecture::Qwen3 => RopeLayout::Halves,
    };
    Ok(Rope { theta, layout, dimensions, scaling: rope_scaling(keys, header)? })
}

fn rope_scaling(keys: &Keys<'_>, header: &Header) -> Result<RopeScaling, Error> {
    let factors = header.tensor(&Role::RopeFactors.name()).is_some();
    let kind = keys.metadata.text(&keys.key("rope.scaling.type"));
    // Older files give the factor alone.
    let factor = keys.float("rope.scaling.factor").or_else(|| keys.float("rope.scale_linear")).unwrap_or(1.0) as f32;
    match kind {
        _ if factors => Ok(RopeScaling::Factors),
        None | Some("none" | "linear") if factor == 1.0 || kind == Some("none") => Ok(RopeScaling::None),
        None | Some("linear") if factor.is_finite() && factor > 0.0 => Ok(RopeScaling::Linear(factor)),
        None | Some("linear") => Err(keys.bad("rope.scaling.factor", "a number above 0")),
        Some(other) => {
            let what = format!("rotary scaling `{}`", other.chars().take(40).collect::<String>());
            Err(Error::unsupported(what, "none, linear, and a tensor of factors"))
        }
    }
}

fn epsilon(keys: &Keys<'_>) -> Result<f32, Error> {
    let epsilon = keys.float("attention.layer_norm_rms_epsilon").unwrap_or(f64::NAN) as f32;
    if !(epsilon > 0.0 && epsilon < 1.0) {
        return Err(keys.bad("attention.layer_norm_rms_epsilon", "a number between 0 and 1"));
    }
    Ok(epsilon)
}

/// The embedding's rows, at least as many as the vocabulary has tokens.
fn vocab(header: &Header) -> Result<usize, Error> {
    let name = Role::Embedding.name();
    let (_, tensor) = header.tensor(&name).ok_or_else(|| Error::tensor(&name, "it is missing"))?;
    let rows = tensor.rows();
    let tokens = header.metadata.texts("tokenizer.ggml.tokens").map_or(0, |tokens| tokens.len() as u64);
    if rows < tokens || rows > 1 << 24 {
        return Err(Error::tensor(name, format!("it has {rows} rows for a vocabulary of {tokens} tokens")));
    }
    Ok(rows as usize)
}
