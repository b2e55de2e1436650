//! What a graphics processor does with the decoder: copies, kernels beside plain arithmetic, golden logits, and tokens a
//! second of models of random weights in the shapes of real ones. `cargo xtask bench gpu` builds it and a folder for
//! machines that have nothing else.
//!
//! ```text
//! gpu golden FILE         write the golden logits, computed here in plain arithmetic
//! gpu run FOLDER OUT …    measure; FOLDER has golden.json, OUT gets report.json
//!     --tiny              shapes and sizes for a simulated processor
//!     --quick             the most important rows alone
//!     --seconds N         stop in time to be done after so many (330)
//!     --tasks N           so many kernels of a command buffer, in place of the product's
//!     --only PART         that part alone: copies, host, golden, rows, short, kernels; may come again
//! ```
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

mod copies;
mod golden;
mod host;
mod kernels;
mod report;
mod rows;
mod shapes;

use std::path::Path;
use std::process::ExitCode;

use burn::tensor::Device;
use futures_executor::block_on;
use report::Report;
use serde_json::json;

/// What is measured, and for how long.
pub(crate) struct Options {
    /// Shapes and sizes for a simulated processor.
    pub(crate) tiny: bool,
    /// The most important rows alone.
    pub(crate) quick: bool,
    /// Seconds for all.
    seconds: f64,
    /// Kernels of one command buffer, where others than the product's are to be tried.
    tasks: Option<usize>,
    /// The parts that are measured; all where there are none.
    only: Vec<String>,
    /// Whether the report is printed.
    json: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["golden", file] => golden::write(Path::new(file)),
        ["run", folder, out, ref options @ ..] => {
            options_of(options).and_then(|options| run(Path::new(folder), Path::new(out), &options))
        }
        _ => Err(
            "usage: gpu golden FILE | gpu run FOLDER OUT [--tiny] [--quick] [--seconds N] [--tasks N] [--only PART] [--json]"
                .into(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options_of(arguments: &[&str]) -> Result<Options, String> {
    let mut options = Options { tiny: false, quick: false, seconds: 330.0, tasks: None, only: Vec::new(), json: false };
    let mut arguments = arguments.iter();
    while let Some(&argument) = arguments.next() {
        let mut value = || arguments.next().copied().ok_or(format!("{argument} lacks its value"));
        match argument {
            "--tiny" => options.tiny = true,
            "--quick" => options.quick = true,
            "--json" => options.json = true,
            "--seconds" => options.seconds = value()?.parse().map_err(|_| "--seconds takes a number")?,
            "--tasks" => options.tasks = Some(value()?.parse().map_err(|_| "--tasks takes a number")?),
            "--only" => options.only.push(value()?.to_owned()),
            _ => return Err(format!("{argument} is no option")),
        }
    }
    Ok(options)
}

/// Measures one part after the other, the most important first; what fails is noted, and the next goes on.
fn run(folder: &Path, out: &Path, options: &Options) -> Result<(), String> {
    let mut report = Report::new(out.join("report.json"), options.seconds, options.json);
    let mut setup = Device::wgpu_options();
    if let Some(tasks) = options.tasks {
        setup = setup.tasks_max(tasks);
    }
    let (device, setup) = match setup.init_with_setup() {
        Ok(opened) => opened,
        Err(error) => {
            report.put(
                "skipped",
                json!(format!("there is no graphics processor here, not even one in software: {error}")),
            );
            return Ok(());
        }
    };
    let info = setup.adapter.get_info();
    report.put("adapter", json!({
        "name": info.name, "driver": info.driver, "driver_info": info.driver_info, "kind": format!("{:?}", info.device_type),
        "backend": format!("{:?}", info.backend),
        "half_floats": seealso_model::ops::gpu::has_half_floats(&device),
        "clock": seealso_model::ops::gpu::measure::has_clock(&device),
        "subgroups": [info.subgroup_min_size, info.subgroup_max_size],
        "binding_bytes": setup.device.limits().max_storage_buffer_binding_size,
        "storage_buffers": setup.device.limits().max_storage_buffers_per_shader_stage,
        "features": format!("{:?}", setup.adapter.features()),
    }));
    let is_asked = |part: &str| options.only.is_empty() || options.only.iter().any(|only| only == part);
    if is_asked("copies") {
        let copies = copies::measure(&setup, options);
        report.try_put("copies", copies);
    }
    if is_asked("host") {
        report.try_put("host", block_on(host::measure(&device, options)));
    }
    if is_asked("golden") {
        block_on(golden::check(&device, &folder.join("golden.json"), &mut report));
    }
    if is_asked("rows") {
        block_on(rows::measure(&device, options, &mut report));
    }
    if options.only.iter().any(|only| only == "short") {
        block_on(rows::short(&device, options, &mut report));
    }
    if is_asked("kernels") {
        block_on(kernels::check(&device, options, &mut report));
    }
    report.finish()
}
