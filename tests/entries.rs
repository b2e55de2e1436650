//! Entries through the whole read path: a site in memory, its stage, a request, and the response as JSON.
#![allow(clippy::unwrap_used)]

use futures_executor::block_on;
use seealso::{
    Config, EntryFault, EntryRequest, EntryResponse, EntryStage, FixedClock, Interaction, Library, MemorySource,
    NoEmbedder, ScriptedEmbedder, retrieve_entries,
};
use seealso_pack::{
    CATALOG_FILE, Catalog, Date, ENTRIES_STAGE, ENTRIES_VERSION, EntriesFile, FileRef, Pack, PackEntries, StageModel,
    StageRecord, StagesFile, hex,
};
use seealso_vectors::{Space, quantise};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The pages of a pack: an entry's name, its type and its further fields.
const ENTRIES: [(&str, &str, &str); 5] = [
    ("framework", "framework", "pattern: undo\nconfidence: high\nstability: evergreen\nupdated: 2026-01-01\n"),
    ("reaction", "reaction", "confidence: low\nstability: evergreen\n"),
    ("far", "decision", "pattern: core\nconfidence: low\nstability: evolving\n"),
    ("old", "framework", "confidence: high\nstability: evergreen\nsuperseded_by: framework\n"),
    ("secret", "framework", "confidence: high\nstability: evergreen\ntier: private\n"),
];

const PATTERNS: [(&str, &str); 2] = [
    (
        "undo",
        "---\ndescription: What it costs to undo.\ntemplate: If {x}, then {y}.\n---\n\n## Variants\n\n### A plugin\n\nTry it.\n",
    ),
    ("core", "---\ndescription: What the core needs.\ntemplate: Keep {x} out.\n---\n"),
];

/// The vector of each entry and pattern: unit vectors in the plane, or nearly so.
const VECTORS: [(&str, [f32; 2]); 5] = [
    ("entries/framework.md", [1.0, 0.0]),
    ("entries/reaction.md", [0.8, 0.6]),
    ("entries/far.md", [-1.0, 0.0]),
    ("patterns/undo.md", [0.0, 1.0]),
    ("patterns/core.md", [0.6, 0.8]),
];

fn space() -> Space {
    Space { model: "plane".into(), sha256: [7; 32], scheme: "plain".into(), dimensions: 2 }
}

fn pages() -> Vec<(String, String)> {
    let entry = |(name, kind, fields): &(&str, &str, &str)| {
        let text = format!(
            "---\ntopic: The {name}\ntype: {kind}\n{fields}---\n\n## Position\n\nHold {name}.\n\n## Reasoning\n\nSince {name}.\n"
        );
        (format!("entries/{name}.md"), text)
    };
    let patterns = PATTERNS.iter().map(|(slug, text)| (format!("patterns/{slug}.md"), (*text).to_owned()));
    ENTRIES.iter().map(entry).chain(patterns).collect()
}

/// How the stage of a site is made.
#[derive(Clone, Copy)]
struct Staging {
    has_vectors: bool,
    threshold: Option<f64>,
    version: u32,
    fingerprint: Option<&'static str>,
    changes: fn(String) -> String,
}

const STAGED: Staging = Staging {
    has_vectors: true,
    threshold: Some(0.7),
    version: ENTRIES_VERSION,
    fingerprint: None,
    changes: |file| file,
};

/// The site with its stage of entries.
fn site(staging: Staging) -> MemorySource {
    let pages = pages();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let mut source = MemorySource::of_packs(&[("m", &pages)]);
    let mut of_pack = PackEntries::of(&Pack::of_pages("m", &pages));
    let vector = |file: &str| {
        let (_, vector) = VECTORS.iter().find(|(known, _)| *known == file).unwrap();
        staging.has_vectors.then(|| quantise(vector).unwrap().view().to_bytes())
    };
    of_pack.entries.iter_mut().for_each(|entry| entry.vector = vector(&entry.of.file));
    of_pack.patterns.iter_mut().for_each(|pattern| pattern.vector = vector(&pattern.of.file));
    let entries = (staging.changes)(EntriesFile::new(vec![of_pack]).to_json()).into_bytes();
    let model = StageModel {
        id: space().model,
        sha256: hex(&space().sha256),
        dimensions: 2,
        scheme: space().scheme,
        files: Vec::new(),
    };
    let mut catalog = Catalog::parse(source.file(CATALOG_FILE).unwrap()).unwrap();
    let fingerprint = |known: &str| staging.fingerprint.unwrap_or(known).to_owned();
    let record = StageRecord {
        name: ENTRIES_STAGE.into(),
        version: staging.version,
        root: file_ref("index/entries.json", &entries),
        model: staging.has_vectors.then_some(model),
        threshold: staging.threshold,
        packs: catalog.packs.iter().map(|pack| (pack.path.clone(), fingerprint(&pack.fingerprint))).collect(),
    };
    let stages = StagesFile::new(vec![record]).to_json().into_bytes();
    catalog.stages_file = Some(file_ref("index/stages.json", &stages));
    *source.file(CATALOG_FILE).unwrap() = catalog.to_json().into_bytes();
    source.with_files([("index/entries.json".to_owned(), entries), ("index/stages.json".to_owned(), stages)])
}

fn file_ref(path: &str, bytes: &[u8]) -> FileRef {
    FileRef { path: path.to_owned(), bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
}

/// An encoder that knows three questions.
fn encoder() -> ScriptedEmbedder {
    let vectors: [(&str, &[f32]); 3] = [("near?", &[0.8, 0.6]), ("exact?", &[1.0, 0.0]), ("nothing?", &[0.0, -1.0])];
    ScriptedEmbedder::new(&space().id(), &vectors)
}

fn open(source: MemorySource) -> Result<EntryStage, EntryFault> {
    let library = block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap();
    block_on(EntryStage::open(&library))
}

fn ask_with(
    staging: Staging,
    encoder: &ScriptedEmbedder,
    question: &str,
    top_n: i64,
) -> Result<EntryResponse, EntryFault> {
    let stage = open(site(staging))?;
    let request = EntryRequest::new(question, "Ada", Some(top_n)).unwrap();
    let interaction = Interaction { id: "i-1", today: Date::parse("2026-07-01").unwrap() };
    block_on(retrieve_entries(&stage, Some(encoder), &request, &interaction))
}

fn ask(question: &str, top_n: i64) -> EntryResponse {
    ask_with(STAGED, &encoder(), question, top_n).unwrap()
}

/// The pages of the entries, and the slugs of the patterns.
fn found(response: &EntryResponse) -> (Vec<&str>, Vec<&str>) {
    let pages = response.entries.iter().map(|entry| entry.page.as_str()).collect();
    (pages, response.reasoning_patterns.iter().map(|pattern| pattern.slug.as_str()).collect())
}

#[test]
fn a_response_has_the_same_shape_everywhere() {
    let response = ask("exact?", 1);
    let expected = json!({
        "query": "exact?",
        "matches_found": 1,
        "strong_match": true,
        "interaction_id": "i-1",
        "entries": [{
            "topic": "The framework", "type": "framework", "position": "Hold framework.", "reasoning": "Since framework.",
            "reasoning_pattern": "undo", "confidence": "high", "stability": "evergreen", "updated": "2026-01-01",
            "relevance_score": 1, "score": 1, "page": "m/entries/framework", "path": "m/wiki/entries/framework.md",
        }],
        "reasoning_patterns": [
            {
                "slug": "undo", "description": "What it costs to undo.", "template": "If {x}, then {y}.",
                "variants": [{ "context": "A plugin", "text": "Try it." }], "page": "m/patterns/undo",
            },
            {
                "slug": "core", "description": "What the core needs.", "template": "Keep {x} out.", "variants": [],
                "page": "m/patterns/core",
            },
        ],
        "threshold": 0.7,
        "notices": [],
    });
    assert_eq!(serde_json::to_value(&response).unwrap(), expected);
    let text = serde_json::to_string(&response).unwrap();
    assert!(text.starts_with("{\"query\":\"exact?\",\"matches_found\":1,\"strong_match\":true,"), "{text}");
}

#[test]
fn active_public_entries_alone_are_found_and_the_far_ones_not() {
    // The far entry points away from the question; the superseded and the private one are no entries.
    let response = ask("near?", 20);
    assert_eq!(found(&response), (vec!["m/entries/framework", "m/entries/reaction"], vec!["core", "undo"]));
    assert_eq!((response.matches_found, response.strong_match), (2, true));
    let relevances: Vec<f64> = response.entries.iter().map(|entry| (entry.relevance_score * 100.0).round()).collect();
    assert_eq!(relevances, [80.0, 100.0]);
    // The framework of 0.8 stands before the reaction of 1.0 where both are found, and the reaction alone is nearest.
    assert_eq!(found(&ask("near?", 1)).0, ["m/entries/reaction"]);
}

#[test]
fn no_match_is_a_valid_answer() {
    let response = ask("nothing?", 5);
    assert_eq!((found(&response), response.matches_found, response.strong_match), ((vec![], vec![]), 0, false));
}

#[test]
fn the_threshold_is_the_stored_one_and_without_one_no_match_is_strong() {
    let check = |threshold: Option<f64>, question: &str, strong: bool, codes: &[&str]| {
        let response = ask_with(Staging { threshold, ..STAGED }, &encoder(), question, 5).unwrap();
        let noted: Vec<&str> = response.notices.iter().map(|notice| notice.code).collect();
        assert_eq!((response.strong_match, response.threshold, noted.as_slice()), (strong, threshold, codes));
    };
    check(Some(1.0), "exact?", true, &[]);
    check(Some(0.85), "near?", true, &[]);
    check(None, "exact?", false, &["no-threshold"]);
    check(Some(0.7), "nothing?", false, &[]);
}

#[test]
fn a_fault_fails_its_request_alone() {
    let (of_space, encoder) = (space().id(), encoder());
    let stage = open(site(STAGED)).unwrap();
    let interaction = Interaction { id: "", today: Date::parse("2026-07-01").unwrap() };
    let ask = |question: &str| {
        let request = EntryRequest::new(question, "Ada", None).unwrap();
        block_on(retrieve_entries(&stage, Some(&encoder), &request, &interaction))
    };
    let error = ask("unknown").unwrap_err();
    assert_eq!(error.code(), "encoder-failed");
    assert!(error.to_string().contains("the script has no vector for \"unknown\"; ask again"), "{error}");
    assert_eq!(ask("exact?").unwrap().matches_found, 2);
    let request = EntryRequest::new("exact?", "Ada", None).unwrap();
    let error = block_on(retrieve_entries(&stage, None::<&NoEmbedder>, &request, &interaction)).unwrap_err();
    assert_eq!(error, EntryFault::NoEncoder { stored: of_space.clone() });
    let other = Space { sha256: [8; 32], ..space() }.id();
    let error = ask_with(STAGED, &ScriptedEmbedder::new(&other, &[]), "exact?", 5).unwrap_err();
    assert_eq!(error, EntryFault::OtherModel { stored: of_space, encoder: other });
    let without = Staging { has_vectors: false, ..STAGED };
    assert_eq!(ask_with(without, &encoder, "exact?", 5).unwrap_err(), EntryFault::NoVectors);
}

#[test]
fn entries_of_a_changed_pack_are_left_out() {
    let response = ask_with(Staging { fingerprint: Some("older"), ..STAGED }, &encoder(), "exact?", 5).unwrap();
    assert_eq!((response.matches_found, response.notices[0].code), (0, "entries-stale"));
    assert!(response.notices[0].message.starts_with("The entries of m were left out"), "{:?}", response.notices);
}

#[test]
fn a_stage_that_cannot_be_read_is_a_fault() {
    let check = |staging: Staging, says: &str| {
        let error = open(site(staging)).unwrap_err();
        assert_eq!(error.code(), "entries-unreadable");
        assert!(error.to_string().contains(says), "{error}");
    };
    check(Staging { version: 9, ..STAGED }, "the entries have format version 9, this reader knows version 1");
    check(Staging { changes: |_| "<html>".to_owned(), ..STAGED }, "the file of entries can't be read");
    let shorter = |file: String| {
        let mut file: Value = serde_json::from_str(&file).unwrap();
        file["packs"][0]["entries"][0]["vector"] = json!("AAAA");
        file.to_string()
    };
    check(Staging { changes: shorter, ..STAGED }, "a vector has 3 bytes in place of 6");
    let mut damaged = site(STAGED);
    damaged.file("index/entries.json").unwrap()[9] ^= 1;
    assert_eq!(open(damaged).unwrap_err().code(), "entries-unreadable");
    let plain = MemorySource::of_packs(&[("m", &[("concepts/a.md", "# A\n")])]);
    assert_eq!(open(plain).unwrap_err(), EntryFault::NotProvided);
}

#[test]
fn a_private_entry_is_in_no_file_of_the_site() {
    let mut source = site(STAGED);
    for path in ["index/entries.json", CATALOG_FILE] {
        let text = String::from_utf8(source.file(path).unwrap().clone()).unwrap();
        assert!(!text.contains("secret"), "{path}");
    }
    let text = String::from_utf8(source.file("index/entries.json").unwrap().clone()).unwrap();
    assert!(text.contains("entries/framework.md") && !text.contains("entries/old.md"), "{text}");
}
