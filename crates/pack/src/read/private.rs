//! Which files of a pack's folder are private, for what copies the folder and what fingerprints it.
//!
//! [`Pack::read`](crate::Pack::read) leaves private pages out of a pack. The files of a folder are looked at apart from that: also
//! those that are no page, such as one that is too large, must not be copied where their front matter says that they are private.

use super::discover::is_wiki_pack;
use crate::page::Page;
use std::fs;
use std::path::Path;

/// The prefix that the pages of the pack in the folder `dir` have below it: `wiki/` or nothing.
pub(crate) fn page_root_of(dir: &Path) -> &'static str {
    if is_wiki_pack(dir) { "wiki/" } else { "" }
}

/// Whether the file at `path`, which is `file` below the pack's page root, is a private page. A file that can't be read is none.
pub(crate) fn is_private_file(file: &str, path: &Path) -> bool {
    if !Page::may_be_private(file) {
        return false;
    }
    let bytes = fs::read(path).unwrap_or_default();
    Page::parse(file, &String::from_utf8_lossy(&bytes)).0.is_private()
}
