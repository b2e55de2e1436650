//! Every kernel beside plain arithmetic.

use std::ops::ControlFlow;

use burn::tensor::Device;
use seealso_gguf::Kind;
use seealso_model::ops::gpu::{KernelCheck, compare};
use serde_json::json;

use crate::report::Report;
use crate::{Options, shapes};

pub(crate) async fn check(device: &Device, options: &Options, report: &mut Report) {
    let kinds = if options.tiny || options.quick { &shapes::KINDS[..] } else { &Kind::ALL[..] };
    let (mut all, mut wrong, mut worst, mut cut) = (0, 0, 0.0_f64, false);
    let mut rows = Vec::new();
    let mut watch = |kernel: KernelCheck| {
        all += 1;
        wrong += usize::from(!kernel.is_right());
        let off = match &kernel.off {
            Ok(off) => {
                worst = worst.max(*off);
                json!(if off.is_finite() { json!(off) } else { json!("no number") })
            }
            Err(error) => json!(error),
        };
        if !kernel.is_right() {
            eprintln!("WRONG: {} is off by {off}", kernel.kernel);
        }
        rows.push(json!({ "kernel": kernel.kernel, "off": off, "bound": kernel.bound }));
        cut = report.left() < 5.0;
        if cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = compare(device, kinds, &mut watch).await;
    if let Err(error) = &outcome {
        report.is_wrong(format!("the kernels could not be compared: {error}"));
    }
    if wrong > 0 {
        report.is_wrong(format!("{wrong} of {all} kernels give wrong results"));
    }
    let line =
        format!("{all} kernels, {wrong} wrong, the worst off by {worst:.6}{}", if cut { ", cut off" } else { "" });
    let summary =
        json!({ "all": all, "wrong": wrong, "worst": worst, "cut": cut, "error": outcome.err(), "each": rows });
    report.row("kernels", summary, &line);
}
