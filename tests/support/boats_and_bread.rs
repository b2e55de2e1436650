//! Two small packs with stages, about boats and bread, an encoder that knows their topics, and questions asked of them.

use futures_executor::block_on;
use seealso::{
    Answer, AskOptions, ByStages, Config, Embedder, FixedClock, Library, Manifest, MemorySource, Mode, NoModel,
    PackSource, PairScoreError, PairScorer, StageOptions, StageReport, Stages, ask,
};
use seealso_pack::{CATALOG_FILE, Catalog, Pack};

use super::staged::{Staging, TopicEncoder};

pub fn page(title: &str, summary: &str, body: &str) -> String {
    format!("---\ntitle: {title}\nsummary: {summary}\n---\n\n# {title}\n\n> {body}\n")
}

/// Three pages on boats and two on bread. No page has a word such as "moored" or "vessel".
pub fn pages() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let links = "\n## See Also\n\n- [[tides]]\n";
    vec![
        (
            "boats",
            vec![
                (
                    "concepts/anchor.md",
                    page(
                        "Anchor",
                        "How a boat is held in place.",
                        "An anchor is a weight that holds a boat in place on open water, whatever the wind does, and its chain lies along the ground so that the pull comes from the side rather than from above.",
                    ),
                ),
                (
                    "concepts/sea-kayak.md",
                    page(
                        "Sea kayak",
                        "A narrow boat for one.",
                        "A sea kayak is a narrow boat that one person paddles on open water, sitting low, with a skirt that keeps the waves out and a small rudder at the end that helps it to keep its course in the wind.",
                    ) + links,
                ),
                (
                    "concepts/tides.md",
                    page(
                        "Tides",
                        "Why water rises and falls.",
                        "Tides are the rise and fall of the sea, caused by the pull of the moon and of the sun, twice a day in most places, and they are highest when both of them stand in one line with the earth.",
                    ),
                ),
            ],
        ),
        (
            "bread",
            vec![
                (
                    "concepts/dough.md",
                    page(
                        "Dough",
                        "What a loaf is made of.",
                        "Dough is flour and water that were kneaded for ten minutes and then left to rise for some hours in a warm place, until it is twice as large as it was and springs back when a finger is pressed into it.",
                    ),
                ),
                (
                    "concepts/oven.md",
                    page(
                        "Oven",
                        "The heat that a loaf needs.",
                        "An oven bakes a loaf at 230 degrees for half an hour, with a little steam at the start so that the crust stays soft while the loaf grows, and dry heat at the end so that it becomes crisp and brown.",
                    ),
                ),
            ],
        ),
    ]
}

pub fn topics() -> TopicEncoder {
    TopicEncoder::new(
        "topics",
        &[
            "anchor moored holds",
            "kayak paddled paddles vessel",
            "tides moon",
            "flour dough kneaded",
            "oven bakes heat",
        ],
    )
}

pub fn packs() -> (MemorySource, Vec<Pack>) {
    let pages = pages();
    let borrowed: Vec<(&str, Vec<(&str, &str)>)> = pages
        .iter()
        .map(|(path, pages)| (*path, pages.iter().map(|(file, text)| (*file, text.as_str())).collect()))
        .collect();
    let borrowed: Vec<(&str, &[(&str, &str)])> =
        borrowed.iter().map(|(path, pages)| (*path, pages.as_slice())).collect();
    let packs = borrowed.iter().map(|(path, pages)| Pack::of_pages(path, pages)).collect();
    (MemorySource::of_packs(&borrowed), packs)
}

/// The packs with chunks and vectors by `encoder`.
pub fn staged(encoder: &TopicEncoder) -> MemorySource {
    let (source, packs) = packs();
    Staging::with(encoder).add(source, &packs)
}

/// A cross-encoder for which a text with that word answers every query; without a word it fails.
pub struct WordScorer(pub Option<&'static str>);

impl PairScorer for WordScorer {
    fn name(&self) -> &str {
        "words"
    }

    async fn score(&self, _: &str, texts: &[&str]) -> Result<Vec<f64>, PairScoreError> {
        let word = self.0.ok_or_else(|| PairScoreError { reason: "no memory".to_owned() })?;
        Ok(texts.iter().map(|text| if text.contains(word) { 5.0 } else { -11.0 }).collect())
    }
}

/// A question's answer by the stages, and what they did.
pub struct StageRun {
    /// The answer.
    pub answer: Answer,
    /// The pages behind it.
    pub manifest: Manifest,
    /// What the stages did.
    pub report: StageReport,
}

impl StageRun {
    pub fn pages(&self) -> Vec<&str> {
        self.answer.sources.iter().map(|source| source.page.as_str()).collect()
    }

    pub fn trace(&self) -> Vec<String> {
        self.answer.trace.iter().map(|stage| format!("{}: {}", stage.name, stage.summary)).collect()
    }

    pub fn notices(&self) -> Vec<&str> {
        self.answer.notices.iter().map(|notice| notice.message.as_str()).collect()
    }
}

/// Asks `source` by its stages, with that encoder and cross-encoder.
pub fn ask_by<S: PackSource, E: Embedder>(
    source: S,
    question: &str,
    options: &StageOptions,
    encoder: Option<&E>,
    pair_scorer: Option<&WordScorer>,
    mode: Mode,
) -> StageRun {
    let mut report = StageReport::default();
    let run = async {
        let library = Library::open(source, FixedClock, Config::default()).await.map_err(|_| ()).unwrap();
        let stages = Stages::open(&library, options).await;
        let finder = ByStages::<E, WordScorer, NoModel> {
            stages: &stages,
            options,
            embedder: encoder,
            pair_scorer,
            writer: None,
            report: &mut report,
        };
        let asked = AskOptions { mode, ..AskOptions::default() };
        ask(&library, question, asked.found_by(finder)).await.unwrap()
    };
    let (answer, manifest) = block_on(run);
    StageRun { answer, manifest, report }
}

pub fn ask_staged(question: &str, options: &StageOptions) -> StageRun {
    let encoder = topics();
    ask_by(staged(&encoder), question, options, Some(&encoder), None, Mode::Standard)
}

pub fn only(names: &[&str]) -> StageOptions {
    let mut options = StageOptions::none();
    names.iter().for_each(|name| options.set(name, true).unwrap());
    options
}

pub fn plain<S: PackSource>(source: S, question: &str) -> (Answer, Manifest) {
    let library = block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap();
    block_on(ask(&library, question, AskOptions::default())).unwrap()
}

/// Makes the pages of the pack "boats" newer than the stages of `source`.
pub fn renew_boats(source: &mut MemorySource) {
    let catalog = source.file(CATALOG_FILE).unwrap();
    let mut newer = Catalog::parse(catalog).unwrap();
    assert_eq!(newer.packs[0].path, "boats");
    newer.packs[0].fingerprint = "today".to_owned();
    *catalog = newer.to_json().into_bytes();
}
