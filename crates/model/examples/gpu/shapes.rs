//! The shapes of real models.

use seealso_gguf::testing::TinyModel;
use seealso_gguf::{Architecture, Kind};

/// Positions beyond the longest context, for what is written there.
const BEYOND: usize = 512;

/// The models whose shapes are measured, by name: SmolLM2-135M, Qwen2.5-1.5B, Llama-3.2-3B and Qwen3-0.6B.
pub(crate) fn real(context: usize) -> [(&'static str, TinyModel); 4] {
    let common = TinyModel { context: context + BEYOND, ..TinyModel::default() };
    let smollm2 = TinyModel {
        layers: 30,
        width: 576,
        heads: 9,
        kv_heads: 3,
        head_dim: 64,
        ffn_width: 1536,
        vocab: 49_152,
        ..common.clone()
    };
    let qwen3 = TinyModel {
        architecture: Architecture::Qwen3,
        layers: 28,
        width: 1024,
        heads: 16,
        kv_heads: 8,
        head_dim: 128,
        ffn_width: 3072,
        vocab: 151_936,
        ..common.clone()
    };
    let qwen2 = TinyModel {
        architecture: Architecture::Qwen2,
        width: 1536,
        heads: 12,
        kv_heads: 2,
        ffn_width: 8960,
        ..qwen3.clone()
    };
    let llama = TinyModel {
        architecture: Architecture::Llama,
        width: 3072,
        heads: 24,
        ffn_width: 8192,
        vocab: 128_256,
        ..qwen3.clone()
    };
    [("SmolLM2-135M", smollm2), ("Qwen2.5-1.5B", qwen2), ("Llama-3.2-3B", llama), ("Qwen3-0.6B", qwen3)]
}

/// Small ones of the same architectures, for simulated processors.
pub(crate) fn tiny(context: usize) -> [(&'static str, TinyModel); 3] {
    let llama = TinyModel { layers: 2, width: 256, ffn_width: 512, context: context + BEYOND, ..TinyModel::default() };
    let qwen2 = TinyModel { architecture: Architecture::Qwen2, ..llama.clone() };
    let qwen3 = TinyModel { architecture: Architecture::Qwen3, ..llama.clone() };
    [("tiny llama", llama), ("tiny qwen2", qwen2), ("tiny qwen3", qwen3)]
}

/// The kinds of matrices that are measured, the most usual first.
pub(crate) const KINDS: [Kind; 3] = [Kind::Q4_0, Kind::Q8_0, Kind::Q4_K];

/// The models of golden logits: every architecture, every kind, odd sizes.
pub(crate) fn golden() -> Vec<TinyModel> {
    let mut models = Vec::new();
    for kind in Kind::ALL {
        let sizes = TinyModel { kind, ..TinyModel::default() };
        models.push(match matches!(kind, Kind::Q4_K | Kind::Q5_K | Kind::Q6_K) {
            true => TinyModel { width: 256, heads: 4, head_dim: 64, ffn_width: 512, ..sizes },
            false => sizes,
        });
    }
    for architecture in Architecture::ALL {
        models.push(TinyModel { architecture, kind: Kind::Q8_0, layers: 3, tied: false, ..TinyModel::default() });
    }
    models.push(TinyModel {
        architecture: Architecture::Qwen2,
        kind: Kind::Q4_1,
        layers: 2,
        width: 160,
        heads: 5,
        kv_heads: 1,
        head_dim: 32,
        ffn_width: 224,
        vocab: 271,
        ..TinyModel::default()
    });
    models
}
