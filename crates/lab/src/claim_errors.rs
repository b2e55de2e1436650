//! `seealso-lab claim-errors`: errors put into supported claims, and how many of them are found.
//!
//! Of every claim that its evidence bears out, each kind of value that it has is swapped once, by a seed: a number, date
//! or name that the evidence has too, for one that it has not. The untouched claims show the false alarms. Figures
//! are of the half of the claims on which no bound was fixed, unless the other half is asked for.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use seealso::{Judge, Weighed};
use seealso_cli::{
    Done, FAINT, JudgeArguments, Line, Outcome, ProgressLine, Remembering, STRONG, block_on, bounds, cell, hash, read,
    say, share, weighed,
};
use serde_json::{Value, json};

use crate::swap::{Kind, Names, Random, swap};

/// Plant errors in the supported claims of a file, and measure how many are found: JSON Lines as for `seealso eval claims`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The claims; several files count together.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    judging: JudgeArguments,
    /// The model's bounds: log-odds from which it supports, and below which it rejects; with --reading, numbers of that. Its AUC
    /// (0.5 where not given) says how much its voice counts beside gates and words.
    #[arg(long, value_name = "SUPPORTS,REJECTS[,AUC]", value_parser = bounds, allow_hyphen_values = true, requires = "model")]
    bounds: Option<Judge>,
    /// Which errors are planted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Use the half on which bounds are fixed.
    #[arg(long)]
    tuning: bool,
    /// Print a line of JSON for each error that is not found and each false alarm; for the tuning half alone.
    #[arg(long, requires = "tuning")]
    each: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// A claim to be judged: untouched, or with an error of a kind.
pub(crate) struct Case<'l> {
    pub(crate) kind: Option<Kind>,
    pub(crate) claim: String,
    pub(crate) line: &'l Line,
}

/// How many there are, and how many were flagged by the gates alone and by all layers.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    n: usize,
    gates: usize,
    all: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut lines = Vec::new();
    for file in &arguments.files {
        lines.extend(read(file)?);
    }
    let model = arguments.judging.open(arguments.bounds)?;
    let cases = cases(&lines, arguments.tuning, arguments.seed);
    let half = if arguments.tuning { "on which bounds are fixed" } else { "that is reported" };
    anyhow::ensure!(!cases.is_empty(), "the half of the claims {half} has no supported claim to plant an error in");
    let counts = block_on(look(&cases, model.as_ref(), arguments.each))??;
    let report = report(&counts, model.is_some());
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report)?),
        false => print(&counts, model.is_some()),
    }
    Ok(Done::Well)
}

/// The supported claims, and what each of them becomes with an error.
pub(crate) fn cases(lines: &[Line], tuning: bool, seed: u64) -> Vec<Case<'_>> {
    let names = Names::of(lines.iter().map(|line| line.claim.as_str()));
    let mut cases = Vec::new();
    let mut done = Vec::new();
    for line in lines.iter().filter(|line| line.is_supported() && line.is_for_tuning() == tuning) {
        // The same claim with other passages would count twice.
        if done.contains(&line.claim) {
            continue;
        }
        done.push(line.claim.clone());
        let case = |kind, claim| Case { kind, claim, line };
        cases.push(case(None, line.claim.clone()));
        for kind in Kind::ALL {
            let seed = hash(format!("{seed} {} {}", kind.name(), line.claim).as_bytes());
            let swapped = swap(kind, &line.claim, &line.evidence, &names, &mut Random::new(seed));
            cases.extend(swapped.map(|claim| case(Some(kind), claim)));
        }
    }
    cases
}

async fn look(
    cases: &[Case<'_>],
    model: Option<&Remembering>,
    tell: bool,
) -> anyhow::Result<BTreeMap<&'static str, Count>> {
    let progress = ProgressLine::new();
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        progress.say(&format!("claim {} of {}", at + 1, cases.len()));
        let alone = weighed(&case.claim, case.line, None::<&Remembering>).await?;
        let all = weighed(&case.claim, case.line, model).await?;
        let count = counts.entry(case.kind.map_or("untouched", Kind::name)).or_default();
        count.n += 1;
        count.gates += usize::from(alone.judgement.verdict.is_flag());
        count.all += usize::from(all.judgement.verdict.is_flag());
        if tell {
            say!("{}", each(case, &all));
        }
    }
    Ok(counts)
}

fn each(case: &Case<'_>, weighed: &Weighed) -> Value {
    let judgement = &weighed.judgement;
    let gate = |gate: &seealso::Gate| json!([gate.kind.name(), gate.outcome.name(), gate.claimed, gate.found]);
    json!({
        "kind": case.kind.map_or("untouched", Kind::name), "claim": case.claim, "verdict": judgement.verdict.code(),
        "log_odds": judgement.log_odds, "covered": weighed.covered,
        "gates": judgement.gates.iter().map(gate).collect::<Vec<_>>(),
        "passage": judgement.passage.as_ref().map(|passage| &passage.text),
    })
}

/// All planted errors together.
fn planted(counts: &BTreeMap<&'static str, Count>) -> Count {
    let errors = counts.iter().filter(|(name, _)| **name != "untouched").map(|(_, count)| *count);
    errors.fold(Count::default(), |sum, count| Count {
        n: sum.n + count.n,
        gates: sum.gates + count.gates,
        all: sum.all + count.all,
    })
}

fn report(counts: &BTreeMap<&'static str, Count>, model: bool) -> Value {
    let row = |count: &Count| {
        let mut row = json!({ "n": count.n, "gates": share(count.gates, count.n) });
        if model {
            row["all"] = json!(share(count.all, count.n));
        }
        row
    };
    let kinds: BTreeMap<&str, Value> =
        counts.iter().filter(|(name, _)| **name != "untouched").map(|(name, count)| (*name, row(count))).collect();
    let untouched = counts.get("untouched").copied().unwrap_or_default();
    json!({ "flagged": kinds, "planted": row(&planted(counts)), "false_alarms": row(&untouched) })
}

fn print(counts: &BTreeMap<&'static str, Count>, model: bool) {
    say!("{STRONG}{:<12}{:>5} {:>7} {:>7}{STRONG:#}", "flagged", "n", "gates", if model { "all" } else { "" });
    let total = planted(counts);
    for (name, count) in counts.iter().map(|(name, count)| (*name, count)).chain([("planted", &total)]) {
        let all = if model { cell(share(count.all, count.n)) } else { String::new() };
        say!("{name:<12}{:>5} {:>7} {all:>7}", count.n, cell(share(count.gates, count.n)));
    }
    say!("{FAINT}what is flagged of the untouched claims are false alarms{FAINT:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_no_error_there_is_no_share() {
        let counts = BTreeMap::from([("untouched", Count { n: 4, gates: 1, all: 2 })]);
        let expected = json!({
            "flagged": {}, "planted": { "n": 0, "gates": null, "all": null },
            "false_alarms": { "n": 4, "gates": 0.25, "all": 0.5 },
        });
        assert_eq!(report(&counts, true), expected);
    }
}
