//! The worked examples of decomposition, through the real index of the demo packs, with paraphrases and traps.
#![allow(clippy::unwrap_used)]

mod support;

use support::{answer, demo_packs};

/// The pack of each sub-query's first page, in order.
fn domains(question: &str) -> Vec<String> {
    let answer = answer(demo_packs(), question);
    let first_pack =
        |pages: &Vec<String>| pages.first().map_or("-", |id| id.split("/concepts/").next().unwrap()).to_owned();
    answer.sub_queries.iter().map(|sub_query| first_pack(&sub_query.pages)).collect()
}

fn check_any_order(question: &str, expected: &[&str]) {
    let mut found = domains(question);
    found.sort();
    assert_eq!(found, expected, "{question}");
}

#[test]
fn a_server_in_a_container_is_two_subjects() {
    for question in [
        "How do I containerize an MCP server in Docker?",
        "How can I package an MCP server with Docker?",
        "What is the best way to put an MCP server into a Docker image?",
        "I want to run my MCP server inside a Docker container. How?",
    ] {
        check_any_order(question, &["agent-protocols", "containers"]);
    }
}

#[test]
fn photosynthesis_is_one_subject() {
    for question in [
        "What is photosynthesis?",
        "How does photosynthesis work?",
        "Explain photosynthesis to me",
        "Can you tell me what photosynthesis is?",
    ] {
        check_any_order(question, &["plants"]);
        assert_eq!(answer(demo_packs(), question).sub_queries[0].pages[0], "plants/concepts/photosynthesis");
    }
}

#[test]
fn emperors_and_neanderthals_are_two_subjects() {
    for question in [
        "Compare Roman emperors with Neanderthals",
        "How do Roman emperors compare to Neanderthals?",
        "Roman emperors versus Neanderthals",
        "What do Roman emperors and Neanderthals have in common?",
    ] {
        check_any_order(question, &["history/roman-emperors", "human-origins"]);
    }
}

#[test]
fn traps_stay_whole() {
    for question in [
        "Who wrote rock and roll songs?",
        "What does research and development cost?",
        "Who wrote Romeo and Juliet?",
        "pros and cons of multi-stage builds",
        "stomata",
        "How do xylem and phloem differ?",
        "How do volumes and bind mounts differ?",
        "Tell me about the Praetorian Guard",
        "When did Neanderthals die out and why?",
        "What does \"bread and circuses\" mean?",
        "Wie funktioniert die Photosynthese und was ist Chlorophyll?",
        "光合成とは何ですか",
    ] {
        assert_eq!(domains(question).len(), 1, "{question}");
    }
}

#[test]
fn two_subjects_are_found_in_other_forms_too() {
    check_any_order("What is the difference between C4 and CAM photosynthesis?", &["plants", "plants"]);
    check_any_order("What is RuBisCO and who was Vespasian?", &["history/roman-emperors", "plants"]);
    check_any_order("What is the difference between cricket and baseball?", &["-", "-"]);
    // UDP stands in the body of the page on container networking.
    check_any_order("What is the difference between TCP and UDP?", &["-", "containers"]);
    check_any_order("Compare Nero, Trajan and Hadrian", &["history/roman-emperors"; 3]);
}

#[test]
fn a_question_of_two_thousand_characters_is_answered() {
    let question = format!("What is photosynthesis? {}", "Please tell me all that you know of it. ".repeat(60));
    let answer = answer(demo_packs(), &question);
    assert_eq!(answer.question.chars().count(), 2_000);
    assert_eq!(answer.notices[0].code, "question-cut");
    assert!((1..=4).contains(&answer.sub_queries.len()));
}

#[test]
fn eight_thousand_characters_are_two_or_three_pages_and_a_server_reads_a_dozen() {
    let answered = answer(demo_packs(), "How do I containerize an MCP server in Docker?");
    let whole = answered.trace.iter().find(|stage| stage.name == "assemble").unwrap();
    let parts = serde_json::to_value(&whole.detail).unwrap()["parts"].as_array().unwrap().len();
    assert!((2..=4).contains(&parts), "{parts}");
    assert!(answered.context_chars <= 8_000);
    let config = seealso::Config { tier: seealso::Tier::ServerS, ..seealso::Config::default() };
    let server = support::answer_with(demo_packs(), "How do I containerize an MCP server in Docker?", config);
    assert!((12_000..=65_000).contains(&server.context_chars), "{}", server.context_chars);
    assert_eq!(server.sources, answered.sources, "the tier changes the budget alone");
}
