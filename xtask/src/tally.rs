//! How many tests passed and failed, read from the closing lines of the test runners.

use std::fmt;
use std::ops::AddAssign;

/// Counts of tests, summed over runners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that ran and held.
    pub(crate) passed: u64,
    /// Tests that failed or were cut off, and steps that failed without naming a test.
    pub(crate) failed: u64,
    /// Tests that were not run.
    pub(crate) skipped: u64,
}

impl Tally {
    /// Reads a line of `cargo test`, such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    pub(crate) fn read_cargo(&mut self, line: &str) {
        let Some(rest) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        let counts = rest.split_once(". ").map_or("", |(_, counts)| counts);
        for part in counts.split("; ") {
            let Some((number, what)) = part.split_once(' ') else {
                continue;
            };
            self.count(what, number);
        }
    }

    /// Reads a line of `node --test`, such as `ℹ pass 3`, or `# pass 3` in its other form.
    pub(crate) fn read_node(&mut self, line: &str) {
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
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
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
}
