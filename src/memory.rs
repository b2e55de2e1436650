//! Packs in memory, a clock that stands still, and a model, an encoder and a scorer of pairs with a script: for tests,
//! examples, and programs that bring their own packs.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use crate::embedder::{EmbedError, Embedder};
use crate::model::{Abilities, Generation, GenerationEvent, GenerationRequest, Model, ModelError, Prompt};
use crate::stages::cross_encoder::{PairScoreError, PairScorer};
use crate::world::{Clock, Fault, FetchedFile, PackSource, Request, SourceError};

/// Files by their path under the packs root.
#[derive(Debug, Clone, Default)]
pub struct MemorySource {
    files: BTreeMap<String, Vec<u8>>,
    asked: RefCell<Vec<String>>,
}

impl MemorySource {
    /// A source of `files`.
    pub fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        MemorySource { files: files.into_iter().collect(), asked: RefCell::default() }
    }

    /// Packs as `(path, page files)`, with the catalog and index that a build of them would make.
    ///
    /// # Panics
    /// Never: packs in memory are always few enough to be indexed.
    pub fn of_packs(packs: &[(&str, &[(&str, &str)])]) -> Self {
        MemorySource::of_packs_in("en", packs)
    }

    /// The same, in the language of that BCP 47 tag.
    ///
    /// # Panics
    /// Never, as [`of_packs`](Self::of_packs).
    pub fn of_packs_in(language: &str, packs: &[(&str, &[(&str, &str)])]) -> Self {
        let (mut files, mut built) = (BTreeMap::new(), Vec::new());
        for (path, pages) in packs {
            let mut pack = seealso_pack::Pack::of_pages(path, pages);
            pack.manifest.language = language.to_owned();
            for (file, text) in *pages {
                files.insert(format!("{path}/wiki/{file}"), text.as_bytes().to_vec());
            }
            built.push(pack);
        }
        let built = seealso_pack::catalog_of(&built).expect("packs in memory are few");
        files.extend(built.files);
        files.insert(seealso_pack::CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
        MemorySource { files, asked: RefCell::default() }
    }

    /// The file at `path`, to look at or to damage.
    pub fn file(&mut self, path: &str) -> Option<&mut Vec<u8>> {
        self.files.get_mut(path)
    }

    /// The same with these files beside, or in place of those of the same paths.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        self.files.extend(files);
        self
    }

    /// Takes the file at `path` away.
    pub fn remove(&mut self, path: &str) -> Option<Vec<u8>> {
        self.files.remove(path)
    }

    /// Every path that was requested, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }
}

impl PackSource for MemorySource {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        self.asked.borrow_mut().push(request.path.clone());
        match self.files.get(&request.path) {
            Some(bytes) => request.check(bytes.clone()),
            None => Err(SourceError::new(&request.path, Fault::NotFound)),
        }
    }
}

/// A clock that always shows the same time. Its sleeps end at once, so a wait for an answer that never comes ends too.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedClock;

impl Clock for FixedClock {
    fn now_ms(&self) -> f64 {
        0.0
    }

    async fn sleep(&self, _ms: u32) {}
}

/// A model with a script: its replies in order, piece by piece, and fixed log-likelihoods for continuations. For tests
/// and examples; it records its prompts.
#[derive(Debug, Default)]
pub struct ScriptedModel {
    abilities: Abilities,
    replies: RefCell<VecDeque<Result<String, ModelError>>>,
    scores: Vec<(String, [f64; 2])>,
    asked: RefCell<Vec<Prompt>>,
}

impl ScriptedModel {
    /// A model that gives `replies` in order, and fails when they are used up.
    pub fn new(abilities: Abilities, replies: impl IntoIterator<Item = Result<String, ModelError>>) -> Self {
        ScriptedModel { abilities, replies: RefCell::new(replies.into_iter().collect()), ..ScriptedModel::default() }
    }

    /// If a prompt to score contains `text`, its first two continuations get these log-likelihoods.
    #[must_use]
    pub fn scoring(mut self, text: &str, scores: [f64; 2]) -> Self {
        self.scores.push((text.to_owned(), scores));
        self
    }

    /// Every prompt that it received, in order.
    pub fn asked(&self) -> Vec<Prompt> {
        self.asked.borrow().clone()
    }
}

impl Model for ScriptedModel {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(
        &self,
        writing: &GenerationRequest,
        on_event: &mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Generation, ModelError> {
        self.asked.borrow_mut().push(writing.prompt.clone());
        let used_up = || Err(ModelError::Failed("the script has no more replies".to_owned()));
        let text = self.replies.borrow_mut().pop_front().unwrap_or_else(used_up)?;
        let words = |text: &str| text.split_whitespace().count();
        let total = writing.prompt.texts().map(words).sum();
        let mut flow = on_event(GenerationEvent::Read { done: total, known: 0, total });
        for piece in text.split_inclusive(' ') {
            if flow.is_break() {
                return Err(ModelError::Stopped);
            }
            flow = on_event(GenerationEvent::Text(piece));
        }
        let tokens = words(&text);
        Ok(Generation { text, tokens, prompt_tokens: total, ..Generation::default() })
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let known = self.scores.iter().find(|(text, _)| prompt.user.contains(text.as_str()));
        let (_, scores) = known.ok_or(ModelError::CannotScore)?;
        Ok(continuations.iter().zip(scores).map(|(_, score)| *score).collect())
    }
}

/// An encoder with a script: a vector for each text that it knows. For tests and examples; it records its texts.
#[derive(Debug, Default)]
pub struct ScriptedEmbedder {
    space: String,
    vectors: Vec<(String, Vec<f32>)>,
    asked: RefCell<Vec<String>>,
}

impl ScriptedEmbedder {
    /// An encoder of that space which knows these texts; of any other text it fails.
    pub fn new(space: &str, vectors: &[(&str, &[f32])]) -> Self {
        let vectors = vectors.iter().map(|(text, vector)| ((*text).to_owned(), vector.to_vec())).collect();
        ScriptedEmbedder { space: space.to_owned(), vectors, asked: RefCell::default() }
    }

    /// Every text that it received, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }
}

impl Embedder for ScriptedEmbedder {
    fn space(&self) -> &str {
        &self.space
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let vector = |text: &&str| {
            self.asked.borrow_mut().push((*text).to_owned());
            let known = self.vectors.iter().find(|(known, _)| known == text);
            let missing = || EmbedError { reason: format!("the script has no vector for \"{text}\"") };
            known.map(|(_, vector)| vector.clone()).ok_or_else(missing)
        };
        texts.iter().map(vector).collect()
    }
}

/// A cross-encoder with a script: a score for each text that it knows, whatever the query. For tests and examples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScriptedPairScorer {
    scores: Vec<(String, f64)>,
}

impl ScriptedPairScorer {
    /// A scorer that knows these texts; of any other text it fails.
    pub fn new(scores: &[(&str, f64)]) -> Self {
        ScriptedPairScorer { scores: scores.iter().map(|(text, score)| ((*text).to_owned(), *score)).collect() }
    }
}

impl PairScorer for ScriptedPairScorer {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn score(&self, _: &str, texts: &[&str]) -> Result<Vec<f64>, PairScoreError> {
        let score = |text: &&str| {
            let known = self.scores.iter().find(|(known, _)| known == text);
            let missing = || PairScoreError { reason: format!("the script has no score for \"{text}\"") };
            known.map(|(_, score)| *score).ok_or_else(missing)
        };
        texts.iter().map(score).collect()
    }
}
