//! Any text as a page: its chunks hold all of it, each is a slice of it, none is longer than it may be, and they are the
//! same again. The first two bytes say how long chunks are and how much they overlap; two zeros stand for the sizes that
//! `seealso setup` uses.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_chunks::{Chunk, ChunkKind, ChunkSizes, chunk_place, chunks, index_pack};
use seealso_pack::{Pack, Page};

fuzz_target!(|data: &[u8]| {
    let Some((sizes, text)) = data.split_first_chunk::<2>() else { return };
    let sizes = match sizes.map(usize::from) {
        [0, 0] => ChunkSizes::default(),
        [target, overlap] => ChunkSizes { target: 1 + target, overlap, bound: 2 * (1 + target + overlap), prefix: 50 },
    };
    let text = String::from_utf8_lossy(text);
    let (page, _) = Page::parse("a.md", &text);
    let made = chunks(&page, &sizes);
    check_sizes(&made, &sizes);
    check_text(&made, &page.sections().iter().map(|section| section.text.as_str()).collect::<String>());
    assert_eq!(chunks(&page, &sizes), made);
    check_index(&made, &text);
});

fn check_sizes(made: &[Chunk], sizes: &ChunkSizes) {
    for (number, chunk) in made.iter().enumerate() {
        assert_eq!((chunk.number, chunk.char_count), (number, chunk.raw_text.chars().count()));
        assert!(chunk.char_count <= sizes.bound && chunk.prefix.chars().count() <= sizes.prefix);
    }
}

/// Each chunk is a slice of the page's text that begins no earlier than the one before, and the chunks together have as
/// many characters as the text at least, white space aside.
fn check_text(made: &[Chunk], text: &str) {
    let mut from = 0;
    for chunk in made {
        from += text[from..].find(&chunk.raw_text).expect("a chunk is a slice of the page's text");
    }
    let count = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    assert!(made.iter().map(|chunk| count(&chunk.raw_text)).sum::<usize>() >= count(text));
}

/// The index has each chunk of text, under a name that leads back to it.
fn check_index(made: &[Chunk], text: &str) {
    let pack = Pack::of_pages("p", &[("a.md", text)]);
    let indexed = index_pack(&pack, &[made.to_vec()]);
    let places: Vec<_> = indexed.pages.iter().map(|page| chunk_place(&page.file)).collect();
    let searched = made.iter().filter(|chunk| chunk.kind == ChunkKind::Text);
    assert_eq!(places, searched.map(|chunk| Some(("a.md", chunk.number as u32))).collect::<Vec<_>>());
}
