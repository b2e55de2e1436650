//! `seealso eval sentences`: how well pages are found by what they say, without a file of questions.
//!
//! Of each page a sentence is taken out of the body, and then asked for: the page that it stood in is the one to find (the
//! inverse cloze task of Lee, Chang and Toutanova 2019, "Latent Retrieval for Weakly Supervised Open Domain Question
//! Answering"). The index is built without the sentences, so it knows no more of them than of a reader's question. No
//! setting that is chosen by these figures is fitted to any question that it is judged by later.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use seealso::{Config, Fault, Fetched, Library, PackSource, Question, Request, SentenceRules, SourceError, decompose};
use seealso_index::Analysis;
use seealso_pack::{BODY_TERMS, BlockKind, BuildOutput, CATALOG_FILE, Layout, Pack, Page, SectionKind, catalog_in};
use serde::Serialize;

use super::claim_set::hash;
use super::{Ranked, merged};
use crate::commands::build::packs_of;
use crate::exit::{Done, Outcome};
use crate::source::{SystemClock, block_on};
use crate::style::{ProgressLine, STRONG, say};

/// Measure retrieval on sentences taken out of the pages themselves: packs as authored, no questions needed.
#[derive(Args)]
pub(super) struct Arguments {
    /// Packs, or folders of packs, as authored.
    #[arg(required = true, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// Salient terms of its body that each page gets in the index; a list is measured one after the other.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_values_t = [0, BODY_TERMS])]
    body_terms: Vec<usize>,
    /// How many sentences a page gives at most; one always stays.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
    per_page: u16,
    /// Which sentences are taken.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    ranked: Ranked,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// A sentence of fewer words says too little to be asked for, one of more is no question.
const WORDS: std::ops::RangeInclusive<usize> = 6..=30;

/// A summary that says so many of a sentence's first characters says the sentence, or its beginning.
const HEAD: usize = 24;

/// A sentence, and the page that it was taken out of.
#[derive(Debug, PartialEq)]
struct Taken {
    sentence: String,
    page: String,
}

/// The numbers with so many body terms.
#[derive(Debug, Serialize)]
struct Row {
    body_terms: usize,
    n: usize,
    hit_at_1: f64,
    hit_at_5: f64,
    mrr: f64,
    index_bytes: u64,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let found = packs_of(&arguments.from)?;
    let mut packs = found.iter().map(|(dir, path)| Pack::read(dir, path)).collect::<Result<Vec<Pack>, _>>()?;
    let taken: Vec<Taken> =
        packs.iter_mut().flat_map(|pack| take_out(pack, arguments.per_page.into(), arguments.seed)).collect();
    if taken.is_empty() {
        bail!("no page of these packs has two sentences of {} to {} words to spare", WORDS.start(), WORDS.end());
    }
    let mut rows = Vec::new();
    for &body_terms in &arguments.body_terms {
        let built = catalog_in(&packs, Layout::default(), body_terms)?;
        rows.push(block_on(measure(built, &packs, &taken, body_terms, arguments.ranked))??);
    }
    report(&rows, arguments.json)?;
    Ok(Done::Well)
}

/// Takes sentences out of the bodies of a pack's pages, chosen by a hash of each.
fn take_out(pack: &mut Pack, per_page: usize, seed: u64) -> Vec<Taken> {
    let mut taken = Vec::new();
    let rules = SentenceRules::of(Analysis::of_language(&pack.manifest.language));
    for page in &mut pack.pages {
        let mut spare = spare(page, &rules);
        spare.sort_by_key(|sentence| {
            (hash(format!("{seed} {}/{} {sentence}", pack.path, page.file).as_bytes()), sentence.clone())
        });
        spare.truncate(per_page.min(spare.len().saturating_sub(1)));
        let id = format!("{}/{}", pack.path, page.file.strip_suffix(".md").unwrap_or(&page.file));
        for sentence in spare {
            let body = page.body.replacen(&sentence, "", 1);
            let before = std::mem::replace(&mut page.body, body);
            // Its one place in the markdown may have been another than the paragraph that it was read in.
            if page.blocks().iter().any(|block| block.text.contains(&sentence)) {
                page.body = before;
                continue;
            }
            taken.push(Taken { sentence, page: id.clone() });
        }
    }
    taken
}

/// The sentences of a page's paragraphs that can be taken out of it: they stand once in its body as they read, and are no
/// part of its summary.
fn spare(page: &Page, rules: &SentenceRules) -> Vec<String> {
    let sections = page.sections();
    let prose = |section: usize| {
        let kind = sections.get(section).map(|section| section.kind);
        !matches!(kind, Some(SectionKind::SeeAlso | SectionKind::Sources))
    };
    let blocks = page.blocks();
    let paragraphs = blocks.iter().filter(|block| block.kind == BlockKind::Paragraph && prose(block.section));
    let all = paragraphs.flat_map(|block| rules.sentences(&block.text));
    // A summary may be cut from the body's beginning, in the middle of a sentence.
    let summary = page.summary.trim_end_matches('…');
    let is_in_summary = |sentence: &str| {
        let head: String = sentence.chars().take(HEAD).collect();
        summary.contains(&head) || !summary.is_empty() && sentence.contains(summary)
    };
    let is_spare = |sentence: &&str| {
        WORDS.contains(&sentence.split_whitespace().count())
            && !is_in_summary(sentence)
            && page.body.matches(*sentence).count() == 1
    };
    all.filter(is_spare).map(str::to_owned).collect()
}

/// A build in memory: the catalog, the index, and the pages without what was taken out of them.
struct Memory(BTreeMap<String, Vec<u8>>);

impl PackSource for Memory {
    async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
        let bytes = self.0.get(&request.path).ok_or_else(|| SourceError::new(&request.path, Fault::NotFound))?;
        request.check(bytes.clone())
    }
}

impl Memory {
    fn of(built: BuildOutput, packs: &[Pack]) -> Memory {
        let mut files: BTreeMap<String, Vec<u8>> = built.files.into_iter().collect();
        files.insert(CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
        for pack in packs {
            let text = |page: &Page| (format!("{}/{}", pack.path, pack.page_path(&page.file)), page.to_markdown());
            files.extend(pack.pages.iter().map(text).map(|(path, text)| (path, text.into_bytes())));
        }
        Memory(files)
    }
}

async fn measure(
    built: BuildOutput,
    packs: &[Pack],
    taken: &[Taken],
    body_terms: usize,
    ranked: Ranked,
) -> anyhow::Result<Row> {
    let index_bytes = built.catalog.index.total_bytes;
    let source = Memory::of(built, packs);
    let library = Library::open(source, SystemClock::new(), Config::default()).await.context("the index")?;
    let progress = ProgressLine::new();
    let mut places = Vec::with_capacity(taken.len());
    for (at, Taken { sentence, page }) in taken.iter().enumerate() {
        progress.say(&format!("{body_terms} body terms: sentence {} of {}", at + 1, taken.len()));
        let question = Question::new(sentence, library.config.question_chars).context("an empty sentence")?;
        let sub_queries = library.resolve(|index| decompose(&question, index, &library.config)).await?;
        places.push(merged(&library, &sub_queries, ranked).await?.iter().position(|found| found.id == *page));
    }
    let share = |is: &dyn Fn(usize) -> f64| {
        places.iter().flatten().map(|&place| is(place)).sum::<f64>() / places.len().max(1) as f64
    };
    Ok(Row {
        body_terms,
        n: places.len(),
        hit_at_1: share(&|place| f64::from(u8::from(place == 0))),
        hit_at_5: share(&|place| f64::from(u8::from(place < 5))),
        mrr: share(&|place| 1.0 / (place + 1) as f64),
        index_bytes,
    })
}

fn report(rows: &[Row], json: bool) -> anyhow::Result<()> {
    if json {
        say!("{}", serde_json::to_string_pretty(rows)?);
        return Ok(());
    }
    say!(
        "{STRONG}body terms {:>10} {:>6} {:>6} {:>6} {:>12}{STRONG:#}",
        "sentences",
        "hit@1",
        "hit@5",
        "mrr",
        "index bytes"
    );
    for row in rows {
        say!(
            "{:<10} {:>10} {:>6.3} {:>6.3} {:>6.3} {:>12}",
            row.body_terms,
            row.n,
            row.hit_at_1,
            row.hit_at_5,
            row.mrr,
            row.index_bytes
        );
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEA: &str = "---\ntitle: Tea\nsummary: A drink.\n---\nLeaves of one plant give every kind of it. Water just off the boil \
                       suits most black kinds well. Too short.\n\n## Sources\n\nA book says that the oldest leaf was found there.\n";

    #[test]
    fn a_sentence_is_taken_out_and_one_stays() {
        let mut pack = Pack::of_pages("drinks", &[("tea.md", TEA)]);
        let taken = take_out(&mut pack, 5, 1);
        assert_eq!(taken.len(), 1, "{taken:?}");
        assert_eq!(taken[0].page, "drinks/tea");
        let both =
            ["Leaves of one plant give every kind of it.", "Water just off the boil suits most black kinds well."];
        assert!(both.contains(&taken[0].sentence.as_str()), "{taken:?}");
        assert!(!pack.pages[0].body.contains(&taken[0].sentence));
        assert!(both.iter().any(|other| pack.pages[0].body.contains(other)));
        let mut again = Pack::of_pages("drinks", &[("tea.md", TEA)]);
        assert_eq!(take_out(&mut again, 5, 1), taken, "by the seed alone");
    }

    #[test]
    fn what_a_summary_says_is_not_asked_for() {
        let long = format!("A kettle {}of iron stands on the hob all day", "and another one ".repeat(10));
        let text = format!(
            "---\ntitle: Kettle\n---\n{long}. Its lid is made of wood, so that it stays cool. It sings when it boils.\n"
        );
        let page = Page::parse("kettle.md", &text).0;
        assert!(page.summary.ends_with('…'), "{}", page.summary);
        assert_eq!(
            spare(&page, &SentenceRules::of(Analysis::English)),
            ["Its lid is made of wood, so that it stays cool."]
        );
    }

    #[test]
    fn a_page_is_found_by_what_it_said() {
        let kite = "---\ntitle: Kite\nsummary: A toy on a line.\n---\nA tail of ribbon keeps it steady in wind. In gusts a longer ribbon \
                    holds it zigzagging less.\n";
        let mut packs = [Pack::of_pages("p", &[("tea.md", TEA), ("kite.md", kite)])];
        let taken = take_out(&mut packs[0], 1, 1);
        assert_eq!(taken.len(), 2);
        let kite: Vec<Taken> = taken.into_iter().filter(|taken| taken.page == "p/kite").collect();
        let row = |body_terms, index_alone| {
            let built = catalog_in(&packs, Layout::default(), body_terms).unwrap();
            block_on(measure(built, &packs, &kite, body_terms, Ranked { index_alone })).unwrap().unwrap()
        };
        for index_alone in [false, true] {
            let found = row(64, index_alone);
            assert_eq!((found.n, found.hit_at_1, found.mrr), (1, 1.0, 1.0), "by the ribbon of the other sentence");
            assert_eq!(row(0, index_alone).mrr, 0.0, "no title or summary has a word of it");
        }
    }

    #[test]
    fn pages_are_read_and_ranked_again() {
        let loaf = "---\ntitle: Loaf\nsummary: Yeast in bread.\n---\nA loaf has a crust. It cools on a rack, and is cut when it is cold.\n";
        let leaven = "---\ntitle: Leaven\nsummary: What makes dough rise, such as yeast.\n---\nYeast eats sugar. Yeast wants \
                      warmth. Old yeast is dead yeast.\n";
        let packs = [Pack::of_pages("p", &[("loaf.md", loaf), ("leaven.md", leaven)])];
        let mrr = |page: &str, index_alone| {
            let taken = [Taken { sentence: "Yeast is alive".into(), page: page.into() }];
            let built = catalog_in(&packs, Layout::default(), 0).unwrap();
            block_on(measure(built, &packs, &taken, 0, Ranked { index_alone })).unwrap().unwrap().mrr
        };
        assert_eq!([mrr("p/leaven", true), mrr("p/leaven", false)], [0.5, 1.0], "the text of the one says more of it");
    }
}
