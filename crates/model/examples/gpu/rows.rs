//! Tokens a second of models of random weights in the shapes of real ones, and where the time goes.

use std::collections::BTreeMap;
use std::time::Instant;

use burn::tensor::Device;
use seealso_gguf::testing::{RandomFile, TinyModel};
use seealso_model::network::{Network as _, Rows};
use seealso_model::ops::gpu::measure::{device_time, wait};
use seealso_model::ops::gpu::overrides::{force_cut, force_wide};
use seealso_model::ops::gpu::timing::{KernelTime, kernel_times};
use seealso_model::ops::gpu::{
    Cut, GpuStore, do_with_half_floats, do_without_half_floats, has_half_floats, take_counts,
};
use seealso_model::sample::GumbelSampling;
use seealso_model::{Decoder, LoadOptions, load};
use serde_json::{Value, json};

use crate::report::Report;
use crate::{Options, shapes};

/// Seconds that a row may take, about; what is left of them is not waited for.
const ROW: f64 = 12.0;

/// How tokens are drawn on the device: as answers are written.
const CHANCE: GumbelSampling = GumbelSampling { temperature: 0.3, seed: 1, penalty: 1.1 };

/// Each shape and kind, at short and long contexts; at the end what prompts cost without half floats.
pub(crate) async fn measure(device: &Device, options: &Options, report: &mut Report) {
    let contexts: &[usize] = if options.tiny { &[32, 300] } else { &[512, 4096] };
    let longest = contexts.last().copied().unwrap_or(0);
    let models = if options.tiny { shapes::tiny(longest).to_vec() } else { shapes::real(longest).to_vec() };
    let models = if options.quick { models[..3].to_vec() } else { models };
    let half = has_half_floats(device);
    for kind in shapes::KINDS {
        for (name, model) in &models {
            if report.left() < 2.0 * ROW {
                report.row(
                    "rows",
                    json!({ "model": name, "kind": kind.to_string(), "skipped": "no time left" }),
                    "no time left",
                );
                continue;
            }
            one(device, options, report, name, &TinyModel { kind, ..model.clone() }, contexts).await;
        }
        if kind == shapes::KINDS[0] && half {
            do_without_half_floats();
            for (name, model) in &models[..2] {
                one(device, options, report, name, &TinyModel { kind, ..model.clone() }, &contexts[..1]).await;
            }
            do_with_half_floats();
        }
        if options.quick {
            break;
        }
    }
}

/// The smallest model's rate of writing alone: for comparing settings.
pub(crate) async fn short(device: &Device, options: &Options, report: &mut Report) {
    let context = if options.tiny { 32 } else { 512 };
    let models = if options.tiny { shapes::tiny(context).to_vec() } else { shapes::real(context).to_vec() };
    let (name, model) = &models[0];
    let rates = async {
        let mut decoder = loaded(device, &TinyModel { kind: shapes::KINDS[0], ..model.clone() }).await?;
        let read = decode_rate(&mut decoder, context, 1.0).await.map_err(|error| error.to_string())?;
        let chained = chained_rate(&mut decoder, context, 1.0).await.map_err(|error| error.to_string())?;
        Ok::<_, String>(json!({ "model": name, "decode_tokens_s": read, "chained_tokens_s": chained }))
    };
    let rates = rates.await;
    report.try_put("short", rates);
}

async fn one(
    device: &Device,
    options: &Options,
    report: &mut Report,
    name: &str,
    model: &TinyModel,
    contexts: &[usize],
) {
    let start = Instant::now();
    let mut decoder = match loaded(device, model).await {
        Ok(decoder) => decoder,
        Err(error) => {
            report.row(
                "rows",
                json!({ "model": name, "kind": model.kind.to_string(), "error": error }),
                &format!("{name}: {error}"),
            );
            return;
        }
    };
    let load = start.elapsed().as_secs_f64();
    for &context in contexts {
        let row = row(device, options, &mut decoder, context).await;
        let mut row = row.unwrap_or_else(|error| json!({ "error": error }));
        for (key, value) in [
            ("model", json!(name)),
            ("kind", json!(model.kind.to_string())),
            ("context", json!(context)),
            ("half_floats", json!(has_half_floats(device))),
            ("load_s", json!(load)),
        ] {
            row[key] = value;
        }
        let line = line(&row);
        report.row("rows", row, &line);
    }
    if model.kind == shapes::KINDS[0] && contexts.len() > 1 {
        let found = cuts(options, &mut decoder, contexts[0]).await;
        report.row("cuts", json!({ "model": name, "cuts": found }), &format!("{name}: {}", json!(found)));
        for half in [true, false].into_iter().filter(|half| !half || has_half_floats(device)) {
            if !half {
                do_without_half_floats();
            }
            for wide in [false, true] {
                let found = tiles(options, &mut decoder, wide).await;
                let line = format!("{name}, wide: {wide}, half floats: {half}: {}", json!(found));
                report.row("tiles", json!({ "model": name, "wide": wide, "half_floats": half, "us": found }), &line);
            }
        }
        do_with_half_floats();
    }
}

/// The microseconds of a prompt's kernels, by wide tiles or others.
async fn tiles(options: &Options, decoder: &mut Decoder, wide: bool) -> BTreeMap<String, f64> {
    force_wide(Some(wide));
    let prompt = prompt(if options.tiny { 64 } else { 1024 });
    let mut found = BTreeMap::new();
    // The first run compiles.
    for _ in 0..2 {
        let (outcome, times) = kernel_times(decoder.forward(0, &prompt, Rows::Last)).await;
        if outcome.is_ok() {
            found = sums(&times);
        }
    }
    force_wide(None);
    found
}

/// The microseconds of kernels, those of the same name and as many workgroups together.
fn sums(times: &[KernelTime]) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for time in times {
        let key = format!("{} {}", time.kernel.split([' ', '(']).next().unwrap_or(""), time.workgroups.0);
        *sums.entry(key).or_default() += (1e7 * time.seconds.unwrap_or(0.0)).round() / 10.0;
    }
    sums
}

/// The microseconds of a token's kernels, by other cuts than the product's.
async fn cuts(options: &Options, decoder: &mut Decoder, position: usize) -> BTreeMap<String, BTreeMap<String, f64>> {
    let mut found = BTreeMap::new();
    let cuts: &[(u32, u32, u32)] = match options.tiny {
        true => &[(8, 8, 4), (16, 4, 1)],
        false => &[(8, 8, 1), (16, 4, 2), (32, 2, 1), (32, 2, 4)],
    };
    for &(lanes, groups, units) in cuts {
        force_cut(Some(Cut { lanes, groups, units }));
        let mut best: BTreeMap<String, f64> = BTreeMap::new();
        // The first run compiles.
        for run in 0..4 {
            let (outcome, times) = kernel_times(decoder.forward(position, &[1], Rows::Last)).await;
            if outcome.is_err() || run == 0 {
                continue;
            }
            for (key, sum) in sums(&times) {
                let least = best.entry(key).or_insert(f64::INFINITY);
                *least = least.min(sum);
            }
        }
        found.insert(format!("{lanes} lanes, {groups} groups, {units} units"), best);
    }
    force_cut(None);
    found
}

/// A model on the device, all of whose kernels were compiled.
async fn loaded(device: &Device, model: &TinyModel) -> Result<Decoder, String> {
    let file = RandomFile::new(model).map_err(|error| error.to_string())?;
    let store = Box::new(GpuStore::new(device.clone())?);
    let loaded = load(file, store, LoadOptions { context: model.context }, &mut |_| ());
    let mut decoder = loaded.map_err(|error| error.to_string())?.1;
    for count in [64, 1] {
        decoder.forward(0, &prompt(count), Rows::Last).await.map_err(|error| error.to_string())?;
    }
    chained_rate(&mut decoder, 0, 0.0).await.map_err(|error| error.to_string())?;
    Ok(decoder)
}

fn prompt(count: usize) -> Vec<u32> {
    (0..count).map(|at| (at * 37 % 251) as u32).collect()
}

async fn row(device: &Device, options: &Options, decoder: &mut Decoder, context: usize) -> Result<Value, String> {
    let mut prefill = serde_json::Map::new();
    for chunk in [256, 512, 2048] {
        if chunk == 256 || chunk / 2 < context {
            let rate = prefill_rate(decoder, context, chunk).await.map_err(|error| error.to_string())?;
            prefill.insert(chunk.min(context).to_string(), json!(rate));
        }
    }
    let seconds = if options.tiny { 0.2 } else { 0.8 };
    let read = decode_rate(decoder, context, seconds).await.map_err(|error| error.to_string())?;
    let chained = chained_rate(decoder, context, seconds).await.map_err(|error| error.to_string())?;
    take_counts();
    let (_, token) = kernel_times(decoder.forward(context, &[1], Rows::Last)).await;
    let counts = take_counts();
    let (_, on_device) = device_time(device, decoder.forward(context, &[1], Rows::Last)).await?;
    let (_, many) = kernel_times(decoder.forward(0, &prompt(context.min(512)), Rows::Last)).await;
    wait(device).await?;
    let sum = |times: &[KernelTime]| times.iter().map(|time| time.seconds.unwrap_or(0.0)).sum::<f64>();
    let bytes = counts.weight_bytes + counts.cache_bytes;
    Ok(json!({
        "prefill_tokens_s": prefill,
        "decode_tokens_s": read, "chained_tokens_s": chained,
        "dispatches": counts.dispatches, "weight_bytes": counts.weight_bytes, "cache_bytes": counts.cache_bytes,
        "chained_gb_s": bytes as f64 * chained / 1e9,
        "token_ms": 1e3 / chained, "token_on_device_ms": on_device.map(|all| 1e3 * all),
        "token_kernels_ms": 1e3 * sum(&token), "prompt_kernels_ms": 1e3 * sum(&many),
        "token_kernels": by_kernel(&token), "prompt_kernels": by_kernel(&many),
    }))
}

/// Tokens a second of reading a prompt of `count` tokens in passes of `chunk`.
async fn prefill_rate(decoder: &mut Decoder, count: usize, chunk: usize) -> Result<f64, seealso_model::Error> {
    let tokens = prompt(count);
    let mut best: f64 = 0.0;
    let all = Instant::now();
    while best == 0.0 || all.elapsed().as_secs_f64() < 0.3 {
        let start = Instant::now();
        for (at, tokens) in tokens.chunks(chunk).enumerate() {
            let is_last = (at + 1) * chunk >= count;
            decoder.forward(at * chunk, tokens, if is_last { Rows::Last } else { Rows::None }).await?;
        }
        best = best.max(count as f64 / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Tokens a second where each token's logits are read back and the token is chosen here.
async fn decode_rate(decoder: &mut Decoder, context: usize, seconds: f64) -> Result<f64, seealso_model::Error> {
    let start = Instant::now();
    let (mut token, mut done) = (1, 0);
    while done == 0 || start.elapsed().as_secs_f64() < seconds {
        let logits = decoder.forward(context + done % 256, &[token], Rows::Last).await?;
        token = GumbelSampling::NONE.draw(&logits, &[]).unwrap_or(0);
        done += 1;
    }
    Ok(done as f64 / start.elapsed().as_secs_f64())
}

/// Tokens a second where the device goes on by itself.
async fn chained_rate(decoder: &mut Decoder, context: usize, seconds: f64) -> Result<f64, seealso_model::Error> {
    let mut so_far = prompt(context + 1);
    let mut next = async |decoder: &mut Decoder| {
        let at = so_far.len() - 1;
        let token = decoder.draw(&so_far[..at], so_far[at], CHANCE).await?;
        so_far.push(token);
        // Back to the beginning before the cache is full.
        so_far.truncate(if so_far.len() > context + 256 { context + 1 } else { so_far.len() });
        Ok::<_, seealso_model::Error>(())
    };
    // The first pass may record the others.
    for _ in 0..8 {
        next(decoder).await?;
    }
    let start = Instant::now();
    let mut done = 0;
    while done < 8 || start.elapsed().as_secs_f64() < seconds {
        next(decoder).await?;
        done += 1;
    }
    let rate = done as f64 / start.elapsed().as_secs_f64();
    decoder.stop_drawing().await;
    Ok(rate)
}

/// The times of kernels, those of the same kernel and as many workgroups together, the longest first.
fn by_kernel(times: &[KernelTime]) -> Vec<Value> {
    let mut all: BTreeMap<(&str, (usize, usize, usize)), (usize, f64, u64)> = BTreeMap::new();
    for time in times {
        let entry = all.entry((&time.kernel, time.workgroups)).or_default();
        *entry = (entry.0 + 1, entry.1 + time.seconds.unwrap_or(0.0), entry.2 + time.bytes);
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    let value =
        |((kernel, workgroups), (count, seconds, bytes)): ((&str, (usize, usize, usize)), (usize, f64, u64))| {
            json!({
                "kernel": kernel, "workgroups": [workgroups.0, workgroups.1, workgroups.2], "count": count,
                "ms": 1e3 * seconds, "us_each": 1e6 * seconds / count as f64, "gb_s": bytes as f64 / seconds / 1e9,
            })
        };
    all.into_iter().map(value).collect()
}

/// A row as a line of a table.
fn line(row: &Value) -> String {
    if let Some(error) = row.get("error") {
        return format!("{} {}: {error}", row["model"], row["kind"]);
    }
    let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    format!(
        "{} {} at {}{}: prompt {}, decode {:.0}, chained {:.0} tokens/s; {} dispatches, {:.1} MB, {:.0} GB/s; a token {:.3} ms, on the \
         device {:.3}, in kernels {:.3}; prompt's kernels {:.1} ms",
        row["model"].as_str().unwrap_or(""),
        row["kind"].as_str().unwrap_or(""),
        row["context"],
        if row["half_floats"] == json!(true) { "" } else { " (floats)" },
        row["prefill_tokens_s"],
        number("decode_tokens_s"),
        number("chained_tokens_s"),
        row["dispatches"],
        (number("weight_bytes") + number("cache_bytes")) / 1e6,
        number("chained_gb_s"),
        number("token_ms"),
        number("token_on_device_ms"),
        number("token_kernels_ms"),
        number("prompt_kernels_ms"),
    )
}
