//! The log of interactions behind the API, and feedback on them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;
use crate::interactions::{DailyReport, InteractionLog};
use crate::utc;

/// A folder for one test, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("seealso-api-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Folder(folder)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.0.join(format!("{}.jsonl", utc::today()))).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
        let _ = fs::remove_file(&self.0);
    }
}

fn logging(folder: &Path) -> ApiSettings {
    ApiSettings { log: Some(InteractionLog::open(folder)), ..ApiSettings::default() }
}

async fn retrieve(api: &Router, question: &str) -> Reply {
    send(api, post("/retrieve", &json!({ "question": question, "asker": "ada" }).to_string())).await
}

async fn thumb(api: &Router, id: &str, thumb: &str) -> Reply {
    send(api, post("/feedback", &json!({ "interaction_id": id, "thumb": thumb, "note": "so so" }).to_string())).await
}

#[test]
fn interactions_and_feedback_make_the_report() {
    let folder = Folder::new("report");
    with_api(logging(&folder.0), async |api| {
        let strong = retrieve(&api, "strong match").await.json();
        retrieve(&api, "nothing secret").await;
        send(&api, post("/ask", r#"{"question": "How is green tea steeped?"}"#)).await;
        let id = strong["interaction_id"].as_str().unwrap();
        let reply = thumb(&api, id, "down").await;
        assert_eq!((reply.status, reply.json()), (StatusCode::OK, json!({ "interaction_id": id, "thumb": "down" })));
    });
    let report = serde_json::to_value(DailyReport::read(&folder.0, &utc::today()).unwrap()).unwrap();
    assert_eq!(
        (&report["questions"], &report["retrieve"]["strong"], &report["retrieve"]["none"], &report["ask"]["answered"]),
        (&json!(3), &json!(1), &json!(1), &json!(1))
    );
    let entry = json!({ "entry": "maintainer/entries/small-releases", "returned": 1, "up": 0, "down": 1 });
    assert_eq!(report["entries"][0], entry);
    assert_eq!(report["gaps"][0]["question"], Value::Null);
    let text = folder.text();
    assert!(!text.contains("secret") && !text.contains("steeped"), "{text}");
}

#[test]
fn the_words_of_questions_are_logged_where_that_is_wanted() {
    let folder = Folder::new("words");
    with_api(ApiSettings { logs_questions: true, ..logging(&folder.0) }, async |api| {
        retrieve(&api, "nothing secret").await;
    });
    assert!(folder.text().contains(r#""question":"nothing secret""#));
}

#[test]
fn a_question_that_fails_is_logged_with_its_code() {
    let folder = Folder::new("failed");
    with_api(logging(&folder.0), async |api| {
        let body = json!({ "question": "unencodable", "asker": " ada " }).to_string();
        assert_eq!(send(&api, post("/retrieve", &body)).await.error(), (503, "encoder_failed".to_owned()));
        let refused = retrieve(&api, " ").await;
        assert_eq!(refused.error(), (400, "invalid_request".to_owned()));
    });
    let text = folder.text();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains(r#""asker":"ada","verdict":"failed","code":"encoder_failed","matches":0"#), "{text}");
}

#[test]
fn feedback_names_an_interaction_of_the_log() {
    let folder = Folder::new("unknown");
    with_api(logging(&folder.0), async |api| {
        let check = async |body: &str, status: u16, code: &str| {
            assert_eq!(send(&api, post("/feedback", body)).await.error(), (status, code.to_owned()), "{body}");
        };
        let id = "0193a1b2-0000-7000-8000-000000000001";
        check(&json!({ "interaction_id": id, "thumb": "up" }).to_string(), 404, "interaction_not_found").await;
        check(&json!({ "interaction_id": "x", "thumb": "up" }).to_string(), 400, "invalid_json").await;
        check(&json!({ "interaction_id": id, "thumb": "sideways" }).to_string(), 400, "invalid_json").await;
        let long = json!({ "interaction_id": id, "thumb": "up", "note": "x".repeat(2_001) });
        check(&long.to_string(), 400, "invalid_request").await;
    });
}

#[test]
fn without_a_log_there_is_no_feedback() {
    with_api(ApiSettings::default(), async |api| {
        let id = retrieve(&api, "strong").await.json()["interaction_id"].as_str().unwrap().to_owned();
        assert_eq!(thumb(&api, &id, "up").await.error(), (503, "log_off".to_owned()));
    });
}

#[test]
fn a_log_that_cannot_be_written_costs_no_reply() {
    let folder = Folder::new("unwritable");
    fs::write(&folder.0, "no folder").unwrap();
    let settings = ApiSettings { shows_metrics: true, ..logging(&folder.0) };
    with_api(settings, async |api| {
        let reply = retrieve(&api, "strong").await;
        assert_eq!(reply.status, StatusCode::OK);
        let health = send(&api, get("/health")).await.json();
        assert_eq!((&health["status"], &health["log"]["state"]), (&json!("degraded"), &json!("failing")));
        assert!(health["log"]["reason"].as_str().unwrap().contains("--log"), "{health}");
        let id = reply.json()["interaction_id"].as_str().unwrap().to_owned();
        assert_eq!(thumb(&api, &id, "up").await.error(), (503, "log_unavailable".to_owned()));
        let metrics = send(&api, get("/metrics")).await.text;
        assert!(metrics.contains("seealso_log_faults_total 2\n"), "{metrics}");
    });
}
