//! The names of index files: what in the folder of index files a build may have written, and may therefore remove.

use std::fs;
use std::path::Path;

use super::INDEX_FOLDER;

/// The names of the files in the folder of index files that builds made.
pub(super) fn index_names(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join(INDEX_FOLDER)).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| is_index_name(name)).collect()
}

/// Whether a build may have given that name to an index file: it is the first digits of a hash, and an ending.
fn is_index_name(name: &str) -> bool {
    let Some((hash, ending)) = name.split_once('.') else { return false };
    let digits = hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    digits
        && [12, 16].contains(&hash.len())
        && ["idx", "files", "json", "words", "stage", "safetensors"].contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_as_a_build_names_it_is_an_index_file() {
        for ours in [
            "0123456789ab.idx",
            "0123456789abcdef.idx",
            "0123456789abcdef.files",
            "0123456789abcdef.words",
            "0123456789abcdef.safetensors",
        ] {
            assert!(is_index_name(ours), "{ours}");
        }
        for other in
            ["notes.json", "0123456789AB.idx", "0123.idx", "0123456789ab.idx.bak", ".0123456789ab.idx", "pages.tsv"]
        {
            assert!(!is_index_name(other), "{other}");
        }
    }
}
