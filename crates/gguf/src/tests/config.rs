//! Configurations of tiny models, and of such that are missing something.

use seealso_test_support::or_skip;

use crate::testing::{TinyModel, Writer};
use crate::{
    Architecture, BlockTensor, Error, Header, HeaderProgress, Kind, ModelConfig, Role, Rope, RopeLayout, RopeScaling,
    Value, read_all,
};

fn header(file: &[u8]) -> Header {
    match Header::parse(file).unwrap() {
        HeaderProgress::Done(header, _) => header,
        HeaderProgress::NeedMore { .. } => panic!("the whole file was given"),
    }
}

/// A file's values and tensors, to be written again with changes.
fn copy(file: &[u8], keep: impl Fn(&str) -> bool) -> Writer {
    let mut writer = Writer::new();
    let header = read_all::<Error>(file, &mut |tensor, bytes| {
        if keep(&tensor.name) {
            writer.raw_tensor(&tensor.name, tensor.shape(), tensor.kind, bytes.to_vec());
        }
        Ok(())
    })
    .unwrap();
    for (key, value) in header.metadata.iter().filter(|(key, _)| keep(key)) {
        writer.value(key, value.clone());
    }
    writer
}

fn tiny(architecture: Architecture) -> Vec<u8> {
    TinyModel { architecture, ..TinyModel::default() }.write().unwrap()
}

/// What is said of a tiny llama after a change.
fn error_after(change: impl Fn(&mut Writer)) -> String {
    let mut writer = copy(&tiny(Architecture::Llama), |_| true);
    change(&mut writer);
    ModelConfig::from_header(&header(&writer.finish())).unwrap_err().to_string()
}

#[test]
fn each_architecture_has_its_own_ways() {
    let table = [
        (Architecture::Llama, RopeLayout::Interleaved, false, false),
        (Architecture::Qwen2, RopeLayout::Halves, false, true),
        (Architecture::Qwen3, RopeLayout::Halves, true, false),
    ];
    for (architecture, layout, qk_norm, qkv_bias) in table {
        let config = ModelConfig::from_header(&header(&tiny(architecture))).unwrap();
        let expected = ModelConfig {
            architecture,
            name: Some("tiny".into()),
            layers: 1,
            width: 64,
            heads: 4,
            kv_heads: 2,
            head_dim: 16,
            ffn_width: 96,
            rope: Rope { theta: 10_000.0, layout, dimensions: 16, scaling: RopeScaling::None },
            norm_epsilon: 1e-5,
            context: 128,
            vocab: 264,
            tied: true,
            qk_norm,
            qkv_bias,
        };
        assert_eq!(config, expected);
        assert_eq!((config.query_width(), config.kv_width()), (64, 32));
    }
}

#[test]
fn every_tensor_has_a_role() {
    let file = header(&TinyModel { layers: 11, tied: false, ..TinyModel::default() }.write().unwrap());
    let config = ModelConfig::from_header(&file).unwrap();
    let roles: Vec<Role> = ModelConfig::roles(&file).into_iter().flatten().collect();
    assert_eq!(roles, config.needed().collect::<Vec<_>>());
    assert_eq!(roles.len(), file.tensors.len());
    assert_eq!(Role::of("blk.10.ffn_up.weight"), Some(Role::Block(10, BlockTensor::Up)));
    for name in ["blk.01.ffn_up.weight", "blk.+1.ffn_up.weight", "blk..ffn_up.weight", "blk.1.ffn_up", "rope", ""] {
        assert_eq!(Role::of(name), None, "{name}");
    }
}

#[test]
fn scaling_of_positions() {
    let scaling = |change: &dyn Fn(&mut Writer)| {
        let mut writer = copy(&tiny(Architecture::Llama), |_| true);
        change(&mut writer);
        ModelConfig::from_header(&header(&writer.finish())).map(|config| config.rope.scaling)
    };
    let linear = |writer: &mut Writer| {
        writer.text("llama.rope.scaling.type", "linear").value("llama.rope.scaling.factor", Value::Float(4.0));
    };
    let factors = |writer: &mut Writer| {
        writer.tensor("rope_freqs.weight", &[8], Kind::F32, &[1.0; 8]).unwrap();
    };
    let yarn = |writer: &mut Writer| {
        writer.text("llama.rope.scaling.type", "yarn");
    };
    assert_eq!(scaling(&linear), Ok(RopeScaling::Linear(4.0)));
    assert_eq!(scaling(&factors), Ok(RopeScaling::Factors));
    assert!(scaling(&yarn).unwrap_err().to_string().contains("rotary scaling `yarn`"));
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let gemma = error_after(|writer| {
        writer.text("general.architecture", "gemma3");
    });
    assert!(gemma.contains("architecture `gemma3`") && gemma.contains("llama, qwen2, qwen3"), "{gemma}");
    let experts = error_after(|writer| {
        writer.number("llama.expert_count", 8);
    });
    assert!(experts.contains("a mixture of experts"), "{experts}");
    let extra = error_after(|writer| {
        writer.tensor("blk.0.attn_sinks.weight", &[4], Kind::F32, &[0.0; 4]).unwrap();
    });
    assert!(extra.contains("a tensor `blk.0.attn_sinks.weight`"), "{extra}");
}

#[test]
fn absurd_values_are_refused_by_key() {
    let table: [(&str, Value, &str); 9] = [
        ("llama.block_count", Value::Unsigned(0), "`llama.block_count`"),
        ("llama.block_count", Value::Unsigned(u64::MAX), "`llama.block_count`"),
        ("llama.block_count", Value::Unsigned(2), "`blk.1.attn_norm.weight`"),
        ("llama.attention.head_count_kv", Value::Unsigned(3), "a divisor of the number of heads"),
        ("llama.attention.key_length", Value::Unsigned(15), "sizes"),
        ("llama.embedding_length", Value::Unsigned(128), "its shape is [64, 264], not [128, 264]"),
        ("llama.attention.layer_norm_rms_epsilon", Value::Float(f64::NAN), "layer_norm_rms_epsilon"),
        ("llama.rope.freq_base", Value::Float(0.0), "llama.rope.freq_base"),
        ("llama.rope.dimension_count", Value::Unsigned(18), "llama.rope.dimension_count"),
    ];
    for (key, value, message) in table {
        let error = error_after(|writer| {
            writer.value(key, value.clone());
        });
        assert!(error.contains(message), "{error:?} does not say {message:?}");
    }
}

#[test]
fn a_missing_tensor_or_value_is_named() {
    for architecture in Architecture::ALL {
        let file = tiny(architecture);
        let whole = header(&file);
        let names = whole.tensors.iter().map(|tensor| tensor.name.clone());
        let prefix = format!("{}.", architecture.name());
        let keys = ["block_count", "embedding_length", "attention.head_count", "feed_forward_length", "context_length"]
            .map(|key| format!("{prefix}{key}"));
        for missing in names.chain(keys) {
            let cut = header(&copy(&file, |name| name != missing).finish());
            let error = ModelConfig::from_header(&cut).unwrap_err().to_string();
            assert!(error.contains(&missing), "{error:?} does not name {missing}");
        }
    }
}

#[test]
fn quantised_norms_are_refused() {
    let mut writer = copy(&tiny(Architecture::Llama), |name| name != "output_norm.weight");
    writer.tensor("output_norm.weight", &[64], Kind::Q8_0, &[1.0; 64]).unwrap();
    let error = ModelConfig::from_header(&header(&writer.finish())).unwrap_err().to_string();
    assert!(error.contains("`output_norm.weight`") && error.contains("quantised (Q8_0)"), "{error}");
}

#[test]
fn smollm2_is_what_it_is() {
    let header = or_skip!(super::real_header("smollm2.gguf"));
    let config = ModelConfig::from_header(&header).unwrap();
    assert_eq!((config.layers, config.width, config.heads, config.kv_heads, config.head_dim), (30, 576, 9, 3, 64));
    assert_eq!((config.ffn_width, config.vocab, config.context, config.tied), (1536, 49_152, 8192, true));
    assert_eq!((config.rope.theta, config.rope.layout), (100_000.0, RopeLayout::Interleaved));
}

#[test]
fn qwen_is_what_it_is() {
    let header = or_skip!(super::real_header("qwen.gguf"));
    let config = ModelConfig::from_header(&header).unwrap();
    assert_eq!((config.layers, config.width, config.heads, config.kv_heads, config.head_dim), (24, 896, 14, 2, 64));
    assert_eq!((config.ffn_width, config.vocab, config.context, config.qkv_bias), (4864, 151_936, 32_768, true));
    assert_eq!((config.rope.theta, config.rope.layout), (1_000_000.0, RopeLayout::Halves));
}
