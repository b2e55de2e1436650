//! The code path is the same for every tier: a tier's name is compared with nothing outside of its table. What differs
//! between tiers is a column of the table, which code reads without asking which tier it is.

use std::path::Path;

use super::{Finding, has_word, test_code};

/// The tables: of what a tier reads and writes, and of what it asks of a device.
const TABLES: &[&str] = &["src/tier.rs", "www/seealso/model/tier.js"];

/// What variables and fields that hold a tier are called.
const WORD: &str = "tier";

/// What compares a variant, on the line that names it.
const COMPARISONS: &[&str] = &["=>", "==", "!=", ">=", "<=", "matches!", "if let", "while let"];

/// Checks a file of code. Tests may name tiers.
pub(super) fn check(name: &Path, text: &str) -> Vec<Finding> {
    let is_rust = name.extension().is_some_and(|extension| extension == "rs");
    let is_script = name.starts_with("www") || name.starts_with("src");
    if TABLES.iter().any(|table| name == Path::new(table)) || !(is_rust || is_script) {
        return Vec::new();
    }
    let branches: fn(&str) -> bool = if is_rust { rust } else { script };
    let lines = test_code::lines(name, text).into_iter().enumerate();
    let found = lines.filter(|(_, (line, is_test))| !is_test && branches(line));
    found.map(|(at, _)| (at + 1, "code branches on a tier: what differs is a column of its table".into())).collect()
}

/// Whether a line of Rust matches on a tier, compares or orders it, or names a variant in a pattern.
fn rust(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let names_variant = has_word(code, "Tier") && code.contains("Tier::");
    let matched = code.split_once("match ").is_some_and(|(_, value)| has_word(value, WORD));
    let compared = behind(code, WORD).any(|rest| starts_comparison(rest) || rest.starts_with(" as "));
    names_variant && COMPARISONS.iter().any(|mark| code.contains(mark)) || matched || compared
}

/// Whether a line of JavaScript compares a tier with a name, or switches on it.
fn script(line: &str) -> bool {
    let compared = behind(line, WORD).any(|rest| starts_comparison(rest) && rest.contains('"'));
    compared || line.contains("switch (") && has_word(line, WORD)
}

fn starts_comparison(rest: &str) -> bool {
    let rest = rest.trim_start_matches([')', ' ']);
    ["==", "!=", "<", ">"].iter().any(|mark| rest.starts_with(mark))
}

/// What stands behind each `word` of a line.
fn behind<'t>(line: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let is_whole = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    line.match_indices(word).filter(move |(at, _)| is_whole(*at)).map(move |(at, _)| &line[at + word.len()..])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::check;

    #[test]
    fn branches_are_found() {
        let check = |name: &str, line: &str, expected: bool| {
            assert_eq!(!check(Path::new(name), line).is_empty(), expected, "{name}: {line}");
        };
        let rust = "crates/a/src/a.rs";
        check(rust, "match tier {", true);
        check(rust, "match config.tier {", true);
        check(rust, "    Tier::Micro | Tier::Small => 1,", true);
        check(rust, "if self.tier == Tier::Micro {", true);
        check(rust, "if let Tier::Micro = tier {", true);
        check(rust, "if matches!(tier, Tier::Micro) {", true);
        check(rust, "if tier >= Tier::Large {", true);
        check(rust, "let row = ROWS[tier as usize];", true);
        check(rust, "let tier = Tier::named(name)?;", false);
        check(rust, "if tier.reading().unsure {", false);
        check(rust, "let small = bytes.filter(|bytes| *bytes < MICRO_BYTES).map(|_| Tier::Micro);", false);
        check(rust, "// Tier::Micro == small", false);
        check(rust, "fn frontier() -> bool { frontier == 1 }", false);
        check("crates/a/tests/a.rs", "assert!(tier == Tier::Micro);", false);
        check("src/tier.rs", "match self { Tier::Micro => 1 }", false);
        check("www/a.js", "if (settings.tier === \"micro\") {", true);
        check("www/a.js", "switch (tier) {", true);
        check("www/a.js", "if (chat.tier !== tier) {", false);
        check("www/a.js", "if (tier !== null) {", false);
        check("www/seealso/model/tier.js", "if (tier === \"micro\") {", false);
    }
}
