//! `setup`, `retrieve` and `clean`: what is made of built packs, found in it, and removed again.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::{Value, json};

/// The packs tea and bread, and one whose page on kettles has several chunks; built.
fn built(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    common::tea_and_bread(&sandbox);
    sandbox.write("packs/kettle/manifest.yaml", "name: kettle\ntitle: Kettles\nlanguage: en\n");
    sandbox.write("packs/kettle/wiki/concepts/kettle.md", &kettle());
    sandbox.write(
        "packs/kettle/wiki/concepts/whistle.md",
        "---\ntitle: Whistle\n---\n\nA whistle tells that a kettle boils.\n",
    );
    sandbox.run(&["build", "packs"]).ends_with(0);
    sandbox
}

/// A page of three chunks, each of which holds the word kettle.
fn kettle() -> String {
    let filler = |word: &str| format!("A kettle with {word} is another kettle. ").repeat(40);
    format!(
        "---\ntitle: Kettle\n---\n\n# Kettle\n\nA kettle boils water. It has a lid.\n\n{}\n\n## Copper {{#cu}}\n\n{}\n\n\
         ## Steel\n\n### Rust\n\n{}\n",
        filler("handles"),
        filler("verdigris"),
        filler("flakes")
    )
}

fn set_up(name: &str) -> Sandbox {
    let sandbox = built(name);
    sandbox.run(&["setup", "packs"]).ends_with(0);
    sandbox
}

fn retrieve(sandbox: &Sandbox, question: &str, options: &[&str]) -> Value {
    sandbox.run(&[&["retrieve", question, "--packs", "packs", "--json"], options].concat()).ends_with(0).json()
}

fn candidates(of: &Value, key: &str) -> Vec<Value> {
    of["candidates"].as_array().unwrap().iter().map(|candidate| candidate[key].clone()).collect()
}

#[test]
fn setup_reports_its_steps_in_order() {
    let sandbox = built("setup-steps");
    let run = sandbox.run(&["setup", "packs", "--no-llm"]).ends_with(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let names: Vec<&str> = lines.iter().map(|line| line[..12].trim_end()).collect();
    assert_eq!(names, ["packs", "folders", "encoder", "prefixes", "chunks", "chunk index", "smoke test"]);
    assert_eq!(lines[0], "packs        3 packs, 6 pages, as the index has them");
    assert!(lines[1].ends_with(".seealso/chunks"), "{run:?}");
    let hint = "encoder      none, so chunks get no vectors; --encoder names a folder with config.json, tokenizer.json and \
                model.safetensors of a sentence encoder such as all-MiniLM-L6-v2";
    assert_eq!(lines[2], hint);
    assert_eq!(lines[3], "prefixes     synthetic: each page's title and first sentence; no page leaves this machine");
    assert_eq!(lines[4], "chunks       12 chunks, of which 8 searched; pages: 6 written, 0 unchanged, 0 removed");
    assert!(lines[5].starts_with("chunk index  8 chunks, ") && lines[5].ends_with(" KB, written"), "{run:?}");
    assert_eq!(lines[6], "smoke test   the index answers: 0 chunks for \"wiki\"");
}

#[test]
fn a_chunk_record_says_what_the_chunk_is_made_of() {
    let sandbox = set_up("record");
    let path = "packs/.seealso/chunks/kettle/wiki/concepts/whistle.md/chunk-000.json";
    let mut record: Value = serde_json::from_str(&sandbox.read(path)).unwrap();
    let created = record["created_at"].take();
    let created = created.as_str().unwrap();
    assert_eq!((created.len(), &created[10..11], &created[19..]), (20, "T", "Z"), "{created}");
    let hash = record["page_body_hash"].take();
    assert_eq!(hash.as_str().unwrap().len(), 64);
    assert_eq!(
        record,
        json!({
            "schema_version": 1,
            "page_path": "kettle/wiki/concepts/whistle.md",
            "page_address": "kettle/concepts/whistle",
            "chunk_index": 0,
            "kind": "text",
            "headings": [],
            "section_id": "",
            "raw_text": "A whistle tells that a kettle boils.",
            "contextualized_text": "Whistle: A whistle tells that a kettle boils.\n\nA whistle tells that a kettle boils.",
            "prefix": "Whistle: A whistle tells that a kettle boils.",
            "prefix_source": "synthetic",
            "char_count": 36,
            // printf 'A whistle tells that a kettle boils.' | sha256sum
            "body_hash": "6f203b5f3cbf515b6b43266c7e8c97bb9a4bcf329f9525d691787d976f4333e0",
            "page_body_hash": null,
            "created_at": null
        })
    );
    let last: Value =
        serde_json::from_str(&sandbox.read("packs/.seealso/chunks/kettle/wiki/concepts/kettle.md/chunk-002.json"))
            .unwrap();
    assert_eq!((&last["headings"], &last["section_id"]), (&json!(["Steel", "Rust"]), &json!("rust")));
    let links = sandbox.read("packs/.seealso/chunks/tea/wiki/concepts/green-tea.md/chunk-001.json");
    assert!(links.contains("\"kind\": \"references\""), "{links}");
}

#[test]
fn only_changed_pages_are_written_again() {
    let sandbox = set_up("incremental-chunks");
    let setup = |options: &[&str]| {
        let report = sandbox.run(&[&["setup", "packs", "--json"], options].concat()).ends_with(0).json();
        let count = |key: &str| report["chunks"][key].as_u64().unwrap();
        assert_eq!(report["index"]["chunks"], report["chunks"]["text"]);
        ([count("pages_written"), count("pages_unchanged"), count("pages_removed")], report["changed"] == true)
    };
    let (catalog, files) = (sandbox.read("packs/catalog.json"), sandbox.files("packs"));
    assert_eq!(setup(&[]), ([0, 6, 0], false));
    assert!(sandbox.files("packs") == files);
    assert_eq!(setup(&["--rebuild"]), ([6, 0, 0], true));
    assert_eq!(sandbox.read("packs/catalog.json"), catalog, "the time of a record is not published");

    // Other line ends are no other page; another text, a shorter page and a page that is gone are.
    let page = "packs/kettle/wiki/concepts/whistle.md";
    sandbox.write(page, &sandbox.read(page).replace('\n', "\r\n"));
    let refused = sandbox.run(&["setup", "packs"]).ends_with(1);
    assert_eq!(
        refused.stderr,
        "error: kettle changed since the index was built; run `seealso build` as before, then `seealso setup packs`\n"
    );
    sandbox.run(&["build", "packs"]).ends_with(0);
    assert_eq!(setup(&[]), ([0, 6, 0], true), "the index has the hash of the file");
    sandbox.write(page, "---\ntitle: Whistle\n---\n\nIt is loud.\n");
    sandbox.write("packs/kettle/wiki/concepts/kettle.md", "---\ntitle: Kettle\n---\n\nIt is hot.\n");
    std::fs::remove_file(sandbox.path("packs/bread/wiki/concepts/crust.md")).unwrap();
    sandbox.run(&["build", "packs"]).ends_with(0);
    assert_eq!(setup(&[]), ([2, 3, 1], true));
    let records: Vec<String> = sandbox.files("packs/.seealso").into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        records,
        [
            "chunks/bread/wiki/concepts/sourdough.md/chunk-000.json",
            "chunks/bread/wiki/concepts/sourdough.md/chunk-001.json",
            "chunks/kettle/wiki/concepts/kettle.md/chunk-000.json",
            "chunks/kettle/wiki/concepts/whistle.md/chunk-000.json",
            "chunks/tea/wiki/concepts/black-tea.md/chunk-000.json",
            "chunks/tea/wiki/concepts/black-tea.md/chunk-001.json",
            "chunks/tea/wiki/concepts/green-tea.md/chunk-000.json",
            "chunks/tea/wiki/concepts/green-tea.md/chunk-001.json",
        ]
    );
    // A record that was damaged is written again.
    sandbox.write("packs/.seealso/chunks/kettle/wiki/concepts/kettle.md/chunk-000.json", "{");
    assert_eq!(setup(&[]), ([1, 4, 0], true));
}

#[test]
fn a_passage_is_found_with_its_section() {
    let sandbox = set_up("retrieve");
    let found = retrieve(&sandbox, "verdigris", &[]);
    assert_eq!(
        (&found["query"], &found["strategy"], &found["top_k"], &found["notices"]),
        (&json!("verdigris"), &json!("no-op"), &json!(5), &json!([]))
    );
    let mut candidate = found["candidates"][0].clone();
    let absolute = sandbox.path("packs/kettle/wiki/concepts/kettle.md").canonicalize().unwrap();
    assert_eq!(candidate["absolute_path"].take(), json!(absolute));
    assert!(candidate["bm25_score"].take().as_f64().unwrap() > 0.0);
    let snippet = candidate["snippet"].take();
    let snippet = snippet.as_str().unwrap();
    assert!(
        snippet.chars().count() <= 200 && snippet.ends_with('…') && snippet.contains("handles is another"),
        "{snippet}"
    );
    assert_eq!(
        candidate,
        json!({
            "chunk_id": "kettle/concepts/kettle:1",
            "page_address": "kettle/concepts/kettle",
            "page_path": "kettle/wiki/concepts/kettle.md",
            "absolute_path": null,
            "chunk_index": 1,
            "title": "Kettle",
            "headings": ["Copper"],
            "section_id": "cu",
            "citation": "kettle/concepts/kettle#cu",
            "bm25_score": null,
            "rerank_score": null,
            "rerank_source": "no-op",
            "snippet": null,
            "stale": false
        })
    );
    let text = sandbox.run(&["retrieve", "verdigris", "--packs", "packs"]).ends_with(0).stdout;
    assert!(text.contains("kettle/concepts/kettle#cu  Kettle › Copper\n"), "{text}");
}

#[test]
fn several_passages_of_one_page_displace_no_other_page() {
    let sandbox = set_up("dedupe");
    let found = retrieve(&sandbox, "kettle", &["--top", "2", "--explain"]);
    let mut pages = candidates(&found, "page_address");
    pages.sort_by_key(Value::to_string);
    assert_eq!(pages, ["kettle/concepts/kettle", "kettle/concepts/whistle"], "{found}");
    let steps = ["bm25_top_param", "bm25_candidate_count", "post_rerank_count", "deduped_count"].map(|key| &found[key]);
    assert_eq!(steps, [&json!(20), &json!(4), &json!(0), &json!(2)]);
    let terms = &found["candidates"][0]["terms"];
    assert_eq!((&terms[0]["term"], &terms[0]["chunks_with"]), (&json!("kettl"), &json!(4)), "{found}");
    assert!(retrieve(&sandbox, "kettle", &[])["deduped_count"].is_null());
}

#[test]
fn what_orders_the_passages_is_said() {
    let sandbox = set_up("strategy");
    let plain = retrieve(&sandbox, "kettle", &["--no-rerank"]);
    assert_eq!((&plain["strategy"], &plain["candidates"][0]["rerank_source"]), (&json!("bm25-only"), &json!(null)));
    assert_eq!(candidates(&plain, "chunk_id"), candidates(&retrieve(&sandbox, "kettle", &[]), "chunk_id"));
    let okapi = retrieve(&sandbox, "kettle", &["--okapi"]);
    assert_ne!(candidates(&okapi, "bm25_score"), candidates(&plain, "bm25_score"));
    let peek = sandbox.run(&["retrieve", "--peek", "--packs", "packs"]).ends_with(0).stdout;
    assert_eq!(
        peek,
        "no-op: there is no encoder with vectors of these packs, so passages stay in the order of their words\n"
    );
    let peek = sandbox.run(&["retrieve", "--peek", "--no-rerank", "--json", "--packs", "packs"]).ends_with(0).json();
    assert_eq!(peek["strategy"], "bm25-only");
}

#[test]
fn nothing_found_is_said_and_not_padded() {
    let sandbox = set_up("nothing");
    let run = sandbox.run(&["retrieve", "Jupiter", "--packs", "packs"]).ends_with(4);
    assert_eq!(
        run.stdout,
        "No passage of these packs holds a word of the question, stop words such as \"the\" aside.\n"
    );
    let run = sandbox.run(&["retrieve", "Jupiter", "--packs", "packs", "--json"]).ends_with(4);
    assert_eq!(run.json()["candidates"], json!([]));
    let long = "kettle ".repeat(1500);
    let run = sandbox.run(&["retrieve", &long, "--packs", "packs"]).ends_with(0);
    assert!(run.stderr.contains("only its first 2000 characters are searched for"), "{run:?}");
    sandbox.run(&["retrieve", " ", "--packs", "packs"]).ends_with(1);
    sandbox.run(&["retrieve", "--packs", "packs"]).ends_with(2);
}

#[test]
fn without_chunks_the_hint_is_one_line() {
    let sandbox = built("no-chunks");
    let hint = "error: packs has no chunks yet; run `seealso setup packs` first\n";
    for arguments in [
        &["retrieve", "tea"][..],
        &["retrieve", "--peek"],
        &["search", "tea", "--chunks"],
        &["stats", "--chunks"],
        &["retrieve", "tea", "--json"],
    ] {
        let run = sandbox.run(&[arguments, &["--packs", "packs"]].concat()).ends_with(10);
        assert_eq!((run.stderr.as_str(), run.stdout.as_str()), (hint, ""), "{arguments:?}");
    }
    std::fs::remove_file(sandbox.path("packs/catalog.json")).unwrap();
    for arguments in [&["retrieve", "tea", "--packs", "packs"][..], &["setup", "packs"], &["clean", "packs"]] {
        let run = sandbox.run(arguments).ends_with(10);
        assert_eq!(run.stderr, "error: packs has no index yet; run `seealso build packs` first\n");
    }
}

#[test]
fn damaged_chunks_are_a_hint_and_no_obstacle_to_answers() {
    let sandbox = set_up("damaged-chunks");
    let catalog: Value = serde_json::from_str(&sandbox.read("packs/catalog.json")).unwrap();
    let stages_path = format!("packs/{}", catalog["stages_file"]["path"].as_str().unwrap());
    let stages: Value = serde_json::from_str(&sandbox.read(&stages_path)).unwrap();
    let root_path = format!("packs/{}", stages["stages"][0]["root"]["path"].as_str().unwrap());
    for path in [&stages_path, &root_path] {
        let whole = std::fs::read(sandbox.path(path)).unwrap();
        let damages: [&dyn Fn(); 2] =
            [&|| sandbox.write(path, "no index"), &|| std::fs::remove_file(sandbox.path(path)).unwrap()];
        for damage in damages {
            damage();
            let run = sandbox.run(&["retrieve", "kettle", "--packs", "packs"]).ends_with(10);
            assert!(run.stderr.starts_with("error: the chunks of packs can't be searched ("), "{run:?}");
            assert!(run.stderr.ends_with("; run `seealso setup packs` again\n"), "{run:?}");
            assert_eq!((run.stderr.lines().count(), run.stdout.as_str()), (1, ""), "{run:?}");
            sandbox.run(&["ask", "How is green tea steeped?", "--packs", "packs"]).ends_with(0);
        }
        std::fs::write(sandbox.path(path), whole).unwrap();
        retrieve(&sandbox, "kettle", &[]);
    }
    sandbox.write(&root_path, "no index");
    sandbox.run(&["setup", "packs"]).ends_with(0);
    retrieve(&sandbox, "kettle", &[]);
}

#[test]
fn stale_pages_are_told_and_pages_that_are_gone_are_left_out() {
    let sandbox = set_up("stale");
    let page = "packs/kettle/wiki/concepts/kettle.md";
    sandbox.write(page, &kettle().replace("verdigris", "patina"));
    let found = retrieve(&sandbox, "verdigris", &[]);
    assert_eq!((&found["candidates"][0]["stale"], &found["notices"]), (&json!(true), &json!([])));
    assert!(!found["candidates"][0]["snippet"].as_str().unwrap().contains("verdigris"), "what stands there now");

    // The index is built again, the chunks are not.
    sandbox.run(&["build", "packs"]).ends_with(0);
    let found = retrieve(&sandbox, "kettle", &[]);
    let outdated =
        "kettle: changed since the chunks were made, so passages may be missing; run `seealso setup packs` again";
    assert_eq!(found["notices"], json!([outdated]));
    let run = sandbox.run(&["retrieve", "verdigris", "--packs", "packs"]).ends_with(0);
    assert!(run.stderr.contains(outdated) && run.stdout.contains("  (the page changed since)"), "{run:?}");
    let check = sandbox.run(&["setup", "packs", "--check"]).ends_with(0).stdout;
    assert!(check.contains("stale        kettle: their chunks are of other pages\n"), "{check}");

    std::fs::remove_file(sandbox.path(page)).unwrap();
    let found = retrieve(&sandbox, "kettle", &[]);
    assert_eq!(candidates(&found, "page_address"), ["kettle/concepts/whistle"]);
    let gone = "kettle/concepts/kettle: gone since the chunks were made, and left out; run `seealso setup packs` again";
    assert_eq!(found["notices"], json!([outdated, gone]));

    // A pack that is gone from the catalog is left out too.
    std::fs::remove_dir_all(sandbox.path("packs/kettle")).unwrap();
    sandbox.run(&["build", "packs"]).ends_with(0);
    let run = sandbox.run(&["retrieve", "kettle", "--packs", "packs", "--json"]).ends_with(4).json();
    assert_eq!(run["candidates"], json!([]));
    sandbox.run(&["setup", "packs"]).ends_with(0);
    assert_eq!(retrieve(&sandbox, "tea", &[])["notices"], json!([]));
}

#[test]
fn a_question_is_answered_as_before() {
    let sandbox = built("as-before");
    let ask = || {
        let run = sandbox.run(&["ask", "How is green tea steeped?", "--packs", "packs", "--json"]).ends_with(0);
        let mut answer = run.json();
        for stage in answer["trace"].as_array_mut().into_iter().flatten() {
            stage["ms"].take();
        }
        answer["ms"].take();
        answer
    };
    let index = |catalog: &str| serde_json::from_str::<Value>(&sandbox.read(catalog)).unwrap()["index"].clone();
    let (before, of_pages) = (ask(), index("packs/catalog.json"));
    sandbox.run(&["setup", "packs"]).ends_with(0);
    assert_eq!(ask(), before);
    assert_eq!(index("packs/catalog.json"), of_pages);
}

#[test]
fn what_setup_made_is_removed_and_nothing_else() {
    let sandbox = built("clean");
    let before = sandbox.files("packs");
    let nothing = sandbox.run(&["clean", "packs", "--json"]).ends_with(0).json();
    assert_eq!(nothing, json!({ "chunk_records": 0, "stage_files": 0, "cached_vectors": 0 }));
    sandbox.run(&["setup", "packs"]).ends_with(0);
    for mine in
        [".seealso/notes.txt", ".seealso/chunks/kettle/mine.json", "index/mine.txt", ".seealso/embeddings/mine.emb"]
    {
        sandbox.write(&format!("packs/{mine}"), "mine");
    }
    sandbox.write("packs/.seealso/embeddings/0a1b.emb", "cached");
    let removed = sandbox.run(&["clean", "packs", "--json"]).ends_with(0).json();
    assert_eq!((&removed["chunk_records"], &removed["cached_vectors"]), (&json!(12), &json!(1)));
    for mine in
        [".seealso/notes.txt", ".seealso/chunks/kettle/mine.json", "index/mine.txt", ".seealso/embeddings/mine.emb"]
    {
        assert_eq!(sandbox.read(&format!("packs/{mine}")), "mine");
    }
    std::fs::remove_dir_all(sandbox.path("packs/.seealso")).unwrap();
    std::fs::remove_file(sandbox.path("packs/index/mine.txt")).unwrap();
    assert!(sandbox.files("packs") == before, "as before the setup");
    sandbox.run(&["setup", "packs"]).ends_with(0);
    let text = sandbox.run(&["clean", "packs"]).ends_with(0).stdout;
    assert!(
        text.starts_with("packs: removed 12 chunk records, ") && text.ends_with("0 cached files of vectors\n"),
        "{text}"
    );
    assert!(sandbox.files("packs") == before && !sandbox.path("packs/.seealso").exists());
}

#[test]
fn a_copy_keeps_its_chunks() {
    let sandbox = Sandbox::new("copied-chunks");
    common::tea_and_bread(&sandbox);
    let build = || sandbox.run(&["build", "packs", "-o", "site"]).ends_with(0);
    build();
    sandbox.run(&["setup", "site"]).ends_with(0);
    assert!(build().stdout.contains("up to date"));
    let page = "packs/tea/wiki/concepts/green-tea.md";
    sandbox.write(page, &sandbox.read(page).replace("70", "80"));
    build();
    assert!(sandbox.path("site/.seealso/chunks").is_dir() && !sandbox.path("packs/.seealso").exists());
    let found = sandbox.run(&["retrieve", "steeped", "--packs", "site", "--json"]).ends_with(0).json();
    assert_eq!((found["candidates"][0]["stale"] == true, found["notices"].as_array().unwrap().len()), (true, 1));
}

#[test]
fn a_site_that_is_made_again_keeps_its_chunks() {
    let sandbox = Sandbox::new("site-chunks");
    let page = |text: &str| {
        let html = format!("<html lang=en><title>Pots</title><main><h1>Pots</h1><p>{text}</p></main></html>");
        sandbox.write("dist/pots.html", &html);
        sandbox.run(&["site", "dist"]).ends_with(0);
    };
    page("A teapot keeps tea warm while its leaves are steeped.");
    sandbox.run(&["setup", "dist/seealso"]).ends_with(0);
    page("A teapot keeps tea hot while its leaves are steeped.");
    let found = sandbox.run(&["retrieve", "steeped", "--packs", "dist/seealso", "--json"]).ends_with(0).json();
    assert_eq!((candidates(&found, "stale"), found["notices"].as_array().unwrap().len()), (vec![json!(true)], 1));
    sandbox.run(&["setup", "dist/seealso"]).ends_with(0);
    let found = sandbox.run(&["retrieve", "steeped", "--packs", "dist/seealso", "--json"]).ends_with(0).json();
    assert_eq!((candidates(&found, "stale"), &found["notices"]), (vec![json!(false)], &json!([])));
}

#[test]
fn the_index_of_chunks_can_be_looked_at() {
    let sandbox = set_up("inspect");
    let found =
        sandbox.run(&["search", "kettle", "--chunks", "-k", "2", "--packs", "packs", "--json"]).ends_with(0).json();
    assert_eq!(found["results"].as_array().unwrap().len(), 2);
    assert!(found["results"][0]["page_file"].as_str().unwrap().contains(".md#"), "{found}");
    let none = sandbox.run(&["search", "Jupiter", "--chunks", "--packs", "packs"]).ends_with(4).stdout;
    assert!(none.starts_with("No chunk of these packs holds a word of \"Jupiter\""), "{none}");
    let stats = sandbox.run(&["stats", "--chunks", "--packs", "packs", "--json"]).ends_with(0).json();
    assert_eq!((&stats["pages"], stats["packs"].as_array().unwrap().len()), (&json!(8), 3));
}

#[test]
fn a_check_and_an_estimate_make_nothing() {
    let sandbox = built("check-only");
    let before = sandbox.files("packs");
    let check = || sandbox.run(&["setup", "packs", "--check", "--json"]).ends_with(0).json();
    let found = check();
    assert_eq!((&found["stages"], &found["chunk_records"], &found["encoder"]), (&json!([]), &json!(0), &json!(null)));
    assert_eq!(found["fault"], "packs has no chunks yet; run `seealso setup packs` first");
    let cost = sandbox.run(&["setup", "packs", "--estimate", "--json"]).ends_with(0).json();
    assert_eq!(cost, json!({ "pages": 6, "chunks": 8, "usd_per_chunk": 0.012, "usd": 0.096 }));
    let text = sandbox.run(&["setup", "packs", "--estimate"]).ends_with(0).stdout;
    assert!(text.starts_with("8 chunks of 6 pages: about $0.10 once, at $0.012 a prefix."), "{text}");
    assert!(sandbox.files("packs") == before);
    sandbox.run(&["setup", "packs"]).ends_with(0);
    let found = check();
    assert_eq!(
        (&found["stages"], &found["chunk_records"], &found["searchable_chunks"]),
        (&json!(["chunks"]), &json!(12), &json!(8))
    );
    assert_eq!(
        (&found["fault"], &found["outdated_packs"], &found["prefix_source"]),
        (&json!(null), &json!([]), &json!("synthetic"))
    );
    sandbox.run(&["setup", "packs", "--check", "--rebuild"]).ends_with(2);
}
