//! BM25 against its oracle: on the same tokens, constants and weights, SQLite's FTS5 ranks as this index does.
//!
//! FTS5 gets our tokens, not our text, so what is compared is the ranking alone. One corpus is generated; the others
//! are packs of the evaluation data, which lies beside the repository (`../shared/data`, or the folder that
//! `SEEALSO_SHARED` names) and is compared wherever it is there.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use seealso_index::{Analysis, B, Bm25, Idf, Index, K1, NewPack, NewPage, PackInfo, PageNo, write};
use seealso_test_support::{Random, evaluation_data, or_skip};

/// How far two scores of one page may lie apart. A floored word scores about 1e-6, so 1e-6 would compare nothing.
const TOLERANCE: f64 = 1e-9;
/// Places of the ranking that a question is answered from.
const TOP: usize = 8;

/// One corpus in both engines.
struct Corpus {
    analysis: Analysis,
    index: Index,
    fts5: Connection,
}

impl Corpus {
    /// Indexes `pages`, written in `language`, in memory.
    fn new(language: &str, mut pages: Vec<NewPage>) -> Corpus {
        let analysis = Analysis::of_language(language);
        for page in &mut pages {
            page.summary = words_alone(&page.summary);
            let names = page.aliases.iter_mut().chain([&mut page.title]);
            names.for_each(|name| *name = without_named_stop_words(analysis, &words_alone(name)));
        }
        let fts5 = Connection::open_in_memory().unwrap();
        fts5.execute_batch("CREATE VIRTUAL TABLE t USING fts5(title, aliases, summary, tokenize = 'ascii'); BEGIN;")
            .unwrap();
        for (number, page) in pages.iter().enumerate() {
            let column = |text: &str| encoded(analysis, text).join(" ");
            fts5.execute(
                "INSERT INTO t(rowid, title, aliases, summary) VALUES (?1, ?2, ?3, ?4)",
                params![number as i64, column(&page.title), column(&page.aliases.join("\n")), column(&page.summary)],
            )
            .unwrap();
        }
        fts5.execute_batch("COMMIT;").unwrap();
        let info = PackInfo { path: "p".into(), language: language.into(), ..PackInfo::default() };
        let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
        Corpus { analysis, index, fts5 }
    }

    /// `text` without the words that no page holds: for those we take the nearest, FTS5 takes none.
    fn known_words(&self, text: &str) -> String {
        let mut words = self.analysis.tokens(text);
        words.retain(|word| self.index.pages_with(self.analysis, &word.term).unwrap() > 0);
        words.iter().map(|word| &text[word.start..word.end]).collect::<Vec<_>>().join(" ")
    }

    /// Our ranking of every page that holds a word of `query`, by score alone: no exact name first.
    fn ours(&self, query: &str, bm25: &Bm25) -> Vec<(PageNo, f64)> {
        let hits = self.index.searcher(bm25).search(query, usize::MAX).unwrap();
        let mut scored: Vec<(PageNo, f64)> = hits.iter().map(|hit| (hit.page, hit.score)).collect();
        // A name of stop words alone is found without a score; FTS5 was never given those words.
        scored.retain(|(_, score)| *score > 0.0);
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        scored
    }

    /// FTS5's ranking for any word of `query`, best first. Its scores are negative: lower is better.
    fn theirs(&self, query: &str, bm25: &Bm25) -> Vec<(PageNo, f64)> {
        let mut words = encoded(self.analysis, query);
        words.sort();
        words.dedup();
        if words.is_empty() {
            return Vec::new();
        }
        let [title, aliases, summary, _] = bm25.weights;
        let mut statement = self
            .fts5
            .prepare_cached("SELECT rowid, -bm25(t, ?2, ?3, ?4) AS score FROM t WHERE t MATCH ?1 ORDER BY score DESC")
            .unwrap();
        let rows = statement.query_map(params![words.join(" OR "), title, aliases, summary], |row| {
            Ok((PageNo(row.get::<_, i64>(0)? as u32), row.get::<_, f64>(1)?))
        });
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    }

    /// The same pages with the same scores; so the same ranking, ties aside. Returns how many pages were compared.
    fn check(&self, query: &str, bm25: &Bm25) -> usize {
        let query = &self.known_words(&words_alone(query));
        let (ours, theirs) = (self.ours(query, bm25), self.theirs(query, bm25));
        let score_there: BTreeMap<PageNo, f64> = theirs.iter().copied().collect();
        assert_eq!(ours.len(), theirs.len(), "as many pages for {query:?}");
        for (page, score) in &ours {
            let there = score_there.get(page).unwrap_or_else(|| panic!("FTS5 lacks {page:?} for {query:?}"));
            assert!((score - there).abs() < TOLERANCE, "{page:?} has {score}, in FTS5 {there}, for {query:?}");
        }
        for (place, (our, their)) in ours.iter().zip(&theirs).take(TOP).enumerate() {
            assert!((our.1 - their.1).abs() < TOLERANCE, "place {place}: {our:?}, in FTS5 {their:?}, for {query:?}");
        }
        ours.len()
    }
}

/// `text` without the signs that make identifiers and compounds: those are found by terms that a page is not longer
/// for, and FTS5 counts every token.
fn words_alone(text: &str) -> String {
    text.replace(|c: char| "+#./:_@-\u{2010}\u{2011}".contains(c), " ")
}

/// `name` in small letters, and nothing where it is made of stop words alone: a page is found by the stop words of such
/// a name and by acronyms, which FTS5 is not given.
fn without_named_stop_words(analysis: Analysis, name: &str) -> String {
    if analysis.tokens(name).is_empty() { String::new() } else { name.to_lowercase() }
}

/// The tokens of `text`, each spelt as one word that FTS5's tokenizer leaves alone.
fn encoded(analysis: Analysis, text: &str) -> Vec<String> {
    let hex = |term: &str| term.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    analysis.tokens(text).iter().map(|token| format!("x{}", hex(&token.term))).collect()
}

/// The default weights with FTS5's k1, b and idf, and a second set, so that no weight is right by chance. FTS5 knows no
/// weak words, packs' words and order of words.
fn rankings() -> [Bm25; 2] {
    let fts5 = Bm25 { k1: K1, b: B, b_body: B, idf: Idf::Fts5, weak: 1.0, pack: 0.0, adjacent: 0.0, ..Bm25::default() };
    [fts5, Bm25 { weights: [7.5, 0.25, 1.0, 1.0], ..fts5 }]
}

#[test]
fn a_generated_corpus_ranks_as_in_fts5() {
    for language in ["en", "de"] {
        let mut words = Words(Random::new(7));
        let corpus = Corpus::new(language, (0..300).map(|number| words.page(number)).collect());
        for query in (0..60).map(|_| words.text(1, 9)).chain(["".into(), "the".into(), COMMON.join(" ")]) {
            for bm25 in rankings() {
                corpus.check(&query, &bm25);
            }
        }
        let floored = COMMON.iter().flat_map(|word| corpus.ours(word, &rankings()[0])).filter(|hit| hit.1 < 1e-5);
        assert!(floored.count() > 300, "some words are common enough for FTS5's floor");
    }
}

#[test]
fn every_question_of_the_evaluation_data_ranks_as_in_fts5() {
    let data = or_skip!(evaluation_data());
    let questions = questions(&data.join("questions"));
    assert!(questions.len() >= 100, "{} questions", questions.len());
    for packs in [&["react"][..], &["uk-living"], &["react", "uk-living"]] {
        let pages: Vec<NewPage> = packs.iter().flat_map(|pack| pages(&data.join("packs").join(pack))).collect();
        assert!(pages.len() >= 150, "{} pages in {packs:?}", pages.len());
        let corpus = Corpus::new("en", pages);
        let compared: usize =
            questions.iter().flat_map(|query| rankings().map(|bm25| corpus.check(query, &bm25))).sum();
        assert!(compared > questions.len() * 2 * TOP, "only {compared} scores for {packs:?}");
    }
}

fn questions(folder: &Path) -> Vec<String> {
    let files =
        sorted(folder).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let lines = files.map(|path| fs::read_to_string(path).unwrap());
    let questions = lines.flat_map(|text| text.lines().map(question).collect::<Vec<_>>());
    questions.collect()
}

fn question(line: &str) -> String {
    serde_json::from_str::<serde_json::Value>(line).unwrap()["question"].as_str().unwrap().to_owned()
}

/// The pages below `folder`: title and summary from their front matter. It is read here in its simplest form, for
/// both engines get the same text and no more matters.
fn pages(folder: &Path) -> Vec<NewPage> {
    let mut pages = Vec::new();
    for path in sorted(folder) {
        if path.is_dir() {
            pages.extend(self::pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).unwrap();
            let value = |key| text.lines().skip(1).take_while(|line| *line != "---").find_map(|l| l.strip_prefix(key));
            let Some(title) = value("title:") else { continue };
            pages.push(NewPage {
                file: path.display().to_string(),
                title: title.to_owned(),
                // No page has aliases; words of its path stand in for them.
                aliases: vec![path.file_stem().unwrap().to_string_lossy().into_owned()],
                summary: value("description:").unwrap_or_default().to_owned(),
                ..NewPage::default()
            });
        }
    }
    pages
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Words that stand in most pages.
const COMMON: [&str; 4] = ["water", "größe", "running", "光合成"];
/// How many rarer words there are.
const VOCABULARY: u64 = 400;

/// A source of words: the same ones on every machine.
struct Words(Random);

impl Words {
    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0.bits() % bound
    }

    /// A common word, a stop word, or one of the vocabulary, whose first words come oftener than its last.
    fn word(&mut self) -> String {
        match self.below(10) {
            0..3 => COMMON[self.below(COMMON.len() as u64) as usize].into(),
            3 => "the".into(),
            _ => {
                let rank = self.below(VOCABULARY) * self.below(VOCABULARY) / VOCABULARY;
                let letter = |place: u32| char::from(b'a' + (rank / 20u64.pow(place) % 20) as u8);
                format!("{}o{}ri{}n", letter(0), letter(1), letter(2))
            }
        }
    }

    /// Between `fewest` and `most` words.
    fn text(&mut self, fewest: u64, most: u64) -> String {
        let count = fewest + self.below(most - fewest + 1);
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn page(&mut self, number: usize) -> NewPage {
        NewPage {
            file: format!("{number}.md"),
            title: self.text(1, 4),
            aliases: (0..self.below(3)).map(|_| self.text(1, 3)).collect(),
            summary: self.text(0, 40),
            ..NewPage::default()
        }
    }
}
