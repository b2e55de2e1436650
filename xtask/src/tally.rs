//! How many tests passed, failed and were skipped, read from what the test runners print.

use std::fmt;
use std::ops::AddAssign;

/// What a line of a skipped Rust test begins with; `seealso-test-support` writes it.
const SKIPPED: &str = "skipped: ";

/// Counts of tests, summed over runners.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that ran and held.
    pub(crate) passed: u64,
    /// Tests that failed or were cut off, and steps that failed without naming a test.
    pub(crate) failed: u64,
    /// Tests that were not run.
    pub(crate) skipped: u64,
    /// Those of them that say why.
    pub(crate) reasons: Vec<Skip>,
    /// Skipped tests that the running test binary will count as passed.
    uncounted: u64,
}

/// A test that was not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skip {
    /// Its name, with its file where that is known.
    pub(crate) test: String,
    /// Why it was not run.
    pub(crate) reason: String,
}

impl Tally {
    /// Notes a test that was not run.
    pub(crate) fn skip(&mut self, test: &str, reason: &str) {
        self.skipped += 1;
        self.reasons.push(Skip { test: test.to_owned(), reason: reason.to_owned() });
    }

    /// Reads a line of `cargo test`: `skipped: FILE TEST: REASON`, or the last one of a test binary, such as
    /// `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    pub(crate) fn read_cargo(&mut self, line: &str) {
        let line = line.trim();
        if let Some((test, reason)) = line.strip_prefix(SKIPPED).and_then(|rest| rest.split_once(": ")) {
            // A test may come to several things that are missing.
            if self.reasons.iter().all(|known| known.test != test) {
                self.skip(test, reason);
                self.uncounted += 1;
            }
        } else if let Some(rest) = line.strip_prefix("test result: ") {
            let counts = rest.split_once(". ").map_or("", |(_, counts)| counts);
            for part in counts.split("; ") {
                if let Some((number, what)) = part.split_once(' ') {
                    self.count(what, number);
                }
            }
            // To its runner, a test that ends early has passed.
            self.passed = self.passed.saturating_sub(std::mem::take(&mut self.uncounted));
        }
    }

    /// Reads a line of `node --test`: `﹣ TEST (1.2ms) # REASON` of a test that was skipped, or a count, such as `ℹ pass 3`,
    /// or `# pass 3` in its other form. Skipped tests are counted by the counts.
    pub(crate) fn read_node(&mut self, line: &str) {
        if let Some((test, reason)) = line.trim().strip_prefix("﹣ ").and_then(|rest| rest.split_once(" # ")) {
            let test = test.rsplit_once(" (").map_or(test, |(test, _)| test);
            self.reasons.push(Skip { test: test.to_owned(), reason: reason.to_owned() });
            return;
        }
        let mut words = line.split_whitespace();
        if let (Some("ℹ" | "#"), Some(what), Some(number), None) =
            (words.next(), words.next(), words.next(), words.next())
        {
            self.count(what, number);
        }
    }

    fn count(&mut self, what: &str, number: &str) {
        let Ok(number) = number.parse::<u64>() else {
            return;
        };
        match what {
            "passed" | "pass" => self.passed += number,
            "failed" | "fail" | "cancelled" => self.failed += number,
            "ignored" | "skipped" | "todo" => self.skipped += number,
            _ => {}
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.reasons.extend(other.reasons);
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{SKIPPED}{}: {}", self.test, self.reason)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.skipped > 0 {
            writeln!(to, "{} skipped", self.skipped)?;
        }
        write!(to, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn closing_lines_are_read() {
        let check = |line: &str, expected: (u64, u64, u64)| {
            let mut tally = Tally::default();
            tally.read_cargo(line);
            tally.read_node(line);
            assert_eq!((tally.passed, tally.failed, tally.skipped), expected, "{line}");
        };
        check(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s",
            (12, 0, 1),
        );
        check(
            "test result: FAILED. 2 passed; 5 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s",
            (2, 5, 0),
        );
        check("ℹ pass 7", (7, 0, 0));
        check("# fail 2", (0, 2, 0));
        check("ℹ cancelled 1", (0, 1, 0));
        check("ℹ skipped 4", (0, 0, 4));
        check("ℹ duration_ms 812.3", (0, 0, 0));
        check("# pass 3 times", (0, 0, 0));
        check("test a::b ... ok", (0, 0, 0));
        check("", (0, 0, 0));
    }

    #[test]
    fn skipped_tests_of_cargo_have_not_passed() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "skipped: crates/a/tests/a.rs one: no data: none",
            "test one ... ok",
            "skipped: crates/a/tests/a.rs two: no model",
            "skipped: crates/a/tests/a.rs two: no other model",
            "test two ... ok",
            "test three ... ok",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ] {
            tally.read_cargo(line);
        }
        assert_eq!((tally.passed, tally.failed, tally.skipped), (3, 0, 2));
        let said: Vec<String> = tally.reasons.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            ["skipped: crates/a/tests/a.rs one: no data: none", "skipped: crates/a/tests/a.rs two: no model"]
        );
        assert_eq!(tally.to_string(), "2 skipped\n3 passed, 0 failed");
    }

    #[test]
    fn skipped_tests_of_node_say_why() {
        let mut tally = Tally::default();
        for line in [
            "▶ a real model",
            "  ﹣ answers (a question) (0.57ms) # no smollm2: it was not fetched # here",
            "✔ a real model (13.4ms)",
            "ℹ pass 0",
            "ℹ skipped 1",
        ] {
            tally.read_node(line);
        }
        assert_eq!((tally.passed, tally.failed, tally.skipped), (0, 0, 1));
        let said: Vec<String> = tally.reasons.iter().map(ToString::to_string).collect();
        assert_eq!(said, ["skipped: answers (a question): no smollm2: it was not fetched # here"]);
    }
}
