//! Names in postings lists: a title or an alias is stored in the list of the rarest of its terms, as a hash of all its
//! terms (24 bits of FNV-1a).
//!
//! So a question needs no other shards for names than for words. Two names with the same rarest term are confused once
//! in sixteen million pairs.

use crate::analysis::{Analysis, Token};

/// The hash of a name's terms.
pub(crate) fn name_hash<'t>(terms: impl Iterator<Item = &'t str>) -> u32 {
    let mut hash = 0x811c_9dc5u32;
    for term in terms {
        for &byte in term.as_bytes().iter().chain(&[0]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    (hash >> 24 ^ hash) & 0x00ff_ffff
}

/// The tokens of a title or an alias: without stop words, or with them where the name has no other words.
pub(crate) fn name_tokens(analysis: Analysis, name: &str) -> Vec<Token> {
    let all = analysis.all_tokens(name);
    match all.iter().all(|token| token.stop) {
        true => all,
        false => all.into_iter().filter(|token| !token.stop).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_format() {
        assert_eq!(name_hash([].into_iter()), 0x811c_9dc5 & 0x00ff_ffff ^ 0x81);
        // FNV-1a of "a" and a zero byte, folded to 24 bits.
        let fnv = (0x811c_9dc5u32 ^ 0x61).wrapping_mul(0x0100_0193).wrapping_mul(0x0100_0193);
        assert_eq!(name_hash(["a"].into_iter()), (fnv >> 24 ^ fnv) & 0x00ff_ffff);
        assert_ne!(name_hash(["ab", "c"].into_iter()), name_hash(["a", "bc"].into_iter()));
    }

    #[test]
    fn names_of_stop_words_alone_keep_them() {
        let terms =
            |name: &str| name_tokens(Analysis::English, name).into_iter().map(|token| token.term).collect::<Vec<_>>();
        assert_eq!(terms("The Who"), ["the", "who"]);
        assert_eq!(terms("the who box"), ["box"]);
        assert_eq!(terms("…"), [""; 0]);
    }
}
