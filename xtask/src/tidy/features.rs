//! The list of features names tests that exist: `` `name` in [file](path) ``, or several names before one file.

use std::fs;
use std::path::Path;

use super::Finding;

/// The document.
const LIST: &str = "docs/features.md";
/// What stands in a name for a part that differs between tests.
const VARIES: char = '…';
/// What stands between the names and the link to their file.
const IN_FILE: &str = " in [";

/// Checks the document `text`, which stands at `path` and is called `name` from the repository's root.
pub(super) fn check(name: &Path, path: &Path, text: &str) -> Vec<Finding> {
    if name != Path::new(LIST) {
        return Vec::new();
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let has_test = |(test, file): &(&str, &str)| {
        fs::read_to_string(folder.join(file)).is_ok_and(|code| code.lines().any(|line| declares(line, test)))
    };
    let mut findings = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with('|')) {
        let absent = cited_tests(line).into_iter().filter(|cited| !has_test(cited));
        findings.extend(absent.map(|(test, file)| (number + 1, format!("no test `{test}` in {file}"))));
    }
    findings
}

/// The tests that a row cites, each with the file that it should be in.
fn cited_tests(row: &str) -> Vec<(&str, &str)> {
    let mut cited = Vec::new();
    // Each part holds the link to a file, and then the names before the next link.
    let parts: Vec<&str> = row.split(IN_FILE).collect();
    for pair in parts.windows(2) {
        let last_cell = pair[0].rsplit('|').next().unwrap_or_default();
        let target = pair[1].split_once("](").and_then(|(_, rest)| rest.split(')').next()).unwrap_or_default();
        // Every second part between backticks is a name.
        cited.extend(last_cell.split('`').skip(1).step_by(2).map(|test| (test, target)));
    }
    cited
}

/// Whether a line of Rust or JavaScript declares the test.
fn declares(line: &str, test: &str) -> bool {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix("fn ").or_else(|| line.strip_prefix("async fn ")) {
        return rest.strip_prefix(test).is_some_and(|rest| rest.starts_with('('));
    }
    // A test in a table begins a row with its name.
    let quoted = ["test(", "it(", "["].iter().find_map(|begin| line.strip_prefix(begin)).unwrap_or_default();
    let (Some(quote), mut rest) = (quoted.chars().next(), quoted.get(1..).unwrap_or_default()) else { return false };
    let parts: Vec<&str> = test.split(VARIES).collect();
    for (place, part) in parts.iter().enumerate() {
        match rest.find(part) {
            Some(at) if place > 0 || at == 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.starts_with(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_with_the_file_behind_them() {
        let row = "| 1 | `x` of it | `one`, `two` in [a.rs](../a.rs), `a page … so` in [b.mjs](../b.mjs) |";
        assert_eq!(cited_tests(row), [("one", "../a.rs"), ("two", "../a.rs"), ("a page … so", "../b.mjs")]);
        assert!(cited_tests("| 2 | a `switch` | not yet |").is_empty());
    }

    #[test]
    fn tests_are_known_by_their_declarations() {
        for (line, test, expected) in [
            ("    fn one() {", "one", true),
            ("fn one_more() {", "one", false),
            ("    one();", "one", false),
            ("  test(\"is offered\", async (t) => {", "is offered", true),
            ("  test(\"is offered twice\", async (t) => {", "is offered", false),
            ("    [\"is refused\", \"plain.html\"],", "is refused", true),
            ("  test(`that are ${what} cost`, async (t) => {", "that are … cost", true),
            ("  test(`those that are ${what} cost`, async (t) => {", "that are … cost", false),
            ("// is offered", "is offered", false),
        ] {
            assert_eq!(declares(line, test), expected, "{line}");
        }
    }
}
