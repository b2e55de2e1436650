//! Embeds the lines of standard input with a model's folder, and says how many a second:
//! `cargo run --release -p seealso-model --example embed -- models/minilm < lines.txt`.
//!
//! Each line comes back with its nearest other line.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs::{File, read};
use std::io::stdin;
use std::path::PathBuf;
use std::time::Instant;

use burn::tensor::Device;
use futures_executor::block_on;
use seealso_model::Embedder;
use seealso_model::encoder::{BertEmbedder, EmbedderOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("say which folder the model is in")?);
    let file = |name: &str| folder.join(name);
    let (config, tokenizer) = (read(file("config.json"))?, read(file("tokenizer.json"))?);
    let weights = File::open(file("model.safetensors"))?;
    let options = EmbedderOptions::new("example");
    let embedder = BertEmbedder::load(&config, &tokenizer, weights, Device::flex(), options)?;

    let lines: Vec<String> = stdin().lines().collect::<Result<_, _>>()?;
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    let start = Instant::now();
    let vectors = block_on(embedder.embed(&texts))?;
    let seconds = start.elapsed().as_secs_f64();
    for (text, vector) in texts.iter().zip(&vectors) {
        let cosine = |other: &[f32]| vector.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
        let others = texts.iter().zip(&vectors).filter(|(other, _)| other != &text);
        let nearest = others.map(|(other, vector)| (cosine(vector), other)).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((cosine, nearest)) = nearest {
            println!("{cosine:.3}  {text}\n       {nearest}");
        }
    }
    println!("{} texts in {seconds:.2} s: {:.1} a second", texts.len(), texts.len() as f64 / seconds);
    Ok(())
}
