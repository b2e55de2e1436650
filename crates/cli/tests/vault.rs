//! A vault of notes as note-taking programs leave it, through check, build, search and ask.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;

/// A vault without index.md: folders, a name with a combining accent, links in every form, an attachment, and files of the system.
fn vault(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let note =
        |title: &str, body: &str| format!("---\ntitle: {title}\nsummary: About {title}.\n---\n\n# {title}\n\n{body}\n");
    let write = |file: &str, title: &str, body: &str| sandbox.write(&format!("My Vault/{file}"), &note(title, body));
    write(
        "Home.md",
        "Home of the vault",
        "The garden is watered each morning.\n\n| note | what |\n|---|---|\n| [[caf\u{e9} culture\\|coffee]] | drinks |\n\n\
         ## See Also\n\n- [[sector performance]] — markets\n- [[Café Culture#History|coffee]]\n- [[Plans/Garden%20Plan]]\n\
         - [call](tel:+1-555-0100), [open](obsidian://open?vault=v), [mirror](//host/x), [filtered](?q=x)\n- ![[pond.png]]",
    );
    write(
        "Markets/Sector Performance.md",
        "Sector Performance",
        "Energy shares rose by nine percent in the spring quarter of the year.",
    );
    write(
        "Drinks/Cafe\u{301} Culture.md",
        "Café Culture",
        "Coffee houses opened in Vienna in the seventeenth century.",
    );
    write(
        "Plans/Garden Plan.markdown",
        "Garden Plan",
        "The pond lies in the northern corner of the garden behind the shed.",
    );
    sandbox.write("My Vault/.obsidian/app.json", "{}");
    sandbox.write("My Vault/.DS_Store", "left");
    sandbox.write("My Vault/README.md", "# How this vault is kept\n");
    sandbox
}

#[test]
fn a_vault_is_checked_built_and_asked() {
    let sandbox = vault("vault");
    let check = sandbox.run(&["check", "--json", "My Vault"]).json();
    let findings = check["findings"].as_array().unwrap().iter();
    let links: Vec<_> = findings.filter(|finding| finding["code"] == "C4").collect();
    assert_eq!((check["packs"][0]["pages"].as_u64(), links), (Some(4), vec![]));

    let build = sandbox.run(&["build", "My Vault", "--out", "the site"]).ends_with(0);
    assert!(build.stdout.contains("`seealso check 'My Vault'` lists"), "{build:?}");
    let search = sandbox.run(&["search", "garden plan", "--packs", "the site", "--json"]).ends_with(0).json();
    assert_eq!(search["results"][0]["page"], "My Vault/Plans/Garden Plan.markdown");
    let ask = sandbox.run(&["ask", "Where does the pond lie?", "--packs", "the site"]).ends_with(0);
    assert!(ask.stdout.contains("The pond lies in the northern corner"), "{ask:?}");

    // Files of the system in the site do not stop a build, but a file that somebody wrote does.
    sandbox.write("the site/.DS_Store", "left");
    sandbox.write("My Vault/Home.md", "# Home\n\nAnother text.\n");
    assert!(sandbox.run(&["build", "My Vault", "-o", "the site"]).ends_with(0).stdout.contains(", written"));
    sandbox.write("the site/mine.txt", "work");
    sandbox.write("My Vault/Home.md", "# Home\n");
    assert!(sandbox.run(&["build", "My Vault", "-o", "the site"]).ends_with(1).stderr.contains("such as mine.txt"));
}

#[test]
fn see_also_of_a_vault_leads_to_other_folders() {
    let sandbox = vault("vault-links");
    sandbox.run(&["build", "My Vault", "--out", "site"]).ends_with(0);
    let explained = sandbox.run(&["explain", "When is the garden watered?", "--packs", "site"]).ends_with(0).stdout;
    // Two pages are found, and links lead to the two that share no word with the question.
    assert!(explained.contains("2 hits: 2 pages") && explained.contains("4 of 4 pages"), "{explained}");
}

#[test]
fn an_ambiguous_link_is_a_finding() {
    let sandbox = vault("vault-twins");
    sandbox.write("My Vault/Old/Garden Plan.md", "---\ntitle: Old plan\nsummary: Old.\n---\n\nSee [[Garden Plan]].\n");
    sandbox.write("My Vault/x.md", "---\ntitle: X\nsummary: X.\n---\n\nSee [[garden plan]].\n");
    let check = sandbox.run(&["check", "My Vault"]).stdout;
    let expected = "link to garden plan: leads to Old/Garden Plan.md, and Plans/Garden Plan.markdown is as near";
    assert!(check.contains(expected) && check.matches("is as near").count() == 1, "{check}");
}

#[test]
fn pages_outside_packs_are_named() {
    let sandbox = Sandbox::with_packs("outside");
    sandbox.write("packs/Loose Note.md", "text");
    for command in ["check", "build"] {
        let run = sandbox.run(&[command, "packs"]).ends_with(0);
        assert!(run.stderr.contains("packs/Loose Note.md lies in no pack and is left out"), "{run:?}");
    }
}

#[test]
fn printed_commands_can_be_run() {
    let sandbox = Sandbox::new("printed");
    let new = sandbox.run(&["new", "My $Packs/It's tea"]).ends_with(0);
    let quoted = if cfg!(windows) { "\"My $Packs/It's tea\"" } else { r"'My $Packs/It'\''s tea'" };
    assert!(new.stdout.contains(&format!("seealso check --fix {quoted} ")), "{}", new.stdout);
    let root = if cfg!(windows) { "\"My $Packs\"" } else { "'My $Packs'" };
    assert!(new.stdout.contains(&format!("seealso build {root} ")), "{}", new.stdout);
    assert!(new.stdout.contains(&format!("--packs {root}\n")), "{}", new.stdout);
    let ask = sandbox.run(&["ask", "what?", "--packs", "My $Packs"]).ends_with(10);
    assert!(ask.stderr.contains(&format!("run `seealso build {root}` first")), "{}", ask.stderr);
}

#[test]
fn rows_may_end_in_capitals() {
    let sandbox = Sandbox::new("capitals");
    for name in ["ROWS.TSV", "rows.Tsv", "more.tsv"] {
        sandbox.write(name, "a\tAlpha\tThe first letter.\n");
        let build = sandbox.run(&["build", name, "--out", "site"]).ends_with(0);
        assert!(build.stdout.contains("1 pack, 1 row"), "{name}: {build:?}");
    }
}
