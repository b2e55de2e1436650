//! BERT's encoder in burn tensors: token ids to a state a token, after Devlin et al. 2018, "BERT: Pre-training of Deep
//! Bidirectional Transformers", with the norm after each sum as there.
//!
//! ```text
//! x = norm(token + position + segment)
//! each layer:  x = norm(x + output(softmax(q kᵀ / √head_dim) v))
//!              x = norm(x + down(gelu(up(x))))
//! ```

use std::collections::HashMap;

use burn::tensor::activation::{gelu, softmax};
use burn::tensor::module::layer_norm;
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::config::BertConfig;
use super::misfit;
use super::safetensors::{Reader, Sink, TensorInfo};
use crate::{Error, Progress};

/// A product with a bias.
#[derive(Debug, Clone)]
struct Linear {
    /// `[inputs, outputs]`: a view of what the file has the other way round.
    weight: Tensor<2>,
    /// `[1, outputs]`.
    bias: Tensor<2>,
}

impl Linear {
    /// # Shapes
    ///
    /// `[rows, inputs]` to `[rows, outputs]`.
    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        x.matmul(self.weight.clone()) + self.bias.clone()
    }
}

/// A layer norm (Ba, Kiros and Hinton 2016).
#[derive(Debug, Clone)]
struct Norm {
    /// `[width]`.
    scale: Tensor<1>,
    /// `[width]`.
    shift: Tensor<1>,
    epsilon: f64,
}

impl Norm {
    /// # Shapes
    ///
    /// `[rows, width]` to the same.
    fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        layer_norm(x, self.scale.clone(), Some(self.shift.clone()), self.epsilon)
    }
}

#[derive(Debug, Clone)]
struct Layer {
    /// Queries, keys and values beside each other; queries divided by √head_dim.
    qkv: Linear,
    attention_output: Linear,
    attention_norm: Norm,
    up: Linear,
    down: Linear,
    output_norm: Norm,
}

/// A batch of texts, each a row of token ids, filled up to the same length.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    /// `rows · length` ids.
    pub(crate) ids: Vec<u32>,
    /// How many of each row are its text's.
    pub(crate) lengths: Vec<usize>,
    /// Tokens of a row.
    pub(crate) length: usize,
}

impl Batch {
    /// Rows of the given texts' ids.
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a [u32]> + Clone, pad: u32) -> Self {
        let lengths: Vec<usize> = texts.clone().map(<[u32]>::len).collect();
        let length = lengths.iter().copied().max().unwrap_or(0);
        let mut ids = Vec::with_capacity(lengths.len() * length);
        for (row, text) in texts.enumerate() {
            ids.extend_from_slice(text);
            ids.resize((row + 1) * length, pad);
        }
        Self { ids, lengths, length }
    }

    /// A number for each token: that of `text` for its text's, with the text's length, and `filling` for the others.
    fn spread(&self, text: impl Fn(usize, usize) -> f32, filling: f32) -> Vec<f32> {
        let row = |&len: &usize| (0..self.length).map(move |at| (at, len));
        let all = self.lengths.iter().flat_map(row);
        all.map(|(at, len)| if at < len { text(at, len) } else { filling }).collect()
    }
}

/// A model on a device.
#[derive(Debug, Clone)]
pub struct Bert {
    config: BertConfig,
    device: Device,
    /// `[vocabulary, width]`.
    tokens: Tensor<2>,
    /// `[positions, width]`, each with segment 0's added.
    positions: Tensor<2>,
    norm: Norm,
    layers: Vec<Layer>,
}

impl Bert {
    /// The model's shape.
    #[must_use]
    pub fn config(&self) -> &BertConfig {
        &self.config
    }

    /// Each text's vector, not yet of length 1: the sum of its states weighted by `weights`, which is given a token's
    /// place and the text's length.
    ///
    /// # Shapes
    ///
    /// `[rows, width]`.
    pub(crate) fn pool(&self, batch: &Batch, weights: impl Fn(usize, usize) -> f32) -> Tensor<2> {
        let (rows, length, width) = (batch.lengths.len(), batch.length, self.config.width);
        let states = self.forward(batch).reshape([rows, length, width]);
        let weights = TensorData::new(batch.spread(weights, 0.0), [rows, 1, length]);
        Tensor::<3>::from_data(weights, &self.device).matmul(states).reshape([rows, width])
    }

    /// The states after the last layer; those of filling mean nothing.
    ///
    /// # Shapes
    ///
    /// `[rows · length, width]`.
    pub(crate) fn forward(&self, batch: &Batch) -> Tensor<2> {
        let (rows, length) = (batch.lengths.len(), batch.length);
        let mask = self.mask(batch);
        let mut x = self.embed(batch);
        for layer in &self.layers {
            let attended = self.attend(layer.qkv.forward(x.clone()), [rows, length], mask.as_ref());
            x = layer.attention_norm.forward(x + layer.attention_output.forward(attended));
            let inner = gelu(layer.up.forward(x.clone()));
            x = layer.output_norm.forward(x + layer.down.forward(inner));
        }
        x
    }

    fn embed(&self, batch: &Batch) -> Tensor<2> {
        let (rows, length, width) = (batch.lengths.len(), batch.length, self.config.width);
        let ids: Vec<i32> = batch.ids.iter().map(|&id| id as i32).collect();
        let ids = Tensor::<1, Int>::from_data(TensorData::new(ids, [rows * length]), &self.device);
        let tokens = self.tokens.clone().select(0, ids).reshape([rows, length, width]);
        let positions = self.positions.clone().narrow(0, 0, length).reshape([1, length, width]);
        self.norm.forward((tokens + positions).reshape([rows * length, width]))
    }

    /// What is added to scores, so that filling is not attended to; nothing where there is none.
    ///
    /// # Shapes
    ///
    /// `[rows, 1, 1, length]`.
    fn mask(&self, batch: &Batch) -> Option<Tensor<4>> {
        // Large enough that its exponential is 0 beside any score, and no infinity, which some devices mishandle.
        const OUT: f32 = -1e9;
        let (rows, length) = (batch.lengths.len(), batch.length);
        let filled = batch.lengths.iter().any(|&len| len < length);
        filled.then(|| {
            let mask = TensorData::new(batch.spread(|_, _| 0.0, OUT), [rows, 1, 1, length]);
            Tensor::from_data(mask, &self.device)
        })
    }

    /// # Shapes
    ///
    /// `[rows · length, 3 · width]` to `[rows · length, width]`.
    fn attend(&self, qkv: Tensor<2>, [rows, length]: [usize; 2], mask: Option<&Tensor<4>>) -> Tensor<2> {
        let (heads, width) = (self.config.heads, self.config.width);
        let qkv = qkv.reshape([rows, length, 3 * heads, width / heads]);
        // [rows, heads, length, head_dim]: views, which the products take as they are.
        let part = |index: usize| qkv.clone().narrow(2, index * heads, heads).swap_dims(1, 2);
        let scores = part(0).matmul(part(1).swap_dims(2, 3));
        let scores = match mask {
            Some(mask) => scores + mask.clone(),
            None => scores,
        };
        softmax(scores, 3).matmul(part(2)).swap_dims(1, 2).reshape([rows * length, width])
    }
}

/// Takes a model's `model.safetensors` piece by piece.
#[derive(Debug)]
pub struct BertLoader {
    reader: Reader,
    placing: Placing,
    done: u64,
}

impl BertLoader {
    /// A loader of a model of this shape, onto this device.
    #[must_use]
    pub fn new(config: BertConfig, device: Device) -> Self {
        Self { reader: Reader::new(), placing: Placing { config, device, weights: HashMap::new() }, done: 0 }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// A file that is damaged, or whose tensors are not those of the configuration; the error says which.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.reader.feed(bytes, &mut self.placing)?;
        self.done += bytes.len() as u64;
        Ok(())
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { done: self.done, total: self.reader.file_bytes() }
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// A file that was cut.
    pub fn finish(self) -> Result<Bert, Error> {
        self.reader.finish()?;
        self.placing.assemble()
    }
}

/// Weights on their way to the device.
#[derive(Debug)]
struct Placing {
    config: BertConfig,
    device: Device,
    /// By name, without the prefix that some files have.
    weights: HashMap<String, Tensor<1>>,
}

/// A tensor's name without what some files put before it.
fn bare(name: &str) -> &str {
    name.strip_prefix("bert.").unwrap_or(name)
}

impl Sink for Placing {
    fn begin(&mut self, tensors: &[TensorInfo]) -> Result<(), Error> {
        let found: HashMap<&str, &TensorInfo> = tensors.iter().map(|tensor| (bare(&tensor.name), tensor)).collect();
        for (name, shape) in names(&self.config) {
            let Some(tensor) = found.get(name.as_str()) else { return Err(misfit(&name, "it is missing")) };
            if tensor.shape != shape {
                let cause = format!("it is {:?}, and {shape:?} by the configuration", tensor.shape);
                return Err(misfit(&name, cause));
            }
        }
        Ok(())
    }

    fn wants(&mut self, tensor: &TensorInfo) -> bool {
        let name = bare(&tensor.name);
        // Of a name with and without its prefix, the first is taken.
        !self.weights.contains_key(name)
            && names(&self.config).any(|(wanted, shape)| wanted == name && shape == tensor.shape)
    }

    fn tensor(&mut self, tensor: &TensorInfo, values: Vec<f32>) -> Result<(), Error> {
        let length = values.len();
        let tensor_on_device = Tensor::from_data(TensorData::new(values, [length]), &self.device);
        self.weights.insert(bare(&tensor.name).to_owned(), tensor_on_device);
        Ok(())
    }
}

/// Every tensor of a model of this shape: its name, and its shape as the file has it.
fn names(config: &BertConfig) -> impl Iterator<Item = (String, Vec<usize>)> {
    let &BertConfig { vocabulary, width, layers, ffn_width, positions, segments, .. } = config;
    let embeddings = [("word", vocabulary), ("position", positions), ("token_type", segments)];
    let embeddings = embeddings.map(|(name, rows)| (format!("embeddings.{name}_embeddings.weight"), vec![rows, width]));
    let linears = [
        ("attention.self.query", width, width),
        ("attention.self.key", width, width),
        ("attention.self.value", width, width),
        ("attention.output.dense", width, width),
        ("intermediate.dense", ffn_width, width),
        ("output.dense", width, ffn_width),
    ];
    let norm = move |name: String| ["weight", "bias"].map(|part| (format!("{name}.{part}"), vec![width]));
    let layer = move |number: usize| {
        let at = format!("encoder.layer.{number}.");
        let norms = ["attention.output.LayerNorm", "output.LayerNorm"].map(|name| norm(format!("{at}{name}")));
        let linears = linears.map(|(name, outputs, inputs)| {
            [(format!("{at}{name}.weight"), vec![outputs, inputs]), (format!("{at}{name}.bias"), vec![outputs])]
        });
        linears.into_iter().flatten().chain(norms.into_iter().flatten())
    };
    embeddings.into_iter().chain(norm("embeddings.LayerNorm".to_owned())).chain((0..layers).flat_map(layer))
}

impl Placing {
    fn assemble(mut self) -> Result<Bert, Error> {
        let config = self.config.clone();
        let width = config.width;
        let segment = self.matrix("embeddings.token_type_embeddings.weight", config.segments)?.narrow(0, 0, 1);
        Ok(Bert {
            tokens: self.matrix("embeddings.word_embeddings.weight", config.vocabulary)?,
            positions: self.matrix("embeddings.position_embeddings.weight", config.positions)? + segment,
            norm: self.norm("embeddings.LayerNorm")?,
            layers: (0..config.layers).map(|number| self.layer(number, width)).collect::<Result<_, _>>()?,
            device: self.device,
            config,
        })
    }

    fn layer(&mut self, number: usize, width: usize) -> Result<Layer, Error> {
        let at = |part: &str| format!("encoder.layer.{number}.{part}");
        Ok(Layer {
            qkv: self.qkv(number)?,
            attention_output: self.linear(&at("attention.output.dense"), width)?,
            attention_norm: self.norm(&at("attention.output.LayerNorm"))?,
            up: self.linear(&at("intermediate.dense"), self.config.ffn_width)?,
            down: self.linear(&at("output.dense"), width)?,
            output_norm: self.norm(&at("output.LayerNorm"))?,
        })
    }

    /// Three products as one, the first divided by √head_dim, so that scores need not be.
    fn qkv(&mut self, number: usize) -> Result<Linear, Error> {
        let width = self.config.width;
        let scale = 1.0 / ((width / self.config.heads) as f64).sqrt();
        let (mut weights, mut biases) = (Vec::new(), Vec::new());
        for (part, scale) in [("query", Some(scale)), ("key", None), ("value", None)] {
            let linear = self.linear(&format!("encoder.layer.{number}.attention.self.{part}"), width)?;
            let scaled = |tensor: Tensor<2>| match scale {
                Some(scale) => tensor.mul_scalar(scale),
                None => tensor,
            };
            weights.push(scaled(linear.weight.transpose()));
            biases.push(scaled(linear.bias));
        }
        Ok(Linear { weight: Tensor::cat(weights, 0).transpose(), bias: Tensor::cat(biases, 1) })
    }

    fn linear(&mut self, name: &str, outputs: usize) -> Result<Linear, Error> {
        let weight = self.matrix(&format!("{name}.weight"), outputs)?.transpose();
        Ok(Linear { weight, bias: self.matrix(&format!("{name}.bias"), 1)? })
    }

    fn norm(&mut self, name: &str) -> Result<Norm, Error> {
        let (scale, shift) = (self.take(&format!("{name}.weight"))?, self.take(&format!("{name}.bias"))?);
        Ok(Norm { scale, shift, epsilon: self.config.norm_epsilon })
    }

    fn matrix(&mut self, name: &str, rows: usize) -> Result<Tensor<2>, Error> {
        let tensor = self.take(name)?;
        let columns = tensor.dims()[0] / rows;
        Ok(tensor.reshape([rows, columns]))
    }

    fn take(&mut self, name: &str) -> Result<Tensor<1>, Error> {
        self.weights.remove(name).ok_or_else(|| misfit(name, "it is missing"))
    }
}
