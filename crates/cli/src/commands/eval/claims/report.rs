//! The figures of `eval claims`, on the terminal and as a report in markdown.

use std::fmt::Write as _;

use seealso::Verdict;
use serde_json::Value;

use super::super::claim_file::LABELS;
use super::super::markdown::{table, text};
use super::super::shares::cell;
use super::LAYERS;
use crate::style::{FAINT, STRONG, say};

/// The verdicts, in the order of columns.
const VERDICTS: [Verdict; 4] = [Verdict::Supported, Verdict::Unsupported, Verdict::Contradicts, Verdict::CannotVerify];

/// A row: the name of a layer or a baseline, and its figures.
type TableRow<'r> = (&'r str, &'r Value);

/// The layers in their order, then the baselines.
fn rows(report: &Value) -> Vec<TableRow<'_>> {
    let layers = LAYERS.into_iter().filter_map(|(name, _)| Some((name, report["layers"].get(name)?)));
    let baselines = [("overlap", "overlap"), ("all_supported", "all supported")];
    let baselines = baselines.into_iter().filter_map(|(key, name)| Some((name, report["baselines"].get(key)?)));
    layers.chain(baselines).collect()
}

/// The labels between which bounds were fixed, from the least supported to the most.
fn labels(report: &Value) -> Vec<&str> {
    report["labels"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// For each label that was reported, how often each verdict was given to its claims.
fn verdicts(report: &Value) -> Vec<(&'static str, Vec<String>)> {
    let counts = LABELS.into_iter().filter_map(|label| Some((label, report["verdicts"].get(label)?)));
    let row =
        |counts: &Value| VERDICTS.map(|verdict| counts[verdict.code()].as_u64().unwrap_or(0).to_string()).to_vec();
    counts.map(|(label, counts)| (label, row(counts))).collect()
}

/// Prints the figures as tables.
pub(super) fn print(report: &Value) {
    say!("{STRONG}{:<14}{:>7} {:>9}  f1{STRONG:#}", "layer", "auc", "accuracy");
    for (name, row) in rows(report) {
        let f1 = labels(report).into_iter().filter_map(|label| Some((label, row["f1"].get(label)?)));
        let f1: Vec<String> = f1.map(|(label, f1)| format!("{label} {}", cell(f1.as_f64()))).collect();
        let [auc, accuracy] = ["auc", "accuracy"].map(|key| cell(row[key].as_f64()));
        say!("{name:<14}{auc:>7} {accuracy:>9}  {}", f1.join(", "));
    }
    let columns: String = VERDICTS.iter().map(|verdict| format!("{:>15}", verdict.code())).collect();
    say!("\n{STRONG}{:<20}{columns}{STRONG:#}", "verdicts by label");
    for (label, counts) in verdicts(report) {
        say!("{label:<20}{}", counts.iter().map(|count| format!("{count:>15}")).collect::<String>());
    }
    let (n, tuned) = (&report["n"], &report["tuned_on"]);
    say!("{FAINT}of {n} claims; bounds were fixed on {tuned} others{FAINT:#}");
}

/// The report.
pub(super) fn page(title: &str, report: &Value) -> String {
    let (n, tuned) = (&report["n"], &report["tuned_on"]);
    let mut page = format!("# Claims of {}\n\n", text(title));
    let _ = writeln!(page, "Figures are of {n} claims; bounds were fixed on {tuned} others.\n");
    figures(&mut page, report);
    bounds(&mut page, report);
    let _ = writeln!(page, "\n## Verdicts\n\nHow often each verdict was given to the claims of each label.\n");
    table(&mut page, "label", &VERDICTS.map(Verdict::code), verdicts(report));
    page
}

fn figures(page: &mut String, report: &Value) {
    let labels = labels(report);
    let f1: Vec<String> = labels.iter().map(|label| format!("F1 {label}")).collect();
    let columns: Vec<&str> = ["AUC", "accuracy"].into_iter().chain(f1.iter().map(String::as_str)).collect();
    let cells = |row: &Value| {
        let f1 = labels.iter().map(|label| &row["f1"][*label]);
        [&row["auc"], &row["accuracy"]].into_iter().chain(f1).map(|number| cell(number.as_f64())).collect()
    };
    table(page, "layer", &columns, rows(report).into_iter().map(|(name, row)| (name, cells(row))));
}

/// The lowest score of each label but the first, and the model's own bounds.
fn bounds(page: &mut String, report: &Value) {
    let by = report["bounds_by"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let columns: Vec<String> =
        labels(report).iter().skip(1).zip(by).map(|(label, by)| format!("{label} ({by})")).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let with_bounds = rows(report).into_iter().filter_map(|(name, row)| Some((name, row["bounds"].as_array()?)));
    let rows = with_bounds.map(|(name, bounds)| (name, bounds.iter().map(|bound| cell(bound.as_f64())).collect()));
    let _ = writeln!(
        page,
        "\n## Bounds\n\nFrom where on a claim has each label; in brackets, what the number tells: how much of the claim is spoken of, \
         how surely all of it is told in full, or, by its score, how surely it is no error.\n"
    );
    table(page, "layer", &columns, rows);
    if let Some(judge) = report.get("judge") {
        let [auc, supports, rejects] = ["auc", "supports", "rejects"].map(|key| cell(judge[key].as_f64()));
        let by = text(judge["by"].as_str().unwrap_or_default());
        let _ = writeln!(
            page,
            "\nThe model judges by its {by}, with an AUC of {auc}: it supports from {supports}, and rejects below {rejects}."
        );
    }
}
