//! Verdicts by checks alone, and with a model of fixed log-odds.

use std::ops::ControlFlow;

use futures_executor::block_on;
use seealso_index::Analysis;

use super::*;
use crate::deliberate::verdict::Verdict;
use crate::model::{Abilities, Generation, GenerationEvent, GenerationRequest};

const TEXT: &str = "Green tea is steeped at 70 degrees for two minutes. Assam, in India, has grown tea since 1837.\n\
                    Black tea is fully oxidised before it is dried.";

/// A model with fixed log-odds for "yes".
struct FixedJudge(f64, Abilities);

impl FixedJudge {
    fn log_odds(log_odds: f64) -> FixedJudge {
        let judge = Some(Judge { auc: 0.9, supports: 1.0, rejects: -1.0 });
        FixedJudge(log_odds, Abilities { judge, ..Abilities::default() })
    }
}

impl Model for FixedJudge {
    fn abilities(&self) -> &Abilities {
        &self.1
    }

    async fn write(
        &self,
        _: &GenerationRequest,
        _: &mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Generation, ModelError> {
        Err(ModelError::Failed("it judges alone".to_owned()))
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        assert!(prompt.user.starts_with("Evidence: (Tea) "), "{}", prompt.user);
        assert_eq!(
            prompt.before.iter().map(|turn| turn.assistant.as_str()).collect::<Vec<_>>(),
            ["Yes", "No", "No", "Yes"]
        );
        assert_eq!(continuations, ["Yes", "No"]);
        Ok(vec![self.0, 0.0])
    }
}

fn judged(text: &str, model: Option<&FixedJudge>) -> Judgement {
    let evidence = Evidence::of_text("Tea", TEXT, Analysis::English);
    let claim = Claim { text: text.to_owned(), citations: vec![1], range: 0..text.len() };
    block_on(judge(claim, &evidence, model)).unwrap()
}

#[track_caller]
fn check_alone(text: &str, expected: Verdict, passage: &str) {
    let judgement = judged(text, None);
    let found = judgement.passage.as_ref().map_or("", |passage| passage.text.as_str());
    assert_eq!((judgement.verdict, found), (expected, passage), "{text}: {:?}", judgement.checks);
}

const GREEN: &str = "Green tea is steeped at 70 degrees for two minutes.";
const ASSAM: &str = "Assam, in India, has grown tea since 1837.";
const BLACK: &str = "Black tea is fully oxidised before it is dried.";

#[test]
fn words_and_gates_alone_give_each_verdict() {
    check_alone("Green tea is steeped at 70 degrees.", Verdict::Supported, GREEN);
    check_alone("Green tea is steeped at 90 degrees.", Verdict::Contradicts, GREEN);
    check_alone("Assam has grown tea since 1937.", Verdict::Contradicts, ASSAM);
    check_alone("Black tea is oxidised after it is dried.", Verdict::Contradicts, BLACK);
    check_alone("Black tea is not oxidised.", Verdict::Contradicts, BLACK);
    check_alone("Coffee beans are roasted in drums of steel.", Verdict::Unsupported, "");
    check_alone("Green tea was invented by Robert Fortune.", Verdict::Unsupported, GREEN);
}

#[test]
fn a_model_that_was_measured_has_a_voice() {
    let text = "Green tea is steeped at 70 degrees.";
    assert_eq!(judged(text, Some(&FixedJudge::log_odds(3.0))).verdict, Verdict::Supported);
    assert_eq!(judged(text, Some(&FixedJudge::log_odds(0.0))).verdict, Verdict::Supported);
    let check = |text: &str, log_odds: f64, expected: Verdict| {
        assert_eq!(judged(text, Some(&FixedJudge::log_odds(log_odds))).verdict, expected, "{text}");
    };
    let other_words = "A pot of green tea wants water of 70 degrees, and patience.";
    check(other_words, 0.0, Verdict::CannotVerify);
    check(other_words, 3.0, Verdict::Supported);
    check("Green monkeys dance in the palace of the moon.", 9.0, Verdict::CannotVerify);
    assert_eq!(judged(text, Some(&FixedJudge::log_odds(-3.0))).verdict, Verdict::Contradicts);
    assert_eq!(judged(text, Some(&FixedJudge::log_odds(3.0))).log_odds, Some(3.0));
    // A number that no page has is not made true by a model.
    assert_eq!(
        judged("Green tea is steeped at 90 degrees.", Some(&FixedJudge::log_odds(9.0))).verdict,
        Verdict::Contradicts
    );
}

/// The verdict on a claim by how much of a page is available: the whole page, a part of it, and an excerpt.
#[track_caller]
fn check_kinds(text: &str, model: f64, expected: [Verdict; 3]) {
    let whole = Evidence::of_text("Tea", TEXT, Analysis::English);
    let excerpt = Evidence::of_excerpt("Tea", TEXT, Analysis::English);
    let part = Evidence::of_text("Tea", TEXT, Analysis::English).with_lost_page();
    let says = FixedJudge::log_odds(model);
    let verdicts = [whole, part, excerpt].map(|evidence| {
        let claim = Claim { text: text.to_owned(), citations: vec![1], range: 0..text.len() };
        block_on(judge(claim, &evidence, Some(&says))).unwrap().verdict
    });
    assert_eq!(verdicts, expected, "{text}, {model}");
}

#[test]
fn what_is_missing_counts_by_how_much_of_a_page_is_there() {
    use Verdict::{CannotVerify, Contradicts, Supported, Unsupported};
    // It speaks of nothing there; only of a whole page that says something.
    check_kinds("Coffee beans are roasted in drums of steel.", 0.0, [Unsupported, CannotVerify, CannotVerify]);
    // A name that is not found is weighted for an excerpt.
    let name = "Green tea is steeped at 70 degrees for two minutes by Robert Fortune.";
    check_kinds(name, 3.0, [Unsupported, Unsupported, Supported]);
    check_kinds(name, -3.0, [Unsupported, Unsupported, Contradicts]);
    // All words are there, and a model's log-odds reverse the claim.
    let said = "Green tea is steeped for two minutes.";
    check_kinds(said, 0.0, [Supported, Supported, Supported]);
    check_kinds(said, -1.0, [Contradicts, Contradicts, Supported]);
    check_kinds(said, -4.0, [Contradicts, Contradicts, Contradicts]);
}

#[test]
fn a_name_is_missed_where_it_would_stand() {
    let check = |text: &str, beside: &str, expected: Verdict| {
        let claim = Claim { text: text.to_owned(), citations: Vec::new(), range: 0..text.len() };
        let evidence = Evidence::of_excerpt("", beside, Analysis::English);
        let judgement = block_on(judge(claim, &evidence, None::<&FixedJudge>)).unwrap();
        assert_eq!(judgement.verdict, expected, "{text} / {beside}");
    };
    let (live, song) = ("The tune Long Road was performed live.", "The song was performed live in 2009.");
    // One sentence may call what it is about "the song"; two name it.
    check(live, song, Verdict::CannotVerify);
    check(live, &format!("{song} It was a hit."), Verdict::Unsupported);
    // A sentence that has no word of the claim is not about it.
    check("The award is for a Drama Series.", "Omar wrote of his travels.", Verdict::Unsupported);
}

#[test]
fn a_model_that_was_not_measured_is_not_asked() {
    let silent = FixedJudge(9.0, Abilities::default());
    assert_eq!(judged("Green tea is steeped at 70 degrees.", Some(&silent)).log_odds, None);
}

#[test]
fn without_a_page_nothing_can_be_verified() {
    let claim = Claim { text: "Tea is hot.".to_owned(), citations: Vec::new(), range: 0..11 };
    let judgement = block_on(judge(claim, &Evidence::of_text("", "", Analysis::English), None::<&FixedJudge>)).unwrap();
    assert_eq!((judgement.verdict, judgement.passage), (Verdict::CannotVerify, None));
}
