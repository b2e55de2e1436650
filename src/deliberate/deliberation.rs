//! `deliberate`: Expert, Critic, Synthesizer and the final check, one line each; and the decision whether the result
//! replaces the quoted answer.

use std::cell::RefCell;
use std::collections::BTreeSet;

use seealso_index::Analysis;

use crate::answer::Answer;
use crate::deliberate::claims::without_unfinished;
use crate::deliberate::complete::{Completion, complete, serves};
use crate::deliberate::critic::{Review, review};
use crate::deliberate::expert::{Draft, Settings, draft};
use crate::deliberate::language::differs;
use crate::deliberate::step::{OnStep, Step};
use crate::deliberate::synthesizer::{Synthesis, synthesize, without_flagged};
use crate::deliberate::verdict::{Judgement, Verdict};
use crate::deliberate::verify::{VerifiedText, verify};
use crate::model::{Generation, Model, ModelError};
use crate::retrieve::assemble::Manifest;
use crate::tier::Tier;
use crate::trace::{Progress, Stage, Tracer};
use crate::world::Clock;

/// The model of each role: usually the same for all; a stronger one may be borrowed for any role.
#[derive(Debug)]
pub struct Roles<'m, M> {
    /// Writes the draft.
    pub expert: &'m M,
    /// Checks the draft.
    pub critic: &'m M,
    /// Integrates draft and review.
    pub synthesizer: &'m M,
}

impl<'m, M> Roles<'m, M> {
    /// One model for all three.
    pub fn all(model: &'m M) -> Self {
        Roles { expert: model, critic: model, synthesizer: model }
    }
}

/// The settings of a deliberation.
#[derive(Debug, Clone, PartialEq)]
pub struct DeliberationConfig {
    /// The tier whose budgets apply.
    pub tier: Tier,
    /// The most tokens that a role writes. If `None`, the tier's number, and at most a quarter of the model's context.
    pub max_tokens: Option<usize>,
    /// The sampling temperature of each role: Expert, Critic, Synthesizer.
    pub temperatures: [f32; 3],
    /// The sampling seed; the same seed gives the same tokens.
    pub seed: u64,
    /// The share of a draft's claims that must be supported before the resulting answer replaces the quoted one (0 to
    /// 1).
    pub least_supported: f64,
}

impl Default for DeliberationConfig {
    fn default() -> Self {
        DeliberationConfig {
            tier: Tier::default(),
            max_tokens: None,
            temperatures: [0.2, 0.3, 0.3],
            seed: 0,
            least_supported: 0.5,
        }
    }
}

impl Deliberation {
    /// Whether a role's last sentence was removed because its model was stopped in the middle of it.
    pub fn left_unfinished(&self) -> bool {
        let unfinished = |written: &Generation| {
            written.cut && without_unfinished(&written.text).len() < written.text.trim_end().len()
        };
        unfinished(&self.draft.written) || unfinished(&self.synthesis.written)
    }
}

impl DeliberationConfig {
    /// The most tokens that a role writes, whatever the context of its model.
    pub fn written_tokens(&self) -> usize {
        self.max_tokens.unwrap_or(self.tier.written_tokens())
    }

    /// The settings of a role whose model has a context of `context` tokens, or 0 if that is unknown.
    pub(super) fn settings(&self, context: usize, temperature: f32) -> Settings {
        let most = if context == 0 { usize::MAX } else { context / 4 };
        let max_tokens = self.max_tokens.unwrap_or(self.tier.written_tokens().min(most));
        Settings { tier: self.tier, max_tokens, temperature, seed: self.seed }
    }
}

/// The complete result of a deliberation, with every exchange.
#[derive(Debug, Clone, PartialEq)]
pub struct Deliberation {
    /// The Expert's draft.
    pub draft: Draft,
    /// The Critic's review.
    pub review: Review,
    /// The Synthesizer's text.
    pub synthesis: Synthesis,
    /// Why the Synthesizer's model failed, if it did: then the draft stands without its flagged claims.
    pub synthesizer_failed: Option<String>,
    /// The final text, with a verdict for each sentence.
    pub verified: VerifiedText,
    /// The parts of the question that quoted sentences answer, because the model's own text has no supported sentence
    /// on them.
    pub quoted: Vec<String>,
    /// How many of the final text's sentences, at the end, are quotations: those of the parts in `quoted`, and quoted
    /// sentences of other parts that the model's text leaves out.
    pub quotations: usize,
    /// Sentences that were removed at the end because they are off-topic or repeat the question.
    pub off_topic: Vec<String>,
    /// Why the quoted answer stays; `None` if this one replaces it.
    pub kept: Option<String>,
    /// The stages, in order.
    pub trace: Vec<Stage>,
    /// The duration in milliseconds.
    pub ms: f64,
}

/// The error if there is no page to deliberate on.
const NO_PAGES: &str = "the packs do not answer this question; from nothing, nothing is drafted";

const ONLY_OFF_TOPIC: &str = "what pages support of the model's answer adds nothing to the question";

/// Deliberates on the question of `answer`, whose pages are in `manifest`. `on_step` receives each step and may stop
/// the deliberation.
///
/// # Errors
/// The Expert's; [`ModelError::Stopped`]. The quoted answer stands then.
pub async fn deliberate<M: Model, C: Clock>(
    roles: &Roles<'_, M>,
    answer: &Answer,
    manifest: &Manifest,
    config: &DeliberationConfig,
    clock: &C,
    on_step: OnStep<'_>,
) -> Result<Deliberation, ModelError> {
    if answer.is_empty() || manifest.pages.is_empty() {
        return Err(ModelError::Failed(NO_PAGES.to_owned()));
    }
    let watcher = RefCell::new(on_step);
    let on_step = &mut |step: Step<'_>| watcher.borrow_mut()(step);
    let mut on_progress = |progress: Progress| {
        // A stop takes effect at the next step.
        let _ = watcher.borrow_mut()(Step::Stage(&progress));
    };
    let mut tracer = Tracer::new(clock, &mut on_progress);
    let question = &answer.question;
    let [expert, critic, synthesizer] = config.temperatures;
    let expert = &config.settings(roles.expert.abilities().context, expert);
    let critic = &config.settings(roles.critic.abilities().context, critic);
    let synthesizer = &config.settings(roles.synthesizer.abilities().context, synthesizer);

    let drafting = draft(roles.expert, answer, manifest, expert, on_step);
    let draft = tracer.attempt("expert", drafting).await?;
    let reviewing = review(roles.critic, &draft, manifest, critic, on_step);
    let review = tracer.attempt("critic", reviewing).await?;
    let mut failed = None;
    let integrating = integrate(roles.synthesizer, question, &draft, &review, synthesizer, &mut failed, on_step);
    let synthesis = tracer.attempt("synthesize", integrating).await?;
    let verifying = verify(roles.critic, &synthesis, manifest, config.tier, on_step);
    let verified = tracer.attempt("verify", verifying).await?;
    let Completion { verified, quoted, off_topic, quotations } =
        tracer.stage("complete", || complete(answer, manifest, verified));

    let (trace, ms) = tracer.finish();
    let supported = verified.supported();
    let own = &supported[..supported.len() - quotations];
    let kept = reason_to_keep_quotes(answer, manifest, &review, &verified, own, &quoted, config).map(|why| {
        match &off_topic[..] {
            [_, ..] if own.is_empty() => ONLY_OFF_TOPIC.to_owned(),
            _ => why,
        }
    });
    let quoted = quoted.into_iter().map(|number| answer.sub_queries[number].text.clone()).collect();
    let synthesizer_failed = failed;
    Ok(Deliberation {
        draft,
        review,
        synthesis,
        synthesizer_failed,
        verified,
        quoted,
        quotations,
        off_topic,
        kept,
        trace,
        ms,
    })
}

/// The synthesis; if the model fails, the draft without its flagged claims.
async fn integrate<M: Model>(
    model: &M,
    question: &str,
    draft: &Draft,
    review: &Review,
    settings: &Settings,
    failed: &mut Option<String>,
    on_step: OnStep<'_>,
) -> Result<Synthesis, ModelError> {
    match synthesize(model, question, draft, review, settings, on_step).await {
        Err(ModelError::Stopped) => Err(ModelError::Stopped),
        Err(error) => {
            *failed = Some(error.to_string());
            Ok(without_flagged(draft, review))
        }
        Ok(synthesis) => Ok(synthesis),
    }
}

/// Why the quoted answer stays: the checks rate the deliberated text below it. `own` are the supported sentences of the
/// model's own text, `lacking` the parts on which it has none.
fn reason_to_keep_quotes(
    answer: &Answer,
    manifest: &Manifest,
    review: &Review,
    verified: &VerifiedText,
    own: &[&Judgement],
    lacking: &[usize],
    config: &DeliberationConfig,
) -> Option<String> {
    if own.is_empty() {
        return Some("no sentence of the model's answer is supported by a page".to_owned());
    }
    let (supported_claims, claims) = (review.count(Verdict::Supported), review.judgements.len());
    // The closer a tier requires sentences to be to their passages, the less their number means.
    let least = config.least_supported * (1.0 - config.tier.prompt_budget().least_overlap);
    if (supported_claims as f64) < least * claims as f64 {
        return Some(format!(
            "only {supported_claims} of {claims} claims of the model's draft are supported by a page"
        ));
    }
    if differs(&answer.question, &verified.text) {
        return Some("the model answered in another language than the question's".to_owned());
    }
    let quoted = answer.sentences.iter().filter(|quote| !lacking.contains(&quote.sub_query));
    let (answered, quoted) = (
        question_words_in(answer, manifest, own.iter().map(|sentence| sentence.claim.text.as_str())),
        question_words_in(answer, manifest, quoted.map(|quote| quote.text.as_str())),
    );
    if answered * 2 < quoted {
        return Some("the model's answer says less of what was asked than the quoted one".to_owned());
    }
    let supported = verified.supported();
    let unserved = answer
        .sub_queries
        .iter()
        .enumerate()
        .find(|(number, part)| part.answered && !serves(answer, &supported, *number));
    unserved.map(|(_, part)| format!("the model's answer says nothing that is supported on this part: {}", part.text))
}

/// How many of the question's content words occur in `texts`.
fn question_words_in<'t>(answer: &Answer, manifest: &Manifest, texts: impl Iterator<Item = &'t str>) -> usize {
    let analysis = manifest.pages.first().map_or(Analysis::English, |page| page.analysis);
    let of = |text: &str| analysis.tokens(text).into_iter().filter(|token| !token.weak).map(|token| token.term);
    let said: BTreeSet<String> = texts.flat_map(of).collect();
    of(&answer.question).collect::<BTreeSet<String>>().intersection(&said).count()
}
