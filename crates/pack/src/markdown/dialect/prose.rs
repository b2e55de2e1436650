//! Tables of ordinary prose that looks like a dialect and is none: all of it is text.

use super::tests::check;
use crate::page::Page;

/// What is shown of text that dialects mean nothing by: all of it, each paragraph by itself.
#[track_caller]
pub(super) fn check_text(paragraphs: &[&str]) {
    let body = paragraphs.join("\n\n");
    let (page, _) = Page::parse("a.md", &body);
    let found: Vec<String> = page.blocks().into_iter().map(|block| block.text).collect();
    assert_eq!(found, paragraphs);
}

#[test]
fn marks_in_sentences_hide_no_paragraphs() {
    check_text(&[
        "Zsh uses %% and %1 as job names today.",
        "Do not delete the database before the backup ran.",
        "In strftime one writes %% for a percent sign too.",
    ]);
    check_text(&["100%% sure of otters and 50%% sure of beavers we are."]);
    check_text(&["%% and %1 are names of jobs in zsh.", "Mind the backup.", "Nobody is 100%% sure."]);
    check_text(&["A line may start %%so and go on.", "Mind the backup.", "So it ends%% here."]);
    check_text(&["%%1 is a job.", "Mind the backup.", "Nobody is 100%% sure."]);
    for (open, close) in [("{{", "}}"), ("{{<", ">}}"), ("{%", "%}"), ("{/*", "*/}"), ("<?php", "?>")] {
        check_text(&[
            &format!("In the template write {open} first."),
            "Mind it.",
            &format!("Then write {close} there."),
        ]);
    }
    check(
        "The <script tag starts.\n\nMind it.\n\nThen </script> ends, as everyone knows.",
        &["P The <script tag starts.", "P Mind it.", "P Then ends, as everyone knows."],
        "<p>The &lt;script tag starts.</p><p>Mind it.</p><p>Then  ends, as everyone knows.</p>",
    );
    check_text(&["The <!important mark stands out.", "Mind it.", "Then a > ends it."]);
    check_text(&["The <scripting> tag and the <!element> tag."]);
    check("A <!DOCTYPE html> b<![CDATA[c]]>.", &["P A b."], "<p>A  b.</p>");
}

#[test]
fn variables_in_sentences_are_text() {
    check_text(&["A GitHub workflow writes ${{ secrets.TOKEN }} for a secret."]);
    check_text(&["In Vue one writes {{ message }} to show it, in PHP <?= $message ?> does."]);
    check_text(&["The mark {% %} is empty."]);
    check("{{ toc }}\n\n# {{ title }}\n\n<?php toc() ?>\n\n{{ toc\n  deep }}\na", &["P a"], "<h1></h1><p>\na</p>");
}

#[test]
fn what_looks_like_a_footnote_or_a_task_is_text() {
    check_text(&["The regex [^abc] matches other characters, and ([^x]) and [^/]* and a[^\"] too."]);
    check_text(&["A square is x^[2] or x^[n] here."]);
    check_text(&["[x] marks the spot.", "[ ] is an empty box."]);
    check(
        "> [x] marks\n\n- a\n\n  [x] b\n- [x] [c](d)",
        &["Q [x] marks", "L a", "L [x] b", "L c"],
        concat!(
            "<blockquote><p>[x] marks</p></blockquote>",
            "<ul><li><p>a</p><p>[x] b</p></li><li><p>[x] <a href=\"#d\">c</a></p></li></ul>"
        ),
    );
    check("A [^note] b.\n\n[^Note]: c", &["P A b."], "<p>A [note] b.</p><blockquote><p>[Note]: c</p></blockquote>");
}

#[test]
fn openers_in_sentences_are_text() {
    for text in [
        "!!! Danger: do not mix bleach with ammonia in a closed room.",
        "!!! do not mix \"bleach\" with ammonia",
        "??? marks show that nobody knows",
        "=== this is a separator with \"quotes\" in it ===",
        "=== \"quoted\" triple equals compares \"types\"",
        "% is the sign for percent, and stands behind a number.",
        "import * as a phrase is what the compiler reads.",
        "import {x} too, please",
        "import trade from China rose",
        "export * is what the shell writes.",
        "export const is how constants leave a module.",
        "export default settings to a file",
        "export function keys to the menu.",
        "export let us know what we miss.",
        "::: is the sign that opens a container.",
        "::: opens what ends with :::",
        "::: stands for == here",
        "(see the other page)=",
        "--8<-- is a pair of scissors",
    ] {
        check_text(&[text, "After."]);
    }
    check(
        "!!! danger highlight \"Mind it\"\n    a",
        &["H Mind it", "A a"],
        "<blockquote><h6>Mind it</h6><p>a</p></blockquote>",
    );
    check(
        "!!! note inline end\n    a",
        &["H note inline end", "A a"],
        "<blockquote><h6>note inline end</h6><p>a</p></blockquote>",
    );
}
