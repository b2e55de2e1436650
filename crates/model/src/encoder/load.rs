//! A model's weights from its file to the device, each checked against the configuration before any is read.

use std::collections::{HashMap, HashSet};

use ::safetensors::Dtype;
use burn::tensor::{Device, Tensor, TensorData};

use super::bert::{Bert, Layer, Linear, Norm};
use super::config::BertConfig;
use super::misfit;
use super::safetensors::{Reader, Sink, TensorInfo};
use crate::{Error, Progress};

/// Takes a model's `model.safetensors` piece by piece.
#[derive(Debug)]
pub struct BertLoader {
    reader: Reader,
    sink: WeightSink,
    done: u64,
}

impl BertLoader {
    /// A loader of a model of this shape, onto this device.
    #[must_use]
    pub fn new(config: BertConfig, device: Device) -> Self {
        Self::with(config, device, false)
    }

    /// A loader of a model that has a head besides, which scores a text.
    pub(super) fn with_head(config: BertConfig, device: Device) -> Self {
        Self::with(config, device, true)
    }

    fn with(config: BertConfig, device: Device, has_head: bool) -> Self {
        let sink = WeightSink { config, device, has_head, weights: HashMap::new(), scaled: HashSet::new() };
        Self { reader: Reader::new(), sink, done: 0 }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// A file that is damaged, or whose tensors are not those of the configuration; the error says which.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.reader.feed(bytes, &mut self.sink)?;
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
        self.sink.assemble().map(|(bert, _)| bert)
    }

    /// Ends the file of a model with a head.
    pub(super) fn finish_with_head(self) -> Result<(Bert, ScoreHead), Error> {
        self.reader.finish()?;
        let (bert, head) = self.sink.assemble()?;
        Ok((bert, head.ok_or_else(|| misfit(CLASSIFIER, "it is missing"))?))
    }
}

/// What turns the first token's state into a score: a product, its hyperbolic tangent, and a product with one output.
#[derive(Debug, Clone)]
pub(super) struct ScoreHead {
    pub(super) pooler: Linear,
    pub(super) classifier: Linear,
}

/// The names of its products.
const POOLER: &str = "pooler.dense";
const CLASSIFIER: &str = "classifier";

/// Weights on their way to the device.
#[derive(Debug)]
struct WeightSink {
    config: BertConfig,
    device: Device,
    has_head: bool,
    /// By name, without the prefix that some files have.
    weights: HashMap<String, Tensor<1>>,
    /// The names of matrices that are stored as whole numbers.
    scaled: HashSet<String>,
}

/// What the tensor of a matrix's scales has behind the matrix's name: one scale a row, by which its whole numbers are multiplied.
pub const SCALE: &str = ".scale";

/// Whether a tensor of that name can have scales: a product's matrix, or embeddings.
fn is_matrix(shape: &[usize]) -> bool {
    shape.len() == 2
}

/// A tensor's name without what some files put before it.
fn bare(name: &str) -> &str {
    name.strip_prefix("bert.").unwrap_or(name)
}

impl Sink for WeightSink {
    fn begin(&mut self, tensors: &[TensorInfo]) -> Result<(), Error> {
        let found: HashMap<&str, &TensorInfo> = tensors.iter().map(|tensor| (bare(&tensor.name), tensor)).collect();
        for (name, shape) in names(&self.config, self.has_head) {
            let Some(tensor) = found.get(name.as_str()) else { return Err(misfit(&name, "it is missing")) };
            if tensor.shape != shape {
                let cause = format!("it is {:?}, and {shape:?} by the configuration", tensor.shape);
                return Err(misfit(&name, cause));
            }
            if tensor.dtype == Dtype::I8 {
                let scales = found.get(format!("{name}{SCALE}").as_str());
                if !is_matrix(&shape) || scales.is_none_or(|scales| scales.shape != shape[..1]) {
                    return Err(misfit(&name, "it has whole numbers, and no scale for each of its rows"));
                }
                self.scaled.insert(name);
            }
        }
        Ok(())
    }

    fn wants(&mut self, tensor: &TensorInfo) -> bool {
        let name = bare(&tensor.name);
        // Of a name with and without its prefix, the first is taken.
        if self.weights.contains_key(name) {
            return false;
        }
        let of_scales = name.strip_suffix(SCALE);
        of_scales.is_some_and(|matrix| self.scaled.contains(matrix) && tensor.shape.len() == 1)
            || names(&self.config, self.has_head).any(|(wanted, shape)| wanted == name && shape == tensor.shape)
    }

    fn tensor(&mut self, tensor: &TensorInfo, values: Vec<f32>) -> Result<(), Error> {
        let length = values.len();
        let tensor_on_device = Tensor::from_data(TensorData::new(values, [length]), &self.device);
        self.weights.insert(bare(&tensor.name).to_owned(), tensor_on_device);
        Ok(())
    }
}

/// Every tensor of an encoder of this shape: its name without a prefix, and its shape as a file has it.
pub fn weight_shapes(config: &BertConfig) -> impl Iterator<Item = (String, Vec<usize>)> {
    names(config, false)
}

/// The same with those of a head, where it has one.
fn names(config: &BertConfig, has_head: bool) -> impl Iterator<Item = (String, Vec<usize>)> {
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
    let head =
        [(POOLER, width), (CLASSIFIER, 1)].into_iter().filter(move |_| has_head).flat_map(move |(name, outputs)| {
            [(format!("{name}.weight"), vec![outputs, width]), (format!("{name}.bias"), vec![outputs])]
        });
    let norms = norm("embeddings.LayerNorm".to_owned());
    embeddings.into_iter().chain(norms).chain((0..layers).flat_map(layer)).chain(head)
}

impl WeightSink {
    /// The model, and its head where it has one.
    fn assemble(mut self) -> Result<(Bert, Option<ScoreHead>), Error> {
        let config = self.config.clone();
        let width = config.width;
        let segments = self.matrix("embeddings.token_type_embeddings.weight", config.segments)?;
        let segment = segments.clone().narrow(0, 0, 1);
        let step = (config.segments > 1).then(|| segments.narrow(0, 1, 1) - segment.clone());
        let head = match self.has_head {
            true => Some(ScoreHead { pooler: self.linear(POOLER, width)?, classifier: self.linear(CLASSIFIER, 1)? }),
            false => None,
        };
        let bert = Bert {
            tokens: self.matrix("embeddings.word_embeddings.weight", config.vocabulary)?,
            positions: self.matrix("embeddings.position_embeddings.weight", config.positions)? + segment,
            segment_step: step,
            norm: self.norm("embeddings.LayerNorm")?,
            layers: (0..config.layers).map(|number| self.layer(number, width)).collect::<Result<_, _>>()?,
            device: self.device,
            config,
        };
        Ok((bert, head))
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
        let matrix = tensor.reshape([rows, columns]);
        match self.scaled.contains(name) {
            true => Ok(matrix * self.take(&format!("{name}{SCALE}"))?.reshape([rows, 1])),
            false => Ok(matrix),
        }
    }

    fn take(&mut self, name: &str) -> Result<Tensor<1>, Error> {
        self.weights.remove(name).ok_or_else(|| misfit(name, "it is missing"))
    }
}
