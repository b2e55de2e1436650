//! Bodies as literal JSON, of several servers' makes.

use seealso::{GenerationRequest, Prompt};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::*;

fn prompt(system: &str) -> Prompt {
    Prompt { system: system.to_owned(), user: "Why is tea green?".to_owned(), ..Prompt::default() }
}

#[test]
fn a_request_for_writing() {
    let mut writing =
        GenerationRequest { prompt: prompt("Be brief."), max_tokens: 64, temperature: 0.0, seed: 7, shape: None };
    let body = |writing: &GenerationRequest, progress| {
        serde_json::to_value(ChatRequest::writing("m", writing, progress)).unwrap()
    };
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
    check(r#"{"detail":[{"msg":"field required"}]}"#, Some("field required"), None);
    let pydantic = r#"{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":7},
        {"type":"extra_forbidden","loc":["body","stop"],"msg":"Extra inputs are not permitted","input":null}]}"#;
    let words = "seed: Extra inputs are not permitted; stop: Extra inputs are not permitted";
    check(pydantic, Some(words), None);
    check(&format!(r#"{{"object":"error","message":{pydantic},"type":"invalid_request_error"}}"#), Some(words), None);
    check(
        r#"{"object":"error","message":"System role not supported","code":400}"#,
        Some("System role not supported"),
        None,
    );
    check(r#"[{"error":{"code":400,"message":"No.","status":"INVALID_ARGUMENT"}}]"#, Some("No"), None);
    check(
        r#"{"error":"Input validation error: `temperature` must be strictly positive","error_type":"validation"}"#,
        Some("Input validation error: `temperature` must be strictly positive"),
        None,
    );
    check(r#"{"error":{"message":"cut \ud83d"}}"#, Some("cut \u{fffd}"), None);
    check("Failed to deserialize the JSON body", Some("Failed to deserialize the JSON body"), None);
    check(r#"{"error":null}"#, None, None);
    check(r#"{"error":"cut"#, None, None);
    check("<html>", None, None);
    check(" ", None, None);
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
fn prompts_that_are_too_long_are_told_in_many_words() {
    let check = |message: &str, expected: (usize, usize)| {
        let fault = Fault { message: message.to_owned(), ..Fault::default() };
        assert_eq!(fault.too_long(), Some(expected), "{message}");
    };
    check(
        "This model's maximum context length is 4096 tokens. However, you requested 64 output tokens and your prompt contains \
         at least 4033 input tokens, for a total of at least 4097 tokens.",
        (4033, 4096),
    );
    check("request (900 tokens) exceeds the available context size (512 tokens), try increasing it", (900, 512));
    check(
        "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        (65673, 32768),
    );
    check(
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4090 `inputs` tokens and 64 \
         `max_new_tokens`",
        (4090, 4096),
    );
    check("Input validation error: `inputs` must have less than 1024 tokens. Given: 1500", (1500, 1024));
    check(
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of \
         only 4096 tokens, which is not enough.",
        (5000, 4096),
    );
    check(
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        (1_200_000, 1_048_576),
    );
    check("prompt is too long: 210000 tokens > 200000 maximum", (210_000, 200_000));
    let coded = |message: &str| Fault {
        message: message.to_owned(),
        code: "context_length_exceeded".into(),
        ..Fault::default()
    };
    assert_eq!(coded("requested 900, maximum 512").too_long(), Some((900, 512)));
    assert_eq!(Fault { message: "max_tokens must be less than 900".to_owned(), ..Fault::default() }.too_long(), None);
}

#[test]
fn json_that_is_none_is_read() {
    let check = |text: &str, expected: Value| assert_eq!(json::parse(text).unwrap(), expected, "{text}");
    check(r#"["a\ud83d"]"#, json!(["a\u{fffd}"]));
    check(r#"["\udE00 b"]"#, json!(["\u{fffd} b"]));
    check(r#"["\ud83d\ude00 \ud83d"]"#, json!(["😀 \u{fffd}"]));
    check(r#"["\ud83dx", "\ud83d\n", "\ud83d\ud83d\ude00"]"#, json!(["\u{fffd}x", "\u{fffd}\n", "\u{fffd}😀"]));
    check(r#"["\\ud83d \ud83d"]"#, json!(["\\ud83d \u{fffd}"]));
    check(r#"["\"NaN\" \ud83d", NaN, -Infinity, Infinity, 1]"#, json!(["\"NaN\" \u{fffd}", null, null, null, 1]));
    check("\u{feff}{}", json!({}));
    for text in ["", "{", "data: x", r#"["\ud83"#, r#"["\ud83""#, "[NaNN]", r#"["\"#] {
        assert!(json::parse(text).is_err(), "{text}");
    }
}

#[test]
fn numbers_come_in_many_forms() {
    let check = |context: &str, expected: Option<usize>| {
        let list = format!(
            r#"{{"object":null,"data":[{{"id":"m","created":1.7e9,"owned_by":null,"context_length":{context}}}]}}"#
        );
        let list = ModelList::deserialize(&json::parse(&list).unwrap()).unwrap();
        assert_eq!((list.data[0].context(), list.data[0].created), (expected, 1_700_000_000), "{context}");
    };
    check("4096", Some(4096));
    check("\"4096\"", Some(4096));
    check("\" 4096 \"", Some(4096));
    check("4096.0", Some(4096));
    check("-1", None);
    check("\"-1\"", None);
    check("0", None);
    check("null", None);
    check("\"4k\"", None);
    check("[4096]", None);
    check("1e300", None);
    check("NaN", None);
    let usage = r#"{"prompt_tokens":"9","completion_tokens":3.0,"total_tokens":null,"prompt_tokens_details":{"cached_tokens":-1}}"#;
    let usage: Usage = serde_json::from_str(usage).unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens, usage.total_tokens), (9, 3, 0));
}

#[test]
fn answers_of_many_servers_are_read() {
    #[track_caller]
    fn check(event: &str, text: &str, reasoning: &str, finish: Option<&str>) {
        let piece = Piece::of(&json::parse(event).unwrap()).unwrap();
        let read = (piece.text.as_str(), piece.reasoning.as_str(), piece.finish.as_deref());
        assert_eq!(read, (text, reasoning, finish), "{event}");
    }
    check(r#"{"choices":[{"delta":{"content":"Tea"},"finish_reason":null}]}"#, "Tea", "", None);
    check(r#"{"choices":[{"message":{"content":"Tea"},"finish_reason":"stop"}]}"#, "Tea", "", Some("stop"));
    check(r#"{"choices":[{"delta":null,"message":{"content":"Tea"}}]}"#, "Tea", "", None);
    check(r#"{"choices":[{"index":null,"delta":{"content":"Tea"},"message":{}}]}"#, "Tea", "", None);
    check(r#"{"choices":[{"text":"Tea","finish_reason":""}]}"#, "Tea", "", Some(""));
    check(
        r#"{"choices":[{"index":1,"delta":{"content":"x"}},{"index":0,"delta":{"content":"Tea"}}]}"#,
        "Tea",
        "",
        None,
    );
    check(r#"{"choices":[]}"#, "", "", None);
    check(r#"{"choices":null,"id":null,"created":"now"}"#, "", "", None);
    check(r#"{"choices":[{"delta":{"content":null}}]}"#, "", "", None);
    check(
        r#"{"choices":[{"delta":{"content":[{"type":"text","text":"Tea "},{"type":"text","text":"is."}]}}]}"#,
        "Tea is.",
        "",
        None,
    );
    check(r#"{"choices":[{"delta":{"content":["Tea ","is."]}}]}"#, "Tea is.", "", None);
    let magistral = r#"{"choices":[{"delta":{"content":[
        {"type":"thinking","thinking":[{"type":"text","text":"Cold?"}]},{"type":"text","text":"Tea."},{"type":"image_url"}]}}]}"#;
    check(magistral, "Tea.", "Cold?", None);
    check(r#"{"choices":[{"delta":{"reasoning_content":"Cold?","reasoning":"Cold?"}}]}"#, "", "Cold?", None);
    check(r#"{"choices":[{"delta":{"reasoning":"Cold?","content":""}}]}"#, "", "Cold?", None);
    check(r#"{"choices":[{"delta":{"content":[{"type":"reasoning","text":"Cold?"}]}}]}"#, "", "Cold?", None);
    // Ollama's own.
    check(
        r#"{"model":"m","created_at":"2026","message":{"role":"assistant","content":"Tea"},"done":false}"#,
        "Tea",
        "",
        None,
    );
    check(r#"{"message":{"role":"assistant","content":"","thinking":"Cold?"},"done":false}"#, "", "Cold?", None);
    let last = r#"{"message":{"content":""},"done":true,"done_reason":"length","prompt_eval_count":9,"eval_count":3}"#;
    check(last, "", "", Some("length"));
    check(r#"{"message":{"content":""},"done":true}"#, "", "", Some("stop"));
    let usage = Piece::of(&json::parse(last).unwrap()).unwrap().usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (9, 3));
}

#[test]
fn a_long_complaint_is_cut() {
    let fault = Fault { message: "ä".repeat(400), ..Fault::default() };
    assert_eq!(fault.words().chars().count(), 301);
    assert!(!fault.is_about_logprobs());
    let fault = Fault { message: "Logprobs are not supported".to_owned(), ..Fault::default() };
    assert!(fault.is_about_logprobs());
}
