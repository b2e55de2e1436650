//! Pages divided into chunks: where they end, what they say of their place, and what holds for any page.

use super::*;
use crate::divide::divide;
use proptest::prelude::*;
use seealso_pack::{Pack, Page};

fn page(body: &str) -> Page {
    Page::parse("concepts/tea.md", &format!("---\ntitle: Tea\nsummary: A drink.\n---\n\n{body}")).0
}

/// A text of that many characters, in words of four letters, without a sentence's end.
fn words(length: usize) -> String {
    "word ".repeat(length / 5 + 1)[..length].trim_end().to_owned()
}

fn lengths(body: &str) -> Vec<usize> {
    chunks(&page(body), &ChunkSizes::default()).iter().map(|chunk| chunk.char_count).collect()
}

fn texts(body: &str, sizes: &ChunkSizes) -> Vec<String> {
    chunks(&page(body), sizes).into_iter().map(|chunk| chunk.raw_text).collect()
}

const SMALL: ChunkSizes = ChunkSizes { target: 20, overlap: 6, bound: 50, prefix: 30 };

#[test]
fn paragraphs_gather_to_about_the_target() {
    let of = |paragraphs: &[usize]| {
        let body: Vec<String> = paragraphs.iter().map(|length| words(*length)).collect();
        lengths(&body.join("\n\n"))
    };
    assert_eq!(of(&[500]), [499]);
    // 999 + 2 + 999 characters are the target; the third begins with 40 words of the second.
    assert_eq!(of(&[999, 999, 999]), [2000, 199 + 2 + 999]);
    assert_eq!(of(&[3500]), [3499]);
}

#[test]
fn a_chunk_begins_with_the_end_of_the_one_before() {
    let body = "One two three four.\n\nFive six seven eight.\n\nNine ten eleven.\n";
    let expected = ["One two three four.", "four.\n\nFive six seven eight.", "eight.\n\nNine ten eleven."];
    assert_eq!(texts(body, &SMALL), expected);
    let apart = ChunkSizes { overlap: 0, ..SMALL };
    assert_eq!(texts(body, &apart), ["One two three four.", "Five six seven eight.", "Nine ten eleven."]);
}

#[test]
fn a_short_end_joins_the_chunk_before() {
    assert_eq!(texts("One two three four five.\n\nSix.\n", &SMALL), ["One two three four five.\n\nSix."]);
}

#[test]
fn a_long_paragraph_is_cut_at_the_bound() {
    let found = lengths(&words(9000));
    assert!(found.len() == 5 && found.iter().all(|length| (1000..=2200).contains(length)), "{found:?}");
    assert_eq!(texts(&"x".repeat(56), &SMALL), [20, 20, 16].map(|length| "x".repeat(length)));
}

#[test]
fn code_and_tables_stay_whole_and_are_no_overlap() {
    let code = "```sh\ntea --green\n\n# no heading\n```";
    let body = format!("How to ask for it:\n\n{code}\n\nThen drink all of it.\n");
    assert_eq!(texts(&body, &SMALL), ["How to ask for it:", &format!("it:\n\n{code}"), "Then drink all of it."]);
    let table = "| tea | hot |\n|-----|-----|\n| a   | yes |";
    let body = format!("Which of them is hot?\n\n{table}\n\nThen drink all of it.\n");
    assert_eq!(texts(&body, &SMALL), ["Which of them is hot?", &format!("hot?\n\n{table}"), "Then drink all of it."]);
}

#[test]
fn a_chunk_knows_its_section() {
    let body = "# Tea\n\nTea is a drink.\n\n## Brewing {#brew}\n\nPour water on it.\n\n### Green tea\n\n\
                At eighty degrees.\n\n## Brewing\n\nAgain and again.\n\n## See Also\n\n- [[pot|Pot]]\n";
    let made = chunks(&page(body), &ChunkSizes { overlap: 0, ..SMALL });
    let found: Vec<(usize, String, &str, ChunkKind)> = made
        .iter()
        .map(|chunk| (chunk.number, chunk.headings.join("/"), chunk.section_id.as_str(), chunk.kind))
        .collect();
    let expected = [
        (0, "", "", ChunkKind::Text),
        (1, "Brewing", "brew", ChunkKind::Text),
        (2, "Brewing/Green tea", "green-tea", ChunkKind::Text),
        (3, "Brewing", "brewing", ChunkKind::Text),
        (4, "See Also", "see-also", ChunkKind::References),
    ];
    assert_eq!(found, expected.map(|(number, path, id, kind)| (number, path.to_owned(), id, kind)));
    assert!(made.iter().all(|chunk| chunk.page_file == "concepts/tea.md" && chunk.prefix == "Tea: Tea is a drink."));
}

#[test]
fn links_and_sources_have_chunks_of_their_own() {
    let body = "Tea is a drink.\n\n## See Also\n\n- [[pot|Pot]]\n\n## Sources\n\n- Kakuzō\n";
    let made = chunks(&page(body), &ChunkSizes::default());
    let found: Vec<(ChunkKind, &str)> = made.iter().map(|chunk| (chunk.kind, chunk.raw_text.as_str())).collect();
    let references = "## See Also\n\n- [[pot|Pot]]\n\n## Sources\n\n- Kakuzō";
    assert_eq!(found, [(ChunkKind::Text, "Tea is a drink."), (ChunkKind::References, references)]);
}

#[test]
fn what_no_reader_is_to_see_is_in_no_chunk() {
    assert_eq!(texts("Tea <!-- not\n\nshown --> is hot.\n", &ChunkSizes::default()), ["Tea  is hot."]);
    assert!(texts("<!-- nothing -->\n", &ChunkSizes::default()).is_empty());
}

#[test]
fn the_form_of_line_ends_is_nothing() {
    let text = "---\ntitle: Tea\n---\n\nA drink.\n\n```\ncode\n\nmore\n```\n\n## Hot\n\nYes.\n";
    let [lf, crlf] = [text.to_owned(), text.replace('\n', "\r\n")].map(|text| Page::parse("a.md", &text).0);
    let sizes = ChunkSizes { target: 10, ..ChunkSizes::default() };
    assert_eq!(chunks(&lf, &sizes), chunks(&crlf, &sizes));
    assert_eq!(page_hash(&lf), page_hash(&crlf));
}

#[test]
fn a_page_of_another_text_or_name_has_another_hash() {
    let of = |title: &str, summary: &str, body: &str| {
        page_hash(&Page { title: title.into(), summary: summary.into(), body: body.into(), ..Page::default() })
    };
    let known = of("a", "b", "c");
    for other in [of("x", "b", "c"), of("a", "x", "c"), of("a", "b", "x"), of("ab", "", "c")] {
        assert_ne!(known, other);
    }
    let tagged =
        Page { tags: vec!["t".into()], title: "a".into(), summary: "b".into(), body: "c".into(), ..Page::default() };
    assert_eq!(page_hash(&tagged), known);
}

#[test]
fn hashes_are_those_of_the_texts() {
    let made = chunks(&page("A drink.\n"), &ChunkSizes::default());
    let hex: String = made[0].body_hash.iter().map(|byte| format!("{byte:02x}")).collect();
    // printf 'A drink.' | sha256sum
    assert_eq!(hex, "2a6b8152d948d26ed97fa596ad530de14004c437a30a6cfa2db6ae45ba1ff73e");
    assert_eq!(made[0].page_hash, page_hash(&page("A drink.\n")));
    assert_eq!(made[0].prefix_source.name(), "synthetic");
}

#[test]
fn chunks_are_indexed_as_pages() {
    let tea = "---\ntitle: Tea\ntags: [hot]\n---\n\nA drink. Teas and `TeaPot`.\n\n## Brewing\n\n[Pour](water.md) it.\n\n\
               ## See Also\n\n- [[kettle]]\n";
    let pack = Pack::of_pages("drinks", &[("concepts/tea.md", tea)]);
    let sizes = ChunkSizes { target: 20, overlap: 0, ..ChunkSizes::default() };
    let of_pages: Vec<Vec<Chunk>> = pack.pages.iter().map(|page| chunks(page, &sizes)).collect();
    assert_eq!(of_pages[0].len(), 3);
    let made = index_pack(&pack, &of_pages);
    let files: Vec<(&str, &str)> = made.pages.iter().map(|page| (page.file.as_str(), page.title.as_str())).collect();
    assert_eq!(files, [("concepts/tea.md#0", "Tea"), ("concepts/tea.md#1", "Tea › Brewing")]);
    let terms: Vec<(&str, u32)> = made.pages[1].body.iter().map(|(term, count)| (term.as_str(), *count)).collect();
    assert_eq!(terms, [("brew", 1), ("drink", 1), ("pour", 1), ("tea", 1)]);
    assert!(pack.page_hashes[0].starts_with(&made.pages[1].hash));
    assert_eq!(made.pages[1].tags, ["hot"]);
}

#[test]
fn the_place_of_a_chunk_is_read_from_its_file() {
    for (file, expected) in [
        ("concepts/tea.md#0", Some(("concepts/tea.md", 0))),
        ("concepts/c#.md#12", Some(("concepts/c#.md", 12))),
        ("concepts/tea.md", None),
        ("concepts/tea.md#", None),
        ("concepts/tea.md#-1", None),
    ] {
        assert_eq!(chunk_place(file), expected, "{file}");
    }
}

/// Pieces of Markdown that tell how a text is divided.
const LINES: [&str; 16] = [
    "",
    "",
    "Tea is a drink. It is hot.",
    "# Tea",
    "## See Also",
    "### Deep {#d}",
    "```",
    "~~~ sh",
    "| a | b |",
    "|---|",
    "- item",
    "---",
    "<!-- gone -->",
    "   indented",
    "茶は飲み物です。熱い。",
    "> quote e.g. this",
];

fn any_body() -> impl Strategy<Value = String> {
    proptest::collection::vec((0..LINES.len(), 0usize..3), 0..60).prop_map(|lines| {
        let line = |(at, times): (usize, usize)| [LINES[at].repeat(1 + times * 7), "\n".into()].concat();
        lines.into_iter().map(line).collect()
    })
}

fn any_sizes() -> impl Strategy<Value = ChunkSizes> {
    (1usize..80, 0usize..30, 0usize..60).prop_map(|(target, overlap, more)| ChunkSizes {
        target,
        overlap,
        bound: target + overlap + more,
        prefix: 40,
    })
}

proptest! {
    #[test]
    fn every_character_is_in_a_chunk_and_none_is_too_long(body in any_body(), sizes in any_sizes()) {
        let page = page(&body);
        let made = chunks(&page, &sizes);
        for (number, chunk) in made.iter().enumerate() {
            prop_assert_eq!(chunk.number, number);
            prop_assert_eq!(chunk.char_count, chunk.raw_text.chars().count());
            prop_assert!(chunk.char_count <= sizes.bound, "{} of {}", chunk.char_count, sizes.bound);
            prop_assert!(chunk.prefix.chars().count() <= sizes.prefix);
            prop_assert!(!chunk.raw_text.trim().is_empty());
        }
        let (outline, _, groups) = divide(&page, &sizes);
        let mut covered = 0;
        for group in groups {
            let between = outline.text.get(covered..group.range.start).unwrap_or_default();
            prop_assert!(between.trim().is_empty(), "{between:?} is in no chunk");
            prop_assert!(group.range.end > covered, "a chunk of nothing new");
            covered = group.range.end;
        }
        prop_assert!(outline.text[covered..].trim().is_empty(), "{:?} is in no chunk", &outline.text[covered..]);
    }

    #[test]
    fn the_same_page_gives_the_same_chunks(body in any_body()) {
        let sizes = ChunkSizes { target: 40, ..ChunkSizes::default() };
        prop_assert_eq!(chunks(&page(&body), &sizes), chunks(&page(&body.replace('\n', "\r\n")), &sizes));
    }

    #[test]
    fn any_text_is_divided(text in "\\PC{0,200}") {
        let _ = chunks(&Page::parse("a.md", &text).0, &SMALL);
    }
}
