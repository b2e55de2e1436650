//! The OpenAPI document: its copy in the documentation, and what the API really answers, held to it.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;

use super::*;
use crate::api::endpoint::{Endpoint, Method};
use crate::api::openapi::document;

/// The variable that makes the test write the copy.
const UPDATE: &str = "SEEALSO_UPDATE_OPENAPI";

#[test]
fn the_copy_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let current = format!("{}\n", serde_json::to_string_pretty(&document()).unwrap());
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let copy = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        copy == current,
        "docs/openapi.json is not current; run this test with {UPDATE}=1, and read the difference"
    );
}

#[test]
fn every_endpoint_is_described_and_nothing_else() {
    let document = document();
    let described: BTreeSet<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| methods.as_object().unwrap().keys().map(move |method| format!("{method} {path}")))
        .collect();
    let name = |method| if method == Method::Get { "get" } else { "post" };
    let there =
        Endpoint::ALL.map(|endpoint| format!("{} {}", name(endpoint.method()), endpoint.path().replace('*', "")));
    assert_eq!(described, BTreeSet::from(there));
}

/// The schema at a place of the document, in which no object has fields that it does not name.
fn closed_schema(place: &str) -> Value {
    fn close(schema: &mut Value) {
        match schema {
            Value::Object(object) => {
                if object.contains_key("properties") && !object.contains_key("additionalProperties") {
                    object.insert("unevaluatedProperties".to_owned(), json!(false));
                }
                object.values_mut().for_each(close);
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => (),
        }
    }
    let mut document = document();
    close(&mut document["components"]);
    let mut schema = document.pointer(place).unwrap_or_else(|| panic!("{place}")).clone();
    schema["components"] = document["components"].clone();
    schema
}

/// Holds a value to a schema of the document.
#[track_caller]
fn check_schema(place: &str, value: &Value) {
    let schema = closed_schema(place);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{place}: {errors:#?} in {value}");
}

fn pointer(path: &str, method: &str, rest: &str) -> String {
    format!("/paths/{}/{method}/{rest}", path.replace('~', "~0").replace('/', "~1"))
}

#[test]
fn responses_are_as_described() {
    let question = r#"{"question": "How is green tea steeped?"}"#;
    with_api(ApiSettings::default(), async |api| {
        let check = async |request: Request<Body>, path: &str| {
            let method = request.method().as_str().to_ascii_lowercase();
            let reply = send(&api, request).await;
            let status = reply.status.as_u16();
            let place = pointer(path, &method, &format!("responses/{status}/content/application~1json/schema"));
            check_schema(&place, &reply.json());
        };
        for word in ["strong", "weak", "nothing", "unencodable", "panic", ""] {
            let body = json!({ "question": word, "asker": "ada" }).to_string();
            check(post("/retrieve", &body), "/retrieve").await;
        }
        check(post("/ask", question), "/ask").await;
        check(post("/ask", "{}"), "/ask").await;
        check(post("/ask", &" ".repeat(70_000)), "/ask").await;
        check(post("/search", r#"{"query": "tea"}"#), "/search").await;
        check(get("/packs"), "/packs").await;
        check(get("/packs/none"), "/packs/{page}").await;
        check(
            post("/feedback", r#"{"interaction_id": "0193a1b2-0000-7000-8000-000000000001", "thumb": "up"}"#),
            "/feedback",
        )
        .await;
        check(get("/health"), "/health").await;
        check(get("/metrics"), "/metrics").await;
        check(get("/openapi.json"), "/openapi.json").await;
    });
}

#[test]
fn examples_are_requests_that_are_understood() {
    let document = document();
    let bodies = document["paths"].as_object().unwrap().iter().filter_map(|(path, methods)| {
        let content = methods.pointer("/post/requestBody/content/application~1json")?;
        Some((path.clone(), content["example"].clone()))
    });
    let bodies: Vec<(String, Value)> = bodies.collect();
    assert_eq!(bodies.len(), 4);
    with_api(ApiSettings::default(), async |api| {
        for (path, example) in bodies {
            check_schema(&pointer(&path, "post", "requestBody/content/application~1json/schema"), &example);
            let reply = send(&api, post(&path, &example.to_string())).await;
            assert_ne!(reply.status, StatusCode::BAD_REQUEST, "{path}: {reply:?}");
        }
    });
}
