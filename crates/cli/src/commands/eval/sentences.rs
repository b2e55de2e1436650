//! `seealso eval sentences`: measures how well pages are found by sentences of their own, without a file of questions.
//!
//! A sentence of each page's body is held out, and then asked as a question: the page that it is from is the one to find (the
//! inverse cloze task of Lee, Chang and Toutanova 2019, "Latent Retrieval for Weakly Supervised Open Domain Question
//! Answering"). The index is built without these sentences, so it knows as little of them as of a reader's question. A
//! setting that is chosen by these figures is not fitted to the questions that judge it later.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use seealso::{
    ByWords, Config, Fault, FetchedFile, Library, Mode, PackSource, Question, Request, SentenceRules, SourceError,
    decompose,
};
use seealso_index::Analysis;
use seealso_pack::{BODY_TERMS, BlockKind, BuildOutput, CATALOG_FILE, Layout, Pack, Page, SectionKind, catalog_in};
use serde::Serialize;

use super::claim_file::hash;
use super::{RankingArguments, Subject, merged_ranking};
use crate::commands::build::collect_packs;
use crate::exit::{CommandResult, Completion};
use crate::source::{SystemClock, block_on};
use crate::style::{ProgressLine, STRONG, say};
use chunk_figures::{ChunkFigureRow, measure_chunks};

mod chunk_figures;

/// Measure retrieval on sentences held out of the pages themselves: packs as authored, no questions needed.
#[derive(Args)]
pub(super) struct Arguments {
    /// Packs, or folders of packs, as authored.
    #[arg(required = true, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// How many of its body terms each page gets in the index; the numbers of a list are measured one after the other.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_values_t = [0, BODY_TERMS])]
    body_terms: Vec<usize>,
    /// How many sentences are held out of a page at most; one always stays.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
    per_page: u16,
    /// The seed by which sentences are chosen.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    ranking: RankingArguments,
    /// Also measure how well pages are found by their chunks, as `retrieve` ranks them, with and without --okapi.
    #[arg(long)]
    chunks: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// The words of a sentence that can be asked as a question: fewer say too little, and no question has more.
const SENTENCE_WORDS: std::ops::RangeInclusive<usize> = 6..=30;

/// A summary that contains so many of a sentence's first characters contains the sentence, or its beginning.
const SUMMARY_OVERLAP_CHARS: usize = 24;

/// A sentence that was removed from its page, and the id of the page.
#[derive(Debug, PartialEq)]
struct HeldOutSentence {
    sentence: String,
    page: String,
}

/// The figures with one number of body terms.
#[derive(Debug, Serialize)]
struct FigureRow {
    body_terms: usize,
    #[serde(flatten)]
    shares: PlaceShares,
    index_bytes: u64,
}

/// The places of the pages that were to be found, in figures.
#[derive(Debug, Serialize)]
struct PlaceShares {
    n: usize,
    hit_at_1: f64,
    hit_at_5: f64,
    mrr: f64,
}

impl PlaceShares {
    /// The figures of these places, from 0; none where a page was not found.
    fn of(places: &[Option<usize>]) -> PlaceShares {
        let share = |is: &dyn Fn(usize) -> f64| {
            places.iter().flatten().map(|&place| is(place)).sum::<f64>() / places.len().max(1) as f64
        };
        PlaceShares {
            n: places.len(),
            hit_at_1: share(&|place| f64::from(u8::from(place == 0))),
            hit_at_5: share(&|place| f64::from(u8::from(place < 5))),
            mrr: share(&|place| 1.0 / (place + 1) as f64),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> CommandResult {
    let found = collect_packs(&arguments.from)?;
    let mut packs = found.iter().map(|(dir, path)| Pack::read(dir, path)).collect::<Result<Vec<Pack>, _>>()?;
    let held_out: Vec<HeldOutSentence> =
        packs.iter_mut().flat_map(|pack| hold_out(pack, arguments.per_page.into(), arguments.seed)).collect();
    if held_out.is_empty() {
        bail!(
            "no page of these packs has two sentences of {} to {} words to spare",
            SENTENCE_WORDS.start(),
            SENTENCE_WORDS.end()
        );
    }
    let mut rows = Vec::new();
    for &body_terms in &arguments.body_terms {
        let built = catalog_in(&packs, Layout::default(), body_terms)?;
        rows.push(block_on(measure(built, &packs, &held_out, body_terms, arguments.ranking))??);
    }
    let of_chunks = if arguments.chunks { measure_chunks(&packs, &held_out)? } else { Vec::new() };
    report(&rows, &of_chunks, arguments.json)?;
    Ok(Completion::Success)
}

/// Removes sentences from the bodies of a pack's pages, chosen by a hash of each.
fn hold_out(pack: &mut Pack, per_page: usize, seed: u64) -> Vec<HeldOutSentence> {
    let mut held_out = Vec::new();
    let rules = SentenceRules::of(Analysis::of_language(&pack.manifest.language));
    for page in &mut pack.pages {
        let mut candidates = candidates(page, &rules);
        candidates.sort_by_key(|sentence| {
            (hash(format!("{seed} {}/{} {sentence}", pack.path, page.file).as_bytes()), sentence.clone())
        });
        candidates.truncate(per_page.min(candidates.len().saturating_sub(1)));
        let id = format!("{}/{}", pack.path, page.file.strip_suffix(".md").unwrap_or(&page.file));
        for sentence in candidates {
            let body = page.body.replacen(&sentence, "", 1);
            let before = std::mem::replace(&mut page.body, body);
            // The sentence may occur in the markdown elsewhere than in the paragraph that it was read from.
            if page.blocks().iter().any(|block| block.text.contains(&sentence)) {
                page.body = before;
                continue;
            }
            held_out.push(HeldOutSentence { sentence, page: id.clone() });
        }
    }
    held_out
}

/// The sentences of a page's paragraphs that can be held out: they occur once in its markdown, and not in its summary.
fn candidates(page: &Page, rules: &SentenceRules) -> Vec<String> {
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
        let head: String = sentence.chars().take(SUMMARY_OVERLAP_CHARS).collect();
        summary.contains(&head) || !summary.is_empty() && sentence.contains(summary)
    };
    let is_spare = |sentence: &&str| {
        SENTENCE_WORDS.contains(&sentence.split_whitespace().count())
            && !is_in_summary(sentence)
            && page.body.matches(*sentence).count() == 1
    };
    all.filter(is_spare).map(str::to_owned).collect()
}

/// A build in memory: the catalog, the index, and the pages without the held-out sentences.
struct MemorySource(BTreeMap<String, Vec<u8>>);

impl PackSource for MemorySource {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        let bytes = self.0.get(&request.path).ok_or_else(|| SourceError::new(&request.path, Fault::NotFound))?;
        request.check(bytes.clone())
    }
}

impl MemorySource {
    fn of(built: BuildOutput, packs: &[Pack]) -> MemorySource {
        let mut files: BTreeMap<String, Vec<u8>> = built.files.into_iter().collect();
        files.insert(CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
        for pack in packs {
            let text = |page: &Page| (format!("{}/{}", pack.path, pack.page_path(&page.file)), page.to_markdown());
            files.extend(pack.pages.iter().map(text).map(|(path, text)| (path, text.into_bytes())));
        }
        MemorySource(files)
    }
}

async fn measure(
    built: BuildOutput,
    packs: &[Pack],
    held_out: &[HeldOutSentence],
    body_terms: usize,
    ranking: RankingArguments,
) -> anyhow::Result<FigureRow> {
    let index_bytes = built.catalog.index.total_bytes;
    let source = MemorySource::of(built, packs);
    let library = Library::open(source, SystemClock::start(), Config::default()).await.context("the index")?;
    let progress = ProgressLine::on_stderr();
    let mut places = Vec::with_capacity(held_out.len());
    for (at, HeldOutSentence { sentence, page }) in held_out.iter().enumerate() {
        progress.show(&format!("{body_terms} body terms: sentence {} of {}", at + 1, held_out.len()));
        let question = Question::new(sentence, library.config.question_chars).context("an empty sentence")?;
        let sub_queries = library.resolve(|index| decompose(&question, index, &library.config)).await?;
        let subject = Subject { question: &question, sub_queries: &sub_queries };
        let found = merged_ranking(&library, subject, Mode::Standard, ByWords, ranking).await?;
        places.push(found.iter().position(|found| found.id == *page));
    }
    Ok(FigureRow { body_terms, shares: PlaceShares::of(&places), index_bytes })
}

fn report(rows: &[FigureRow], of_chunks: &[ChunkFigureRow], json: bool) -> anyhow::Result<()> {
    if json {
        let rows = rows.iter().map(serde_json::to_value).chain(of_chunks.iter().map(serde_json::to_value));
        say!("{}", serde_json::to_string_pretty(&rows.collect::<Result<Vec<_>, _>>()?)?);
        return Ok(());
    }
    let head = |name: &str| {
        say!(
            "{STRONG}{name:<10} {:>10} {:>6} {:>6} {:>6} {:>12}{STRONG:#}",
            "sentences",
            "hit@1",
            "hit@5",
            "mrr",
            "index bytes"
        );
    };
    let line = |name: &str, of: &PlaceShares, bytes: u64| {
        say!("{name:<10} {:>10} {:>6.3} {:>6.3} {:>6.3} {bytes:>12}", of.n, of.hit_at_1, of.hit_at_5, of.mrr);
    };
    head("body terms");
    rows.iter().for_each(|row| line(&row.body_terms.to_string(), &row.shares, row.index_bytes));
    if !of_chunks.is_empty() {
        head("chunks");
        of_chunks.iter().for_each(|row| line(row.ranking, &row.shares, row.index_bytes as u64));
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
    fn a_sentence_is_held_out_and_one_stays() {
        let mut pack = Pack::of_pages("drinks", &[("tea.md", TEA)]);
        let held_out = hold_out(&mut pack, 5, 1);
        assert_eq!(held_out.len(), 1, "{held_out:?}");
        assert_eq!(held_out[0].page, "drinks/tea");
        let both =
            ["Leaves of one plant give every kind of it.", "Water just off the boil suits most black kinds well."];
        assert!(both.contains(&held_out[0].sentence.as_str()), "{held_out:?}");
        assert!(!pack.pages[0].body.contains(&held_out[0].sentence));
        assert!(both.iter().any(|other| pack.pages[0].body.contains(other)));
        let mut again = Pack::of_pages("drinks", &[("tea.md", TEA)]);
        assert_eq!(hold_out(&mut again, 5, 1), held_out, "by the seed alone");
    }

    #[test]
    fn a_sentence_of_the_summary_is_not_held_out() {
        let long = format!("A kettle {}of iron stands on the hob all day", "and another one ".repeat(10));
        let text = format!(
            "---\ntitle: Kettle\n---\n{long}. Its lid is made of wood, so that it stays cool. It sings when it boils.\n"
        );
        let page = Page::parse("kettle.md", &text).0;
        assert!(page.summary.ends_with('…'), "{}", page.summary);
        assert_eq!(
            candidates(&page, &SentenceRules::of(Analysis::English)),
            ["Its lid is made of wood, so that it stays cool."]
        );
    }

    #[test]
    fn a_page_is_found_by_its_held_out_sentence() {
        let kite = "---\ntitle: Kite\nsummary: A toy on a line.\n---\nA tail of ribbon keeps it steady in wind. In gusts a longer ribbon \
                    holds it zigzagging less.\n";
        let mut packs = [Pack::of_pages("p", &[("tea.md", TEA), ("kite.md", kite)])];
        let held_out = hold_out(&mut packs[0], 1, 1);
        assert_eq!(held_out.len(), 2);
        let kite: Vec<HeldOutSentence> = held_out.into_iter().filter(|held_out| held_out.page == "p/kite").collect();
        let row = |body_terms, index_alone| {
            let built = catalog_in(&packs, Layout::default(), body_terms).unwrap();
            block_on(measure(built, &packs, &kite, body_terms, RankingArguments { index_alone })).unwrap().unwrap()
        };
        for index_alone in [false, true] {
            let found = row(64, index_alone);
            assert_eq!(
                (found.shares.n, found.shares.hit_at_1, found.shares.mrr),
                (1, 1.0, 1.0),
                "by the ribbon of the other sentence"
            );
            assert_eq!(row(0, index_alone).shares.mrr, 0.0, "no title or summary has a word of it");
        }
    }

    #[test]
    fn pages_are_read_and_ranked_again() {
        let loaf = "---\ntitle: Loaf\nsummary: Yeast in bread.\n---\nA loaf has a crust. It cools on a rack, and is cut when it is cold.\n";
        let leaven = "---\ntitle: Leaven\nsummary: What makes dough rise, such as yeast.\n---\nYeast eats sugar. Yeast wants \
                      warmth. Old yeast is dead yeast.\n";
        let packs = [Pack::of_pages("p", &[("loaf.md", loaf), ("leaven.md", leaven)])];
        let mrr = |page: &str, index_alone| {
            let held_out = [HeldOutSentence { sentence: "Yeast is alive".into(), page: page.into() }];
            let built = catalog_in(&packs, Layout::default(), 0).unwrap();
            block_on(measure(built, &packs, &held_out, 0, RankingArguments { index_alone }))
                .unwrap()
                .unwrap()
                .shares
                .mrr
        };
        assert_eq!([mrr("p/leaven", true), mrr("p/leaven", false)], [0.5, 1.0], "the text of the one says more of it");
    }
}
