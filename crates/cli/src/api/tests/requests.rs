//! What each endpoint makes of a request.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use super::*;
use crate::service::scripted::PAGE;

#[test]
fn small_responses_are_literal() {
    let row = json!({
        "page": "tea/concepts/green-tea", "pack_path": "tea", "page_file": "concepts/green-tea.md", "title": "Green tea",
        "summary": "How green tea is steeped.", "score": 1.5, "exact": false, "pack_summary": "",
    });
    let packs = json!([{ "path": "tea", "title": "Tea", "language": "en", "pages": 1 }]);
    with_api(ApiSettings::default(), async |api| {
        let check = async |request: Request<Body>, expected: Value| {
            let reply = send(&api, request).await;
            assert_eq!((reply.status, reply.json()), (StatusCode::OK, expected));
            assert_eq!(reply.header("cache-control"), Some("no-store"));
        };
        check(post("/search", r#"{"query": "tea"}"#), json!({ "query": "tea", "results": [row] })).await;
        check(post("/search", r#"{"query": "no", "limit": 3}"#), json!({ "query": "no", "results": [] })).await;
        check(get("/packs"), json!({ "packs": packs })).await;
        let health = json!({
            "status": "ok", "version": env!("CARGO_PKG_VERSION"), "index": { "version": 1, "sha256": "ab" }, "packs": packs,
            "stages": [], "encoder": false, "entries": 1, "faults": [], "log": { "state": "off", "reason": null },
            "waiting": 0,
        });
        check(get("/health"), health).await;
    });
}

#[test]
fn entries_come_with_verdict_and_patterns() {
    with_api(ApiSettings::default(), async |api| {
        let check = async |question: &str, expected: (bool, u64, usize)| {
            let body = json!({ "question": question, "asker": "ada" }).to_string();
            let reply = send(&api, post("/retrieve", &body)).await.json();
            let found = reply["entries"].as_array().unwrap().len();
            assert_eq!(
                (reply["strong_match"].as_bool().unwrap(), reply["matches_found"].as_u64().unwrap(), found),
                expected,
                "{reply}"
            );
            assert_eq!(reply["query"], question);
            assert_eq!(reply["interaction_id"].as_str().unwrap().len(), 36);
        };
        check("strong match", (true, 1, 1)).await;
        check("weak match", (false, 1, 1)).await;
        check("nothing", (false, 0, 0)).await;
        let reply = send(&api, post("/retrieve", r#"{"question": "strong", "asker": "ada", "top_n": 1}"#)).await.json();
        assert_eq!(
            reply["entries"][0],
            json!({
                "topic": "Small releases", "type": "framework", "position": "Release small and often.",
                "reasoning": "A small change is easily undone.", "reasoning_pattern": "reversible-first",
                "confidence": "high", "stability": "evergreen", "updated": "2026-11-20", "relevance_score": 0.75,
                "score": 0.85, "page": "maintainer/entries/small-releases", "path": "maintainer/entries/small-releases.md",
            })
        );
        assert_eq!(
            reply["reasoning_patterns"][0]["variants"],
            json!([{ "context": "a public format", "text": "Formats stay." }])
        );
    });
}

#[test]
fn an_answer_has_its_sources_and_an_id() {
    with_api(ApiSettings::default(), async |api| {
        let reply = send(&api, post("/ask", r#"{"question": "How is green tea steeped?"}"#)).await.json();
        assert_eq!(reply["status"], "answered");
        assert_eq!(reply["text"], "Green tea is steeped at about 70 degrees. [1]");
        assert_eq!(reply["sources"][0]["page"], "tea/concepts/green-tea");
        assert_eq!(reply["interaction_id"].as_str().unwrap().len(), 36);
        let reply = send(&api, post("/ask", r#"{"question": "How many moons has Jupiter?"}"#)).await.json();
        assert_eq!((&reply["status"], &reply["sentences"]), (&json!("empty"), &json!([])));
    });
}

#[test]
fn a_page_is_the_markdown_of_its_authors() {
    with_api(ApiSettings::default(), async |api| {
        let reply = send(&api, get("/packs/tea/concepts/green-tea")).await;
        assert_eq!((reply.status, reply.text.as_str()), (StatusCode::OK, PAGE));
        assert_eq!(reply.header("content-type"), Some("text/markdown; charset=utf-8"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        let missing = send(&api, get("/packs/tea/concepts/oolong")).await;
        assert_eq!(missing.error(), (404, "page_not_found".to_owned()));
        assert_eq!(send(&api, get("/packs/lost")).await.error(), (502, "page_unreadable".to_owned()));
    });
}

#[test]
fn a_request_that_is_no_good_is_told_why() {
    let huge = format!(r#"{{"question": "{}"}}"#, "x".repeat(65_536));
    let long = format!(r#"{{"question": "{}"}}"#, "x".repeat(2_001));
    let text = Request::post("/ask").header("content-type", "text/plain").body(Body::from("{}")).unwrap();
    with_api(ApiSettings::default(), async |api| {
        let check = async |request: Request<Body>, status: u16, code: &str, says: &str| {
            let reply = send(&api, request).await;
            assert_eq!(reply.error(), (status, code.to_owned()), "{reply:?}");
            let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
            assert!(message.contains(says), "{message}");
        };
        check(post("/ask", "{"), 400, "invalid_json", "EOF while parsing").await;
        check(post("/ask", "[]"), 400, "invalid_json", "invalid").await;
        check(post("/ask", r#"{"question": 7}"#), 400, "invalid_json", "expected a string").await;
        check(post("/ask", "{}"), 400, "invalid_json", "missing field `question`").await;
        check(post("/ask", r#"{"question": "q", "k": 1}"#), 400, "invalid_json", "unknown field `k`").await;
        check(post("/ask", r#"{"question": " "}"#), 400, "invalid_request", "`question` is empty").await;
        check(post("/ask", &long), 400, "invalid_request", "2001 characters; 2000 are allowed").await;
        check(post("/retrieve", r#"{"question": "q", "asker": ""}"#), 400, "invalid_request", "the asker is missing")
            .await;
        check(post("/ask", &huge), 413, "request_too_large", "65536 bytes").await;
        check(text, 415, "unsupported_media_type", "application/json").await;
        check(get("/ask"), 405, "method_not_allowed", "GET is not allowed here").await;
        check(get("/nowhere"), 404, "not_found", "there are /retrieve, /ask").await;
        check(get("/metrics"), 404, "metrics_off", "--metrics").await;
    });
}

#[test]
fn an_embedding_that_fails_fails_its_request_alone() {
    with_api(ApiSettings::default(), async |api| {
        let ask = async |question: &str| {
            send(&api, post("/retrieve", &json!({ "question": question, "asker": "ada" }).to_string())).await
        };
        let failed = ask("unencodable").await;
        assert_eq!(failed.error(), (503, "encoder_failed".to_owned()));
        let says = "the question could not be encoded: no memory; ask again, and if that fails, load the encoder anew";
        assert_eq!(failed.json()["error"]["message"], says);
        assert_eq!(send(&api, get("/health")).await.status, StatusCode::OK);
        assert_eq!(ask("strong").await.status, StatusCode::OK);
    });
}

#[test]
fn a_thread_that_panics_fails_its_request_alone() {
    with_api(ApiSettings::default(), async |api| {
        let ask = async |question: &str| {
            send(&api, post("/retrieve", &json!({ "question": question, "asker": "ada" }).to_string())).await
        };
        assert_eq!(ask("panic").await.error(), (500, "internal_error".to_owned()));
        assert_eq!(ask("strong").await.status, StatusCode::OK);
    });
}
