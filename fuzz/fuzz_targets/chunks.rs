//! Any text as a page: its chunks hold all of it, none is longer than it may be, and they are the same again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_chunks::{ChunkSizes, chunks};
use seealso_pack::Page;

fuzz_target!(|data: &[u8]| {
    let Some((&[target, overlap], text)) = data.split_first_chunk::<2>() else { return };
    let (target, overlap) = (1 + usize::from(target), usize::from(overlap));
    let sizes = ChunkSizes { target, overlap, bound: 2 * (target + overlap), prefix: 50 };
    let (page, _) = Page::parse("a.md", &String::from_utf8_lossy(text));
    let made = chunks(&page, &sizes);
    for (number, chunk) in made.iter().enumerate() {
        assert_eq!((chunk.number, chunk.char_count), (number, chunk.raw_text.chars().count()));
        assert!(chunk.char_count <= sizes.bound && chunk.prefix.chars().count() <= sizes.prefix);
    }
    // White space aside, as many characters as the page has are there at least.
    let count = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let whole: usize = page.sections().iter().map(|section| count(&section.text)).sum();
    assert!(made.iter().map(|chunk| count(&chunk.raw_text)).sum::<usize>() >= whole);
    assert_eq!(chunks(&page, &sizes), made);
});
