//! Events as literal JSON, and what they add up to.

use serde_json::json;

use super::*;

fn event(data: &str) -> Event {
    Event { name: String::new(), data: data.to_owned() }
}

fn delta(text: &str, finish: &str) -> Event {
    event(&format!(r#"{{"choices":[{{"delta":{{"content":"{text}"}},"finish_reason":{finish}}}]}}"#))
}

#[test]
fn events_add_up() {
    let mut answer = Answer::of_tokens(10);
    let reading = event(r#"{"choices":[],"prompt_progress":{"total":9,"cache":2,"processed":5}}"#);
    assert_eq!(answer.take(&reading), Ok(AnswerEvent::Read(Progress { total: 9, cache: 2, processed: 5 })));
    assert_eq!(answer.take(&event(r#"{"choices":[{"delta":{"role":"assistant"}}]}"#)), Ok(AnswerEvent::Nothing));
    assert!(!answer.is_begun());
    assert_eq!(answer.take(&delta("Tea ", "null")), Ok(AnswerEvent::Text("Tea ".to_owned())));
    assert_eq!(answer.take(&event(r#"{"choices":[{"index":1,"delta":{"content":"x"}}]}"#)), Ok(AnswerEvent::Nothing));
    assert_eq!(answer.take(&delta("is.", "\"length\"")), Ok(AnswerEvent::Text("is.".to_owned())));
    let usage = r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}}"#;
    assert_eq!(answer.take(&event(usage)), Ok(AnswerEvent::Nothing));
    assert_eq!(answer.take(&event("[DONE]")), Ok(AnswerEvent::Done));
    let text = "Tea is.".to_owned();
    let written = Generation { text, tokens: 3, prompt_tokens: 9, known_tokens: 2, cut: true, ..Generation::default() };
    assert_eq!(answer.end(), Ok(written));
}

#[test]
fn what_is_wrong_is_told_apart() {
    let take = |event: &Event| Answer::of_tokens(10).take(event);
    assert_eq!(
        take(&event("{\"choices\":")),
        Err(AnswerFault::Form("an event that is no JSON".to_owned(), "{\"choices\":".to_owned()))
    );
    assert!(matches!(take(&event("[1]")), Err(AnswerFault::Form(..))));
    assert!(matches!(take(&event(r#"{"choices": 7}"#)), Err(AnswerFault::Form(..))));
    let gave = |message: &str| Err(AnswerFault::Gave(Fault { message: message.to_owned(), ..Fault::default() }));
    assert_eq!(take(&event(r#"{"error":{"message":"overloaded"}}"#)), gave("overloaded"));
    assert_eq!(take(&Event { name: "error".to_owned(), data: "{}".to_owned() }), gave(""));
    assert_eq!(Answer::of_tokens(10).end(), Err(AnswerFault::Unfinished));
    let mut answer = Answer::of_tokens(10);
    answer.take(&delta("half", "null")).unwrap();
    assert_eq!(answer.end(), Err(AnswerFault::Unfinished));
    let mut answer = Answer::of_tokens(10);
    answer.take(&delta("", "\"content_filter\"")).unwrap();
    assert_eq!(answer.end(), Err(AnswerFault::Withheld));
}

#[test]
fn an_answer_without_text_is_none() {
    let said = |deltas: &[&str]| {
        let mut answer = Answer::of_tokens(10);
        let events: Vec<AnswerEvent> = deltas
            .iter()
            .map(|delta| answer.take(&event(&format!(r#"{{"choices":[{{"delta":{delta}}}]}}"#))).unwrap())
            .collect();
        answer.take(&delta("", "\"stop\"")).unwrap();
        (events, answer.end().map(|written| written.text))
    };
    let reasoning = r#"{"reasoning_content":"Let me see"}"#;
    let reasoned = || AnswerEvent::Reasoning("Let me see".to_owned());
    assert_eq!(said(&[]), (vec![], Err(AnswerFault::NoText(Instead::Nothing))));
    assert_eq!(said(&[reasoning]), (vec![reasoned()], Err(AnswerFault::NoText(Instead::Reasoning))));
    let refusal = said(&[r#"{"refusal":"I can't."}"#, reasoning]);
    assert_eq!(refusal, (vec![AnswerEvent::NonText, reasoned()], Err(AnswerFault::NoText(Instead::Refusal))));
    let call = said(&[reasoning, r#"{"tool_calls":[{"index":0}]}"#]);
    assert_eq!(call, (vec![reasoned(), AnswerEvent::NonText], Err(AnswerFault::NoText(Instead::ToolCall))));
    let nothing = r#"{"reasoning_content":null,"reasoning":"","refusal":null,"tool_calls":[]}"#;
    assert_eq!(said(&[nothing]), (vec![AnswerEvent::Nothing], Err(AnswerFault::NoText(Instead::Nothing))));
    let other = r#"{"reasoning":{"text":"Let me see"}}"#;
    assert_eq!(said(&[other]), (vec![reasoned()], Err(AnswerFault::NoText(Instead::Reasoning))));
    let hidden = r#"{"reasoning":{"encrypted":"x"}}"#;
    assert_eq!(said(&[hidden]), (vec![AnswerEvent::NonText], Err(AnswerFault::NoText(Instead::Reasoning))));
    let answered = said(&[reasoning, r#"{"content":"Tea."}"#]);
    assert_eq!(answered, (vec![reasoned(), AnswerEvent::Text("Tea.".to_owned())], Ok("Tea.".to_owned())));
    let whole =
        whole(&serde_json::from_str(r#"{"choices":[{"message":{"content":null,"refusal":"No."}}]}"#).unwrap(), 9);
    assert_eq!(whole, Err(AnswerFault::NoText(Instead::Refusal)));
}

#[test]
fn a_server_that_does_not_end_is_ended() {
    let mut answer = Answer::of_tokens(0);
    assert_eq!(answer.take(&delta(&"x".repeat(1024), "null")), Ok(AnswerEvent::Text("x".repeat(1024))));
    assert_eq!(answer.take(&delta("y", "null")), Ok(AnswerEvent::Done));
    assert!(answer.end().unwrap().cut);
}

#[test]
fn a_server_that_reasons_without_end_is_ended() {
    let mut answer = Answer::of_tokens(0);
    let thinks = event(r#"{"choices":[{"delta":{"reasoning_content":"Let me see"}}]}"#);
    let events: Vec<AnswerEvent> = (0..65).map(|_| answer.take(&thinks).unwrap()).collect();
    assert_eq!((&events[63], &events[64]), (&AnswerEvent::Reasoning("Let me see".to_owned()), &AnswerEvent::Done));
    assert_eq!(answer.end(), Err(AnswerFault::NoText(Instead::Reasoning)));
}

#[test]
fn an_empty_reason_ends_nothing() {
    let mut answer = Answer::of_tokens(10);
    assert_eq!(answer.take(&delta("Tea.", "\"\"")), Ok(AnswerEvent::Text("Tea.".to_owned())));
    assert!(!answer.is_finished());
    assert_eq!(answer.take(&event("[DONE]")), Ok(AnswerEvent::Done));
    assert_eq!(answer.end().map(|written| written.text), Ok("Tea.".to_owned()));
}

#[test]
fn a_server_that_does_not_stream_is_understood() {
    let response = |text| whole(&serde_json::from_str(text).unwrap(), 0);
    let written = Generation { text: "Tea.".to_owned(), ..Generation::default() };
    assert_eq!(response(r#"{"choices":[{"message":{"content":"Tea."}}]}"#), Ok(written));
    assert_eq!(response("{}"), Err(AnswerFault::Form("an answer without choices".to_owned(), String::new())));
    let endless = json!({ "choices": [{ "message": { "content": format!("x{}", "é".repeat(2000)) } }] });
    let cut = whole(&endless, 0).unwrap();
    assert_eq!((cut.text, cut.cut), (format!("x{}", "é".repeat(511)), true));
}
