//! The stages of a folder of packs, as the commands that ask questions use them.

use std::cell::RefCell;

use clap::Args;
use seealso::{
    Answer, AskError, AskOptions, ByOverview, ByStages, Gate, Manifest, Mode, NearChunk, STAGES, Splitter,
    StageOptions, StageReport, Stages, ask,
};
use serde_json::{Value, json};

use crate::source::FolderLibrary;

/// Which stages a question goes through, and how much is read for it.
#[derive(Args)]
pub(crate) struct StageArguments {
    /// Use these stages of the packs: chunks, vectors, graph, with commas between, or none; by default all that are there.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_stage)]
    stages: Option<Vec<String>>,
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
    /// How much is read: quick (the overview of each pack, without a search), standard, or deep (twice as many pages).
    #[arg(long, value_name = "MODE", default_value = "standard", value_parser = parse_mode)]
    mode: Mode,
}

/// The name that stands for no stage.
const NONE: &str = "none";

fn parse_stage(name: &str) -> Result<String, String> {
    match STAGES.contains(&name) || name == NONE {
        true => Ok(name.to_owned()),
        false => Err(format!("there is no such stage; there are {}, and {NONE}", STAGES.join(", "))),
    }
}

fn parse_mode(name: &str) -> Result<Mode, String> {
    Mode::named(name).ok_or_else(|| {
        let known: Vec<&str> = Mode::all().map(Mode::name).collect();
        format!("no mode has that name; there are {}", known.join(", "))
    })
}

impl StageArguments {
    /// The switches.
    pub(crate) fn options(&self) -> StageOptions {
        let mut options = StageOptions::default();
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
        if let Some(named) = &self.stages {
            options.says_missing = true;
            for name in STAGES.into_iter().filter(|name| !named.iter().any(|named| named == name)) {
                set(&mut options, name, false);
            }
            if named.iter().any(|name| name == NONE) {
                options = StageOptions::none();
            }
        }
        options.in_mode(self.mode)
    }

    /// Opens the stages of `library` that are switched on, and the encoder of their vectors.
    pub(crate) async fn open(&self, library: &FolderLibrary) -> OpenedStages {
        let options = self.options();
        let stages = match self.mode {
            Mode::Quick => Stages::default(),
            _ => Stages::open(library, &options).await,
        };
        OpenedStages { mode: self.mode, options, stages, report: RefCell::default() }
    }
}

/// The opened stages, and what they did for the last question.
pub(crate) struct OpenedStages {
    pub(crate) mode: Mode,
    pub(crate) options: StageOptions,
    pub(crate) stages: Stages,
    report: RefCell<Option<StageReport>>,
}

impl OpenedStages {
    /// Whether a question goes through any.
    pub(crate) fn are_used(&self) -> bool {
        !self.stages.is_empty() || !self.stages.faults().is_empty()
    }

    /// What finds the pages of a question by them.
    pub(crate) fn finder<'s>(&'s self, report: &'s mut StageReport) -> ByStages<'s> {
        ByStages::without_models(&self.stages, &self.options, report)
    }

    /// Answers a question by the stages, if there are any, in the mode that was asked for.
    ///
    /// # Errors
    /// Those of [`ask`].
    pub(crate) async fn ask<P: Splitter>(
        &self,
        library: &FolderLibrary,
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

/// Adds what the stages did to an answer's JSON.
pub(crate) fn add_report(value: &mut Value, report: Option<&StageReport>) {
    let Some(report) = report else { return };
    value["query_type"] = json!(report.query_type.name());
    let gate = |gate: Gate| json!({ "max_similarity": gate.max_similarity, "threshold": gate.threshold, "passes": gate.passes });
    let chunk = |chunk: &NearChunk| {
        json!({
            "page": chunk.id, "chunk": chunk.chunk, "section": chunk.section, "similarity": chunk.similarity,
            "bm25": chunk.bm25, "centrality": chunk.centrality,
        })
    };
    let chunks: Vec<Value> = report.chunks.iter().map(chunk).collect();
    value["stages"] = json!({ "used": report.used, "gate": report.gate.map(gate), "chunks": chunks });
}
