//! The page of the public API names each item that the crate `seealso` exports, and no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The page.
const PAGE: &str = "docs/api.md";
/// The file whose `pub use` items are the API.
const CRATE: &str = "src/lib.rs";

/// Compares the page with the crate's exports, and returns findings as `file: message`.
pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let read = |name: &str| fs::read_to_string(root.join(name)).with_context(|| format!("cannot read {name}"));
    let (page, code) = (read(PAGE)?, read(CRATE)?);
    let (named, exported) = (named(&page), exports(&code));
    let missing = exported.difference(&named).map(|name| format!("{PAGE}: lacks {name}, which {CRATE} exports"));
    let gone = named.difference(&exported).map(|name| format!("{PAGE}: names {name}, which {CRATE} does not export"));
    Ok(missing.chain(gone).collect())
}

/// The names in code in the table of `page`.
fn named(page: &str) -> BTreeSet<&str> {
    let rows = page.lines().filter(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('|').nth(1)).flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

/// The names that `code` exports by `pub use`.
fn exports(code: &str) -> BTreeSet<&str> {
    let items = code.split("\npub use ").skip(1).filter_map(|item| item.split_once(';')).map(|(item, _)| item);
    items
        .flat_map(|item| match item.split_once('{') {
            Some((_, names)) => names.trim_end_matches('}').split(',').collect::<Vec<_>>(),
            None => item.rsplit("::").take(1).collect(),
        })
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_found() {
        let code = "mod a;\n\npub use a::b::{C, d};\npub use e::F;\npub use g::{\n    H,\n    I,\n};\nuse j::K;\n";
        assert_eq!(exports(code), BTreeSet::from(["C", "F", "H", "I", "d"]));
    }

    #[test]
    fn names_stand_in_the_first_column() {
        let page =
            "`x` is no row.\n\n| name | what |\n|---|---|\n| **Ask** | |\n| `ask`, `AskOptions` | an `Answer` |\n";
        assert_eq!(named(page), BTreeSet::from(["AskOptions", "ask"]));
    }
}
