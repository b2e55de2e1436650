//! Lookups against what was built, and bytes that no builder made.

use super::*;

fn slice(bytes: Vec<u8>) -> Slice {
    Slice { range: 0..bytes.len(), bytes: Rc::from(bytes) }
}

fn build(keys: &[(&str, u64)]) -> Vec<u8> {
    let mut builder = fst::MapBuilder::memory();
    for (key, value) in keys {
        builder.insert(key, *value).unwrap();
    }
    builder.into_inner().unwrap()
}

#[test]
fn keys_are_found_and_walked() {
    let dictionary = Dictionary::open(slice(build(&[("roman", 7), ("roman emperor", 9)])), "test").unwrap();
    assert_eq!(dictionary.get(b"roman"), Some(7));
    assert_eq!(dictionary.get(b"roma"), None);
    let roman = dictionary.walk().follow(b"roman").unwrap();
    assert_eq!(roman.follow(b" emperor").unwrap().value(), Some(9));
    assert!(roman.follow(b" empress").is_none());
}

#[test]
fn every_size_of_node_passes_the_check() {
    let mut keys: Vec<Vec<u8>> = (0..=255u8).flat_map(|a| [vec![a], vec![a, a ^ 0x55]]).collect();
    keys.sort();
    for keep in [1usize, 2, 7, 40, 300, 512] {
        let mut builder = fst::MapBuilder::memory();
        for (at, key) in keys.iter().take(keep).enumerate() {
            builder.insert(key, (at * 1_000_003) as u64).unwrap();
        }
        let dictionary = Dictionary::open(slice(builder.into_inner().unwrap()), "test").unwrap();
        for (at, key) in keys.iter().take(keep).enumerate() {
            assert_eq!(dictionary.get(key), Some((at * 1_000_003) as u64), "{keep} {key:?}");
        }
    }
    assert!(Dictionary::open(slice(build(&[])), "test").is_ok());
}

#[test]
fn entries_come_in_order_and_within_their_bound() {
    let dictionary = Dictionary::open(slice(build(&[("", 3), ("ab", 1), ("abc", 300), ("b", 0)])), "test").unwrap();
    let expected = [("", 3), ("ab", 1), ("abc", 300), ("b", 0)];
    let expected: Vec<(Vec<u8>, u64)> = expected.iter().map(|(key, value)| (key.as_bytes().into(), *value)).collect();
    // Six bytes of keys, four steps.
    assert_eq!(dictionary.entries(10), Some(expected));
    assert_eq!(dictionary.entries(9), None);
}

/// All words of so many letters a and b: a node a letter, and more keys than can be counted.
fn all_words_of(letters: usize) -> Vec<u8> {
    let mut bytes = [3u64.to_le_bytes(), 0u64.to_le_bytes()].concat();
    for level in 0..letters {
        // Two transitions to the node before, whose end lies one byte before this one; to the end at first.
        let delta = u8::from(level > 0);
        bytes.extend([delta, delta, b'b', b'a', 0x10, 2]);
    }
    let root = bytes.len() as u64 - 1;
    bytes.extend([(1u64 << 40).to_le_bytes(), root.to_le_bytes()].concat());
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn keys_that_would_fill_any_memory_are_not_listed() {
    let dictionary = Dictionary::open(slice(all_words_of(40)), "test").unwrap();
    assert_eq!(dictionary.get("ab".repeat(20).as_bytes()), Some(0));
    assert_eq!(dictionary.entries(1 << 16), None);
}

#[test]
fn no_changed_byte_makes_a_lookup_panic() {
    let good = build(&[("a", 1), ("abc", 300), ("abd", 70_000), ("b", 5), ("roman emperor", 9)]);
    for at in 0..good.len() {
        for flip in [0x01, 0x40, 0x80, 0xff] {
            let mut bad = good.clone();
            bad[at] ^= flip;
            if let Ok(dictionary) = Dictionary::open(slice(bad), "test") {
                for key in ["", "a", "abc", "abd", "b", "roman emperor", "zz"] {
                    dictionary.get(key.as_bytes());
                }
                dictionary.entries(1 << 12);
            }
        }
    }
}

#[test]
fn a_search_among_endless_keys_ends() {
    // No key is as short as a reader would have it, so that nothing is ever found.
    let dictionary = Dictionary::open(slice(all_words_of(300)), "test").unwrap();
    assert_eq!(dictionary.starting_with(b"a", 8), []);
    assert_eq!(dictionary.similar_to(b"", &"ab".repeat(140), 2), []);
    let dictionary = Dictionary::open(slice(all_words_of(40)), "test").unwrap();
    assert_eq!(dictionary.starting_with(b"ab", 8).len(), 8);
}

#[test]
fn beginnings_are_followed_in_order() {
    let keys = [("ea", 1), ("eb", 2), ("eba", 3), ("ebé", 4), ("ec", 5), ("pb", 6)];
    let dictionary = Dictionary::open(slice(build(&keys)), "test").unwrap();
    let after = |start: &str, most: usize| -> Vec<u64> {
        dictionary.starting_with(start.as_bytes(), most).into_iter().map(|(_, value)| value).collect()
    };
    assert_eq!(after("eb", 9), [2, 3, 4], "itself among them");
    assert_eq!(after("e", 3), [1, 2, 3]);
    assert_eq!(after("x", 9), [] as [u64; 0]);
    let long = "y".repeat(300);
    let dictionary = Dictionary::open(slice(build(&[("y", 1), (&long, 2)])), "test").unwrap();
    assert_eq!(dictionary.starting_with(b"y", 9).len(), 1, "longer keys than 256 bytes are out of reach");
}

#[test]
fn words_are_near_by_edits_of_letters() {
    for (word, key, edits) in [
        ("nero", "nerd", Some(1)),
        ("nero", "neros", Some(1)),
        ("nero", "ero", Some(1)),
        ("nero", "neor", Some(1)),
        ("nero", "enor", Some(2)),
        ("nero", "enro", Some(1)),
        ("nero", "nero", None),
        ("nero", "zorn", None),
        ("nero", "ner", Some(1)),
        ("nero", "ne", Some(2)),
        ("nero", "n", None),
        ("größe", "grösse", Some(2)),
        ("größe", "gröẞe", Some(1)),
        ("größe", "grßöe", Some(1)),
        ("光合成", "光成合", Some(1)),
        ("😀a", "a😀", Some(1)),
        ("ca", "abc", None),
    ] {
        let dictionary = Dictionary::open(slice(build(&[(&format!("e{key}"), 7)])), "test").unwrap();
        let found = dictionary.similar_to(b"e", word, 2);
        let expected = edits.map(|edits| (format!("e{key}").into_bytes(), 7, edits));
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{word} {key}");
        assert_eq!(dictionary.similar_to(b"e", word, 1).len(), usize::from(edits == Some(1)), "{word} {key}");
        assert_eq!(dictionary.similar_to(b"p", word, 2), []);
    }
}

/// Optimal string alignment, by the whole table.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let wrong = usize::from(a[i - 1] != b[j - 1]);
                    let least = (table[i - 1][j - 1] + wrong).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    if swapped { least.min(table[i - 2][j - 2] + 1) } else { least }
                }
            };
        }
    }
    table[a.len()][b.len()]
}

proptest::proptest! {
    #[test]
    fn near_words_are_those_of_few_edits(
        keys in proptest::collection::btree_set("[abé猫]{0,6}", 0..60),
        word in "[abé猫]{0,6}",
        most in 0u32..3,
    ) {
        let all: Vec<(&str, u64)> = keys.iter().zip(0..).map(|(key, value)| (key.as_str(), value)).collect();
        let dictionary = Dictionary::open(slice(build(&all)), "test").unwrap();
        let mut found = dictionary.similar_to(b"", &word, most);
        found.sort();
        let near = all.iter().map(|&(key, value)| (key.as_bytes().to_vec(), value, edits(&word, key) as u32));
        let expected: Vec<_> = near.filter(|(_, _, edits)| (1..=most).contains(edits)).collect();
        proptest::prop_assert_eq!(found, expected);
    }
}
