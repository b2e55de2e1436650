//! Tables of front matter in its dialects: what a page takes from it, what is left for the body, and what is reported.

use super::*;

/// Title, summary, tags, aliases; the body; findings as `line code`.
#[track_caller]
fn check(text: &str, [title, summary, tags, aliases]: [&str; 4], body: &str, findings: &[&str]) {
    let (page, found) = Page::parse("a.md", text);
    let found: Vec<String> = found.iter().map(|finding| format!("{} {}", finding.line, finding.code)).collect();
    let read = [page.title.clone(), page.summary.clone(), page.tags.join(", "), page.aliases.join(", ")];
    assert_eq!(read, [title, summary, tags, aliases], "{text:?}");
    assert_eq!(page.body, body, "{text:?}");
    assert_eq!(found, findings, "{text:?}");
    let named = Page::named("a.md", text, title.into(), summary.into(), page.aliases.clone());
    assert_eq!((named.body, named.body_line, named.title), (page.body, page.body_line, page.title), "{text:?}");
}

const T: [&str; 4] = ["T", "S", "", ""];

#[test]
fn toml() {
    check("+++\ntitle = \"T\"\ndescription = 'S'\n+++\nb", T, "b", &[]);
    check(
        "+++\n# note\ntitle=\"Tee \\u00e9\" # drink\nsummary = \"\"\"\nOne\ntwo \\\n  three\"\"\"\ndate = 2026-11-26\ndraft = false\n\
         aliases = [\n  \"chai\", # in Hindi\n  'čaj',\n]\n\n[taxonomies]\ntags = [\"a\", \"b\"]\n\n[extra.author]\nname = \"x\"\n\
         [[menu]]\nname = 1\n[[menu]]\nname = 2\n+++\n\n# B",
        ["Tee é", "One two three", "a, b", "chai, čaj"],
        "# B",
        &[],
    );
    check(
        "+++\n\"title\" = '''T'''\nsummary = 'S'\nparams.x = {a = 1, b = [2]}\ntags = 'a, b'\n+++  \nb",
        ["T", "S", "a, b", ""],
        "b",
        &[],
    );
    check("+++\r\ntitle = \"T\"\r\nsummary = \"S\"\r\n+++\r\nb", T, "b", &["1 R4"]);
    check("+++\ntitle = \"T\nsummary = \"S\"\nnonsense\n+++\nb", ["A", "S", "", ""], "b", &["2 R8", "4 R8", "1 C2"]);
    check("+++\ntitle = \"T\"\nsummary = \"S\"\ntitle = \"U\"\n+++\nb", T, "b", &["4 R8"]);
    check("+++\ntitle = \"T\"\nsummary = \"S\"\n\n# H\n\nb", T, "# H\n\nb", &["1 R2"]);
    check("---toml\ntitle = \"T\"\nsummary = \"S\"\n---\nb", T, "b", &[]);
    check(
        "+++\nOne and two.\n+++\n",
        ["A", "+++ One and two. +++", "", ""],
        "+++\nOne and two.\n+++\n",
        &["1 R1", "1 C2", "1 R6"],
    );
}

#[test]
fn json() {
    check(
        "{\n  \"title\": \"T\",\n  \"summary\": \"S\",\n  \"tags\": [\"a\", \"b\"]\n}\n\nb",
        ["T", "S", "a, b", ""],
        "b",
        &[],
    );
    check(
        "{\n\"title\": \"T \\u00e9\", \"summary\": \"S\",\n\"x\": {\"y\": [1, true, null]}\n}\nb",
        ["T é", "S", "", ""],
        "b",
        &[],
    );
    check(";;;\n\"title\": \"T\",\n\"summary\": \"S\"\n;;;\nb", T, "b", &[]);
    check("---json\n{\"title\": \"T\", \"summary\": \"S\"}\n---\nb", T, "b", &[]);
    check("\u{feff}{\r\n\"title\": \"T\",\r\n\"summary\": \"S\"\r\n}\r\nb", T, "b", &["1 R3", "1 R4"]);
    check("{\n\"title\": \"T\",\n\"title\": \"U\",\n\"summary\": \"S\"\n}\nb", T, "b", &["3 R8"]);
    check("{\n\"title\": [T\n}\nb", ["A", "b", "", ""], "b", &["1 R8", "1 C2", "1 R6"]);
    check("{\nb\n", ["A", "{ b", "", ""], "{\nb\n", &["1 R1", "1 C2", "1 R6"]);
    check("{{< toc >}}\n\nb", ["A", "b", "", ""], "{{< toc >}}\n\nb", &["1 R1", "1 C2", "1 R6"]);
}

#[test]
fn yaml_written_loosely() {
    check("---\ntitle:T\nsummary:S\n---\nb", T, "b", &["2 R8", "3 R8"]);
    check("---\ntitle: T\nsummary:\"S\"\ntags:[a, b]\n---\nb", ["T", "S", "a, b", ""], "b", &["3 R8", "4 R8"]);
    check("---\ntitle: T\nsummary: S\nTitle: U\nsummary: V\n---\nb", T, "b", &["4 R8", "5 R8"]);
    check(
        "---  \n\"title\": 'T' # note\n'summary': >-\n  S\ntags: # none\n  - a # b\n  - c\n--- \t\nb",
        ["T", "S", "a, c", ""],
        "b",
        &[],
    );
    check(
        "\u{feff}---\r\ntitle: T\r\nsummary: |\r\n  S\r\naliases:\r\n\t- x\r\n---\r\nb",
        ["T", "S", "", "x"],
        "b",
        &["1 R3", "1 R4"],
    );
    check("---\ntitle: T\nsummary: S\naliases: [x,\n  y]\n...\nb", ["T", "S", "", "x, y"], "b", &[]);
    check("---\ntitle: T\nsummary: S\n\n# H\n\nb", T, "# H\n\nb", &["1 R2"]);
    check("---yaml\ntitle: T\nsummary: S\n---\nb", T, "b", &[]);
    check(
        "---\nhttps://x.org\n\nb",
        ["A", "https://x.org", "", ""],
        "---\nhttps://x.org\n\nb",
        &["1 R1", "1 C2", "1 R6"],
    );
    check(
        "---\nAt 10:30 we met.\n---\nb",
        ["A", "b", "", ""],
        "---\nAt 10:30 we met.\n---\nb",
        &["1 R1", "1 C2", "1 R6"],
    );
}

#[test]
fn a_key_that_stands_twice_is_told_with_both_lines() {
    let (_, findings) = Page::parse("concepts/a.md", "---\ntitle: T\nsummary: S\ntitle: U\n---\nb");
    let messages: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(messages, ["concepts/a.md:4: R8: the key \"title\" stands in line 2 too: that one is read"]);
}

/// A value as each language writes it.
fn written(language: usize, key: &str, value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    match language {
        0 => format!("{key}: \"{escaped}\"\n"),
        1 => format!("{key} = \"{escaped}\"\n"),
        _ => format!("\"{key}\": \"{escaped}\",\n"),
    }
}

mod generated {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_languages_give_the_same_page(
            title in "[A-Za-zé漢][A-Za-z0-9é漢 :#,='\"\\\\{}\\[\\]-]{0,20}", summary in "[a-z][a-z:#=,\\]} ]{0,20}",
            ends in "(\n|\r\n)",
        ) {
            let (title, summary) = (title.trim(), summary.trim());
            for (language, (open, close)) in [("---", "---"), ("+++", "+++"), ("{", "}"), (";;;", ";;;")].into_iter().enumerate() {
                let front = written(language, "title", title) + &written(language, "summary", summary);
                let text = format!("{open}\n{front}{close}\n\nBody.").replace('\n', &ends);
                let (page, _) = Page::parse("a.md", &text);
                let one_line = frontmatter::one_line;
                prop_assert_eq!((page.title, page.summary), (one_line(title), one_line(summary)), "{}", &text);
                prop_assert_eq!(page.body, "Body.");
            }
        }

        #[test]
        fn any_text_is_read(text in "(\\+\\+\\+\n|;;;\n|\\{\n|\\}\n|---\n|title|[a-c]|\\.|=|:|\"|'|\"\"\"|\\[|\\]|\\{|\\}|,|#|\\\\| |\n|é){0,60}") {
            let (page, _) = Page::parse("a.md", &text);
            let named = Page::named("a.md", &text, String::new(), String::new(), Vec::new());
            prop_assert_eq!((named.body, named.body_line), (page.body, page.body_line));
        }
    }
}
