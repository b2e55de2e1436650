//! Answers one question with a model file, on the CPU:
//!
//! ```text
//! cargo run --release -p seealso-model --example generate -- model.gguf "What is the capital of France?"
//! ```
//!
//! The answer is streamed; then come the speeds of reading the prompt and of writing, and the most memory in use.
//! `--tokens N` sets the answer's length, `--context N` the cache's, `--threads N` how many work, `--temperature T` and
//! `--seed N` the sampling, `--system TEXT` what the model is told first; `--file PATH` appends a file to the question;
//! `--ids` shows the answer's tokens as numbers; `--gpu` takes the GPU (feature `webgpu`) and tells what it did.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "that is what a command does")]

use std::error::Error;
use std::fs::{self, File};
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::time::Instant;

use futures_executor::block_on;
use seealso_gguf::Message;
use seealso_model::ops::WeightStore;
use seealso_model::ops::flex::FlexStore;
use seealso_model::sample::Sampling;
use seealso_model::{Event, GenerationResult, LoadOptions, Model, Request, SessionOptions};

/// What the command line asks for.
struct Arguments {
    model: String,
    question: String,
    system: String,
    tokens: usize,
    context: usize,
    threads: usize,
    sampling: Sampling,
    ids: bool,
    gpu: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = read_arguments()?;
    let begun = Instant::now();
    let mut shown = 0;
    let mut model = Model::load(
        File::open(&arguments.model)?,
        store(&arguments)?,
        LoadOptions { context: arguments.context },
        SessionOptions::default(),
        &mut |progress| {
            let percent = (100 * progress.done).checked_div(progress.total).unwrap_or(0);
            if percent >= shown + 10 {
                shown = percent;
                eprint!("\rloading: {percent} %");
            }
        },
    )?;
    eprintln!("\rloaded in {:.2} s", begun.elapsed().as_secs_f64());
    let messages = [Message::system(&arguments.system), Message::user(&arguments.question)];
    let prompt = model.language.prompt(&messages)?;
    let (answer, prefill, decode) = answer(&mut model, &arguments, &prompt)?;
    println!();
    report(&answer, prompt.len(), prefill, decode);
    // After the last token there was a pass only where the model ended the answer itself.
    #[cfg(feature = "webgpu")]
    report_counts(answer.tokens.len() - usize::from(answer.finish != seealso_model::Finish::Ended));
    if arguments.ids {
        println!("{:?}", answer.tokens);
    }
    Ok(())
}

/// The CPU, or with `--gpu` the GPU.
fn store(arguments: &Arguments) -> Result<Box<dyn WeightStore>, Box<dyn Error>> {
    #[cfg(feature = "webgpu")]
    if arguments.gpu {
        use seealso_model::ops::gpu::{GpuStore, open};
        return Ok(Box::new(GpuStore::new(block_on(open())?)?));
    }
    if arguments.gpu {
        return Err("build with `--features webgpu` for the GPU".into());
    }
    Ok(Box::new(FlexStore::native_threads(arguments.threads)))
}

/// What a GPU was told to do for the answer.
#[cfg(feature = "webgpu")]
fn report_counts(passes: usize) {
    let counts = seealso_model::ops::gpu::take_counts();
    let each = |count: u64| count as f64 / passes.max(1) as f64;
    eprintln!(
        "GPU, for each token after the first: {:.0} kernels, {:.2} MB of weights, {:.2} MB of keys and values",
        each(counts.dispatches),
        each(counts.weight_bytes) / 1e6,
        each(counts.cache_bytes) / 1e6
    );
}

/// Streams the answer to the terminal; gives it, and the seconds until its first token and after.
fn answer(
    model: &mut Model,
    arguments: &Arguments,
    prompt: &[u32],
) -> Result<(GenerationResult, f64, f64), Box<dyn Error>> {
    let sampling = arguments.sampling.clone();
    let request = Request { prompt, max_tokens: arguments.tokens, sampling, ..Request::default() };
    let begun = Instant::now();
    let mut prefill = 0.0;
    let answer = block_on(model.generate(&request, &mut async |event: Event<'_>| {
        match event {
            Event::PrefillProgress(_) => {
                prefill = begun.elapsed().as_secs_f64();
                // Count from here on.
                #[cfg(feature = "webgpu")]
                seealso_model::ops::gpu::take_counts();
            }
            Event::Drawn(_) => {}
            Event::Text(text) => {
                print!("{text}");
                // A terminal that is gone is no reason to fail.
                let _ = stdout().flush();
            }
        }
        ControlFlow::Continue(())
    }))?;
    Ok((answer, prefill, begun.elapsed().as_secs_f64() - prefill))
}

fn report(answer: &GenerationResult, prompt: usize, prefill: f64, decode: f64) {
    let written = answer.tokens.len();
    eprintln!("prompt: {prompt} tokens in {prefill:.2} s, {:.1} tokens/s", prompt as f64 / prefill);
    // The first token comes of the prompt's last pass.
    let passes = written.saturating_sub(1);
    eprintln!("answer: {written} tokens in {decode:.2} s, {:.1} tokens/s, {:?}", passes as f64 / decode, answer.finish);
    if let Some(peak) = peak_memory() {
        eprintln!("memory: {peak} MB at most");
    }
}

/// The most memory that this process ever had, in megabytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024 / 1_000_000)
}

fn read_arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut arguments = Arguments {
        model: String::new(),
        question: String::new(),
        system: "You are a helpful assistant.".to_owned(),
        tokens: 64,
        context: 2048,
        threads: 1,
        sampling: Sampling::default(),
        ids: false,
        gpu: false,
    };
    let mut plain = Vec::new();
    let mut typed = std::env::args().skip(1);
    while let Some(argument) = typed.next() {
        let mut value = || typed.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--tokens" => arguments.tokens = value()?.parse()?,
            "--context" => arguments.context = value()?.parse()?,
            "--threads" => arguments.threads = value()?.parse()?,
            "--temperature" => arguments.sampling.temperature = value()?.parse()?,
            "--seed" => arguments.sampling.seed = value()?.parse()?,
            "--system" => arguments.system = value()?,
            "--file" => arguments.question = fs::read_to_string(value()?)?,
            "--ids" => arguments.ids = true,
            "--gpu" => arguments.gpu = true,
            _ => plain.push(argument),
        }
    }
    let [model, question] = plain.try_into().map_err(|_| "give a model file and a question")?;
    (arguments.model, arguments.question) = (model, format!("{question}{}", arguments.question));
    Ok(arguments)
}
