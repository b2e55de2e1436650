//! `seealso clean`: removes what `setup` made, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use seealso_pack::{WORK_FOLDER, remove_stages};
use serde::Serialize;

use super::setup::records::RecordFolder;
use crate::chunk_library::read_catalog;
use crate::encode_chunks::{EMBEDDINGS_ENDING, EMBEDDINGS_FOLDER};
use crate::encoder::forget_encoder;
use crate::exit::{CommandResult, Completion};
use crate::style::{STRONG, pluralize, say};

/// Remove what `setup` made: chunk records, the index of chunks, cached vectors, the note of the encoder, and the stages
/// in the catalog.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder that holds catalog.json and the packs.
    #[arg(value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// Print what was removed as JSON.
    #[arg(long)]
    json: bool,
}

/// How many files were removed.
#[derive(Debug, Serialize)]
struct RemovalReport {
    chunk_records: usize,
    stage_files: usize,
    cached_vectors: usize,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let root = &arguments.packs;
    read_catalog(root)?;
    let stage_files = remove_stages(root)?.len();
    let cached_vectors = remove_cached_vectors(&root.join(WORK_FOLDER).join(EMBEDDINGS_FOLDER))?;
    forget_encoder(root)?;
    let chunk_records = RecordFolder::of(root).remove_all()?;
    let removed = RemovalReport { chunk_records, stage_files, cached_vectors };
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&removed)?),
        false => say!(
            "{STRONG}{}{STRONG:#}: removed {}, {}, {} of vectors",
            root.display(),
            pluralize(chunk_records, "chunk record"),
            pluralize(stage_files, "published file"),
            pluralize(cached_vectors, "cached file")
        ),
    }
    Ok(Completion::Success)
}

/// Removes the files of cached vectors in `folder`, and the folder where it holds nothing else.
fn remove_cached_vectors(folder: &Path) -> anyhow::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_cache_name) {
            fs::remove_file(entry.path()).with_context(|| format!("removing {}", entry.path().display()))?;
            removed += 1;
        }
    }
    let _ = fs::remove_dir(folder);
    Ok(removed)
}

fn is_cache_name(name: &str) -> bool {
    let digits = name.strip_suffix(EMBEDDINGS_ENDING).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_cached_vectors_is_known_by_its_name() {
        for (name, expected) in [("0a1b.emb", true), (".emb", false), ("mine.emb", false), ("0a1b.txt", false)] {
            assert_eq!(is_cache_name(name), expected, "{name}");
        }
    }
}
