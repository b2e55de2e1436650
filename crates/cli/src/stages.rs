//! The stages of a folder of packs, as the commands that ask questions use them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::{Args, ValueEnum};
use seealso::{
    ALL_STAGES, Answer, AskError, AskOptions, ByOverview, ByStages, Clock, EntryFault, EntryRequest, EntryResponse,
    EntryStage, Fusion, GraphWeights, Interaction, Library, Manifest, Mode, Model, PackSource, STAGES, Splitter,
    StageOptions, StageReport, Stages, ask, retrieve_entries,
};

use crate::encoder::find_encoder_files;
use crate::source::{FolderLibrary, SystemClock};
use crate::unusable_model::UnusableModel;

/// Which stages a question goes through, and how much is read for it.
#[derive(Debug, Clone, Args)]
pub(crate) struct StageArguments {
    /// Find pages by these stages too, which `seealso setup` makes: chunks, vectors, graph, with commas between, or all that are
    /// there.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_stage)]
    stages: Vec<String>,
    /// Leave chunks in the order of their words.
    #[arg(long, requires = "stages")]
    no_rerank: bool,
    /// Read pages however far they are from the question.
    #[arg(long, requires = "stages")]
    no_gate: bool,
    /// Do not rank pages by their links.
    #[arg(long, requires = "stages")]
    no_graph: bool,
    /// Do not read the neighbours of the first page.
    #[arg(long, requires = "stages")]
    no_expand_top: bool,
    /// Read pages however little they say.
    #[arg(long, requires = "stages")]
    no_quality: bool,
    /// How the rankings by words and by meaning become one.
    #[arg(long, value_name = "HOW", requires = "stages", default_value = "likelihood")]
    fusion: FusionChoice,
    /// What similarity and links count where graph is among the stages: two numbers with a comma between, which sum to 1. By
    /// default 0.6,0.4.
    #[arg(long, value_name = "S,L", requires = "stages", value_parser = parse_weights)]
    graph_weights: Option<GraphWeights>,
    /// Look for pages with the question in other words too: a model's, where one or a node is named, or else the names that the
    /// found pages have for its subject.
    #[arg(long, requires = "stages")]
    multi_query: bool,
    /// Encode the question with the encoder in this folder (config.json, tokenizer.json, model.safetensors): the one that made the
    /// vectors. By default the one that SEEALSO_ENCODER names, or that the packs were set up with.
    #[arg(long, value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Rank the pages that were read by the cross-encoder in this folder, a model of BERT's kind with one output.
    #[arg(long, value_name = "DIR", requires = "stages")]
    cross_encoder: Option<PathBuf>,
    /// How much is read: quick (the overview of each pack, without a search), standard, or deep (twice as many pages).
    #[arg(long, value_name = "MODE", default_value = "standard", value_parser = parse_mode)]
    mode: Mode,
}

/// How two rankings become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FusionChoice {
    /// By how likely each page is to answer: scores are brought to one scale, and 0.65 of words is added to 0.35 of meaning.
    Likelihood,
    /// By the places of each page alone, which count 1 / (60 + place).
    ReciprocalRank,
}

/// The constant of reciprocal ranks (Cormack, Clarke and Buettcher 2009, "Reciprocal Rank Fusion Outperforms Condorcet and
/// Individual Rank Learning Methods").
const RECIPROCAL_RANK_K: f64 = 60.0;

fn parse_weights(text: &str) -> Result<GraphWeights, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let numbers = text.split_once(',').and_then(|(similarity, links)| Some((number(similarity)?, number(links)?)));
    let (similarity, links) = numbers.ok_or("give two numbers with a comma between, such as 0.6,0.4")?;
    GraphWeights::new(similarity, links).map_err(|error| error.to_string())
}

fn parse_stage(name: &str) -> Result<String, String> {
    match STAGES.contains(&name) || name == ALL_STAGES {
        true => Ok(name.to_owned()),
        false => Err(format!("there is no such stage; there are {}, or {ALL_STAGES}", STAGES.join(", "))),
    }
}

fn parse_mode(name: &str) -> Result<Mode, String> {
    Mode::named(name).ok_or_else(|| {
        let known: Vec<&str> = Mode::all().map(Mode::name).collect();
        format!("no mode has that name; there are {}", known.join(", "))
    })
}

impl StageArguments {
    /// The switches; all are off where no stage is named.
    ///
    /// # Errors
    /// Weights of links where links do not count.
    fn options(&self) -> anyhow::Result<StageOptions> {
        let mut options = StageOptions::of_stages(&self.stages).expect("every stage was looked at when it was read");
        if self.stages.is_empty() {
            return Ok(options);
        }
        let set = |options: &mut StageOptions, name: &str, on: bool| {
            options.set(name, on).expect("every switch of the command is one of the engine");
        };
        let off = [
            ("rerank", self.no_rerank),
            ("gate", self.no_gate),
            ("graph", self.no_graph),
            ("expand-top", self.no_expand_top),
            ("quality", self.no_quality),
        ];
        for (name, _) in off.into_iter().filter(|(_, off)| *off) {
            set(&mut options, name, false);
        }
        set(&mut options, "multi-query", self.multi_query);
        set(&mut options, "cross-encoder", self.cross_encoder.is_some());
        if self.fusion == FusionChoice::ReciprocalRank {
            options.fusion = Fusion::ReciprocalRank { k: RECIPROCAL_RANK_K };
        }
        if let Some(weights) = self.graph_weights {
            ensure!(options.graph, "--graph-weights needs the stage graph, as in `--stages chunks,vectors,graph`");
            options.graph_weights = weights;
        }
        Ok(options.in_mode(self.mode))
    }

    /// Whether a model is asked for the question in other words, if there is one.
    pub(crate) fn asks_for_other_words(&self) -> bool {
        self.multi_query && self.mode != Mode::Quick
    }

    /// Opens the stages of `library` that are switched on, and the encoders that are named.
    ///
    /// # Errors
    /// [`UnusableModel`], and switches that do not fit each other.
    pub(crate) async fn open(&self, library: &FolderLibrary) -> anyhow::Result<StageSession> {
        // A service has another use for an encoder: entries.
        ensure!(
            self.encoder.is_none() || !self.stages.is_empty(),
            "--encoder needs stages that use it, as in `--stages vectors`"
        );
        self.open_from(library, &library.source.root).await
    }

    /// The same of any library; `root` is the folder whose last setup may name the encoder.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) async fn open_from<S: PackSource>(
        &self,
        library: &Library<S, SystemClock>,
        root: &Path,
    ) -> anyhow::Result<StageSession> {
        let options = self.options()?;
        let stages = match self.mode {
            Mode::Quick => Stages::default(),
            _ => Stages::open(library, &options).await,
        };
        let encoder = match stages.space() {
            Some(_) => open_encoder(self.encoder.as_deref(), root)?,
            None => None,
        };
        let scorer =
            self.cross_encoder.as_deref().filter(|_| !stages.is_empty()).map(load_cross_encoder).transpose()?;
        Ok(StageSession { mode: self.mode, options, stages, encoder, scorer, report: RefCell::default() })
    }
}

/// The encoder that is `named`, or that the packs under `root` were set up with. One that is not named and cannot be used is none:
/// the answer then says that there is none.
///
/// # Errors
/// [`UnusableModel`]: the encoder that is named.
pub(crate) fn open_encoder(named: Option<&Path>, root: &Path) -> Result<Option<Encoder>, UnusableModel> {
    let found = find_encoder_files(named, root);
    match found.and_then(|files| files.as_ref().map(load_encoder).transpose()) {
        Err(_) if named.is_none() => Ok(None),
        loaded => loaded,
    }
}

/// The opened stages, and what they did for the last question.
pub(crate) struct StageSession {
    pub(crate) mode: Mode,
    pub(crate) options: StageOptions,
    pub(crate) stages: Stages,
    encoder: Option<Encoder>,
    scorer: Option<Scorer>,
    report: RefCell<Option<StageReport>>,
}

impl StageSession {
    /// Whether a question goes through any.
    pub(crate) fn are_used(&self) -> bool {
        !self.stages.is_empty() || !self.stages.faults().is_empty()
    }

    /// Loads the encoder where the stages needed none, for what else needs one.
    ///
    /// # Errors
    /// [`UnusableModel`].
    pub(crate) fn load_encoder(&mut self, arguments: &StageArguments, root: &Path) -> Result<(), UnusableModel> {
        if self.encoder.is_none() {
            self.encoder = open_encoder(arguments.encoder.as_deref(), root)?;
        }
        Ok(())
    }

    /// The entries and patterns for a request, whose question the encoder encodes.
    ///
    /// # Errors
    /// Those of [`retrieve_entries`].
    pub(crate) async fn retrieve_entries(
        &self,
        entries: &EntryStage,
        request: &EntryRequest,
        interaction: &Interaction<'_>,
    ) -> Result<EntryResponse, EntryFault> {
        retrieve_entries(entries, self.encoder.as_ref(), request, interaction).await
    }

    /// Whether there is an encoder for questions.
    pub(crate) fn has_encoder(&self) -> bool {
        self.encoder.is_some()
    }

    /// What finds the pages of a question by them. Where the question is asked in other words too, `writer` writes these.
    pub(crate) fn finder<'s, M: Model>(
        &'s self,
        writer: Option<&'s M>,
        report: &'s mut StageReport,
    ) -> ByStages<'s, Encoder, Scorer, M> {
        ByStages {
            stages: &self.stages,
            options: &self.options,
            embedder: self.encoder.as_ref(),
            pair_scorer: self.scorer.as_ref(),
            writer,
            report,
        }
    }

    /// Answers a question by the stages, if there are any, in the mode that was asked for. Where the question is asked in other
    /// words too, `writer` writes these.
    ///
    /// # Errors
    /// Those of [`ask`].
    pub(crate) async fn ask<S: PackSource, C: Clock, P: Splitter, M: Model>(
        &self,
        library: &Library<S, C>,
        question: &str,
        options: AskOptions<'_, P>,
        writer: Option<&M>,
    ) -> Result<(Answer, Manifest), AskError> {
        let options = AskOptions { mode: self.mode, ..options };
        if self.mode == Mode::Quick {
            return ask(library, question, options.found_by(ByOverview)).await;
        }
        if !self.are_used() {
            return ask(library, question, options).await;
        }
        let mut report = StageReport::default();
        let answered = ask(library, question, options.found_by(self.finder(writer, &mut report))).await;
        *self.report.borrow_mut() = Some(report);
        answered
    }

    /// What the stages did for the last question; none where it went through none.
    pub(crate) fn report(&self) -> Option<StageReport> {
        self.report.borrow().clone()
    }
}

#[cfg(feature = "model")]
pub(crate) use present::Encoder;
#[cfg(feature = "model")]
use present::{Scorer, load_cross_encoder, load_encoder};

#[cfg(not(feature = "model"))]
pub(crate) use absent::Encoder;
#[cfg(not(feature = "model"))]
use absent::{Scorer, load_cross_encoder, load_encoder};

#[cfg(feature = "model")]
mod present {
    use std::path::Path;

    use crate::cross_encoder::LocalCrossEncoder;
    use crate::encoder::EncoderFiles;
    use crate::local_encoder::LocalEncoder;
    use crate::unusable_model::UnusableModel;

    pub(crate) type Encoder = LocalEncoder;
    pub(super) type Scorer = LocalCrossEncoder;

    pub(super) fn load_encoder(files: &EncoderFiles) -> Result<Encoder, UnusableModel> {
        LocalEncoder::load(files)
    }

    pub(super) fn load_cross_encoder(path: &Path) -> Result<Scorer, UnusableModel> {
        LocalCrossEncoder::load(path)
    }
}

#[cfg(not(feature = "model"))]
mod absent {
    use std::path::Path;

    use crate::encoder::EncoderFiles;
    use crate::unusable_model::UnusableModel;

    pub(crate) type Encoder = seealso::NoEmbedder;
    pub(super) type Scorer = seealso::NoPairScorer;

    pub(super) fn load_encoder(files: &EncoderFiles) -> Result<Encoder, UnusableModel> {
        Err(UnusableModel::without_models(&files.weights))
    }

    pub(super) fn load_cross_encoder(path: &Path) -> Result<Scorer, UnusableModel> {
        Err(UnusableModel::without_models(path))
    }
}
