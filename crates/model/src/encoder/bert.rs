//! BERT's encoder in burn tensors: token ids to a state a token, after Devlin et al. 2018, "BERT: Pre-training of Deep
//! Bidirectional Transformers", with the norm after each sum as there.
//!
//! ```text
//! x = norm(token + position + segment)
//! each layer:  x = norm(x + output(softmax(q kᵀ / √head_dim) v))
//!              x = norm(x + down(gelu(up(x))))
//! ```

use burn::tensor::activation::{gelu, softmax};
use burn::tensor::module::layer_norm;
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::config::BertConfig;

/// A product with a bias.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    /// `[inputs, outputs]`: a view of what the file has the other way round.
    pub(super) weight: Tensor<2>,
    /// `[1, outputs]`.
    pub(super) bias: Tensor<2>,
}

impl Linear {
    /// # Shapes
    ///
    /// `[rows, inputs]` to `[rows, outputs]`.
    pub(super) fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        x.matmul(self.weight.clone()) + self.bias.clone()
    }
}

/// A layer norm (Ba, Kiros and Hinton 2016).
#[derive(Debug, Clone)]
pub(super) struct Norm {
    /// `[width]`.
    pub(super) scale: Tensor<1>,
    /// `[width]`.
    pub(super) shift: Tensor<1>,
    pub(super) epsilon: f64,
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
pub(super) struct Layer {
    /// Queries, keys and values beside each other; queries divided by √head_dim.
    pub(super) qkv: Linear,
    pub(super) attention_output: Linear,
    pub(super) attention_norm: Norm,
    pub(super) up: Linear,
    pub(super) down: Linear,
    pub(super) output_norm: Norm,
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
    /// Where the second segment of each row begins; empty where all are of one segment.
    pub(crate) seconds: Vec<usize>,
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
        Self { ids, lengths, length, seconds: Vec::new() }
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
    pub(super) config: BertConfig,
    pub(super) device: Device,
    /// `[vocabulary, width]`.
    pub(super) tokens: Tensor<2>,
    /// `[positions, width]`, each with segment 0's added.
    pub(super) positions: Tensor<2>,
    /// `[1, width]`: segment 1's less segment 0's; none where there is one kind of segment.
    pub(super) segment_step: Option<Tensor<2>>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
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
        let mut x = tokens + positions;
        if let Some(step) = self.segment_step.as_ref().filter(|_| !batch.seconds.is_empty()) {
            let row = |(&second, &len): (&usize, &usize)| (0..length).map(move |at| at >= second && at < len);
            let is_second = batch.seconds.iter().zip(&batch.lengths).flat_map(row);
            let is_second: Vec<f32> = is_second.map(|is_second| if is_second { 1.0 } else { 0.0 }).collect();
            let is_second = Tensor::<3>::from_data(TensorData::new(is_second, [rows, length, 1]), &self.device);
            x = x + is_second * step.clone().reshape([1, 1, width]);
        }
        self.norm.forward(x.reshape([rows * length, width]))
    }

    /// The first token's state of each row after the last layer.
    ///
    /// # Shapes
    ///
    /// `[rows, width]`.
    pub(super) fn first_states(&self, batch: &Batch) -> Tensor<2> {
        let (rows, length, width) = (batch.lengths.len(), batch.length, self.config.width);
        self.forward(batch).reshape([rows, length, width]).narrow(1, 0, 1).reshape([rows, width])
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
