//! Exit codes and help.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;

#[test]
fn every_result_has_its_code() {
    let sandbox = Sandbox::with_packs("codes");
    sandbox.write("bare/manifest.yaml", "name: bare\n");
    sandbox.write("bare/wiki/concepts/a.md", "# A\n\n## See Also\n\n- [[gone]]\n");
    sandbox.write("none/readme.txt", "no pack");
    sandbox.write("html/catalog.json", "<!doctype html><title>404</title>");
    let check = |arguments: &[&str], code: i32, says: &str| {
        let run = sandbox.run(arguments).ends_with(code);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains(says), "{arguments:?}: {said}");
    };
    check(&["ask", "How is green tea steeped?", "--packs", "packs"], 0, "Green tea is steeped at about 70 degrees.");
    check(&["--version"], 0, "seealso 0.");
    check(&["ask", "tea", "--packs", "missing"], 1, "missing: there is no such folder");
    check(&["search", "  ", "--packs", "packs"], 1, "the query is empty");
    check(&["build", "none"], 1, "none: no packs here");
    check(&["check", "none"], 1, "none: no packs here");
    check(&["serve", "missing"], 1, "missing: there is no such folder");
    check(&["ask", "tea", "--packs", "html"], 1, "HTML page");
    check(&["frobnicate"], 2, "unrecognized subcommand");
    check(&["search", "tea", "-k", "0"], 2, "0 is not in 1..=1000");
    check(&["new", "x", "--language", "not a language"], 2, "not a language tag");
    check(&["ask", "tea", "--packs", "packs", "--tier", "huge"], 2, "micro, small, mid");
    check(&["check", "bare"], 3, "bare/wiki/concepts/a.md:5: C4: [[gone]]");
    check(&["check", "bare", "--json"], 3, "\"severity\": \"error\"");
    check(&["ask", "How many moons has Jupiter?", "--packs", "packs"], 4, "These packs do not answer this question.");
    check(
        &["search", "Jupiter", "--packs", "packs"],
        4,
        "No page of these packs holds a word of \"Jupiter\", stop words such as \"the\" aside.",
    );
    check(&["search", "Jupiter", "--packs", "packs", "--json"], 4, "\"results\": []");
    let long = "green tea ".repeat(10_000);
    check(&["search", &long, "--packs", "packs"], 0, "only its first 2000 characters are searched for");
}

#[test]
fn without_an_index_the_hint_is_one_line() {
    let sandbox = Sandbox::new("no-index");
    common::tea_and_bread(&sandbox);
    sandbox.write("questions.jsonl", "");
    for arguments in
        [&["search", "tea"][..], &["ask", "tea"], &["explain", "tea"], &["eval", "questions.jsonl"], &["stats"]]
    {
        let run = sandbox.run(&[arguments, &["--packs", "packs"]].concat()).ends_with(10);
        assert_eq!(run.stderr, "error: packs has no index yet; run `seealso build packs` first\n");
        assert_eq!(run.stdout, "");
    }
    sandbox.run(&["build", "packs"]).ends_with(0);
    std::fs::remove_dir_all(sandbox.path("packs/index")).unwrap();
    let run = sandbox.run(&["ask", "tea", "--packs", "packs"]).ends_with(10);
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    assert!(run.stderr.contains("index/"), "{run:?}");
}

#[test]
fn every_command_and_option_has_a_help_text() {
    let sandbox = Sandbox::new("help");
    let whole = sandbox.run(&["--help"]).ends_with(0).stdout;
    assert!(whole.contains("10  there is no index yet"), "{whole}");
    for command in [
        "new", "build", "check", "search", "explain", "ask", "setup", "retrieve", "entries", "mcp", "report", "clean",
        "stats", "eval", "serve",
    ] {
        assert!(whole.contains(&format!("\n  {command} ")), "{command} is not listed in {whole}");
        let help = sandbox.run(&[command, "--help"]).ends_with(0).stdout;
        assert!(!help.contains("Placeholder") && help.lines().next().unwrap().len() > 20, "{help}");
        let (_, options) = help.split_once("Options:\n").unwrap();
        let lines: Vec<&str> = options.lines().collect();
        // An item of a list of values is none.
        let is_option = |line: &str| line.trim_start().starts_with('-') && !line.trim_start().starts_with("- ");
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_option(line)) {
            let is_beside = line.split("  ").filter(|part| !part.trim().is_empty()).count() >= 2;
            let is_below = lines.get(at + 1).is_some_and(|next| !next.trim().is_empty() && !is_option(next));
            assert!(is_beside || is_below, "{command}: no description of {line:?}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_no_failure() {
    let sandbox = Sandbox::with_packs("pipe");
    let mut child = sandbox.command(&["stats", "--packs", "packs", "--json"]);
    let mut child = child.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}
