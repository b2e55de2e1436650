//! `seealso-lab claim-errors`: plants errors in supported claims, and counts how many of them the checks flag.
//!
//! In every supported claim, each kind of value that it has is swapped once, by a seed: a number, date or name that the
//! evidence has, for one that it does not have. Untouched claims that are flagged are false alarms. Figures are of the half
//! of the claims on which no bound was fixed, unless the other half is asked for.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use seealso::{Judge, ScoredJudgement};
use seealso_cli::{
    ClaimJudge, ClaimLine, CommandResult, Completion, FAINT, JudgeArguments, ProgressLine, STRONG, block_on, cell,
    hash, parse_bounds, read_claims, say, share, weigh_claim,
};
use seealso_test_support::Random;
use serde_json::{Value, json};

use crate::swap::{ErrorKind, NamePool, swap};

/// Plant errors in the supported claims of a file, and count how many are flagged: JSON Lines as for `seealso eval claims`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The claims; several files count together.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    judge: JudgeArguments,
    /// The model's bounds: log-odds, or scores of its probe with --probe, from which it supports, and below which it rejects. Its
    /// AUC (0.5 by default) is its weight beside the checks and shared words.
    #[arg(long, value_name = "SUPPORTS,REJECTS[,AUC]", value_parser = parse_bounds, allow_hyphen_values = true, requires = "model")]
    bounds: Option<Judge>,
    /// The seed by which errors are planted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Use the half on which bounds are fixed.
    #[arg(long)]
    tuning: bool,
    /// Also print a line of JSON for each claim; for the tuning half alone.
    #[arg(long, requires = "tuning")]
    each: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// A supported claim: untouched, or with a planted error.
pub(crate) struct PlantedClaim<'l> {
    /// The kind of its error; none where it is untouched.
    pub(crate) error: Option<ErrorKind>,
    pub(crate) claim: String,
    /// The line that it is from.
    pub(crate) line: &'l ClaimLine,
}

/// A number of claims, and how many of them were flagged by the checks alone and by all layers.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    n: usize,
    checks: usize,
    all: usize,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let mut lines = Vec::new();
    for file in &arguments.files {
        lines.extend(read_claims(file)?);
    }
    let model = arguments.judge.open(arguments.bounds)?;
    let claims = plant_errors(&lines, arguments.tuning, arguments.seed);
    let half = if arguments.tuning { "on which bounds are fixed" } else { "that is reported" };
    anyhow::ensure!(!claims.is_empty(), "the half of the claims {half} has no supported claim to plant an error in");
    let counts = block_on(check_all(&claims, model.as_ref(), arguments.each))??;
    let report = report(&counts, model.is_some());
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report)?),
        false => print(&counts, model.is_some()),
    }
    Ok(Completion::Success)
}

/// The supported claims, each untouched and with each kind of error that can be planted in it. The claims are those of the
/// half that bounds are fixed on if `tuning`, else of the half that is reported.
pub(crate) fn plant_errors(lines: &[ClaimLine], tuning: bool, seed: u64) -> Vec<PlantedClaim<'_>> {
    let names = NamePool::of(lines.iter().map(|line| line.claim.as_str()));
    let mut claims = Vec::new();
    let mut seen = Vec::new();
    for line in lines.iter().filter(|line| line.is_supported() && line.is_for_tuning() == tuning) {
        // The same claim with other passages would count twice.
        if seen.contains(&line.claim) {
            continue;
        }
        seen.push(line.claim.clone());
        let planted = |error, claim| PlantedClaim { error, claim, line };
        claims.push(planted(None, line.claim.clone()));
        for kind in ErrorKind::ALL {
            let seed = hash(format!("{seed} {} {}", kind.name(), line.claim).as_bytes());
            let swapped = swap(kind, &line.claim, &line.evidence, &names, &mut Random::new(seed));
            claims.extend(swapped.map(|claim| planted(Some(kind), claim)));
        }
    }
    claims
}

/// Checks all claims, and counts those that are flagged by kind.
async fn check_all(
    claims: &[PlantedClaim<'_>],
    model: Option<&ClaimJudge>,
    each: bool,
) -> anyhow::Result<BTreeMap<&'static str, Count>> {
    let progress = ProgressLine::on_stderr();
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for (at, planted) in claims.iter().enumerate() {
        progress.show(&format!("claim {} of {}", at + 1, claims.len()));
        let by_checks = weigh_claim(&planted.claim, planted.line, None::<&ClaimJudge>).await?;
        let by_all = weigh_claim(&planted.claim, planted.line, model).await?;
        let count = counts.entry(planted.error.map_or("untouched", ErrorKind::name)).or_default();
        count.n += 1;
        count.checks += usize::from(by_checks.judgement.verdict.is_flag());
        count.all += usize::from(by_all.judgement.verdict.is_flag());
        if each {
            say!("{}", claim_json(planted, &by_all));
        }
    }
    Ok(counts)
}

fn claim_json(planted: &PlantedClaim<'_>, scored: &ScoredJudgement) -> Value {
    let judgement = &scored.judgement;
    let check =
        |check: &seealso::CheckResult| json!([check.kind.name(), check.outcome.name(), check.claimed, check.found]);
    json!({
        "kind": planted.error.map_or("untouched", ErrorKind::name), "claim": planted.claim, "verdict": judgement.verdict.code(),
        "log_odds": judgement.log_odds, "covered": scored.covered,
        "checks": judgement.checks.iter().map(check).collect::<Vec<_>>(),
        "passage": judgement.passage.as_ref().map(|passage| &passage.text),
    })
}

/// The counts of all planted errors together.
fn all_errors(counts: &BTreeMap<&'static str, Count>) -> Count {
    let errors = counts.iter().filter(|(name, _)| **name != "untouched").map(|(_, count)| *count);
    errors.fold(Count::default(), |sum, count| Count {
        n: sum.n + count.n,
        checks: sum.checks + count.checks,
        all: sum.all + count.all,
    })
}

fn report(counts: &BTreeMap<&'static str, Count>, model: bool) -> Value {
    let row = |count: &Count| {
        let mut row = json!({ "n": count.n, "checks": share(count.checks, count.n) });
        if model {
            row["all"] = json!(share(count.all, count.n));
        }
        row
    };
    let kinds: BTreeMap<&str, Value> =
        counts.iter().filter(|(name, _)| **name != "untouched").map(|(name, count)| (*name, row(count))).collect();
    let untouched = counts.get("untouched").copied().unwrap_or_default();
    json!({ "flagged": kinds, "planted": row(&all_errors(counts)), "false_alarms": row(&untouched) })
}

fn print(counts: &BTreeMap<&'static str, Count>, model: bool) {
    say!("{STRONG}{:<12}{:>5} {:>7} {:>7}{STRONG:#}", "flagged", "n", "checks", if model { "all" } else { "" });
    let total = all_errors(counts);
    for (name, count) in counts.iter().map(|(name, count)| (*name, count)).chain([("planted", &total)]) {
        let all = if model { cell(share(count.all, count.n)) } else { String::new() };
        say!("{name:<12}{:>5} {:>7} {all:>7}", count.n, cell(share(count.checks, count.n)));
    }
    say!("{FAINT}what is flagged of the untouched claims are false alarms{FAINT:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_share_of_no_errors() {
        let counts = BTreeMap::from([("untouched", Count { n: 4, checks: 1, all: 2 })]);
        let expected = json!({
            "flagged": {}, "planted": { "n": 0, "checks": null, "all": null },
            "false_alarms": { "n": 4, "checks": 0.25, "all": 0.5 },
        });
        assert_eq!(report(&counts, true), expected);
    }
}
