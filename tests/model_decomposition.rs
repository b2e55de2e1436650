//! A scripted model splits questions: what of its proposals holds, and what the rules then do.
#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;

use seealso::{
    Abilities, AskOptions, ByModel, Config, FixedClock, GenerationEvent, Library, MemorySource, ModelError,
    ScriptedModel, Shape, ask,
};
use serde_json::{Value, json};

/// Two subjects, which the rules see as well.
const TWO: &str = "How is green tea steeped and how long does a shot of espresso take?";
/// One subject.
const ONE: &str = "How hot is the water for green tea?";

fn page(title: &str, summary: &str) -> String {
    format!("---\ntitle: {title}\nsummary: {summary}\n---\n\n# {title}\n\n> {summary}\n")
}

/// What `question` is split into with `model`, and what the trace says of it.
fn run(question: &str, model: &ScriptedModel, flow: ControlFlow<()>) -> (Vec<String>, Value) {
    let espresso = page("Espresso", "How espresso is brewed, and how long a shot takes.");
    let tea = page("Green tea", "How green tea is steeped in hot water, and where it grows.");
    let source = MemorySource::of_packs(&[
        ("coffee", &[("concepts/espresso.md", espresso.as_str())]),
        ("tea", &[("concepts/green-tea.md", tea.as_str())]),
    ]);
    let work = async {
        let library = Library::open(source, FixedClock, Config::default()).await.unwrap();
        let mut on_event = |_: GenerationEvent<'_>| flow;
        let options = AskOptions::default().split_by(ByModel { model, on_event: &mut on_event });
        ask(&library, question, options).await.unwrap()
    };
    let (answer, _) = futures_executor::block_on(work);
    assert_eq!(answer.trace[0].name, "decompose");
    let detail = serde_json::to_value(&answer.trace[0].detail).unwrap();
    (answer.sub_queries.into_iter().map(|part| part.text).collect(), detail)
}

fn replying(reply: Result<&str, ModelError>) -> ScriptedModel {
    let abilities = Abilities { name: "scripted".to_owned(), ..Abilities::default() };
    ScriptedModel::new(abilities, [reply.map(str::to_owned)])
}

/// That `reply` splits `question` so; and who did, with the reason where it was the rules.
#[track_caller]
fn check(question: &str, reply: &str, expected: &[&str], why: Option<&str>) -> Value {
    let (texts, detail) = run(question, &replying(Ok(reply)), ControlFlow::Continue(()));
    assert_eq!(texts, expected, "{detail}");
    assert_eq!(detail["by"], if why.is_none() { "model" } else { "rules" }, "{detail}");
    assert_eq!(detail["why"], why.unwrap_or_default());
    detail
}

/// The rules' split of `TWO`.
const BY_RULES: [&str; 2] = ["green tea steeped", "long does a shot of espresso take"];

#[test]
fn a_good_proposal_stands() {
    let reply = r#"{"sub_queries": ["how green tea is steeped", "time of a shot of espresso"]}"#;
    let detail = check(TWO, reply, &["green tea is steeped", "time of a shot of espresso"], None);
    assert_eq!(detail["model"], "scripted");
    assert_eq!(detail["proposed"], json!(["how green tea is steeped", "time of a shot of espresso"]));
    assert_eq!(detail["split_rules"], json!(["model"]));
    // Plain words around the list, of a model that nothing holds to a form.
    let fenced = "Sure:\n```json\n[\"green tea\", \"espresso shot\"]\n```";
    let detail = check(TWO, fenced, &["green tea", "espresso shot"], None);
    // What the sub-queries leave out is shared by both.
    assert_eq!(detail["sub_queries"][0], json!({ "text": "green tea", "context": "steeped" }));
}

#[test]
fn one_subject_is_the_question_as_it_was_asked() {
    check(ONE, r#"{"sub_queries": ["temperature of green tea"]}"#, &["hot is the water for green tea"], None);
    check(
        TWO,
        r#"{"sub_queries": ["green tea and espresso"]}"#,
        &["green tea steeped and how long does a shot of espresso take"],
        None,
    );
}

#[test]
fn more_than_four_share_the_last() {
    let question = "What is green tea, water, espresso, a shot and where does it grow?";
    let reply = r#"{"sub_queries": ["green tea", "water", "espresso", "shot", "grow"]}"#;
    let detail = check(question, reply, &["green tea", "water", "espresso", "shot, grow"], None);
    assert_eq!(detail["proposed"].as_array().unwrap().len(), 5);
}

#[test]
fn inventions_and_repetitions_are_dropped() {
    let reply = r#"{"sub_queries": ["green tea steeped", "How is green tea steeped?", "the moons of Jupiter", "shot of espresso"]}"#;
    let detail = check(TWO, reply, &["green tea steeped", "shot of espresso"], None);
    let why = |text: &str, why: &str| json!({ "text": text, "why": why });
    assert_eq!(
        detail["dropped"],
        json!([
            why("green tea steeped", "it is there already"),
            why("moons of Jupiter", "the question does not ask for it"),
        ])
    );
    let unknown = "Is green tea older than zyzzyva beetles?";
    let reply = r#"{"sub_queries": ["green tea", "zyzzyva beetles"]}"#;
    let detail = check(unknown, reply, &["green tea older than zyzzyva beetles"], None);
    assert_eq!(detail["dropped"], json!([why("zyzzyva beetles", "the index knows none of its words")]));
}

#[test]
fn where_nothing_holds_the_rules_stand() {
    let nothing = Some("nothing that the model proposed holds");
    check(TWO, r#"{"sub_queries": []}"#, &BY_RULES, nothing);
    check(TWO, r#"{"sub_queries": ["", "how", "the moons of Jupiter"]}"#, &BY_RULES, nothing);
    let no_list = Some("the model wrote no list of sub-queries");
    check(TWO, "", &BY_RULES, no_list);
    check(TWO, "Green tea is steeped, and espresso takes long.", &BY_RULES, no_list);
    check(TWO, r#"{"sub_queries": [{"q": 1}]}"#, &BY_RULES, no_list);
    let most = Some("the model left out most of the question");
    let long = "How is green tea steeped in a pot of hot water in the mountains, and what is a shot?";
    let (by_rules, _) = run(long, &replying(Ok("")), ControlFlow::Continue(()));
    let by_rules: Vec<&str> = by_rules.iter().map(String::as_str).collect();
    check(long, r#"{"sub_queries": ["tea", "shot"]}"#, &by_rules, most);
}

#[test]
fn a_model_that_fails_or_is_stopped_leaves_the_rules() {
    let (texts, detail) =
        run(TWO, &replying(Err(ModelError::Failed("no memory".to_owned()))), ControlFlow::Continue(()));
    assert_eq!((texts.as_slice(), &detail["why"]), (&BY_RULES.map(String::from)[..], &json!("no memory")));
    let good = r#"{"sub_queries": ["green tea", "espresso shot"]}"#;
    let (texts, detail) = run(TWO, &replying(Ok(good)), ControlFlow::Break(()));
    assert_eq!((texts.as_slice(), &detail["why"]), (&BY_RULES.map(String::from)[..], &json!("the model was stopped")));
}

#[test]
fn the_model_is_asked_greedily_and_in_a_form() {
    use seealso::{Generation, GenerationRequest, Model, OnEvent, Prompt};

    struct Nosy(std::cell::RefCell<Option<GenerationRequest>>, Abilities);

    impl Model for Nosy {
        fn abilities(&self) -> &Abilities {
            &self.1
        }

        async fn write(&self, writing: &GenerationRequest, _: OnEvent<'_>) -> Result<Generation, ModelError> {
            *self.0.borrow_mut() = Some(writing.clone());
            Ok(Generation::default())
        }

        async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
            Err(ModelError::CannotScore)
        }
    }

    let tea = page("Tea", "How tea is made.");
    let source = MemorySource::of_packs(&[("tea", &[("tea.md", tea.as_str())])]);
    let nosy = Nosy(Default::default(), Abilities::default());
    let work = async {
        let library = Library::open(source, FixedClock, Config::default()).await.unwrap();
        let mut on_event = |_: GenerationEvent<'_>| ControlFlow::Continue(());
        let options = AskOptions::default().split_by(ByModel { model: &nosy, on_event: &mut on_event });
        ask(&library, "What is\n tea?", options).await.unwrap();
    };
    futures_executor::block_on(work);
    let asked = nosy.0.into_inner().unwrap();
    assert_eq!(asked.temperature, 0.0);
    assert_eq!(asked.shape, Some(Shape { name: "sub_queries", most: 4, longest: 200 }));
    assert!(asked.prompt.user.ends_with("\nQuestion: What is tea?"), "{}", asked.prompt.user);
}
