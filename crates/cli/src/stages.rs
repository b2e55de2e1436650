//! The stages of a folder of packs, as the commands that ask questions use them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use clap::Args;
use seealso::{
    ALL_STAGES, Answer, AskError, AskOptions, ByOverview, ByStages, Clock, EntryFault, EntryRequest, EntryResponse,
    EntryStage, Interaction, Library, Manifest, Mode, NoModel, PackSource, STAGES, Splitter, StageOptions, StageReport,
    Stages, ask, retrieve_entries,
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
    #[arg(long)]
    no_rerank: bool,
    /// Read pages however far they are from the question.
    #[arg(long)]
    no_gate: bool,
    /// Do not rank pages by their links.
    #[arg(long)]
    no_graph: bool,
    /// Do not read the neighbours of the first page.
    #[arg(long)]
    no_expand_top: bool,
    /// Read pages however little they say.
    #[arg(long)]
    no_quality: bool,
    /// Look for pages with the question in other words too.
    #[arg(long)]
    multi_query: bool,
    /// Encode the question with the encoder in this folder (config.json, tokenizer.json, model.safetensors): the one that made the
    /// vectors. By default the one that SEEALSO_ENCODER names, or that the packs were set up with.
    #[arg(long, value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Rank the pages that were read by the cross-encoder in this folder, a model of BERT's kind with one output.
    #[arg(long, value_name = "DIR")]
    cross_encoder: Option<PathBuf>,
    /// How much is read: quick (the overview of each pack, without a search), standard, or deep (twice as many pages).
    #[arg(long, value_name = "MODE", default_value = "standard", value_parser = parse_mode)]
    mode: Mode,
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
    fn options(&self) -> StageOptions {
        let mut options = StageOptions::of_stages(&self.stages).expect("every stage was looked at when it was read");
        if self.stages.is_empty() {
            return options;
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
        options.in_mode(self.mode)
    }

    /// Opens the stages of `library` that are switched on, and the encoders that are named.
    ///
    /// # Errors
    /// [`UnusableModel`].
    pub(crate) async fn open(&self, library: &FolderLibrary) -> anyhow::Result<OpenedStages> {
        self.open_from(library, &library.source.root).await
    }

    /// The same of any library; `root` is the folder whose last setup may name the encoder.
    ///
    /// # Errors
    /// [`UnusableModel`].
    pub(crate) async fn open_from<S: PackSource>(
        &self,
        library: &Library<S, SystemClock>,
        root: &Path,
    ) -> anyhow::Result<OpenedStages> {
        let options = self.options();
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
        Ok(OpenedStages { mode: self.mode, options, stages, encoder, scorer, report: RefCell::default() })
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
pub(crate) struct OpenedStages {
    pub(crate) mode: Mode,
    pub(crate) options: StageOptions,
    pub(crate) stages: Stages,
    encoder: Option<Encoder>,
    scorer: Option<Scorer>,
    report: RefCell<Option<StageReport>>,
}

impl OpenedStages {
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

    /// What finds the pages of a question by them.
    pub(crate) fn finder<'s>(&'s self, report: &'s mut StageReport) -> ByStages<'s, Encoder, Scorer, NoModel> {
        ByStages {
            stages: &self.stages,
            options: &self.options,
            embedder: self.encoder.as_ref(),
            pair_scorer: self.scorer.as_ref(),
            writer: None,
            report,
        }
    }

    /// Answers a question by the stages, if there are any, in the mode that was asked for.
    ///
    /// # Errors
    /// Those of [`ask`].
    pub(crate) async fn ask<S: PackSource, C: Clock, P: Splitter>(
        &self,
        library: &Library<S, C>,
        question: &str,
        options: AskOptions<'_, P>,
    ) -> Result<(Answer, Manifest), AskError> {
        let options = AskOptions { mode: self.mode, ..options };
        if self.mode == Mode::Quick {
            return ask(library, question, options.found_by(ByOverview)).await;
        }
        if !self.are_used() {
            return ask(library, question, options).await;
        }
        let mut report = StageReport::default();
        let answered = ask(library, question, options.found_by(self.finder(&mut report))).await;
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
        Err(without_models(&files.weights))
    }

    pub(super) fn load_cross_encoder(path: &Path) -> Result<Scorer, UnusableModel> {
        Err(without_models(path))
    }

    fn without_models(path: &Path) -> UnusableModel {
        UnusableModel::new(
            path,
            "this seealso was built without models; install it again without `--no-default-features`",
        )
    }
}
