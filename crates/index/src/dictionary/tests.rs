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

#[test]
fn keys_that_would_fill_any_memory_are_not_listed() {
    // All strings of 40 letters a and b: a node a letter, and 2^40 keys.
    let mut bytes = [3u64.to_le_bytes(), 0u64.to_le_bytes()].concat();
    for level in 0..40 {
        // Two transitions to the node before, whose end lies one byte before this one; to the end at first.
        let delta = u8::from(level > 0);
        bytes.extend([delta, delta, b'b', b'a', 0x10, 2]);
    }
    let root = bytes.len() as u64 - 1;
    bytes.extend([(1u64 << 40).to_le_bytes(), root.to_le_bytes()].concat());
    bytes.extend([0; 4]);
    let dictionary = Dictionary::open(slice(bytes), "test").unwrap();
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
