//! What the compiler does not check of the repository: every source file says what it is for,
//! nothing unfinished is left in, documents are as [`documents`] and [`reading_path`] say, the page of the public API as [`api`]
//! says, tests that [`features`] looks for are there, tests end as [`skips`] says, tiers stand in tables, as [`tiers`] says, and files use each other one way, as [`circles`] says.

mod api;
mod circles;
mod documents;
mod features;
mod reading_path;
mod skips;
mod test_code;
mod tiers;
mod uses;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use uses::Uses;

/// Folders whose content is built, fetched, or not code.
const SKIPPED_FOLDERS: &[&str] = &["target", "node_modules", "corpus", "artifacts"];

/// Such folders at the repository's root.
const SKIPPED_AT_ROOT: &[&str] = &["site", "pkg", "packs-static"];

/// Words that mark unfinished work, in two halves, so that this file holds none of them.
const UNFINISHED: &[(&str, &str)] =
    &[("TO", "DO"), ("FIX", "ME"), ("to", "do!("), ("unimple", "mented!("), ("db", "g!(")];

/// Checks the repository at `root` and returns findings as `file:line: message`.
pub(crate) fn check(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    collect(root, SKIPPED_AT_ROOT, &mut files)?;
    let mut findings = api::check(root)?;
    let (mut uses, mut documents) = (Uses::default(), Vec::new());
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let code = matches!(extension, Some("rs" | "js" | "mjs" | "css"));
        let document = extension == Some("md") && is_ours(&name);
        if !code && !document {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {} as text", name.display()))?;
        let mut found = Vec::new();
        if code {
            found.extend(opening(extension.unwrap_or_default(), &text));
            found.extend(unfinished(&text));
            found.extend(skips::check(&name, &text));
            found.extend(tiers::check(&name, &text));
            uses.add(&name, &text);
        } else {
            found.extend(documents::check(&name, &path, &text));
            found.extend(features::check(&name, &path, &text));
            documents.push((name.clone(), text));
        }
        findings.extend(located(&name, found));
    }
    for (name, text) in documents {
        findings.extend(located(&name, reading_path::check(&name, &text, &uses)));
    }
    findings.extend(circles::check(&uses));
    Ok(findings)
}

/// A line number, counted from 1, and what is wrong there.
type Finding = (usize, String);

/// Findings of a file, as they are printed.
fn located(name: &Path, findings: Vec<Finding>) -> impl Iterator<Item = String> {
    findings.into_iter().map(move |(line, message)| format!("{}:{line}: {message}", name.display()))
}

/// Documents at the root and in `docs/`; packs have a lint of their own.
fn is_ours(name: &Path) -> bool {
    name.starts_with("docs") || name.components().count() == 1
}

/// Adds the files of `folder` and of the folders in it, but for those that are `skipped` here, or anywhere.
fn collect(folder: &Path, skipped: &[&str], files: &mut Vec<PathBuf>) -> Result<()> {
    let listing = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = listing.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || SKIPPED_FOLDERS.contains(&name.as_ref()) || skipped.contains(&name.as_ref()) {
            continue;
        }
        if path.is_dir() {
            collect(&path, &[], files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn opening(extension: &str, text: &str) -> Option<Finding> {
    let text = match text.split_once('\n') {
        // A script may first name its interpreter.
        Some((first, rest)) if first.starts_with("#!/") => rest,
        _ => text,
    };
    let (starts, how): (&[&str], _) = match extension {
        "rs" => (&["//!"], "`//!` and what the file is for"),
        "css" => (&["/*"], "a comment that says what the file is for"),
        _ => (&["//", "/*"], "a comment that says what the file is for"),
    };
    let opened = starts.iter().any(|start| text.starts_with(start));
    (!opened).then(|| (1, format!("must open with {how}")))
}

fn unfinished(text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (head, tail) in UNFINISHED {
            let word = format!("{head}{tail}");
            if has_word(line, &word) {
                findings.push((number + 1, format!("unfinished work: {word}")));
            }
        }
    }
    findings
}

/// Whether `word` stands in `line` on its own: not as a part of a longer one, and not in a text that the code is about.
fn has_word(line: &str, word: &str) -> bool {
    let inside = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let ends_open = word.ends_with(|c: char| !c.is_alphanumeric());
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let quoted = before.matches('"').count() % 2 == 1;
        !quoted && !inside(before.chars().next_back()) && (ends_open || !inside(after.chars().next()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;

    #[test]
    fn the_repository_is_tidy() {
        let findings = check(&paths::root()).expect("the repository can be read");
        assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    }

    #[test]
    fn openings() {
        let check = |extension: &str, text: &str, expected: bool| {
            assert_eq!(opening(extension, text).is_none(), expected, "{text}");
        };
        check("rs", "//! What.\n", true);
        check("rs", "// What.\n", false);
        check("rs", "", false);
        check("mjs", "#!/usr/bin/env node\n// What.\n", true);
        check("js", "/** What. */\n", true);
        check("js", "import x from './x.js';\n", false);
        check("css", "/* What. */", true);
        check("css", "// What.", false);
    }

    #[test]
    fn unfinished_words() {
        let check = |line: &str, expected: usize| {
            assert_eq!(unfinished(line).len(), expected, "{line}");
        };
        check(concat!("// TO", "DO: later"), 1);
        check(concat!("x.to", "do!(\"later\")"), 1);
        check(concat!("let MY_TO", "DO_LIST = 1;"), 0);
        check("to do or not to do", 0);
        check(concat!("let marks = [\"TO", "DO\"];"), 0);
    }
}
