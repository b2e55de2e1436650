//! Real packs in many small files rank as scoring every page does: always the demo packs of this repository, with what
//! their packs and bodies say; the packs of the evaluation data too, where they lie on this machine. Pages are read in
//! the simplest way; all sides get the same text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use seealso_test_support::{evaluation_data, or_skip};

use super::exhaustive::Corpus;
use super::support::{Remote, pack, page};
use crate::postings::list::Postings;
use crate::{Analysis, Bm25, Index, Layout, NewPack, NewPage, Query};

/// How many questions of each file are asked, at most.
const QUESTIONS: usize = 40;
/// A word that occurs so often in a body is indexed.
const TELLING: u32 = 4;

#[test]
fn the_demo_packs_rank_as_scoring_every_page_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = Vec::new();
    find_packs(&root.join("packs-static"), &mut folders);
    let mut packs: Vec<NewPack> = folders.iter().map(|folder| pack_of(folder)).collect();
    packs.iter_mut().zip(&folders).for_each(|(pack, folder)| {
        pack.info.summary = about(folder);
        add_bodies(pack, folder);
    });
    let bodies = packs.iter().flat_map(|pack| &pack.pages).filter(|page| !page.body.is_empty()).count();
    assert!(packs.len() > 4 && bodies > 40, "{} packs, {bodies} bodies", packs.len());
    let questions = questions(&root.join("bench/search/demo-questions.jsonl"));
    // So few pages leave no postings unread.
    let (asked, _) = check(&packs, &questions);
    assert!(asked > 50, "{asked} searches");
}

#[test]
fn the_evaluation_packs_rank_as_scoring_every_page_does() {
    let data = or_skip!(evaluation_data());
    let packs: Vec<NewPack> = sorted(&data.join("packs")).iter().map(|folder| pack_of(folder)).collect();
    let pages: usize = packs.iter().map(|pack| pack.pages.len()).sum();
    assert!(pages > 600, "{pages} pages");
    let files = sorted(&data.join("questions"));
    let files = files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let asked: Vec<String> = files.flat_map(|path| questions(path)).collect();
    let (asked, unfetched) = check(&packs, &asked);
    assert!(asked > 100 && unfetched > 0, "{asked} searches, {unfetched} of them without all postings");
}

/// Asks an index of `packs` the known words of `questions`; how many searches that
/// were, and how many of them had not all postings.
fn check(packs: &[NewPack], questions: &[String]) -> (usize, usize) {
    let corpus = Corpus::new(packs);
    let layout = Layout {
        single_file_bytes: 0,
        inline_postings: 100,
        block_postings: 1,
        lengths_in_root_up_to: 0,
        ..Layout::default()
    };
    // Few pages have short lists.
    let few = packs.iter().map(|pack| pack.pages.len()).sum::<usize>() < 500;
    let remote = Remote::new(packs, Layout { inline_postings: if few { 4 } else { 100 }, ..layout });
    let (mut asked, mut unfetched) = (0, 0);
    for question in questions {
        let known = remote.resolve(|index| known_words(index, question));
        for (k, bm25) in [(8, Bm25::default()), (3, Bm25 { b: 0.3, adjacent: 0.0, ..Bm25::default() })] {
            let expected = corpus.search(Query::from(known.as_str()), k, &bm25);
            let index = remote.fresh();
            let (hits, _) = remote.resolve_in_rounds(&index, &|index| index.searcher(&bm25).search(known.as_str(), k));
            let found: Vec<u32> = hits.iter().map(|hit| hit.page.0).collect();
            assert_eq!(found, expected.iter().map(|page| page.0).collect::<Vec<_>>(), "{known}");
            for (hit, page) in hits.iter().zip(&expected) {
                assert!((hit.score - page.1).abs() <= 1e-12 * page.1, "{known}: {hit:?}, {page:?}");
            }
            asked += 1;
            unfetched += usize::from(index.search_has_unfetched_blocks(known.as_str()));
        }
    }
    (asked, unfetched)
}

/// The words of a question that some page holds, with commas between them: how far one looks for others, and for two
/// written together, depends on the layout.
fn known_words(index: &Index, question: &str) -> Result<String, crate::Error> {
    let (analysis, _) = index.analyses()[0];
    let words = analysis.tokens(question);
    index.prefetch_terms(analysis, words.iter().map(|word| word.term.as_str()))?;
    let known = words.iter().filter(|word| index.pages_with(analysis, &word.term).is_ok_and(|pages| pages > 0));
    Ok(known.map(|word| &question[word.start..word.end]).collect::<Vec<_>>().join(", "))
}

impl Index {
    /// Whether some blocks of the query's words are unfetched.
    fn search_has_unfetched_blocks(&self, text: &str) -> bool {
        let (analysis, _) = self.analyses()[0];
        let lists =
            analysis.tokens(text).into_iter().filter_map(|token| self.list(analysis, &token.term).ok().flatten());
        lists.into_iter().any(|list| match &list.postings {
            Postings::Blocks(blocks) => blocks.iter().any(|block| self.run_if_fetched(&list, block).unwrap().is_none()),
            Postings::Inline(_) => false,
        })
    }
}

fn questions(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let of =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["question"].as_str().unwrap().to_owned();
    text.lines().take(QUESTIONS).map(of).collect()
}

/// The folders of packs below `folder`: those with a manifest.
fn find_packs(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in sorted(folder).into_iter().filter(|path| path.is_dir()) {
        match path.join("manifest.yaml").is_file() {
            true => found.push(path),
            false => find_packs(&path, found),
        }
    }
}

/// The title and summary of a pack, from its manifest.
fn about(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("manifest.yaml")).unwrap();
    text.split("sources:").next().unwrap_or_default().to_owned()
}

/// Adds to each page the words that occur often in its body.
fn add_bodies(pack: &mut NewPack, folder: &Path) {
    for page in &mut pack.pages {
        let text = fs::read_to_string(folder.join(&page.file)).unwrap();
        let mut counts = BTreeMap::<String, u32>::new();
        for token in Analysis::English.tokens(&text) {
            *counts.entry(token.term).or_default() += 1;
        }
        page.body = counts.into_iter().filter(|(_, count)| *count >= TELLING).collect();
    }
}

fn pack_of(folder: &Path) -> NewPack {
    // The pages of a wiki are in a folder of their own.
    let concepts = folder.join("wiki/concepts");
    let mut pages = Vec::new();
    add_pages(if concepts.is_dir() { &concepts } else { folder }, &mut pages);
    pack(&folder.file_name().unwrap().to_string_lossy(), "en", pages)
}

fn add_pages(folder: &Path, pages: &mut Vec<NewPage>) {
    for path in sorted(folder) {
        if path.is_dir() {
            add_pages(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).unwrap();
            let value = |key| text.lines().skip(1).take_while(|line| *line != "---").find_map(|l| l.strip_prefix(key));
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let (title, summary) = (value("title:").unwrap_or(&name), value("description:").or(value("summary:")));
            let summary = summary.unwrap_or_default();
            pages.push(page(&path.display().to_string(), title, &[&name], summary, &[]));
        }
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
