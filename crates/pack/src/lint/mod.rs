//! The lints of a pack.

use crate::finding::Finding;
use crate::pack::Pack;

/// Checks a pack.
pub fn lint(_pack: &Pack) -> Vec<Finding> {
    unimplemented!()
}
