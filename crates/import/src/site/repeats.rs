//! What of a page stands on other pages too.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

/// A shorter block says too little to be told from another page's, in bytes.
const LEAST_BYTES: usize = 40;

/// Fingerprints of the blocks of a Markdown text, without the targets of links, which differ from page to page.
pub(super) fn blocks(text: &str) -> impl Iterator<Item = u64> {
    text.split("\n\n").map(str::trim).filter(|block| block.len() >= LEAST_BYTES).map(fingerprint)
}

/// A fingerprint of a Markdown text without the targets of its links.
pub(super) fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in without_targets(text) {
        part.hash(&mut hasher);
    }
    hasher.finish()
}

/// The parts of a Markdown text around the targets of its links.
pub(super) fn without_targets(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let here = rest.take()?;
        let Some(at) = here.find("](") else { return Some(here) };
        let end = here[at + 2..].find(')').map_or(here.len(), |end| at + 3 + end);
        rest = Some(&here[end..]);
        Some(&here[..at + 1])
    })
}

/// How many bytes of a Markdown text are the text of links, and how many are other text.
pub(super) fn link_share(text: &str) -> (usize, usize) {
    let (mut linked, mut other) = (0, 0);
    for part in without_targets(text) {
        // What stands before a target ends with the text of its link, in brackets.
        let label = if part.ends_with(']') { part.rfind('[').map_or(0, |open| part.len() - open) } else { 0 };
        linked += label;
        other += part[..part.len() - label].chars().filter(|c| c.is_alphanumeric()).map(char::len_utf8).sum::<usize>();
    }
    (linked, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_links_do_not_tell_texts_apart() {
        assert_eq!(fingerprint("See [a](b.html) c"), fingerprint("See [a](../d.html) c"));
        assert_ne!(fingerprint("See [a](b.html) c"), fingerprint("See [x](b.html) c"));
        assert_eq!(link_share("- [abc](x)\n- [def](y) z"), (10, 1));
        assert_eq!(link_share("no links at all"), (0, 12));
    }
}
