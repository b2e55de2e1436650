//! What each tensor of a decoder is, by its name in the file.

/// What a tensor is to a decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// `token_embd.weight`: `[width, vocab]`.
    Embedding,
    /// `output_norm.weight`: `[width]`.
    OutputNorm,
    /// `output.weight`: `[width, vocab]`; absent where tied.
    Output,
    /// `rope_freqs.weight`: `[rope dimensions / 2]`.
    RopeFactors,
    /// A tensor of the block of this number.
    Block(usize, BlockTensor),
}

/// A tensor of a block. Shapes are those of the file: a row's length, then the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockTensor {
    /// `attn_norm.weight`: `[width]`.
    AttentionNorm,
    /// `attn_q.weight`: `[width, heads · head_dim]`.
    Query,
    /// `attn_k.weight`: `[width, kv_heads · head_dim]`.
    Key,
    /// `attn_v.weight`: `[width, kv_heads · head_dim]`.
    Value,
    /// `attn_q.bias`: `[heads · head_dim]`.
    QueryBias,
    /// `attn_k.bias`: `[kv_heads · head_dim]`.
    KeyBias,
    /// `attn_v.bias`: `[kv_heads · head_dim]`.
    ValueBias,
    /// `attn_q_norm.weight`: `[head_dim]`.
    QueryNorm,
    /// `attn_k_norm.weight`: `[head_dim]`.
    KeyNorm,
    /// `attn_output.weight`: `[heads · head_dim, width]`.
    AttentionOutput,
    /// `ffn_norm.weight`: `[width]`.
    FfnNorm,
    /// `ffn_gate.weight`: `[width, ffn_width]`.
    Gate,
    /// `ffn_up.weight`: `[width, ffn_width]`.
    Up,
    /// `ffn_down.weight`: `[ffn_width, width]`.
    Down,
}

impl BlockTensor {
    /// All tensors that a block can have.
    pub const ALL: [BlockTensor; 14] = [
        BlockTensor::AttentionNorm,
        BlockTensor::Query,
        BlockTensor::Key,
        BlockTensor::Value,
        BlockTensor::QueryBias,
        BlockTensor::KeyBias,
        BlockTensor::ValueBias,
        BlockTensor::QueryNorm,
        BlockTensor::KeyNorm,
        BlockTensor::AttentionOutput,
        BlockTensor::FfnNorm,
        BlockTensor::Gate,
        BlockTensor::Up,
        BlockTensor::Down,
    ];

    /// The tensor's name after `blk.N.`.
    pub fn suffix(self) -> &'static str {
        match self {
            BlockTensor::AttentionNorm => "attn_norm.weight",
            BlockTensor::Query => "attn_q.weight",
            BlockTensor::Key => "attn_k.weight",
            BlockTensor::Value => "attn_v.weight",
            BlockTensor::QueryBias => "attn_q.bias",
            BlockTensor::KeyBias => "attn_k.bias",
            BlockTensor::ValueBias => "attn_v.bias",
            BlockTensor::QueryNorm => "attn_q_norm.weight",
            BlockTensor::KeyNorm => "attn_k_norm.weight",
            BlockTensor::AttentionOutput => "attn_output.weight",
            BlockTensor::FfnNorm => "ffn_norm.weight",
            BlockTensor::Gate => "ffn_gate.weight",
            BlockTensor::Up => "ffn_up.weight",
            BlockTensor::Down => "ffn_down.weight",
        }
    }
}

impl Role {
    /// The tensor's name.
    pub fn name(self) -> String {
        match self {
            Role::Embedding => "token_embd.weight".into(),
            Role::OutputNorm => "output_norm.weight".into(),
            Role::Output => "output.weight".into(),
            Role::RopeFactors => "rope_freqs.weight".into(),
            Role::Block(number, tensor) => format!("blk.{number}.{}", tensor.suffix()),
        }
    }

    /// The role of the tensor of this name.
    pub fn of(name: &str) -> Option<Role> {
        if let Some((number, suffix)) = name.strip_prefix("blk.").and_then(|rest| rest.split_once('.')) {
            let tensor = BlockTensor::ALL.into_iter().find(|tensor| tensor.suffix() == suffix)?;
            return Some(Role::Block(number.parse().ok()?, tensor)).filter(|role| role.name() == name);
        }
        [Role::Embedding, Role::OutputNorm, Role::Output, Role::RopeFactors].into_iter().find(|r| r.name() == name)
    }

    /// Whether the tensor is a list of numbers that are added or multiplied one by one, which are never quantised.
    pub fn is_vector(self) -> bool {
        match self {
            Role::Embedding | Role::Output => false,
            Role::OutputNorm | Role::RopeFactors => true,
            Role::Block(_, tensor) => !matches!(
                tensor,
                BlockTensor::Query
                    | BlockTensor::Key
                    | BlockTensor::Value
                    | BlockTensor::AttentionOutput
                    | BlockTensor::Gate
                    | BlockTensor::Up
                    | BlockTensor::Down
            ),
        }
    }
}
