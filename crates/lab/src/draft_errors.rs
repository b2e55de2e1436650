//! `seealso-lab draft-errors`: errors planted in drafts over the packs, and what of them stands in the end.
//!
//! For every page a draft is made of faithful sentences of that page, with its citation. Into every second sentence an
//! error is planted, by a seed: a number, unit, date, name, negation or quantifier. The draft goes through the Critic, a
//! Synthesizer that repeats it word for word (the worst one), and the last check. Figures are of the final text,
//! whether or not it would replace the quoted answer.

mod figures;
mod planting;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{
    Abilities, Answer, DeliberationConfig, Manifest, Model, ModelError, Prompt, Roles, Writing, Written, Wrote,
    ask_and_keep, deliberate, page_id,
};
use seealso_cli::{AnswerMemory, Bounds, Done, Outcome, Packs, ProgressLine, SystemClock, block_on, open, say};
use seealso_pack::{Pack, discover};

use self::figures::Counts;
use self::planting::{Planted, plant};
use crate::swap::Names;

/// Plant errors in drafts over the packs, and measure what of them stands in the final text.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    packs: Packs,
    /// Let the model in this GGUF file judge claims too, beside the gates.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    bounds: Bounds,
    /// Where what the model says is kept.
    #[arg(long, value_name = "DIR", requires = "model")]
    cache: Option<PathBuf>,
    /// Let the Synthesizer join every two sentences into one instead of repeating them as they are.
    #[arg(long)]
    joined: bool,
    /// Which errors are planted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Take every Nth page alone.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Print each planted error that no check flagged, each faithful sentence that one flagged, and each that was lost.
    #[arg(long)]
    verbose: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// Tokens that a claim with its passages takes at the most.
const JUDGING_TOKENS: usize = 2_048;

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let judge = match &arguments.model {
        Some(path) => {
            let (cache, bounds) = (arguments.cache.as_deref(), arguments.bounds.judge());
            Some(AnswerMemory::of_file(path, arguments.threads, JUDGING_TOKENS, cache, bounds)?)
        }
        None => None,
    };
    let counts = block_on(arguments.measure(judge.as_ref()))??;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&counts.as_json())?),
        false => counts.print(),
    }
    Ok(Done::Well)
}

impl Arguments {
    async fn measure(&self, judge: Option<&AnswerMemory>) -> anyhow::Result<Counts> {
        let library = open(&self.packs.packs, self.packs.config()).await?;
        let pages = titles(&self.packs.packs)?;
        let progress = ProgressLine::new();
        let (mut ready, mut counts) = (Vec::new(), Counts::default());
        for (id, title) in pages.iter().step_by(self.every as usize) {
            let (answer, manifest) = ask_and_keep(&library, title, library.config.filter.clone(), &mut |_| {}).await?;
            let source = answer.sources.iter().position(|source| source.page == *id).map(|at| at + 1);
            match source.filter(|_| !answer.is_empty()) {
                Some(source) => ready.push((answer, manifest, source)),
                None => counts.skipped += 1,
            }
        }
        let sentences: Vec<Vec<String>> =
            ready.iter().map(|(_, manifest, source)| planting::sentences(manifest, *source)).collect();
        let names = Names::of(sentences.iter().flatten().map(String::as_str));
        for (at, ((answer, manifest, source), sentences)) in ready.iter().zip(&sentences).enumerate() {
            progress.say(&format!("page {} of {}", at + 1, ready.len()));
            let planted = plant(sentences, &manifest.pages[source - 1].text, &names, self.seed, at);
            self.look(&planted, (answer, manifest, *source), judge, &mut counts).await?;
        }
        Ok(counts)
    }

    /// Deliberates on a draft with errors, and counts what became of its sentences.
    async fn look(
        &self,
        planted: &[Planted],
        (answer, manifest, source): (&Answer, &Manifest, usize),
        judge: Option<&AnswerMemory>,
        counts: &mut Counts,
    ) -> anyhow::Result<()> {
        let draft = planting::draft(planted, source);
        let text = if self.joined { planting::joined(planted, source) } else { draft.clone() };
        let model = Repeating { draft, text, abilities: abilities(judge), judge };
        let (config, clock) =
            (DeliberationConfig { tier: self.packs.config().tier, ..Default::default() }, SystemClock::new());
        let watch = &mut |_: seealso::Step<'_>| ControlFlow::Continue(());
        let done = deliberate(&Roles::all(&model), answer, manifest, &config, &clock, watch).await;
        counts.take(planted, &done.context("deliberating")?, self.verbose);
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

/// A model that drafts and integrates by heart, and judges as another does.
struct Repeating<'j> {
    draft: String,
    text: String,
    abilities: Abilities,
    judge: Option<&'j AnswerMemory>,
}

fn abilities(judge: Option<&AnswerMemory>) -> Abilities {
    let judge = judge.and_then(|judge| judge.abilities().judge);
    Abilities { name: "by heart".to_owned(), judge, ..Abilities::default() }
}

impl Model for Repeating<'_> {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(
        &self,
        writing: &Writing,
        _: &mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>,
    ) -> Result<Written, ModelError> {
        // Only the Synthesizer reads the draft.
        let integrates = writing.prompt.user.contains(&self.draft);
        let text = if integrates { &self.text } else { &self.draft };
        Ok(Written { text: text.clone(), ..Written::default() })
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
