//! What starting kernels and reading back cost, whatever the kernels do.

use std::time::Instant;

use burn::tensor::Device;
use seealso_model::ops::gpu::measure::{read_back, start_idle_kernels, wait};
use serde_json::{Value, json};

use crate::Options;

pub(crate) async fn measure(device: &Device, options: &Options) -> Result<Value, String> {
    let (kernels, reads) = if options.tiny { (200, 20) } else { (4000, 200) };
    start_idle_kernels(device, 10)?;
    wait(device).await?;
    let start = Instant::now();
    start_idle_kernels(device, kernels)?;
    let told = start.elapsed().as_secs_f64();
    wait(device).await?;
    let done = start.elapsed().as_secs_f64();
    let mut read = Vec::new();
    for bytes in [4, 4 * 49_152, 4 * 151_936] {
        read_back(device, bytes, 3).await?;
        let start = Instant::now();
        read_back(device, bytes, reads).await?;
        read.push(json!({ "bytes": bytes, "us": 1e6 * start.elapsed().as_secs_f64() / reads as f64 }));
    }
    let mut chained = Vec::new();
    for (kernels, tries) in [(1, reads), (32, reads / 4), (150, reads / 8)] {
        let start = Instant::now();
        for _ in 0..tries {
            start_idle_kernels(device, kernels)?;
            wait(device).await?;
        }
        chained.push(json!({ "kernels": kernels, "us": 1e6 * start.elapsed().as_secs_f64() / tries as f64 }));
    }
    Ok(json!({
        "kernel_told_us": 1e6 * told / kernels as f64, "kernel_done_us": 1e6 * done / kernels as f64,
        "read_back": read, "kernels_and_wait": chained,
    }))
}
