//! Writing model files: for tests, here and in other crates (feature `write`), which make tiny models of random
//! weights. What is shipped has it only to try devices with such a model (the model's wasm).

mod random;

use crate::header::{ALIGNMENT_KEY, DEFAULT_ALIGNMENT, MAGIC};
use crate::metadata::{Array, Metadata, Texts, Value};
pub use crate::quant::write::quantise;
use crate::{Architecture, BlockTensor, Error, Kind, Role};
pub use random::RandomFile;

/// A file that is being put together.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    metadata: Metadata,
    tensors: Vec<(String, Vec<u64>, Kind, Vec<u8>)>,
}

impl Writer {
    /// An empty file.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// Adds a value of metadata, in place of one under the same key.
    pub fn value(&mut self, key: &str, value: Value) -> &mut Writer {
        self.metadata.insert(key.to_owned(), value);
        self
    }

    /// Adds text as metadata.
    pub fn text(&mut self, key: &str, text: &str) -> &mut Writer {
        self.value(key, Value::Text(text.to_owned()))
    }

    /// Adds a whole number as metadata.
    pub fn number(&mut self, key: &str, number: u64) -> &mut Writer {
        self.value(key, Value::Unsigned(number))
    }

    /// Adds a list of texts as metadata.
    pub fn texts<T: AsRef<str>>(&mut self, key: &str, list: impl IntoIterator<Item = T>) -> &mut Writer {
        let mut texts = Texts::default();
        list.into_iter().for_each(|text| texts.push(text.as_ref()));
        self.value(key, Value::Array(Array::Text(texts)))
    }

    /// Adds a tensor of these values, quantised.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] where the values are no whole blocks of `kind`.
    pub fn tensor(&mut self, name: &str, shape: &[u64], kind: Kind, values: &[f32]) -> Result<&mut Writer, Error> {
        Ok(self.raw_tensor(name, shape, kind, quantise(kind, values)?))
    }

    /// Adds a tensor of these bytes, right or wrong.
    pub fn raw_tensor(&mut self, name: &str, shape: &[u64], kind: Kind, bytes: Vec<u8>) -> &mut Writer {
        self.tensors.push((name.to_owned(), shape.to_vec(), kind, bytes));
        self
    }

    /// The file's bytes.
    pub fn finish(&self) -> Vec<u8> {
        let sizes =
            self.tensors.iter().map(|(name, shape, kind, bytes)| (&**name, &**shape, *kind, bytes.len() as u64));
        let mut out = self.head(sizes);
        let alignment = self.alignment();
        for (_, _, _, bytes) in &self.tensors {
            out.resize(out.len().next_multiple_of(alignment), 0);
            out.extend(bytes);
        }
        out
    }

    /// The file's bytes up to the first tensor's, where it has tensors of these names, shapes, kinds and bytes.
    fn head<'a>(&self, tensors: impl ExactSizeIterator<Item = (&'a str, &'a [u64], Kind, u64)>) -> Vec<u8> {
        let alignment = self.alignment();
        let mut out = MAGIC.to_vec();
        out.extend(3u32.to_le_bytes());
        out.extend((tensors.len() as u64).to_le_bytes());
        out.extend((self.metadata.len() as u64).to_le_bytes());
        for (key, value) in self.metadata.iter() {
            put_text(key, &mut out);
            put_value(value, &mut out);
        }
        let mut offset = 0u64;
        for (name, shape, kind, bytes) in tensors {
            put_text(name, &mut out);
            out.extend((shape.len() as u32).to_le_bytes());
            shape.iter().for_each(|dimension| out.extend(dimension.to_le_bytes()));
            out.extend(kind.code().to_le_bytes());
            out.extend(offset.to_le_bytes());
            offset = (offset + bytes).next_multiple_of(alignment as u64);
        }
        out.resize(out.len().next_multiple_of(alignment), 0);
        out
    }

    /// What each tensor's place in the file is a multiple of.
    fn alignment(&self) -> usize {
        self.metadata.unsigned(ALIGNMENT_KEY).unwrap_or(DEFAULT_ALIGNMENT) as usize
    }
}

/// A tiny decoder of random weights, with a vocabulary of the 256 bytes and a few merges and control tokens.
#[derive(Debug, Clone)]
pub struct TinyModel {
    /// The architecture.
    pub architecture: Architecture,
    /// The kind of all matrices; vectors are F32. Their rows must be whole blocks.
    pub kind: Kind,
    /// See [`ModelConfig`](crate::ModelConfig) for these.
    pub layers: usize,
    /// Width of the residual stream.
    pub width: usize,
    /// Heads of queries.
    pub heads: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Elements of a head.
    pub head_dim: usize,
    /// The feed-forward network's inner width.
    pub ffn_width: usize,
    /// The context, in tokens.
    pub context: usize,
    /// Rows of the embedding: 264 at least.
    pub vocab: usize,
    /// Whether there is no output matrix of its own.
    pub tied: bool,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for TinyModel {
    fn default() -> TinyModel {
        TinyModel {
            architecture: Architecture::Llama,
            kind: Kind::Q8_0,
            layers: 1,
            width: 64,
            heads: 4,
            kv_heads: 2,
            head_dim: 16,
            ffn_width: 96,
            context: 128,
            vocab: 264,
            tied: true,
            seed: 1,
        }
    }
}

impl TinyModel {
    /// The model that browser tests load. What it says is known to them, and to a native test of the decoder.
    pub fn of_browser_tests() -> TinyModel {
        TinyModel { kind: Kind::Q4_1, layers: 2, context: 1024, tied: false, seed: 29, ..TinyModel::default() }
    }

    /// The model as a file.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] where a row is no whole number of blocks.
    pub fn write(&self) -> Result<Vec<u8>, Error> {
        let mut writer = Writer::new();
        self.put_metadata(&mut writer);
        put_vocabulary(&mut writer, self.vocab);
        let mut random = Random(self.seed);
        for (role, shape) in self.tensors() {
            let kind = if role.is_vector() { Kind::F32 } else { self.kind };
            let values = random_values(role, shape.iter().product(), shape[0], &mut random);
            writer.tensor(&role.name(), &shape, kind, &values)?;
        }
        Ok(writer.finish())
    }

    /// Its tensors and their shapes, in the file's order.
    fn tensors(&self) -> impl Iterator<Item = (Role, Vec<u64>)> {
        let blocks = (0..self.layers).flat_map(|number| BlockTensor::ALL.map(|tensor| Role::Block(number, tensor)));
        let roles = [Role::Embedding].into_iter().chain(blocks).chain([Role::OutputNorm, Role::Output]);
        roles.filter_map(|role| Some((role, self.shape(role)?)))
    }

    fn put_metadata(&self, writer: &mut Writer) {
        let name = self.architecture.name();
        writer.text("general.architecture", name).text("general.name", "tiny");
        let sizes = [
            ("block_count", self.layers),
            ("embedding_length", self.width),
            ("attention.head_count", self.heads),
            ("attention.head_count_kv", self.kv_heads),
            ("attention.key_length", self.head_dim),
            ("attention.value_length", self.head_dim),
            ("feed_forward_length", self.ffn_width),
            ("context_length", self.context),
        ];
        for (key, size) in sizes {
            writer.number(&format!("{name}.{key}"), size as u64);
        }
        writer.value(&format!("{name}.rope.freq_base"), Value::Float(10_000.0));
        writer.value(&format!("{name}.attention.layer_norm_rms_epsilon"), Value::Float(f64::from(1e-5f32)));
    }

    /// As [`ModelConfig::shape`](crate::ModelConfig::shape), but written apart from it, so that tests compare two.
    fn shape(&self, role: Role) -> Option<Vec<u64>> {
        let (query, kv) = (self.heads * self.head_dim, self.kv_heads * self.head_dim);
        let bias = self.architecture == Architecture::Qwen2;
        let norm = self.architecture == Architecture::Qwen3;
        let shape = match role {
            Role::RopeFactors => return None,
            Role::Output if self.tied => return None,
            Role::Embedding | Role::Output => vec![self.width, self.vocab],
            Role::OutputNorm => vec![self.width],
            Role::Block(_, tensor) => match tensor {
                BlockTensor::AttentionNorm | BlockTensor::FfnNorm => vec![self.width],
                BlockTensor::Query => vec![self.width, query],
                BlockTensor::Key | BlockTensor::Value => vec![self.width, kv],
                BlockTensor::QueryBias => vec![bias.then_some(query)?],
                BlockTensor::KeyBias | BlockTensor::ValueBias => vec![bias.then_some(kv)?],
                BlockTensor::QueryNorm | BlockTensor::KeyNorm => vec![norm.then_some(self.head_dim)?],
                BlockTensor::AttentionOutput => vec![query, self.width],
                BlockTensor::Gate | BlockTensor::Up => vec![self.width, self.ffn_width],
                BlockTensor::Down => vec![self.ffn_width, self.width],
            },
        };
        Some(shape.into_iter().map(|dimension| dimension as u64).collect())
    }
}

/// Norms around 1, matrices so small that what comes out is about as large as what goes in.
fn random_values(role: Role, count: u64, columns: u64, random: &mut Random) -> Vec<f32> {
    let is_bias = role.name().ends_with(".bias");
    let (middle, spread) = match role {
        _ if role.is_vector() && !is_bias => (1.0, 0.2),
        Role::Embedding => (0.0, 1.0),
        _ if is_bias => (0.0, 0.5),
        _ => (0.0, 1.7 / (columns as f32).sqrt()),
    };
    (0..count).map(|_| middle + spread * random.next()).collect()
}

/// The 256 bytes in the order of their codes, merges of " t", "he", " the", then control tokens and padding.
fn put_vocabulary(writer: &mut Writer, rows: usize) {
    let mut tokens: Vec<String> = (0..=255).map(|byte| byte_char(byte).to_string()).collect();
    tokens.extend(["Ġt", "he", "Ġthe", "<|endoftext|>", "<|im_start|>", "<|im_end|>"].map(str::to_owned));
    tokens.extend((tokens.len()..rows).map(|number| format!("[unused{number}]")));
    tokens.truncate(rows);
    let kind = |index: usize| match index {
        259..=261 => 3,
        262.. => 5,
        _ => 1,
    };
    let kinds = (0..tokens.len()).map(kind).collect();
    writer
        .text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", "default")
        .texts("tokenizer.ggml.tokens", tokens)
        .texts("tokenizer.ggml.merges", ["Ġ t", "h e", "Ġt he"])
        .value("tokenizer.ggml.token_type", Value::Array(Array::Signed(kinds)))
        .number("tokenizer.ggml.bos_token_id", 260)
        .number("tokenizer.ggml.eos_token_id", 261);
}

/// The character that stands for a byte in byte-level vocabularies.
pub(crate) fn byte_char(byte: u8) -> char {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    if printable(byte) {
        return char::from(byte);
    }
    let rank = (0..byte).filter(|&before| !printable(before)).count() as u32;
    char::from_u32(256 + rank).expect("256 + 67 is a letter")
}

/// Numbers that look random: xorshift64*, <https://vigna.di.unimi.it/ftp/papers/xorshift.pdf>. Expected answers of tests,
/// in Rust and in JavaScript, are those of weights that it made, so another generator can't take its place.
struct Random(u64);

impl Random {
    /// The next number, from −1 to 1.
    fn next(&mut self) -> f32 {
        self.0 = if self.0 == 0 { 1 } else { self.0 };
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40) as f32;
        bits / (1 << 23) as f32 - 1.0
    }
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

/// Numbers are written in the widest type, floats in single precision where that loses nothing.
fn put_value(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Unsigned(number) => put(10, &number.to_le_bytes(), out),
        Value::Signed(number) => put(11, &number.to_le_bytes(), out),
        Value::Float(number) if f64::from(*number as f32) == *number => put(6, &(*number as f32).to_le_bytes(), out),
        Value::Float(number) => put(12, &number.to_le_bytes(), out),
        Value::Bool(value) => put(7, &[u8::from(*value)], out),
        Value::Text(text) => {
            put(8, &[], out);
            put_text(text, out);
        }
        Value::Array(array) => {
            put(9, &[], out);
            put_array(array, out);
        }
    }
}

fn put(code: u32, bytes: &[u8], out: &mut Vec<u8>) {
    out.extend(code.to_le_bytes());
    out.extend(bytes);
}

fn put_array(array: &Array, out: &mut Vec<u8>) {
    let mut head = |code: u32, count: usize| put(code, &(count as u64).to_le_bytes(), out);
    match array {
        Array::Unsigned(list) => {
            head(10, list.len());
            list.iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
        Array::Signed(list) => {
            head(11, list.len());
            list.iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
        Array::Float(list) => {
            head(12, list.len());
            list.iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
        Array::Bool(list) => {
            head(7, list.len());
            out.extend(list.iter().map(|&value| u8::from(value)));
        }
        Array::Text(list) => {
            head(8, list.len());
            list.iter().for_each(|text| put_text(text, out));
        }
        Array::Nested(list) => {
            head(9, list.len());
            list.iter().for_each(|array| put_array(array, out));
        }
    }
}
