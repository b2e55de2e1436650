//! Tests of the encoder: files, tokens, states and vectors against plain computations, and errors on bad files.

mod cross_encoder;
mod embedder;
mod minilm;
mod reference;
mod safetensors;
mod tiny;
mod wordpiece;
