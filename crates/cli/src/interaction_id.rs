//! Ids of interactions, by which feedback names what it is on.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};

/// A new id: 32 hexadecimal digits by chance. The chance is that of the standard library's hash maps, which no two interactions
/// share; it is no secret that protects anything.
pub(crate) fn new_interaction_id() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_of_one_form_and_differ() {
        let ids: std::collections::BTreeSet<String> = (0..100).map(|_| new_interaction_id()).collect();
        assert_eq!(ids.len(), 100);
        assert!(ids.iter().all(|id| id.len() == 32 && id.bytes().all(|c| c.is_ascii_hexdigit())), "{ids:?}");
    }
}
