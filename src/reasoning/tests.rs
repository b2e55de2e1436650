//! Texts with their reasoning, as literal tables; and that no cut of a text makes a difference.

use futures_executor::block_on;
use proptest::prelude::*;

use super::marks::MARKS;
use super::*;
use crate::memory::ScriptedModel;
use crate::model::{Abilities, Prompt};

/// Answer and reasoning of a text.
fn apart(text: &str) -> (String, String) {
    let mut splitter = Splitter::default();
    splitter.complete(text);
    let Parts { text: answer, reasoning, .. } = splitter.end(&mut |_| ());
    (if answer == text { answer } else { answer.trim().to_owned() }, reasoning.trim_end().to_owned())
}

#[track_caller]
fn check(text: &str, answer: &str, reasoning: &str) {
    assert_eq!(apart(text), (answer.to_owned(), reasoning.to_owned()), "{text}");
    // Byte for byte, character for character.
    let pieces: Vec<&str> = text.split("").filter(|piece| !piece.is_empty()).collect();
    let (parts, _) = split_in_pieces(&pieces);
    assert_eq!((parts.0.trim(), parts.1.trim_end()), (answer.trim(), reasoning), "{text}, cut everywhere");
}

/// What a watcher has of answer and reasoning at the end, and whether anything was taken back.
fn split_in_pieces(pieces: &[&str]) -> ((String, String), bool) {
    let (mut answer, mut reasoning, mut revised) = (String::new(), String::new(), false);
    let mut on_event = |event: GenerationEvent<'_>| match event {
        GenerationEvent::Text(text) => answer.push_str(text),
        GenerationEvent::Reasoning(text) => reasoning.push_str(text),
        GenerationEvent::Revised(text) => (answer, revised) = (text.to_owned(), true),
        GenerationEvent::Read { .. } => (),
    };
    let mut splitter = Splitter::default();
    pieces.iter().for_each(|piece| splitter.push(piece, &mut on_event));
    let _parts = splitter.end(&mut on_event);
    ((answer, reasoning), revised)
}

#[test]
fn every_pair_of_marks_frames_reasoning() {
    let pairs = MARKS.windows(2).filter(|pair| pair[0].1 == marks::Effect::Open);
    let mut count = 0;
    for pair in pairs {
        let [open, close] = [pair[0].0, pair[1].0];
        assert_eq!(pair[1].1, marks::Effect::Close, "{open}");
        check(&format!("{open}\nTea is cold.\n{close}\n\nTea is hot."), "Tea is hot.", "Tea is cold.");
        check(&format!("{open}Tea is cold."), "", "Tea is cold.");
        check(&format!("Tea is cold.\n{close}\n\nTea is hot."), "Tea is hot.", "Tea is cold.");
        count += 1;
    }
    assert_eq!(count, 19);
}

#[test]
fn no_mark_is_the_beginning_of_another() {
    for (at, mark) in MARKS.iter().enumerate() {
        let others = MARKS.iter().enumerate().filter(|(other, _)| *other != at);
        assert!(others.map(|(_, other)| other.0).all(|other| !other.starts_with(mark.0)), "{}", mark.0);
        assert!(marks::FIRST_BYTES.contains(&mark.0.as_bytes()[0]), "{}", mark.0);
    }
}

#[test]
fn reasoning_is_told_apart() {
    check("Tea is hot.", "Tea is hot.", "");
    check("", "", "");
    check("<think>\n\n</think>\n\nTea is hot.", "Tea is hot.", "");
    check("\n\n<think>Cold.</think>\n\nTea is hot.", "Tea is hot.", "Cold.");
    check("<THINK>Cold.</Think>Tea is hot.", "Tea is hot.", "Cold.");
    check("<think>Cold.</think>Tea <think>Old?</think>is hot.", "Tea is hot.", "Cold.\n\nOld?");
    check("Let me see. <think>Cold.</think>\nTea is hot.", "Let me see. \nTea is hot.", "Cold.");
    check("<think>他在想。🫖</think>茶是热的。", "茶是热的。", "他在想。🫖");
    check("<think>Холодный.</think>Чай горячий.", "Чай горячий.", "Холодный.");
    check("<think>a < b && b > c</think>Tea.", "Tea.", "a < b && b > c");
    check("<think>cut of</thin", "", "cut of</thin");
    check("Tea is hot.<thi", "Tea is hot.<thi", "");
    check("a < b, and <b>bold</b> [1] stay", "a < b, and <b>bold</b> [1] stay", "");
}

#[test]
fn a_tag_may_have_space_and_attributes() {
    for (text, answer, reasoning) in [
        ("<think >Cold.</think >Tea is hot.", "Tea is hot.", "Cold."),
        ("<think\n>Cold.</think\t>Tea is hot.", "Tea is hot.", "Cold."),
        ("<think type=\"deep\" n=2>Cold.</think>Tea is hot.", "Tea is hot.", "Cold."),
        ("<Reasoning effort='high'>Cold.</Reasoning>Tea is hot.", "Tea is hot.", "Cold."),
        ("The <reason for it> is this.", "The <reason for it> is this.", ""),
        ("a <think b and <b>c</b>", "a <think b and <b>c</b>", ""),
        ("<thinker>Tea is hot.", "<thinker>Tea is hot.", ""),
        ("a <think", "a <think", ""),
        ("a <think a=", "a <think a=", ""),
        ("<|think |>Tea is hot.", "<|think |>Tea is hot.", ""),
    ] {
        check(text, answer, reasoning);
    }
    let long = format!("a <think {}=1>", "b".repeat(100));
    check(&long, &long, "");
}

#[test]
fn a_mark_that_lacks_its_other_half() {
    check("<think>Cold.", "", "Cold.");
    check("Cold.</think>Tea is hot.", "Tea is hot.", "Cold.");
    check("Cold.\n\nOld.\n</think>\n\nTea is hot.\n\nIt is old.", "Tea is hot.\n\nIt is old.", "Cold.\n\nOld.");
    check("Cold.</think>", "", "Cold.");
    // Some models write the last mark twice, or one mark within others.
    check("<think>Cold.</think>Tea is hot.</think>", "Tea is hot.", "Cold.");
    check("<think>\n<think>\nCold.\n</think>\nTea is hot.", "Tea is hot.", "<think>\nCold.");
    check("<think>a<think>b</think>c</think>Tea is hot.", "Tea is hot.", "a<think>b\n\nc");
    check("<thinking>Cold.</think>Tea is hot.", "Tea is hot.", "Cold.");
    check("</think>Tea is hot.", "Tea is hot.", "");
    check("Cold.</think><think>Old.</think>Tea is hot.", "Tea is hot.", "Cold.\n\nOld.");
}

#[test]
fn channels_are_told_apart() {
    let both =
        "<|channel|>analysis<|message|>Cold.<|end|><|start|>assistant<|channel|>final<|message|>Tea is hot.<|return|>";
    check(both, "Tea is hot.", "Cold.");
    check(&both.replace("<|return|>", ""), "Tea is hot.", "Cold.");
    check("<|channel|>analysis<|message|>Cold.", "", "Cold.");
    check("<|channel|>analysis", "", "");
    check("<|channel|>final<|message|>Tea is hot.", "Tea is hot.", "");
    check("<|start|>assistant<|message|>Tea is hot.<|end|>", "Tea is hot.", "");
    let called = "<|channel|>commentary to=functions.page <|constrain|>json<|message|>{\"a\": 1}<|call|>\
                  <|start|>assistant<|channel|>final<|message|>Tea is hot.";
    check(called, "Tea is hot.", "{\"a\": 1}");
    check("<|channel|>Final<|message|>Tea is hot.", "Tea is hot.", "");
    check("<|channel|>analysis<|message|>A<|channel|>final<|message|>Tea.", "Tea.", "A");
    // Special tokens that a server leaves out.
    check("analysisWe need tea.assistantfinalTea is hot.", "Tea is hot.", "analysisWe need tea.");
}

#[test]
fn a_frame_of_the_answer_is_no_part_of_it() {
    check("<think>Cold.</think><answer>Tea is hot.</answer>", "Tea is hot.", "Cold.");
    check("Cold.</think>\n<answer>\nTea is hot.\n</answer>", "Tea is hot.", "Cold.");
    check(
        "<|begin_of_thought|>Cold.<|end_of_thought|><|begin_of_solution|>Tea is hot.<|end_of_solution|>",
        "Tea is hot.",
        "Cold.",
    );
    check("The <answer> element holds text.", "The <answer> element holds text.", "");
    check("<think>Cold.</think><response>Tea is hot.</response>", "Tea is hot.", "Cold.");
    check("<think>Cold.</think>\n<response lang=\"en\">\nTea is hot.\n</response >", "Tea is hot.", "Cold.");
}

#[test]
fn marks_that_are_spoken_of_are_text() {
    for text in [
        "Qwen writes `<think>` before and `</think>` after it.",
        "Qwen writes ``<think> ` `` before it.",
        "Qwen writes \"<think>\" and “</think>” around it.",
        "In German: „<think>“, in French: «</think>».",
        "Qwen writes \\<think> and \\</think>.",
        "An example:\n\n```xml\n<think>\nCold.\n</think>\n```\n\nThat is all.",
        "An example:\n\n~~~\n<think>\n```\n</think>\n~~~\n\nThat is all.",
        "- An item:\n\n  ```\n  </think>\n  ```\n",
        "> ```\n> </think>\n> ```\n",
        "```\n<think>",
        "Magistral writes `[THINK]`, gpt-oss `<|channel|>analysis<|message|>`.",
        "A path: C:\\temp\\",
        "Qwen writes `<think>Cold.</think>` before its answer, or `` <think>Cold.</think> ``.",
        "The tag `a </think> b <think> c` is turned round.",
        "Three ticks ``` in a line, and `one` more.",
    ] {
        check(text, text, "");
    }
    check("<think>It closes with `</think>`, I think.</think>Tea.", "Tea.", "It closes with `</think>`, I think.");
    check("<think>He said \"hot\"</think>\nTea.", "Tea.", "He said \"hot\"");
    check("Cold.</think>\n```\n<think>\n```", "```\n<think>\n```", "Cold.");
    check("```\ncode\n```\nSo.</think>Tea.", "Tea.", "```\ncode\n```\nSo.");
}

#[test]
fn a_tick_that_nothing_closes_hides_no_mark() {
    check("A ` tick.\n\nCold.</think>Tea is hot.", "Tea is hot.", "A ` tick.\n\nCold.");
    check("A ` tick. <think>Cold.</think>", "A ` tick.", "Cold.");
    check("<think>A ` tick and ``` three.</think>Tea is hot.", "Tea is hot.", "A ` tick and ``` three.");
    check("``` x ``` <think>Cold.</think>Tea.", "``` x ``` Tea.", "Cold.");
    for (text, answer, reasoning) in [
        ("It's 5` long. <think>Cold.</think> `Tea` is hot.", "It's 5` long.  `Tea` is hot.", "Cold."),
        ("It's 5` long. <think>Cold.</think> `Tea", "It's 5` long.  `Tea", "Cold."),
        ("A `` tick. [THINK]Cold.[/THINK]Tea `` is hot.", "A `` tick. Tea `` is hot.", "Cold."),
        ("A ` tick. <think >Cold.</thinking>Tea ` is hot.", "A ` tick. Tea ` is hot.", "Cold."),
    ] {
        check(text, answer, reasoning);
    }
}

#[test]
fn only_a_closing_mark_alone_takes_anything_back() {
    let revised = |text: &str| split_in_pieces(&text.split_inclusive(' ').collect::<Vec<_>>()).1;
    assert!(!revised("<think>Tea is cold. No.</think> Tea is hot. It `<think>` is."));
    assert!(!revised("Tea is hot."));
    assert!(revised("Tea is cold. </think> Tea is hot."));
}

#[test]
fn a_model_is_heard_apart() {
    let replies = [Ok("Tea is cold, I think. </think> Tea is hot.".to_owned())];
    let model = ScriptedModel::new(Abilities::default(), replies);
    let writing =
        GenerationRequest { prompt: Prompt::default(), max_tokens: 9, temperature: 0.0, seed: 0, shape: None };
    let mut heard = Vec::new();
    let mut on_event = |event: GenerationEvent<'_>| {
        heard.push(format!("{event:?}"));
        ControlFlow::Continue(())
    };
    let written = block_on(write(&model, &writing, &mut on_event)).unwrap();
    assert_eq!((&*written.text, &*written.reasoning), ("Tea is hot.", "Tea is cold, I think."));
    let last: Vec<&str> = heard.iter().skip(6).map(String::as_str).collect();
    assert_eq!(last, ["Revised(\"Tea \")", "Reasoning(\"Tea is cold, I think. \")", "Text(\"is \")", "Text(\"hot.\")"]);
}

/// Texts of which marks, and what may hide them, are often a part.
fn text() -> impl Strategy<Value = String> {
    let mark = (0..MARKS.len()).prop_map(|at| MARKS[at].0.to_owned());
    let other = prop::sample::select(vec![
        "Tea is hot. ",
        "`",
        "``",
        "```\n",
        "~~~\n",
        "\n",
        "\n\n",
        "\\",
        "\"",
        "> ",
        " ",
        "茶",
        "analysis",
        "<",
        "[",
        "◁",
        "<think ",
        ">",
    ]);
    let piece = prop_oneof![mark, other.prop_map(str::to_owned)];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_cut_tells_the_same_apart(text in text(), cuts in prop::collection::vec(0usize..300, 0..24)) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| text.floor_char_boundary(cut)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&str> = cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect();
        prop_assert_eq!(split_in_pieces(&pieces).0, split_in_pieces(&[&text]).0);
    }

    /// Neither is lost: what is left of a text between its marks is in one or the other.
    #[test]
    fn nothing_of_reasoning_is_answer(reasoning in "[a-z .\n]{0,40}", answer in "[A-Z .\n]{1,40}", pair in 0usize..19) {
        let opens: Vec<usize> = (0..MARKS.len()).filter(|&at| MARKS[at].1 == marks::Effect::Open).collect();
        let [open, close] = [MARKS[opens[pair]].0, MARKS[opens[pair] + 1].0];
        let (left, right) = apart(&format!("{open}{reasoning}{close}{answer}"));
        prop_assert_eq!((left, right), (answer.trim().to_owned(), reasoning.trim().to_owned()));
    }
}
