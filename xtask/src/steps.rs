//! Steps of a long run: each timed, all of them run, and a summary at the end: the steps, the tests that were skipped and
//! why, how long it all took, and the counts.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::tally::Tally;

/// The steps so far.
pub(crate) struct Steps {
    start: Instant,
    build: Build,
    done: Vec<Step>,
    tally: Tally,
}

/// What was compiled before the first step, which most of the time depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// Nothing of the project but xtask.
    Cold,
    /// A part of the project, at least.
    Warm,
}

impl Build {
    /// What the target folder holds.
    fn of(target: &Path) -> Build {
        let holds = |profile: &str| {
            let listing = fs::read_dir(target.join(profile).join("deps")).into_iter().flatten().flatten();
            listing.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("libseealso"))
        };
        if holds("debug") || holds("release") { Build::Warm } else { Build::Cold }
    }
}

struct Step {
    name: &'static str,
    took: Duration,
    failed: bool,
}

impl Steps {
    /// No steps yet. `target` is the folder that they build into.
    pub(crate) fn new(target: &Path) -> Steps {
        Steps { start: Instant::now(), build: Build::of(target), done: Vec::new(), tally: Tally::default() }
    }

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

    /// Shows every step, every test that was skipped with its reason, the time, then the counts; gives the code to exit with.
    pub(crate) fn finish(self) -> ExitCode {
        for step in &self.done {
            println!("{}", line(step.name, step.took, step.failed));
        }
        for skip in &self.tally.reasons {
            println!("{skip}");
        }
        println!("{}", minutes(self.start.elapsed(), self.build));
        println!("{}", self.tally);
        if self.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// How long a run took, and from what.
fn minutes(took: Duration, build: Build) -> String {
    let from = match build {
        Build::Cold => "cold: nothing of the project had been compiled",
        Build::Warm => "warm: the target folder held earlier builds",
    };
    format!("{:.1} minutes, {from}", took.as_secs_f64() / 60.0)
}

fn line(name: &str, took: Duration, failed: bool) -> String {
    let outcome = if failed { "FAILED" } else { "ok" };
    format!("{name:<16} {outcome:<6} {:>7.1} s", took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;
    use std::{env, fs, process};

    use anyhow::bail;

    use super::{Build, Steps, minutes};

    #[test]
    fn every_failure_is_counted_once() {
        let mut steps = Steps::new(Path::new("none"));
        assert!(steps.run("fine", || Ok(())));
        assert!(!steps.run("broken", || bail!("no")));
        assert!(!steps.count("two fail", |tally| {
            (tally.passed, tally.failed) = (5, 2);
            bail!("the runner says so too")
        }));
        assert_eq!(steps.tally.to_string(), "5 passed, 3 failed");
    }

    #[test]
    fn a_build_is_cold_until_a_crate_of_the_project_is_there() {
        let target = env::temp_dir().join(format!("seealso-xtask-steps-{}", process::id()));
        assert_eq!(Build::of(&target), Build::Cold);
        for (file, expected) in [
            ("debug/deps/xtask-0f", Build::Cold),
            ("debug/deps/libserde-0f.rlib", Build::Cold),
            ("release/deps/libseealso_index-0f.rlib", Build::Warm),
        ] {
            let file = target.join(file);
            fs::create_dir_all(file.parent().expect("it has a folder")).expect("a folder can be made");
            fs::write(&file, "").expect("a file can be written");
            assert_eq!(Build::of(&target), expected, "{}", file.display());
        }
        fs::remove_dir_all(target).expect("the folder can be removed");
    }

    #[test]
    fn the_time_says_what_it_began_with() {
        let check = |seconds: u64, build: Build, expected: &str| {
            assert_eq!(minutes(Duration::from_secs(seconds), build), expected);
        };
        check(90, Build::Warm, "1.5 minutes, warm: the target folder held earlier builds");
        check(2406, Build::Cold, "40.1 minutes, cold: nothing of the project had been compiled");
    }
}
