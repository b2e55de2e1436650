//! Bodies as literal JSON, of several servers' makes.

use seealso::{Prompt, Writing};
use serde_json::json;

use super::*;

fn prompt(system: &str) -> Prompt {
    Prompt { system: system.to_owned(), user: "Why is tea green?".to_owned(), ..Prompt::default() }
}

#[test]
fn a_request_for_writing() {
    let mut writing = Writing { prompt: prompt("Be brief."), max_tokens: 64, temperature: 0.0, seed: 7, shape: None };
    let body =
        |writing: &Writing, progress| serde_json::to_value(ChatRequest::writing("m", writing, progress)).unwrap();
    assert_eq!(
        body(&writing, false),
        json!({
            "model": "m",
            "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Why is tea green?" }],
            "max_tokens": 64,
            "temperature": 0.0,
            "stream": true,
            "stream_options": { "include_usage": true },
        })
    );
    writing.prompt.before = vec![seealso::Turn { user: "Is it hot?".to_owned(), assistant: "Yes".to_owned() }];
    assert_eq!(
        body(&writing, false)["messages"],
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Is it hot?" },
            { "role": "assistant", "content": "Yes" },
            { "role": "user", "content": "Why is tea green?" },
        ])
    );
    (writing.temperature, writing.prompt, writing.seed) = (0.7, prompt(""), u64::MAX);
    let text = serde_json::to_string(&ChatRequest::writing("m", &writing, true)).unwrap();
    assert_eq!(
        text,
        r#"{"model":"m","messages":[{"role":"user","content":"Why is tea green?"}],"max_tokens":64,"temperature":0.7,"seed":2147483647,"stream":true,"stream_options":{"include_usage":true},"return_progress":true}"#
    );
}

#[test]
fn a_request_for_scoring() {
    assert_eq!(
        serde_json::to_value(ChatRequest::scoring("m", &prompt(""))).unwrap(),
        json!({
            "model": "m",
            "messages": [{ "role": "user", "content": "Why is tea green?" }],
            "max_tokens": 1,
            "temperature": 0.0,
            "stream": false,
            "logprobs": true,
            "top_logprobs": 20,
        })
    );
}

#[test]
fn requests_of_other_clients_are_read() {
    let body = r#"{"model": "m", "messages": [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": null}, {"role": "user", "content": [{"type": "image_url", "image_url": {}}]}],
        "stop": "\n", "max_completion_tokens": 5, "top_p": 0.9, "presence_penalty": 0, "seed": -1}"#;
    let request: ChatRequest = serde_json::from_str(body).unwrap();
    let texts: Vec<_> = request.messages.iter().map(|message| message.content.text()).collect();
    assert_eq!(texts, [Some("ab".to_owned()), Some(String::new()), None]);
    assert_eq!((request.most_tokens(), request.top_p, request.seed), (Some(5), Some(0.9), Some(-1)));
    assert_eq!(request.stop.unwrap().into_texts(), ["\n"]);
    assert_eq!(serde_json::from_str::<Stops>(r#"["a", ""]"#).unwrap().into_texts(), ["a"]);
    assert!(!request.stream);
}

#[test]
fn chunks_of_many_servers_are_read() {
    let check = |text: &str, content: Option<&str>, finish: Option<&str>, usage: Option<[usize; 2]>| {
        let chunk: Chunk = serde_json::from_str(text).unwrap();
        let choice = chunk.choices.first().cloned().unwrap_or_default();
        assert_eq!((choice.delta.content.as_deref(), choice.finish_reason.as_deref()), (content, finish), "{text}");
        assert_eq!(chunk.usage.map(|usage| [usage.prompt_tokens, usage.completion_tokens]), usage, "{text}");
    };
    check(r#"{"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}"#, None, None, None);
    check(r#"{"choices":[{"delta":{"content":" tea"}}],"usage":null}"#, Some(" tea"), None, None);
    check(r#"{"choices":[{"delta":{"role":"assistant","content":null},"finish_reason":null}]}"#, None, None, None);
    check(r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#, None, Some("stop"), None);
    check(r#"{"choices":[{"delta":null,"finish_reason":"length"}]}"#, None, Some("length"), None);
    check(
        r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}"#,
        None,
        None,
        Some([9, 3]),
    );
    check(r#"{"choices":null,"usage":{"prompt_tokens":9}}"#, None, None, Some([9, 0]));
    let chunk: Chunk = serde_json::from_str(
        r#"{"choices":[],"prompt_progress":{"total":90,"cache":10,"processed":40,"time_ms":7},
            "usage":{"prompt_tokens_details":{"cached_tokens":null}}}"#,
    )
    .unwrap();
    assert_eq!(chunk.prompt_progress, Some(Progress { total: 90, cache: 10, processed: 40 }));
}

#[test]
fn what_is_said_can_be_read() {
    let chunk = Chunk {
        id: "c".to_owned(),
        choices: vec![ChunkChoice {
            delta: Delta { role: None, content: Some("x".to_owned()) },
            ..ChunkChoice::default()
        }],
        ..Chunk::default()
    };
    let text = serde_json::to_string(&chunk).unwrap();
    assert_eq!(
        text,
        r#"{"id":"c","object":"","created":0,"model":"","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}"#
    );
    assert_eq!(serde_json::from_str::<Chunk>(&text).unwrap(), chunk);
}

#[test]
fn lists_of_models() {
    let check = |text: &str, expected: &[(&str, Option<usize>, bool)]| {
        let list: ModelList = serde_json::from_str(text).unwrap();
        let found: Vec<_> = list.data.iter().map(|m| (m.id.as_str(), m.context(), m.tells_progress())).collect();
        assert_eq!(found, expected, "{text}");
    };
    check(r#"{"object":"list","data":[{"id":"qwen","object":"model","owned_by":"me"}]}"#, &[("qwen", None, false)]);
    check(
        r#"{"data":[{"id":"a","max_model_len":4096},{"id":"b","context_length":8192,"owned_by":"seealso"}]}"#,
        &[("a", Some(4096), false), ("b", Some(8192), true)],
    );
    check(
        r#"{"object":"list","data":[{"id":"g","owned_by":"llamacpp","meta":{"n_ctx_train":32768}}]}"#,
        &[("g", None, true)],
    );
    check(r#"{"data":null}"#, &[]);
    assert!(serde_json::from_str::<ModelList>("{}").is_err());
}

#[test]
fn faults_of_many_servers_are_read() {
    let check = |body: &str, words: Option<&str>, too_long: Option<(usize, usize)>| {
        let fault = Fault::parse(body);
        assert_eq!(fault.as_ref().map(Fault::words).as_deref(), words, "{body}");
        assert_eq!(fault.and_then(|fault| fault.too_long()), too_long, "{body}");
    };
    check(
        r#"{"error":{"message":"Slow\ndown.","type":"rate_limit","code":null,"param":null}}"#,
        Some("Slow down"),
        None,
    );
    check(r#"{"error":{"message":"No such model","code":404}}"#, Some("No such model"), None);
    check(r#"{"error":{"message":"odd","type":7}}"#, Some("odd"), None);
    check(r#"{"error":"model 'x' not found"}"#, Some("model 'x' not found"), None);
    check(r#"{"message":"Unauthorized"}"#, Some("Unauthorized"), None);
    check(r#"{"detail":[{"msg":"field required"}]}"#, Some(r#"[{"msg":"field required"}]"#), None);
    check(r#"{"error":null}"#, None, None);
    check("<html>", None, None);
    check("[]", None, None);
    let tokens = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens";
    check(&json!({ "error": { "message": tokens } }).to_string(), Some(tokens), Some((9000, 8192)));
    let parts = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (7000 in the messages, 2000 in the completion)";
    check(&json!({ "error": { "message": parts } }).to_string(), Some(parts), Some((7000, 8192)));
    let room = "'max_tokens' or 'max_completion_tokens' is too large: 2048. This model's maximum context length is 4096 tokens and your request has 3000 input tokens (2048 > 4096 - 3000)";
    check(&json!({ "error": { "message": room } }).to_string(), Some(room), Some((3000, 4096)));
    let window = "Requested tokens (9000) exceed context window of 8192";
    check(&json!({ "error": { "message": window } }).to_string(), Some(window), Some((9000, 8192)));
    check(
        r#"{"error":{"message":"too long","type":"exceed_context_size_error","n_prompt_tokens":90,"n_ctx":64}}"#,
        Some("too long"),
        Some((90, 64)),
    );
    check(r#"{"error":{"message":"too long","code":"context_length_exceeded"}}"#, Some("too long"), Some((0, 0)));
}

#[test]
fn a_long_complaint_is_cut() {
    let fault = Fault { message: "ä".repeat(400), ..Fault::default() };
    assert_eq!(fault.words().chars().count(), 301);
    assert!(!fault.is_about_logprobs());
    let fault = Fault { message: "Logprobs are not supported".to_owned(), ..Fault::default() };
    assert!(fault.is_about_logprobs());
}
