//! Cases put together from parts: each mark around known words, in each place. The words appear and the marks do not;
//! what is private never does; in code all of it stays.

use crate::page::Page;
use crate::render::{render, tests::html};
use proptest::prelude::*;

/// A mark: what stands before and behind its words, and what must not be seen of it.
const MARKS: [(&str, &str, &[&str]); 24] = [
    ("==", "==", &["=="]),
    ("", "[^n1]", &["^"]),
    ("", "^[aside]", &["aside", "^"]),
    ("", " ![[embed]]", &["embed", "!"]),
    ("", " %%private%%", &["private", "%"]),
    ("%%private%% ", "", &["private", "%"]),
    ("", " <!-- private -->", &["private", "<"]),
    ("", " {/* private */}", &["private", "{"]),
    ("", " {% comment %}private{% endcomment %}", &["private", "{"]),
    ("{% if page.x %}", "{% endif %}", &["{%", "page"]),
    ("{{< note >}}", "{{< /note >}}", &["{{", "note"]),
    ("{{% tip %}}", "{{% /tip %}}", &["{{", "tip"]),
    ("", " {% include x %}", &["{%", "include"]),
    ("<b>", "</b>", &["<", ">"]),
    ("<Note>", "</Note>", &["<", "Note"]),
    ("<span class=\"x\">", "</span>", &["<", "span"]),
    ("", "<br>", &["<", "br>"]),
    ("*", "*{.lead}", &["{", "lead"]),
    ("", " :tada:", &["tada"]),
    ("{term}`", "`", &["{", "`", "term"]),
    (":ref:`", " <target>`", &[":ref", "`", "target"]),
    ("$", "_1$", &["$"]),
    ("[", "](x){target=\"_blank\"}", &["{", "blank"]),
    ("[[page|", "]]", &["[[", "page", "|"]),
];

/// Where running text stands, and what must not be seen of that.
const PLACES: [(&str, &str, &[&str]); 15] = [
    ("", "", &[]),
    ("# ", "", &[]),
    ("- ", "", &[]),
    ("- [ ] ", "", &["[ ]"]),
    ("> ", "", &[]),
    ("> [!NOTE]\n> ", "", &["[!", "NOTE"]),
    ("!!! note \"Title\"\n    ", "", &["!!!", "note"]),
    ("=== \"Tab\"\n\n    ", "", &["==="]),
    (":::tip\n", "\n:::", &[":::", "tip"]),
    (":::{hint} Title\n:class: x\n", "\n:::", &[":::", "hint", "class"]),
    ("Term\n: ", "", &["\n: "]),
    ("<p>", "</p>", &["<p", "</p"]),
    ("<div>\n  <Card title=\"x\">\n    ", "\n  </Card>\n</div>", &["<", "title"]),
    ("|a|\n|-|\n|", "|", &[]),
    ("import {A} from 'a'\n\n", "", &["import"]),
];

/// Ways to write code around lines.
const CODE: [(&str, &str, &str); 6] = [
    ("```\n", "", "\n```"),
    ("~~~~ x\n", "", "\n~~~~"),
    ("a\n\n", "    ", ""),
    ("- a\n\n", "      ", ""),
    ("!!! note\n    ```\n", "    ", "\n    ```"),
    (":::tip\n```\n", "", "\n```\n:::"),
];

/// What is indexed and what is shown of a body.
fn read(body: &str) -> (String, String) {
    let (page, _) = Page::parse("a.md", body);
    let blocks: Vec<String> = page.blocks().into_iter().map(|block| block.text).collect();
    (blocks.join("\n") + "\n" + &page.summary, html(&render(&page.body, &|_, _| None)))
}

proptest! {
    #[test]
    fn words_appear_and_marks_do_not(
        words in "[A-Z][a-df-hj-mq-z]{6,9}", mark in 0..MARKS.len(), place in 0..PLACES.len(), end in "[.]?",
    ) {
        let ((before, behind, hidden), (opens, closes, around)) = (MARKS[mark], PLACES[place]);
        // A wikilink in a table's cell needs its bar escaped.
        prop_assume!(!(closes == "|" && behind == "]]"));
        let body = format!("{opens}{before}{words}{behind}{end}{closes}");
        let (indexed, shown) = read(&body);
        prop_assert!(indexed.contains(&words) && shown.contains(&words), "{}: {} {}", body, indexed, shown);
        for mark in hidden.iter().chain(around) {
            prop_assert!(!indexed.contains(mark), "{}: {} in {}", body, mark, indexed);
        }
        prop_assert!(!shown.contains("private"), "{}: {}", body, shown);
    }

    #[test]
    fn code_stays_as_it_is(
        words in "[a-z]{3,8}", mark in 0..MARKS.len(), place in 0..PLACES.len(), code in 0..CODE.len(),
    ) {
        let ((before, behind, _), (opens, closes, _), (fence, indent, end)) = (MARKS[mark], PLACES[place], CODE[code]);
        let text = format!("{opens}{before}{words}{behind}{closes}");
        let lines: Vec<String> = text.lines().map(|line| format!("{indent}{line}").trim_end().to_string()).collect();
        let (indexed, shown) = read(&format!("{fence}{}{end}", lines.join("\n")));
        for line in text.lines() {
            prop_assert!(indexed.contains(line.trim_end()), "{}", indexed);
            prop_assert!(shown.contains(&line.replace('<', "&lt;")), "{}", shown);
        }
    }

    #[test]
    fn code_spans_stay_as_they_are(words in "[a-z]{3,8}", mark in 0..MARKS.len(), place in 0..PLACES.len()) {
        let ((before, behind, _), (opens, closes, _)) = (MARKS[mark], PLACES[place]);
        let code = format!("{before}{words}{behind}");
        let cell = closes == "|" && code.contains('|');
        let (indexed, _) = read(&format!("{opens}`` {code} ``{closes}"));
        prop_assert!(cell || indexed.contains(&code), "{}: {}", code, indexed);
    }

    #[test]
    fn private_text_never_appears(
        place in 0..PLACES.len(), kind in 0..6usize, gap in "( |\n|\n\n|\n- |\n> |\n# |\n```\n|\n    ){1,6}",
    ) {
        let (open, close) = [("%%", "%%"), ("<!--", "-->"), ("{/*", "*/}"), ("{{/*", "*/}}"),
            ("{% comment %}", "{% endcomment %}"), ("{{< comment >}}", "{{< /comment >}}")][kind];
        let (opens, closes, _) = PLACES[place];
        // Behind a space it reaches no farther than an empty line.
        prop_assume!(open != "%%" || !gap.starts_with(' '));
        let body = format!("{opens}Public words.{closes}\n\n{open}{gap}private{gap}private\n{close}\n\nAfter.");
        let (indexed, shown) = read(&body);
        prop_assert!(!indexed.contains("private") && !shown.contains("private"), "{}: {}", body, indexed);
        prop_assert!(indexed.contains("Public") && indexed.contains("After."), "{}: {}", body, indexed);
    }
}
