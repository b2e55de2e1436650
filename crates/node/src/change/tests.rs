//! What servers refuse, in their own words, and what is sent to them then.

use seealso::{GenerationRequest, Prompt, Turn};

use super::*;
use crate::dialect::Dialect;
use crate::protocol::ChatRequest;

fn request() -> ChatRequest {
    let prompt = Prompt { system: "Be brief.".to_owned(), user: "Why is tea green?".to_owned(), ..Prompt::default() };
    let writing = GenerationRequest { prompt, max_tokens: 8192, temperature: 0.7, seed: 7, shape: None };
    ChatRequest::writing("m", &writing, true)
}

fn order() -> Value {
    Dialect::default().attempt(&request()).order()
}

#[track_caller]
fn check(status: u16, said: &str, expected: Option<Change>) {
    assert_eq!(Change::of(said, status, &order()), expected, "{said}");
}

#[test]
fn a_field_that_is_refused_is_named() {
    let without = |name| Some(Change::Without(name));
    for (status, said, expected) in [
        // OpenAI and Azure.
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#,
            without("temperature"),
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#,
            Some(Change::CompletionTokens),
        ),
        (
            400,
            r#"{"error":{"message":"Unrecognized request argument supplied: stream_options. Please contact us through an Azure support request at: https://go.microsoft.com/fwlink/?linkid=2213926 for further questions.","type":"invalid_request_error","param":"","code":null}}"#,
            without("stream_options"),
        ),
        (
            400,
            r#"{"error":{"message":"Unknown parameter: 'stream_options'.","type":"invalid_request_error","param":"stream_options","code":"unknown_parameter"}}"#,
            without("stream_options"),
        ),
        (
            400,
            r#"{"error":{"message":"The 'stream_options' parameter is only allowed when 'stream' is enabled."}}"#,
            without("stream_options"),
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'stream' does not support true with this model."}}"#,
            without("stream"),
        ),
        (
            400,
            r#"{"error":{"message":"max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.","param":"max_tokens"}}"#,
            Some(Change::AtMost("max_tokens", 4096)),
        ),
        // DeepSeek, Groq.
        (
            400,
            r#"{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8000]"}}"#,
            Some(Change::AtMost("max_tokens", 8000)),
        ),
        (
            400,
            r#"{"error":{"message":"`max_tokens` must be less than or equal to `1024`, the maximum value for `max_tokens`"}}"#,
            Some(Change::AtMost("max_tokens", 1024)),
        ),
        // Mistral: pydantic's lists, plain and within a text.
        (
            422,
            r#"{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":7}]},"type":"invalid_request_error","param":null,"code":null}"#,
            without("seed"),
        ),
        (
            422,
            r#"{"object":"error","message":"{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"stream_options\"],\"msg\":\"Extra inputs are not permitted\",\"input\":{}}]}","type":"internal_error_proxy","code":"1000"}"#,
            without("stream_options"),
        ),
        (
            422,
            r#"{"detail":[{"loc":["body","temperature"],"msg":"ensure this value is greater than 0","type":"value_error.number.not_gt"}]}"#,
            without("temperature"),
        ),
        // vLLM, with a list in Python's words.
        (
            400,
            r#"{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'return_progress'), 'msg': 'Extra inputs are not permitted', 'input': True}]","type":"BadRequestError","code":400}"#,
            without("return_progress"),
        ),
        // Text Generation Inference, and servers whose JSON is read in Rust.
        (
            422,
            r#"{"error":"Input validation error: `temperature` must be strictly positive","error_type":"validation"}"#,
            without("temperature"),
        ),
        (
            422,
            "Failed to deserialize the JSON body into the target type: unknown field `stream_options`, expected one of `model`, `messages`, `seed`, `temperature` at line 1 column 90",
            without("stream_options"),
        ),
        // LiteLLM, with the status of a failure.
        (
            400,
            "litellm.UnsupportedParamsError: anthropic does not support parameters: ['seed'], for model=claude. To drop these, set `litellm.drop_params=True`",
            without("seed"),
        ),
        (
            500,
            r#"{"error":{"message":"ollama does not support parameters: {'seed': 1}, for model=llama3:latest.","code":500}}"#,
            without("seed"),
        ),
        // A gateway that wraps the words of a model's server.
        (
            400,
            r#"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"seed: Extra inputs are not permitted\"}}"}}}"#,
            without("seed"),
        ),
        // Google, GigaChat.
        (
            400,
            r#"[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT"}}]"#,
            without("seed"),
        ),
        (
            422,
            r#"{"status":422,"message":"Invalid params: temperature must be in range (0, +inf)"}"#,
            without("temperature"),
        ),
    ] {
        check(status, said, expected);
    }
}

#[test]
fn the_role_of_the_system_may_be_refused() {
    for (status, said) in [
        (
            400,
            r#"{"object":"error","message":"System role not supported","type":"BadRequestError","param":null,"code":400}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Conversation roles must alternate user/assistant/user/assistant/...","code":400}}"#,
        ),
        (
            400,
            r#"{"error":"Error rendering prompt with jinja template: \"Only user and assistant roles are supported!\"."}"#,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}"#,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model.","param":"messages[0].role"}}"#,
        ),
        (500, r#"{"error":{"code":500,"message":"System role not supported","type":"server_error"}}"#),
        (422, "Template error: syntax error: Conversation roles must alternate user/assistant/user/assistant/"),
    ] {
        check(status, said, Some(Change::SystemInQuestion));
    }
    let alone = json!({ "messages": [{ "role": "user", "content": "Why?" }] });
    assert_eq!(Change::of("System role not supported", 400, &alone), None);
}

#[test]
fn other_complaints_change_nothing() {
    check(400, "no such model", None);
    check(400, "the seedling and the stopper are not temperatures", None);
    check(500, "out of memory at temperature 90", None);
    check(400, "", None);
    // What was not sent can't be refused.
    check(400, "Unsupported parameter: 'logprobs', 'stop', 'top_p'", None);
    let scoring = Dialect::default().attempt(&ChatRequest::scoring("m", &Prompt::default())).order();
    let of = |said: &str| Change::of(said, 400, &scoring);
    assert_eq!(of("Gaudi doesn't support logprobs. Please remove 'logprobs'/'top_logprobs' from your request."), None);
    assert_eq!(
        of("Invalid value for 'top_logprobs': must be less than or equal to 5."),
        Some(Change::AtMost("top_logprobs", 5))
    );
    assert_eq!(of("top_logprobs: Extra inputs are not permitted"), Some(Change::Without("top_logprobs")));
}

#[test]
fn a_failure_that_only_uses_a_fields_word_changes_nothing() {
    for (said, expected) in [
        ("unexpected EOF in stream", None),
        ("stream: unexpected EOF", None),
        ("invalid stream state", None),
        ("unexpected stream end", None),
        ("unexpected end; please stop, only then seed again", None),
        (r#"{"error":{"message":"unknown failure: the temperature of the card is 90"}}"#, None),
        ("stream is not supported", Some("stream")),
        ("the seed parameter is not supported", Some("seed")),
        ("this model does not support seed", Some("seed")),
        ("unknown field: seed", Some("seed")),
        ("got an unexpected argument seed", Some("seed")),
        ("Unsupported parameter(s): `seed`", Some("seed")),
        ("unexpected EOF in stream; unsupported parameter: seed", Some("seed")),
        ("temperature: must be 1", Some("temperature")),
        ("seed: Extra inputs are not permitted", Some("seed")),
        ("Invalid max_tokens value", Some("max_tokens")),
        (r#"{"error":"got an unexpected keyword argument 'stream_options'"}"#, Some("stream_options")),
        (r#"{"error":"{\"msg\":\"unknown name \\\"seed\\\"\"}"}"#, Some("seed")),
    ] {
        check(500, said, expected.map(Change::Without));
    }
    check(400, "unexpected EOF in stream", Some(Change::Without("stream")));
}

#[test]
fn a_changed_order_has_what_is_understood() {
    let changed = |changes: &[Change]| {
        let mut order = order();
        changes.iter().for_each(|change| change.apply(&mut order));
        order
    };
    let plain = changed(&[]);
    assert_eq!(plain["temperature"].to_string(), "0.7");
    assert_eq!(changed(&[Change::Without("seed")]).get("seed"), None);
    let whole = changed(&[Change::Without("stream")]);
    assert_eq!((whole.get("stream"), whole.get("stream_options")), (None, None));
    let renamed = changed(&[Change::CompletionTokens, Change::AtMost("max_tokens", 100)]);
    assert_eq!((renamed.get("max_tokens"), &renamed["max_completion_tokens"]), (None, &json!(100)));
    assert_eq!(changed(&[Change::AtMost("max_tokens", 9000)])["max_tokens"], 8192);
    assert_eq!(
        changed(&[Change::SystemInQuestion])["messages"],
        json!([{ "role": "user", "content": "Be brief.\n\nWhy is tea green?" }])
    );
    assert_eq!(changed(&[Change::SystemInQuestion, Change::SystemInQuestion]), changed(&[Change::SystemInQuestion]));
}

#[test]
fn the_system_goes_into_the_first_question() {
    let prompt = Prompt {
        system: "Be brief.".to_owned(),
        before: vec![Turn { user: "Is it hot?".to_owned(), assistant: "Yes".to_owned() }],
        user: "Why is tea green?".to_owned(),
    };
    let mut order = Dialect::default().attempt(&ChatRequest::scoring("m", &prompt)).order();
    Change::SystemInQuestion.apply(&mut order);
    assert_eq!(
        order["messages"],
        json!([
            { "role": "user", "content": "Be brief.\n\nIs it hot?" },
            { "role": "assistant", "content": "Yes" },
            { "role": "user", "content": "Why is tea green?" },
        ])
    );
}
