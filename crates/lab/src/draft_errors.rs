//! `seealso-lab draft-errors`: plants errors in drafts over the packs, and counts how many of them are in the final text.
//!
//! For every page, a draft is made of faithful sentences of that page, with its citation. An error is planted in every second
//! sentence, by a seed: of a number, unit, date, name, negation or quantifier. The draft goes through the Critic, a
//! Synthesizer that repeats it word for word (the worst possible one), and the last check. Figures are of the final text,
//! whether or not it would replace the quoted answer.

mod figures;
mod planting;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{
    Abilities, Answer, AskOptions, DeliberationConfig, Generation, GenerationEvent, GenerationRequest, Manifest, Model,
    ModelError, Prompt, Roles, ask, deliberate, page_id,
};
use seealso_cli::{
    BoundsArguments, CachedModel, CommandResult, Completion, PackArguments, ProgressLine, SystemClock, block_on,
    open_library, say,
};
use seealso_pack::{Pack, discover};

use self::figures::ErrorFigures;
use self::planting::{DraftSentence, plant};
use crate::swap::NamePool;

/// Plant errors in drafts over the packs, and count how many are in the final text.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    packs: PackArguments,
    /// Let the model in this GGUF file judge claims too, beside the checks.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The threads that the model runs on; by default as many as there are processors.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    bounds: BoundsArguments,
    /// The folder in which the model's judgements are cached.
    #[arg(long, value_name = "DIR", requires = "model")]
    cache: Option<PathBuf>,
    /// Let the Synthesizer join every two sentences into one instead of repeating them as they are.
    #[arg(long)]
    joined: bool,
    /// The seed by which errors are planted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Take only every Nth page.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Also print each planted error that was not flagged, and each faithful sentence that was flagged or lost.
    #[arg(long)]
    verbose: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// The longest prompt of a claim with its passages, in tokens.
const JUDGING_TOKENS: usize = 2_048;

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let judge = match &arguments.model {
        Some(path) => {
            let (cache, bounds) = (arguments.cache.as_deref(), arguments.bounds.judge());
            Some(CachedModel::of_file(path, arguments.threads, JUDGING_TOKENS, cache, bounds)?)
        }
        None => None,
    };
    let figures = block_on(arguments.measure(judge.as_ref()))??;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&figures.as_json())?),
        false => figures.print(),
    }
    Ok(Completion::Success)
}

impl Arguments {
    async fn measure(&self, judge: Option<&CachedModel>) -> anyhow::Result<ErrorFigures> {
        let library = open_library(&self.packs.packs, self.packs.config()).await?;
        let pages = titles(&self.packs.packs)?;
        let progress = ProgressLine::on_stderr();
        let (mut answered, mut figures) = (Vec::new(), ErrorFigures::default());
        for (id, title) in pages.iter().step_by(self.every as usize) {
            let (answer, manifest) = ask(&library, title, AskOptions::default()).await?;
            let source = answer.sources.iter().position(|source| source.page == *id).map(|at| at + 1);
            match source.filter(|_| !answer.is_empty()) {
                Some(source) => answered.push((answer, manifest, source)),
                None => figures.skipped += 1,
            }
        }
        let sentences: Vec<Vec<String>> =
            answered.iter().map(|(_, manifest, source)| planting::sentences(manifest, *source)).collect();
        let names = NamePool::of(sentences.iter().flatten().map(String::as_str));
        for (at, ((answer, manifest, source), sentences)) in answered.iter().zip(&sentences).enumerate() {
            progress.show(&format!("page {} of {}", at + 1, answered.len()));
            let planted = plant(sentences, &manifest.pages[source - 1].text, &names, self.seed, at);
            self.follow(&planted, (answer, manifest, *source), judge, &mut figures).await?;
        }
        Ok(figures)
    }

    /// Deliberates on a draft with errors, and counts its sentences.
    async fn follow(
        &self,
        planted: &[DraftSentence],
        (answer, manifest, source): (&Answer, &Manifest, usize),
        judge: Option<&CachedModel>,
        figures: &mut ErrorFigures,
    ) -> anyhow::Result<()> {
        let draft = planting::draft(planted, source);
        let text = if self.joined { planting::joined(planted, source) } else { draft.clone() };
        let model = ScriptedWriter { draft, text, abilities: abilities(judge), judge };
        let (config, clock) =
            (DeliberationConfig { tier: self.packs.config().tier, ..Default::default() }, SystemClock::start());
        let on_step = &mut |_: seealso::Step<'_>| ControlFlow::Continue(());
        let done = deliberate(&Roles::all(&model), answer, manifest, &config, &clock, on_step).await;
        figures.add(planted, &done.context("deliberating")?, self.verbose);
        Ok(())
    }
}

/// The id and title of each page of the packs under `root`.
fn titles(root: &std::path::Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for (dir, path) in discover(root)? {
        let pack = Pack::read(&dir, &path)?;
        found.extend(pack.pages.iter().map(|page| (page_id(&path, &page.file), page.title.clone())));
    }
    Ok(found)
}

/// A model whose draft and final text are given, and which judges as another model does.
struct ScriptedWriter<'j> {
    draft: String,
    text: String,
    abilities: Abilities,
    judge: Option<&'j CachedModel>,
}

fn abilities(judge: Option<&CachedModel>) -> Abilities {
    let judge = judge.and_then(|judge| judge.abilities().judge);
    Abilities { name: "by heart".to_owned(), judge, ..Abilities::default() }
}

impl Model for ScriptedWriter<'_> {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(
        &self,
        writing: &GenerationRequest,
        _: &mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Generation, ModelError> {
        // Only the prompt of the Synthesizer has the draft.
        let is_synthesizer = writing.prompt.user.contains(&self.draft);
        let text = if is_synthesizer { &self.text } else { &self.draft };
        Ok(Generation { text: text.clone(), ..Generation::default() })
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        match self.judge {
            Some(judge) => judge.score(prompt, continuations).await,
            None => Err(ModelError::CannotScore),
        }
    }

    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        match self.judge {
            Some(judge) => judge.judge(prompt, answers).await,
            None => Err(ModelError::CannotScore),
        }
    }
}
