//! Steps of a long run: each timed, all of them run, and a summary at the end.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::tally::Tally;

/// The steps so far.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Step>,
    tally: Tally,
}

struct Step {
    name: &'static str,
    took: Duration,
    failed: bool,
}

impl Steps {
    /// Runs a step that has no tests to count, and tells whether it succeeded.
    pub(crate) fn run(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> bool {
        self.count(name, |_| work())
    }

    /// Runs a step that counts tests. A step that fails without a failed test counts as one.
    pub(crate) fn count(&mut self, name: &'static str, work: impl FnOnce(&mut Tally) -> Result<()>) -> bool {
        eprintln!("== {name}");
        let start = Instant::now();
        let mut tally = Tally::default();
        let outcome = work(&mut tally);
        let took = start.elapsed();
        let failed = outcome.is_err() || tally.failed > 0;
        if let Err(error) = outcome {
            eprintln!("error: {error:#}");
            tally.failed = tally.failed.max(1);
        }
        self.tally += tally;
        eprintln!("== {}\n", line(name, took, failed));
        self.done.push(Step { name, took, failed });
        !failed
    }

    /// Shows every step, then the counts, and gives the code to exit with.
    pub(crate) fn finish(self) -> ExitCode {
        for step in &self.done {
            println!("{}", line(step.name, step.took, step.failed));
        }
        if self.tally.skipped > 0 {
            println!("{} skipped", self.tally.skipped);
        }
        println!("{}", self.tally);
        if self.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn line(name: &str, took: Duration, failed: bool) -> String {
    let outcome = if failed { "FAILED" } else { "ok" };
    format!("{name:<16} {outcome:<6} {:>7.1} s", took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::Steps;

    #[test]
    fn every_failure_is_counted_once() {
        let mut steps = Steps::default();
        assert!(steps.run("fine", || Ok(())));
        assert!(!steps.run("broken", || bail!("no")));
        assert!(!steps.count("two fail", |tally| {
            (tally.passed, tally.failed) = (5, 2);
            bail!("the runner says so too")
        }));
        assert_eq!(steps.tally.to_string(), "5 passed, 3 failed");
    }
}
