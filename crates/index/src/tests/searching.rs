//! What queries find: names, languages, misspellings, incomplete words, filters, common terms.

use super::support::{Remote, open, pack, page, sample, tiny, titles, words};
use crate::postings::list::{Postings, PostingsList};
use crate::{Bm25, Filter, Index, Kind, Layout, NewPage, PackNo, PageNo, Query};

#[test]
fn an_exact_name_comes_first_whatever_its_score() {
    let index = open(&sample());
    assert_eq!(titles(&index, "emperors of Rome")[0], "Roman emperor");
    assert_eq!(titles(&index, "What is a Roman emperor?"), ["Roman emperor", "Nero"]);
    assert_eq!(titles(&index, "the who"), ["The Who"], "a name of stop words");
    assert_eq!(
        index.searcher(&Bm25::default()).pages_named("The Roman Emperor").unwrap(),
        [PageNo(0)],
        "stop words aside"
    );
    assert_eq!(index.searcher(&Bm25::default()).pages_named("Roman").unwrap(), []);
    assert!(titles(&index, "quantum chromodynamics").is_empty());
    assert!(titles(&index, "").is_empty());
}

#[test]
fn each_pack_is_searched_with_its_own_analysis() {
    let index = open(&sample());
    assert_eq!(titles(&index, "römische Kaiser"), ["Römische Kaiser"]);
    assert_eq!(titles(&index, "ROMISCHE kaiser"), ["Römische Kaiser"]);
    let names: Vec<&str> = index.analyses().iter().map(|(analysis, _)| analysis.name()).collect();
    assert_eq!(names, ["English", "German"]);
}

#[test]
fn names_in_a_question_are_found_longest_first() {
    let packs = [pack(
        "p",
        "en",
        vec![
            page("a.md", "Rome", &[], "", &[]),
            page("b.md", "Nero", &["Emperor of Rome"], "", &[]),
            page("c.md", "The Who", &[], "", &[]),
        ],
    )];
    let index = open(&packs);
    let found = |text: &str| -> Vec<(String, Vec<u32>)> {
        let names = index.searcher(&Bm25::default()).names_in(text).unwrap();
        names.iter().map(|n| (text[n.start..n.end].to_owned(), n.pages.iter().map(|page| page.0).collect())).collect()
    };
    let both = [("Nero".to_owned(), vec![1]), ("emperor of Rome".to_owned(), vec![1])];
    assert_eq!(found("Was Nero an emperor of Rome?"), both, "and not Rome, which stands inside");
    assert_eq!(found("Who saw Rome burn?"), [("Rome".to_owned(), vec![0])]);
    assert_eq!(found("who is the who"), [("the who".to_owned(), vec![2])], "it has no other words");
    assert_eq!(found("who saw the who burn"), [], "among others stop words are no name");
}

#[test]
fn a_name_of_many_words_is_found_whole() {
    let long = "one1 two2 three3 four4 five5 six6 seven7 eight8 nine9";
    let index = open(&[pack("p", "en", vec![page("a.md", long, &[&long[..long.len() - 6]], "", &[])])]);
    assert_eq!(index.searcher(&Bm25::default()).pages_named(long).unwrap(), [PageNo(0)]);
    let inside = index.searcher(&Bm25::default()).names_in(&format!("see {long}")).unwrap();
    assert_eq!((inside[0].tokens, inside.len()), (8, 1), "eight words at most are looked for in a text");
}

#[test]
fn an_explanation_adds_up_to_the_score() {
    let (index, bm25) = (open(&sample()), Bm25::default());
    for hit in index.searcher(&bm25).search("last emperor of the dynasty", 8).unwrap() {
        let why = index.searcher(&bm25).explain("last emperor of the dynasty", hit.page).unwrap();
        assert_eq!(why.score, hit.score);
        assert!(!why.terms.is_empty());
    }
}

#[test]
fn a_page_that_says_a_word_oftener_is_above() {
    let pages = vec![page("a.md", "One", &[], "cat dog dog", &[]), page("b.md", "Two", &[], "cat cat dog", &[])];
    let index = open(&[pack("p", "en", pages)]);
    assert_eq!(titles(&index, "cat"), ["Two", "One"]);
    let words_alone = Bm25 { adjacent: 0.0, ..Bm25::default() };
    let hits = index.searcher(&words_alone).search("cat cat dog", 8).unwrap();
    assert_eq!([hits[0].page, hits[1].page], [PageNo(0), PageNo(1)], "a repeated word counts once; ties by number");
    assert_eq!(hits[0].score, hits[1].score);
}

#[test]
fn as_many_hits_come_as_are_asked_for() {
    let index = open(&sample());
    let count = |k: usize| index.searcher(&Bm25::default()).search("emperor", k).unwrap().len();
    assert_eq!([count(0), count(1), count(2), count(usize::MAX)], [0, 1, 2, 2]);
}

#[test]
fn an_unknown_word_finds_the_nearest_known_ones() {
    for (known, typed, found) in [
        (&["photosynthesis"][..], "photosynthesis", &["photosynthesis"][..]),
        (&["photosynthesis"], "fotosynthesis", &[]),
        (&["photosynthesis"], "potosynthesis", &["photosynthesis"]),
        (&["photosynthesis"], "photosythnesis", &["photosynthesis"]),
        (&["photosynthesis"], "pottosyntesis", &[]),
        (&["nero", "hero"], "nerro", &["nero"]),
        (&["nero", "zero"], "neor", &[]),
        (&["roman", "woman"], "roamn", &["roman"]),
        (&["größe"], "große", &["größe"]),
        (&["größte", "größe"], "grösze", &["größe"]),
        (&["naïveté"], "naivtee", &["naïveté"]),
        (&["w100"], "w101", &[]),
        (&["cat", "dog"], "dgo", &[]),
    ] {
        assert_eq!(titles(&open(&words(known)), typed), found, "{typed}");
    }
}

#[test]
fn words_like_a_misspelt_one_are_looked_for_around_its_place() {
    // Ten shards of words that begin with "con"; the word that is meant is in the last of them.
    let mut titles: Vec<String> = (0..200).map(|at| format!("con{}", letters(at))).collect();
    titles.push("continuous".into());
    let texts: Vec<&str> = titles.iter().map(String::as_str).collect();
    let remote = Remote::new(&words(&texts), Layout { term_bytes: 200, ..tiny() });
    let hits = remote.resolve(|index| index.searcher(&Bm25::default()).search("continuos", 8));
    assert_eq!(hits.iter().map(|hit| hit.page.0).collect::<Vec<_>>(), [200]);
}

/// Three letters that stand for `number`, the first of them before "t".
fn letters(number: u32) -> String {
    let letter = |digit: u32| char::from(b'a' + (digit % 18) as u8);
    [letter(number / 18), letter(number), 'q'].iter().collect()
}

#[test]
fn a_guessed_word_counts_for_less() {
    let index = open(&words(&["nero", "nero rome"]));
    let words_alone = Bm25 { adjacent: 0.0, ..Bm25::default() };
    let score = |query: &str| index.searcher(&words_alone).search(query, 1).unwrap()[0].score;
    assert!((score("nerro") / score("nero") - 0.7).abs() < 1e-12);
}

#[test]
fn the_last_word_may_be_a_beginning() {
    let index = open(&words(&["roman", "romanesque art", "rome", "art"]));
    let found = |text: &str| -> Vec<u32> {
        let hits = index.searcher(&Bm25::default()).search(Query { prefix: true, ..Query::from(text) }, 8).unwrap();
        let mut pages: Vec<u32> = hits.iter().map(|hit| hit.page.0).collect();
        pages.sort();
        pages
    };
    assert_eq!(found("roma"), [0, 1]);
    assert_eq!(found("rom"), [0, 1, 2]);
    assert_eq!(found("rom art"), [1, 3], "only the last word");
    assert_eq!(found("roman"), [0, 1], "a whole word is a beginning too");
    assert_eq!(found("romaa "), [0], "a word that is ended is none, but may be misspelt");
    assert_eq!(found("roma "), [] as [u32; 0]);
}

#[test]
fn the_word_that_the_query_ends_in_is_begun_whatever_forms_stand_beside_it() {
    let packs = |language| {
        let titles = ["opt in consent", "optinal", "node.js server", "node.js sample", "dockerfile", "theory"];
        let pages = titles.iter().enumerate().map(|(at, title)| page(&format!("{at}.md"), title, &[], "", &[]));
        [pack("p", language, pages.collect())]
    };
    let (english, plain) = (open(&packs("en")), open(&packs("xx")));
    for (index, typed, expected) in [
        (&english, "opt-in cons", &[0][..]),
        (&english, "node.js ser", &[2, 3]),
        (&english, "node.js", &[2, 3]),
        (&english, "docker", &[4]),
        (&english, "docker ", &[]),
        (&english, "docker?", &[]),
        (&english, "docker in", &[]),
        (&english, "the", &[5]),
        (&english, "the ", &[]),
        (&english, "of the", &[]),
        (&plain, "docker in", &[0]),
        (&plain, "opt-in c", &[0]),
    ] {
        let hits = index.searcher(&Bm25::default()).search(Query { prefix: true, ..Query::from(typed) }, 8).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.page.0).collect::<Vec<_>>(), expected, "{typed}");
    }
}

#[test]
fn filters_keep_a_search_to_some_pages() {
    let remote = Remote::new(&sample(), tiny());
    let list = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    for (packs, tags, languages, found) in [
        (&[][..], &[][..], &[][..], &[0, 1, 3][..]),
        (&["de"], &[], &[], &[3]),
        (&["de", "history/rome"], &[], &[], &[0, 1, 3]),
        (&["history"], &[], &[], &[0, 1]),
        (&["history/r"], &[], &[], &[]),
        (&[], &["rome"], &[], &[0, 1]),
        (&[], &["RÖME", "person", "none"], &[], &[0, 1]),
        (&[], &["person"], &[], &[1]),
        (&[], &["none"], &[], &[]),
        (&[], &[], &["EN"], &[0, 1]),
        (&[], &[], &["de", "en"], &[0, 1, 3]),
        (&[], &[], &["e"], &[]),
        (&["de"], &["rome"], &[], &[]),
        (&["history/rome"], &["office"], &["en"], &[0]),
    ] {
        let filter = Filter { packs: list(packs), tags: list(tags), languages: list(languages) };
        let query = Query { filter: Some(&filter), ..Query::from("emperor kaiser") };
        let hits = remote.resolve(|index| index.searcher(&Bm25::default()).search(query, 8));
        let mut pages: Vec<u32> = hits.iter().map(|hit| hit.page.0).collect();
        pages.sort();
        assert_eq!(pages, found, "{filter:?}");
    }
}

#[test]
fn a_filter_holds_for_exact_names_too() {
    let (index, filter) = (open(&sample()), Filter { packs: vec!["de".into()], ..Filter::default() });
    let query = Query { filter: Some(&filter), ..Query::from("nero") };
    assert_eq!(index.searcher(&Bm25::default()).search(query, 8).unwrap(), []);
}

#[test]
fn context_orders_and_finds_nothing_alone() {
    let index = open(&words(&["nero rome", "nero art", "art"]));
    let found = |text: &str, context: &str| -> Vec<u32> {
        let hits = index.searcher(&Bm25::default()).search(Query { context, ..Query::from(text) }, 8).unwrap();
        hits.iter().map(|hit| hit.page.0).collect()
    };
    assert_eq!(found("nero", "")[..], [0, 1]);
    assert_eq!(found("nero", "art"), [1, 0, 2]);
    assert_eq!(found("", "art"), [] as [u32; 0]);
}

/// 40,000 pages that have "library", every thousandth with a word of its own.
fn collection() -> Remote {
    let pages = (0..40_000u32).map(|number| NewPage {
        file: format!("{number}.md"),
        title: if number % 1000 == 7 { format!("rare{}", number % 2) } else { String::new() },
        summary: if number == 7007 { "library library".into() } else { "library book".into() },
        ..NewPage::default()
    });
    Remote::new(&[pack("p", "xx", pages.collect())], Layout { single_file_bytes: 0, ..Layout::default() })
}

#[test]
fn a_word_of_the_whole_collection_orders_what_others_find() {
    let remote = collection();
    let search = |text: &'static str| remote.resolve(move |index| index.searcher(&Bm25::default()).search(text, 50));
    let both = search("rare1 library");
    assert_eq!(both.len(), 40, "and no page for the common word's sake");
    assert_eq!(both[0].page, PageNo(7007), "it says the common word twice");
    for hit in &both[..8] {
        let why = remote.resolve(|index| index.searcher(&Bm25::default()).explain("rare1 library", hit.page));
        assert!((why.score - hit.score).abs() < 1e-12 && why.terms.len() == 2, "{why:?}");
    }
    assert_eq!(search("library").len(), 50, "alone it finds its pages");
    let fresh = remote.fresh();
    let (_, rounds) =
        remote.resolve_in_rounds(&fresh, &|index| index.searcher(&Bm25::default()).search("rare1 library", 8));
    assert!(rounds <= 3, "{rounds} rounds");
}

#[test]
fn what_packs_say_with_a_common_word_counts_once() {
    let of = |path: &str, says: &str, titles: &[&str]| {
        let pages = titles.iter().enumerate().map(|(at, title)| page(&format!("{at}.md"), title, &[], "", &[]));
        let mut pack = pack(path, "en", pages.collect());
        pack.info.title = says.into();
        pack
    };
    let packs = [
        of("a", "Python library", &["python library parser", "library", "python library", "parser of a python"]),
        of("b", "Rust", &["library parser", "parser", "a library of libraries", "rust"]),
    ];
    let mut index = open(&packs);
    index.most_uncommon = 3;
    for text in ["parser python library", "rust library", "library", "python"] {
        let hits = index.searcher(&Bm25::default()).search(text, 8).unwrap();
        assert!(!hits.is_empty());
        for hit in hits {
            let why = index.searcher(&Bm25::default()).explain(text, hit.page).unwrap();
            let terms: f64 = why.terms.iter().map(|term| term.score).sum();
            assert!((why.score - hit.score).abs() < 1e-12, "{text}: {hit:?}, {why:?}");
            assert!((terms + why.adjacent - hit.score).abs() < 1e-12, "{text}: {hit:?}, {why:?}");
        }
    }
    let explained = index.searcher(&Bm25::default()).explain("parser library", PageNo(3)).unwrap();
    assert!(explained.terms.iter().any(|term| term.term == "librari" && term.pack > 0.0 && term.frequencies == [0; 4]));
}

#[test]
fn rare_words_of_the_context_find_no_page_in_place_of_a_common_word_of_the_query() {
    let mut index = open(&words(&["library", "numpy", "numpy library", "library book"]));
    index.most_uncommon = 2;
    let found = |text: &str, context: &str| -> Vec<u32> {
        let hits = index.searcher(&Bm25::default()).search(Query { context, ..Query::from(text) }, 8).unwrap();
        let mut pages: Vec<u32> = hits.iter().map(|hit| hit.page.0).collect();
        pages.sort_unstable();
        pages
    };
    assert_eq!(found("library", "numpy"), [0, 1, 2, 3]);
    assert_eq!(found("numpy", "library"), [1, 2], "a common word of the context orders");
    assert_eq!(found("book library", "numpy"), [1, 2, 3], "what is rare finds, wherever it stands");
    assert_eq!(found("unknown", "library"), [] as [u32; 0], "nor does it find any alone");
}

#[test]
fn a_common_word_finds_pages_where_the_rarer_ones_pass_no_filter() {
    let of = |path: &str, titles: &[&str]| {
        let pages = titles.iter().enumerate().map(|(at, title)| page(&format!("{at}.md"), title, &[], "", &[]));
        pack(path, "xx", pages.collect())
    };
    let mut index = open(&[of("a", &["library", "library book"]), of("b", &["numpy library", "library"])]);
    index.most_uncommon = 2;
    let filter = Filter { packs: vec!["a".into()], ..Filter::default() };
    let found = |filter: Option<&Filter>| -> Vec<u32> {
        let hits =
            index.searcher(&Bm25::default()).search(Query { filter, ..Query::from("numpy library") }, 8).unwrap();
        hits.iter().map(|hit| hit.page.0).collect()
    };
    assert_eq!([found(None), found(Some(&filter))], [vec![2], vec![0, 1]]);
    assert_eq!(found(Some(&Filter::default())), [2], "what filters nothing changes nothing");
    let query = Query { filter: Some(&filter), ..Query::from("numpy library") };
    for hit in index.searcher(&Bm25::default()).search(query, 8).unwrap() {
        let why = index.searcher(&Bm25::default()).explain(query, hit.page).unwrap();
        assert!((why.score - hit.score).abs() < 1e-12, "{hit:?}, {why:?}");
    }
    // A word of the context finds nothing here either.
    let query = Query { context: "library", filter: Some(&filter), ..Query::from("numpy") };
    assert_eq!(index.searcher(&Bm25::default()).search(query, 8).unwrap(), []);
}

#[test]
fn a_filter_that_few_pages_pass_fetches_no_whole_list_of_a_common_word() {
    let of = |path: &str, count: u32| {
        let pages = (0..count).map(|at| page(&format!("{at:03}.md"), "library", &[], "", &[]));
        pack(path, "xx", pages.collect())
    };
    let rare = pack("c", "xx", vec![page("0.md", "numpy", &[], "", &[])]);
    let remote = Remote::new(&[of("a", 600), of("b", 3), rare], Layout { block_postings: 32, ..tiny() });
    let mut index = remote.fresh();
    index.most_uncommon = 2;
    let filter = Filter { packs: vec!["b".into()], ..Filter::default() };
    let query = Query { filter: Some(&filter), ..Query::from("numpy library") };
    let (hits, _, files) = remote.resolve_counted(&index, &|index| index.searcher(&Bm25::default()).search(query, 8));
    let pages: Vec<u32> = hits.iter().map(|hit| hit.page.0).collect();
    assert!(pages == [600, 601, 602] && files < 12, "{pages:?}, {files} files");
}

#[test]
fn few_rounds_suffice() {
    let remote = Remote::new(&sample(), tiny());
    let ask = |index: &Index| {
        index.searcher(&Bm25::default()).prefetch("Was Nero the last emperor of Rome?")?;
        index.searcher(&Bm25::default()).search("Was Nero the last emperor of Rome?", 3)
    };
    let (hits, rounds) = remote.resolve_in_rounds(&remote.fresh(), &ask);
    assert!(!hits.is_empty() && rounds <= 3, "{rounds} rounds");
}

#[test]
fn many_pages_of_one_name_come_at_once() {
    let pages = (0..300u32).map(|number| page(&format!("{number}.md"), "Introduction", &[], "What it is about.", &[]));
    let remote = Remote::new(&[pack("p", "en", pages.collect())], Layout::in_files_of(256));
    let ask = |index: &Index| index.searcher(&Bm25::default()).search("introduction", 8);
    let (hits, rounds, files) = remote.resolve_counted(&remote.fresh(), &ask);
    assert!(hits.len() == 8 && hits.iter().all(|hit| hit.exact) && rounds <= 5, "{rounds} rounds: {hits:?}");
    // The texts of sixteen of them, and the files of the word.
    assert!(remote.files.len() > 50 && files <= 24, "{files} files of {}", remote.files.len());
}

#[test]
fn of_many_pages_of_one_name_those_come_first_that_say_the_context_themselves() {
    let says = |git: bool| if git { "What git is about." } else { "What wool is about." };
    let pages = (0..40u32).map(|number| page(&format!("{number}.md"), "Introduction", &[], says(number >= 30), &[]));
    let mut first = pack("a", "en", pages.collect());
    first.info.title = "Git".into();
    let index = open(&[first, pack("b", "en", vec![page("b.md", "Bread", &[], "Flour.", &[])])]);
    let query = Query { context: "git", ..Query::from("introduction") };
    let hits = index.searcher(&Bm25::default()).search(query, 12).unwrap();
    let mut pages: Vec<u32> = hits[..10].iter().map(|hit| hit.page.0).collect();
    pages.sort_unstable();
    assert_eq!(pages, (30..40).collect::<Vec<_>>());
    assert!(hits.iter().all(|hit| hit.exact));
}

#[test]
fn a_page_is_found_by_its_file_without_the_texts_of_its_whole_pack() {
    let pages = (0..900u32).map(|number| page(&format!("c/{number:03}.md"), &format!("Page {number}"), &[], "", &[]));
    let remote = Remote::new(&[pack("p", "en", pages.collect())], Layout::in_files_of(256));
    let find = |index: &Index| index.find_page(PackNo(0), "c/717.md");
    let (found, _, files) = remote.resolve_counted(&remote.fresh(), &find);
    assert!(found == Some(PageNo(717)) && files <= 12, "{found:?}, {files} files");
    let index = remote.fresh();
    remote.resolve_in_rounds(&index, &|index| index.page(PageNo(717)));
    assert_eq!(index.find_page(PackNo(0), "c/717.md"), Ok(Some(PageNo(717))), "its texts are there");
    let (found, _, files) = remote.resolve_counted(&remote.fresh(), &|index| index.find_page(PackNo(0), "c/none.md"));
    assert!(found.is_none() && files <= 12, "{found:?}, {files} files");
}

#[test]
fn pages_that_stand_in_no_order_are_found_all_the_same() {
    let pages: Vec<_> =
        [3, 1, 4, 0, 5, 2].map(|at| page(&format!("{at}.md"), &format!("Page {at}"), &[], "", &[])).into();
    for (index, remote) in [(open(&[pack("p", "en", pages.clone())]), None), {
        let remote = Remote::new(&[pack("p", "en", pages.clone())], tiny());
        (remote.fresh(), Some(remote))
    }] {
        for (at, page) in pages.iter().enumerate() {
            let find = |index: &Index| index.find_page(PackNo(0), &page.file);
            let found = match &remote {
                Some(remote) => remote.resolve_in_rounds(&index, &find).0,
                None => find(&index).unwrap(),
            };
            assert_eq!(found, Some(PageNo(at as u32)), "{}", page.file);
        }
    }
}

#[test]
fn lists_that_share_a_file_keep_bounds_of_their_own() {
    let titles: Vec<String> = (0..40).map(|at| format!("word {}", "more ".repeat(at % 7))).collect();
    let texts: Vec<&str> = titles.iter().map(String::as_str).collect();
    let remote = Remote::new(&words(&texts), tiny());
    let index = remote.fresh();
    let list = remote.resolve_in_rounds(&index, &|index| index.list(index.analysis_of(PackNo(0)), "word")).0.unwrap();
    let Postings::Blocks(blocks) = &list.postings else { panic!("the list is short") };
    let of =
        |list: &PostingsList| remote.resolve_in_rounds(&index, &|index| index.run(list, &blocks[0])).0.skips.clone();
    let ours = of(&list);
    // Another list with the same pages and numbers, of which what was the best is the worst.
    let norms = list.norms.iter().map(|norm| -norm).collect();
    let other = PostingsList { norms, norms_hash: list.norms_hash ^ 1, ..PostingsList::clone(&list) };
    assert_ne!(of(&other), ours);
    assert_eq!(of(&list), ours);
}

#[test]
fn short_lists_are_told() {
    let index = open(&sample());
    let english = index.analysis_of(PackNo(0));
    let term = english.tokens("emperor").into_iter().find(|token| token.kind == Kind::Word).unwrap().term;
    let found = index.short_postings(english, &term).unwrap().unwrap();
    let pages: Vec<(u32, [u32; 4])> = found.iter().map(|posting| (posting.page.0, posting.frequencies)).collect();
    assert_eq!(pages, [(0, [1, 1, 0, 0]), (1, [0, 0, 1, 0])]);
    assert_eq!(index.pages_with(english, &term).unwrap(), 2);
    assert_eq!(index.short_postings(english, "none").unwrap().unwrap(), []);
}
