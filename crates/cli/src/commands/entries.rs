//! `seealso entries`: what the principal of a pack holds on a question, for an agent that answers in the principal's place.
//!
//! The command only reads: the packs, their stage of entries, and the encoder.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{
    Config, EntryMatch, EntryRequest, EntryResponse, EntryStage, Interaction, PatternMatch, entry_prompt,
    retrieve_entries,
};
use seealso_pack::Date;
use uuid::Uuid;

use crate::exit::{CommandResult, Completion};
use crate::source::{block_on, open_library};
use crate::stages::open_encoder;
use crate::style::{FAINT, LINK, STRONG, pluralize, print_warning, printable, printable_lines, say};
use crate::utc;

/// Find the entries nearest to a question in meaning, with the patterns of reasoning behind them.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The question.
    question: String,
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// Encode the question with the encoder in this folder: the one that made the vectors. By default the one that
    /// SEEALSO_ENCODER names, or that the packs were set up with.
    #[arg(long, value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Who asks, such as "a new contributor". A prompt has it, since variants of patterns are for certain situations.
    #[arg(long, value_name = "NAME")]
    asker: String,
    /// List at most so many entries: from 1 to 20; a number outside of that is the nearest of them.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    top: Option<i64>,
    /// Print the response as JSON.
    #[arg(long)]
    json: bool,
    /// Print what a model is told that answers in the principal's place.
    #[arg(long, conflicts_with = "json")]
    prompt: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let request = EntryRequest::new(&arguments.question, &arguments.asker, arguments.top)?;
    let (id, today) =
        (Uuid::now_v7().to_string(), Date::parse(&utc::today()).context("the system's clock has no date")?);
    let response = block_on(async {
        let library = open_library(&arguments.packs, Config::default()).await?;
        let stage = EntryStage::open(&library).await?;
        let encoder = open_encoder(arguments.encoder.as_deref(), &arguments.packs)?;
        let interaction = Interaction { id: &id, today };
        anyhow::Ok(retrieve_entries(&stage, encoder.as_ref(), &request, &interaction).await?)
    })??;
    match (arguments.json, arguments.prompt) {
        (true, _) => say!("{}", serde_json::to_string_pretty(&response)?),
        (false, true) => {
            let prompt = entry_prompt(&response, request.asker());
            say!("{}\n\n{}", printable_lines(&prompt.system), printable_lines(&prompt.user));
        }
        (false, false) => print(&response),
    }
    Ok(if response.entries.is_empty() { Completion::NoAnswer } else { Completion::Success })
}

fn print(response: &EntryResponse) {
    response.notices.iter().for_each(|notice| print_warning(&notice.message));
    match (response.strong_match, response.entries.is_empty()) {
        (true, _) => say!("An entry answers this nearly directly."),
        (false, false) => say!("No entry answers this directly; reason from the patterns."),
        (false, true) => say!("Nothing that was written down bears on this."),
    }
    response.entries.iter().for_each(print_entry);
    if !response.reasoning_patterns.is_empty() {
        say!("\n{STRONG}Patterns of reasoning{STRONG:#}");
    }
    response.reasoning_patterns.iter().for_each(print_pattern);
}

fn print_entry(entry: &EntryMatch) {
    let (page, topic) = (printable(&entry.page), printable(&entry.topic));
    say!("\n{:.3}  {STRONG}{topic}{STRONG:#}  {LINK}{page}{LINK:#}", entry.score);
    let (kind, confidence, stability) = (entry.entry_type.name(), entry.confidence.name(), entry.stability.name());
    let updated = entry.updated.map_or(String::new(), |date| format!(", {date}"));
    say!(
        "{FAINT}relevance {:.3}; {kind}, {confidence} confidence, {stability}{updated}{FAINT:#}",
        entry.relevance_score
    );
    say!("{}", printable_lines(&entry.position));
}

fn print_pattern(pattern: &PatternMatch) {
    let variants = pluralize(pattern.variants.len(), "variant");
    say!("{STRONG}{}{STRONG:#}: {} ({variants})", printable(&pattern.slug), printable(&pattern.description));
}
