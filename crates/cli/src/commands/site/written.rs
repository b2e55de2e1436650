//! The files of Markdown that the command wrote beside the pages of a site.

use std::collections::{BTreeMap, BTreeSet};

/// The files that runs wrote: by path below the site's folder, what stands in each, as SHA-256 in hex. While a run writes,
/// that may be the old text or the new one.
pub(super) type Written = BTreeMap<String, BTreeSet<String>>;
