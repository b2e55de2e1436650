//! The reading paths of ARCHITECTURE.md: numbered lists of files, in an order in which the code can be read.
//!
//! Each item opens with a link that is labelled with the whole path of its file. Each file but the first is used by one that
//! stands before it, so that no file is met before there is a reason to read it. A file counts as used where its parent
//! module is, unless that is the crate's root, of which every file is a child.

use std::path::Path;

use super::Finding;
use super::documents::{links_of_line, prose_lines};
use super::uses::{Module, Uses};

/// The document, and the headings below which a path stands.
const DOCUMENT: &str = "ARCHITECTURE.md";
const HEADINGS: &[&str] = &["## The way of a question", "### The way of a model's answer"];

/// Checks the paths of the document `text`, if it is the one that has them.
pub(super) fn check(name: &Path, text: &str, files: &Uses) -> Vec<Finding> {
    let headings = HEADINGS.iter().filter(|_| name == Path::new(DOCUMENT));
    headings.flat_map(|heading| broken_path(text, heading, files)).collect()
}

fn broken_path(text: &str, heading: &str, files: &Uses) -> Vec<Finding> {
    let below = prose_lines(text).skip_while(|(_, line)| *line != heading).skip(1);
    let section = below.take_while(|(_, line)| !line.starts_with('#'));
    let items: Vec<(usize, &str)> = section.filter_map(|(number, line)| Some((number, item(line)?))).collect();
    if items.is_empty() {
        return vec![(1, format!("no reading path below the heading \"{heading}\""))];
    }
    let mut findings = Vec::new();
    let mut before: Vec<&Module> = Vec::new();
    for (number, line) in items {
        let Some(file) = file(line) else {
            findings.push((number, format!("an item of the reading path opens with no file: {line}")));
            continue;
        };
        let Some(module) = files.module(Path::new(file)) else {
            findings.push((number, format!("the reading path names {file}, which is no file of Rust here")));
            continue;
        };
        if !before.is_empty() && !is_used(module, &before, files) {
            findings.push((number, format!("no file that the reading path names before {file} uses it")));
        }
        before.push(module);
    }
    findings
}

/// Whether one of `before` uses `module` or its parent.
fn is_used(module: &Module, before: &[&Module], files: &Uses) -> bool {
    let parent = module.parent().filter(|parent| !parent.is_root());
    let is_met = |met: &Module| met == module || parent.as_ref() == Some(met);
    before.iter().any(|user| is_met(user) || files.used_by(user).into_iter().any(is_met))
}

/// What stands behind the number of a list's item.
fn item(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(". ")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(rest)
}

/// The file that an item opens with.
fn file(item: &str) -> Option<&str> {
    let links = links_of_line(item);
    let link = links.first().filter(|link| item.starts_with('[') && link.label == link.target)?;
    Some(link.target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str)]) {
        let mut files = Uses::default();
        for (file, code) in [
            ("src/lib.rs", "mod ask;"),
            ("src/ask.rs", "use crate::a::f;\nuse seealso_index::Index;"),
            ("src/a/mod.rs", "mod b;"),
            ("src/a/b.rs", "fn b() {}"),
            ("src/c.rs", "fn c() {}"),
            ("crates/index/src/lib.rs", "pub use index::Index;"),
            ("crates/index/src/index.rs", "pub struct Index;"),
        ] {
            files.add(Path::new(file), code);
        }
        let found = broken_path(text, "## Path", &files);
        let found: Vec<_> = found.iter().map(|(line, message)| (*line, message.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    /// A path over the files.
    fn path(files: &[&str]) -> String {
        files.iter().fold("## Path\n".to_owned(), |path, file| format!("{path}1. [{file}]({file}): it.\n"))
    }

    #[test]
    fn items_open_with_files() {
        check("## Path\n\nText.\n\n1. [src/ask.rs](src/ask.rs): calls.\n\n## Next\n1. x\n", &[]);
        check("1. [a](b)\n", &[(1, "no reading path below the heading \"## Path\"")]);
        check("## Path\n## Next\n1. x\n", &[(1, "no reading path below the heading \"## Path\"")]);
        check("## Path\n1. src/ask.rs\n", &[(2, "an item of the reading path opens with no file: src/ask.rs")]);
        check(
            "## Path\n1. See [src/ask.rs](src/ask.rs)\n12. [ask.rs](src/ask.rs)\n",
            &[
                (2, "an item of the reading path opens with no file: See [src/ask.rs](src/ask.rs)"),
                (3, "an item of the reading path opens with no file: [ask.rs](src/ask.rs)"),
            ],
        );
        check(&path(&["src/no.rs"]), &[(2, "the reading path names src/no.rs, which is no file of Rust here")]);
    }

    #[test]
    fn files_are_used_by_earlier_ones() {
        check(&path(&["src/ask.rs", "src/a/mod.rs", "crates/index/src/index.rs"]), &[]);
        check(&path(&["src/ask.rs", "src/a/b.rs"]), &[]);
        check(&path(&["src/a/mod.rs", "src/a/b.rs"]), &[]);
        check(
            &path(&["src/a/mod.rs", "src/ask.rs"]),
            &[(3, "no file that the reading path names before src/ask.rs uses it")],
        );
        check(
            &path(&["src/ask.rs", "src/c.rs"]),
            &[(3, "no file that the reading path names before src/c.rs uses it")],
        );
    }
}
