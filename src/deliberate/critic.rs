//! `review`: the Critic checks the draft claim by claim. It flags claims and never rewrites them.
//!
//! It works in layers. Each claim is aligned with its best evidence over the whole bodies of all pages and passes
//! checks that need no model. A model that was measured as a judge adds its log-odds for "yes". On the larger tiers, a
//! model that can call tools may read whole pages by name and adds a review in its own words. That text is shown to the
//! reader and to the Synthesizer, but it sets no verdict: what a page says is compared here, not taken from a model.

use std::fmt::Write as _;

use crate::deliberate::addresses::names_ungrounded_address;
use crate::deliberate::claims::claims;
use crate::deliberate::evidence::Evidence;
use crate::deliberate::expert::{Draft, SYSTEM, Settings, one_line};
use crate::deliberate::judge::judge;
use crate::deliberate::sources::fence;
use crate::deliberate::step::{OnStep, Role, Step};
use crate::deliberate::verdict::{Judgement, Verdict};
use crate::model::{GenerationEvent, Model, ModelError, Prompt};
use crate::reasoning;
use crate::retrieve::assemble::Manifest;
use crate::trace::{Describe, Detail, counted, detail};

/// How often the model may ask for a page before it must give its review.
const TOOL_ROUNDS: usize = 3;
/// The most characters of a summary in the list of pages.
const SUMMARY_CHARS: usize = 200;

/// The Critic's instructions.
const RULES: &str = "Review the draft below, claim by claim, against the sources. Do not rewrite it, and propose no other facts.\n\
    - A claim that no source bears out: unsupported by source.\n\
    - A claim that a source speaks against: contradicts source, with the passage in quotation marks.\n\
    - A claim of a page in the list whose text you have not read: cannot verify in available excerpt.\n\
    List only flagged claims, one a line, in the language of the draft. Where nothing is to be flagged, write: No flags.";

/// The text of a review without a finding.
pub(crate) const NO_FLAGS: &str = "No flags.";

/// The instruction for asking for a page.
const TOOL: &str =
    "To read a whole page of the list first, answer with one line and nothing else: fetch_full_page(pack, file)";

/// The Critic's result.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// Each claim of the draft with its verdict, in order.
    pub judgements: Vec<Judgement>,
    /// The model's review in its own words; empty if it was not asked for one.
    pub remarks: String,
    /// The pages that it asked for, as it named them, and whether they exist.
    pub fetched: Vec<(String, bool)>,
    /// Why the model's own part is missing, if it failed.
    pub failed: Option<String>,
}

impl Review {
    /// The flagged claims, which must not stand as they are.
    pub fn flagged(&self) -> impl Iterator<Item = &Judgement> {
        self.judgements.iter().filter(|judgement| judgement.verdict.is_flag())
    }

    /// How many claims have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.judgements.iter().filter(|judgement| judgement.verdict == verdict).count()
    }

    /// The review as the reader and the Synthesizer read it: each claim that is not supported, with its label, and the
    /// contradicting passage if there is one.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for judgement in &self.judgements {
            let Some(label) = judgement.verdict.label() else { continue };
            let _ = write!(text, "- \"{}\": {label}", judgement.claim.text);
            if let (Verdict::Contradicts, Some(passage)) = (judgement.verdict, &judgement.passage) {
                let _ = write!(text, " [{}]: \"{}\"", passage.source, passage.text);
            }
            text.push('\n');
        }
        if text.is_empty() {
            text.push_str(NO_FLAGS);
            text.push('\n');
        }
        if !self.remarks.is_empty() {
            let _ = write!(text, "\n{}\n", self.remarks);
        }
        text
    }
}

/// Reviews `draft` against the pages of `manifest`; `on_step` receives the progress of the model's reading and writing.
///
/// If the model fails, its part is lost and the checks go on alone; [`Review::failed`] gives the reason.
///
/// # Errors
/// [`ModelError::Stopped`], when `on_step` stopped it.
pub async fn review<M: Model>(
    model: &M,
    draft: &Draft,
    manifest: &Manifest,
    settings: &Settings,
    on_step: OnStep<'_>,
) -> Result<Review, ModelError> {
    let mut review = Review { judgements: Vec::new(), remarks: String::new(), fetched: Vec::new(), failed: None };
    let mut too_long = None;
    // The model's own review comes first, because its prompt begins as the Expert's does.
    if model.abilities().tools && settings.tier.prompt_budget().critic_remarks {
        let remarks = remarks(model, draft, manifest, settings, &mut review.fetched, on_step).await;
        // If the draft is too long to be reviewed as a whole, its claims can still be judged one by one.
        let failed =
            if matches!(remarks, Err(ModelError::TooLong { .. })) { &mut too_long } else { &mut review.failed };
        review.remarks = unless_failed(remarks, failed)?.unwrap_or_default();
    }
    let judged = judge_all(model, &draft.text, manifest, Role::Critic, &mut review.failed, on_step).await?;
    Ok(Review { judgements: judged, failed: review.failed.or(too_long), ..review })
}

/// Judges every claim of `text` against the pages of `manifest`. After a failure of the model, the checks go on alone.
/// A claim that names a web address that no page has is unsupported, whatever else it says: the address might send the
/// question elsewhere.
///
/// # Errors
/// [`ModelError::Stopped`].
pub(crate) async fn judge_all<M: Model>(
    model: &M,
    text: &str,
    manifest: &Manifest,
    role: Role,
    failed: &mut Option<String>,
    on_step: OnStep<'_>,
) -> Result<Vec<Judgement>, ModelError> {
    let (claims, evidence) = (claims(text), &Evidence::of(manifest));
    let (mut judgements, total) = (Vec::with_capacity(claims.len()), claims.len());
    for (done, claim) in claims.into_iter().enumerate() {
        if on_step(Step::Judging { role, done, total }).is_break() {
            return Err(ModelError::Stopped);
        }
        let asked = failed.is_none().then_some(model);
        let as_written = &text[claim.range.clone()];
        let mut judgement = match unless_failed(judge(claim.clone(), evidence, asked).await, failed)? {
            Some(judgement) => judgement,
            None => judge(claim, evidence, None::<&M>).await?,
        };
        if names_ungrounded_address(as_written, manifest) {
            judgement.verdict = Verdict::Unsupported;
        }
        judgements.push(judgement);
    }
    Ok(judgements)
}

/// Records a failure in `failed`; a stop is passed on.
fn unless_failed<T>(result: Result<T, ModelError>, failed: &mut Option<String>) -> Result<Option<T>, ModelError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(ModelError::Stopped) => Err(ModelError::Stopped),
        Err(error) => {
            *failed = Some(error.to_string());
            Ok(None)
        }
    }
}

/// The model's review in its own words, after at most [`TOOL_ROUNDS`] pages that it asked for.
async fn remarks<M: Model>(
    model: &M,
    draft: &Draft,
    manifest: &Manifest,
    settings: &Settings,
    fetched: &mut Vec<(String, bool)>,
    on_step: OnStep<'_>,
) -> Result<String, ModelError> {
    let mut read = String::new();
    loop {
        let may_ask = fetched.len() < TOOL_ROUNDS;
        let prompt = review_prompt(draft, manifest, &read, may_ask, model.abilities().context, settings);
        let mut on_event = |wrote: GenerationEvent<'_>| on_step(Step::Generation(Role::Critic, wrote));
        let written = reasoning::write(model, &settings.writing(prompt), &mut on_event).await?;
        let Some((pack, file)) = tool_call(&written.text) else { return Ok(written.text.trim().to_owned()) };
        if !may_ask {
            // The model was told to answer and asked again: it has no review, and the checks' review stands alone.
            return Ok(String::new());
        }
        let name = format!("{pack}/{file}");
        let page = manifest.fetch_full_page(&pack, &file);
        fetched.push((name.clone(), page.is_some()));
        let share = settings.tier.critic_excerpt_chars() / TOOL_ROUNDS;
        let page = page.map(|text| head(text, share).to_owned());
        let page = page.unwrap_or_else(|| format!("there is no page {name} in the list; use a name from it"));
        let fence = fence(manifest);
        let _ = write!(read, "\n\nfetch_full_page({name}):\n{fence}\n{page}\n{fence}");
    }
}

/// The pack and the file of a tool call, if the text is one.
fn tool_call(text: &str) -> Option<(String, String)> {
    let (_, after) = text.split_once("fetch_full_page(")?;
    let (arguments, _) = after.split_once(')')?;
    let bare = |part: &str| part.trim().trim_matches(['"', '\'', '`']).to_owned();
    let (pack, file) = arguments.rsplit_once(',')?;
    Some((bare(pack), bare(file)))
}

/// The Critic's prompt: an excerpt that begins as the Expert's sources do, the list of all pages, the rules, and the
/// draft.
pub(crate) fn review_prompt(
    draft: &Draft,
    manifest: &Manifest,
    read: &str,
    may_ask: bool,
    context: usize,
    settings: &Settings,
) -> Prompt {
    let fence = fence(manifest);
    let excerpt = close_fence(head(&draft.sources.text, settings.excerpt_chars(context)), &fence);
    let mut list = String::new();
    for (at, page) in manifest.pages.iter().enumerate() {
        let summary = one_line(&page.page.summary);
        let (pack, file) = (&page.pack_entry.path, &page.page.file);
        let _ = writeln!(list, "[{}] {pack}, {file}: {}. {}", at + 1, page.page.title, head(&summary, SUMMARY_CHARS));
    }
    let tool = if may_ask { TOOL } else { "Give the review now." };
    let text = head(&draft.text, settings.tier.critic_draft_chars());
    Prompt {
        system: SYSTEM.to_owned(),
        user: format!("{excerpt}{read}\n\nPages:\n{fence}\n{list}{fence}\n\n{RULES}\n{tool}\n\nDraft:\n{text}"),
        ..Prompt::default()
    }
}

/// The excerpt, with its last fence closed if the cut left it open: what follows belongs to no page.
fn close_fence(excerpt: &str, fence: &str) -> String {
    let fences = excerpt.lines().filter(|line| *line == fence).count();
    let end = if fences % 2 == 1 { format!("\n{fence}") } else { String::new() };
    format!("{excerpt}{end}")
}

/// The first `chars` characters.
pub(crate) fn head(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(at, _)| &text[..at])
}

impl Describe for Review {
    fn note(&self) -> String {
        let flagged = self.flagged().count();
        let unsure = self.count(Verdict::CannotVerify);
        let claims = counted(self.judgements.len(), "claim");
        format!("{claims}: {} supported, {flagged} flagged, {unsure} not verified", self.count(Verdict::Supported))
    }

    fn detail(&self) -> Detail {
        let fetched: Vec<Detail> =
            self.fetched.iter().map(|(page, found)| detail!({ "page": page.as_str(), "found": *found })).collect();
        detail!({
            "claims": self.judgements.iter().map(judgement_detail).collect::<Vec<_>>(),
            "remarks": self.remarks,
            "fetched": fetched,
            "failed": self.failed.clone().unwrap_or_default(),
        })
    }
}

/// All fields of a judgement, for the trace.
pub(crate) fn judgement_detail(judgement: &Judgement) -> Detail {
    let passage = judgement.passage.as_ref();
    let checks: Vec<Detail> = judgement.checks.iter().map(Describe::detail).collect();
    detail!({
        "claim": judgement.claim.text,
        "verdict": judgement.verdict.code(),
        "source": passage.map_or(0, |passage| passage.source),
        "passage": passage.map_or("", |passage| passage.text.as_str()),
        "checks": checks,
        "log_odds": judgement.log_odds.unwrap_or(f64::NAN),
    })
}
