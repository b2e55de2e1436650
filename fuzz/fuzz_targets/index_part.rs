//! Any bytes as one kind of an otherwise sound index's files. The first byte says which kind: shards of the term
//! dictionary, parts of long postings lists, blocks of texts, or the list of these, and whether the pages' lengths stand
//! apart; the rest stands for each of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_index::File;

mod support;

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else { return };
    // Where lengths stand apart, no list is in parts.
    let apart = kind % 8 >= 4 && kind % 4 != 1;
    let mut files = if apart { support::sound_with_lengths_apart() } else { support::sound() }.clone();
    let replaced = files.of_kind(match kind % 4 {
        0 => |file| matches!(file, File::Terms(_)),
        1 => |file| matches!(file, File::Postings(_)),
        2 => |file| matches!(file, File::Texts(_)),
        _ => |file| matches!(file, File::Directory),
    });
    assert!(!replaced.is_empty());
    for hash in replaced {
        files.others.insert(hash, bytes.to_vec());
    }
    files.ask("nero");
});
