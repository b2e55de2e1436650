//! No test passes by ending early: one whose data is missing is skipped, and says why.
//!
//! Of Rust's tests: none returns without a value (`seealso_test_support::skip` is a value), none is ignored, and none looks
//! for test data by itself. Of the browser's: none is defined under a condition, and none ends under one; `test` has an
//! option `skip` for the reason.

use std::path::Path;

use super::{Finding, has_word, test_code};

/// How a Rust test ends early without a word that CI hears.
const SILENT_ENDS: &[&str] =
    &["return;", "return }", "return,", "return Ok(())", "return println!", "return eprintln!"];

/// The variables that name folders of test data. `crates/test-support` reads them, and tests/browser/support/models.mjs.
const DATA: &[&str] = &["SEEALSO_SHARED", "SEEALSO_MODELS"];

/// What gives test data, or the reason why a test is skipped, which goes into `or_skip!` or on to what called.
const DATA_CALLS: &[&str] = &["evaluation_data(", "real_file(", "real_header("];

/// Checks a file of code.
pub(super) fn check(name: &Path, text: &str) -> Vec<Finding> {
    let is_rust = name.extension().is_some_and(|extension| extension == "rs");
    if is_rust {
        return rust(name, text);
    }
    if name.to_string_lossy().ends_with(".test.mjs") { browser(text) } else { Vec::new() }
}

fn rust(name: &Path, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    // What a method does early is its type's business.
    let mut is_method = false;
    let lines = test_code::lines(name, text);
    for (at, &(line, is_test)) in lines.iter().enumerate() {
        if has_word(line, "fn") {
            let next = lines.get(at + 1).map_or("", |(line, _)| line);
            is_method = has_word(line, "self") || line.ends_with('(') && has_word(next, "self");
        }
        if !is_test {
            continue;
        }
        let line = line.split("//").next().unwrap_or_default();
        if !is_method && SILENT_ENDS.iter().any(|end| has_word(line, end)) {
            findings.push((at + 1, "a test ends early in silence: `return seealso_test_support::skip(REASON)`".into()));
        }
        let calls = DATA_CALLS.iter().any(|call| line.contains(call)) && !has_word(line, "fn");
        if calls && !line.contains("or_skip!") && !line.contains(")?") {
            findings.push((at + 1, "the reason why data is missing is lost: `or_skip!` says it".into()));
        }
        if line.trim_start().starts_with("#[ignore") {
            findings.push((at + 1, "a test is ignored".into()));
        }
        if line.contains("env::var") && DATA.iter().any(|variable| line.contains(variable)) {
            findings
                .push((at + 1, "a test looks for its data by itself: seealso-test-support does, and says why".into()));
        }
    }
    findings
}

fn browser(text: &str) -> Vec<Finding> {
    let lines: Vec<&str> = text.lines().collect();
    let mut findings = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let words = line.trim_start();
        let heads = heads(&lines[..at], line);
        let is_condition = |head: &&&str| head.starts_with("if (") || head.starts_with("} else");
        if is_test(words) && heads.iter().any(|head| is_condition(&head)) {
            findings
                .push((at + 1, "a test is defined under a condition: the option `skip` says why it is not run".into()));
        }
        if DATA.iter().any(|variable| line.contains(&format!("process.env.{variable}"))) {
            findings
                .push((at + 1, "a test looks for its data by itself: support/models.mjs does, and says why".into()));
        }
        // A test is ended by `return`, and one is left out by either.
        let ends: &[&str] = match words {
            "return;" => &["test(", "describe("],
            "continue;" => &["describe("],
            _ => continue,
        };
        let outer = heads.iter().find(|head| !is_condition(head) && !head.starts_with("for ("));
        let is_conditional = heads.first().is_some_and(|head| is_condition(&head));
        if is_conditional && outer.is_some_and(|head| ends.iter().any(|end| head.starts_with(end))) {
            findings.push((at + 1, "a test ends early in silence: the option `skip` says why it is not run".into()));
        }
    }
    findings
}

fn is_test(words: &str) -> bool {
    words.starts_with("test(") || words.starts_with("describe(")
}

/// The lines that `line` stands below, by their indentation, the nearest first.
fn heads<'t>(before: &[&'t str], line: &str) -> Vec<&'t str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut depth = indent(line);
    let mut heads = Vec::new();
    for line in before.iter().rev().filter(|line| !line.trim().is_empty()) {
        // What begins by closing something is no head, but for the other branch of a condition.
        let closes = line.trim_start().starts_with(['}', ')', ']']) && !line.contains("else");
        if indent(line) < depth && !closes {
            depth = indent(line);
            heads.push(line.trim_start());
        }
    }
    heads
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::check;

    #[track_caller]
    fn check_lines(name: &str, text: &str, expected: &[usize]) {
        let found: Vec<usize> = check(Path::new(name), text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn rust_tests_end_aloud() {
        let check = |body: &str, expected: &[usize]| {
            check_lines("crates/a/tests/a.rs", &format!("#[test]\nfn a() {{\n{body}\n}}\n"), expected);
        };
        check("    let Some(data) = data() else { return };", &[3]);
        check("    if !there {\n        return;\n    }", &[4]);
        check("    match data() { Some(data) => data, None => return, };", &[3]);
        check("    return eprintln!(\"skipped\");", &[3]);
        check("    return Ok(());", &[3]);
        check("    let Ok(data) = data() else { return skip(\"no data\") };", &[]);
        check("    let data = or_skip!(evaluation_data());", &[]);
        check("    // They return; nothing is lost.", &[]);
        check("    let text = \u{22}return;\u{22};", &[]);
        let lost = |how: &str| format!("    {how} = real{}(file) else {{ continue }};", "_file");
        check(&lost("let Ok(path)"), &[3]);
        check("    let bytes = read(real_file(file)?);", &[]);
        // In two halves, so that this file has none of them.
        check(&format!("    let named = std::env::{}(\"SEEALSO_SHARED\");", "var_os"), &[3]);
        check(&format!("    let named = std::env::{}(\"PATH\");", "var_os"), &[]);
        check_lines("crates/a/tests/a.rs", "#[test]\n#[ignore = \"slow\"]\nfn a() {}", &[2]);
        check_lines("crates/a/tests/a.rs", "fn drop(&mut self) {\n    return;\n}", &[]);
        check_lines("crates/a/tests/a.rs", "fn adapt(\n    &self,\n) {\n    return;\n}", &[]);
        check_lines("crates/a/src/a.rs", "fn a() {\n    return;\n}", &[]);
        check_lines("crates/a/src/a.rs", "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {\n        return;\n", &[5]);
    }

    #[test]
    fn browser_tests_end_aloud() {
        let check = |body: &str, expected: &[usize]| check_lines("tests/browser/a.test.mjs", body, expected);
        check("describe(\"a\", async () => {\n  if (!there) {\n    return;\n  }\n});", &[3]);
        check("test(\"a\", async () => {\n  if (!there) {\n    return;\n  }\n});", &[3]);
        check(
            "describe(\"a\", () => {\n  for (const a of all) {\n    if (!a) {\n      continue;\n    }\n  }\n});",
            &[4],
        );
        check("test(\"a\", () => {\n  for (const a of all) {\n    if (!a) {\n      continue;\n    }\n  }\n});", &[]);
        check("describe(\"a\", () => {\n  if (there) {\n    test(\"b\", () => {});\n  }\n});", &[3]);
        check("describe(\"a\", () => {\n  if (a) {\n    b();\n  } else {\n    test(\"b\", () => {});\n  }\n});", &[5]);
        check("describe(\"a\", () => {\n  if (a) {\n    b();\n  }\n  test(\"b\", () => {});\n});", &[]);
        check("describe(\"a\", () => {\n  for (const a of all) {\n    test(a, { skip }, () => {});\n  }\n});", &[]);
        check("async function to(page) {\n  while (true) {\n    if (fits(page)) {\n      return;\n    }\n  }\n}", &[]);
        check("test(\"a\", () => {\n  serve(() => {\n    if (late) {\n      return;\n    }\n  });\n});", &[]);
        check("  const named = process.env.SEEALSO_MODELS;", &[1]);
        check_lines("tests/browser/support/a.mjs", "  const named = process.env.SEEALSO_MODELS;", &[]);
    }
}
