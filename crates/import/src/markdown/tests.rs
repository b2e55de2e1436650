//! Tables of what pages show and the Markdown that it becomes.

use super::{Ids, sections};
use crate::dom::Dom;
use crate::generator::{GENERATORS, Rules};
use crate::selector::Selector;

/// The Markdown of the body of a page, with its headings.
#[track_caller]
fn check(html: &str, expected: &str) {
    let dom = Dom::parse(html).unwrap();
    let rules = Rules::of(GENERATORS.of(&dom), &Selector::default());
    let body = dom.descendants(Dom::ROOT).find(|&id| dom.name(id) == "body").unwrap();
    let found = sections(&dom, body, &rules, &Ids::of(&dom), "guide/a.html");
    let text = found.iter().map(|section| {
        let id = if section.id.is_empty() { String::new() } else { format!(" {{#{}}}", section.id) };
        let heading = if section.level == 0 {
            String::new()
        } else {
            format!("{} {}{id}", "#".repeat(section.level.into()), section.heading)
        };
        [heading, section.body.clone()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    });
    assert_eq!(text.collect::<Vec<_>>().join("\n\n"), expected, "{html}");
}

#[test]
fn running_text() {
    check("<p>One <em>two</em><b> three </b>four.</p>\n<p>Five", "One *two* **three** four.\n\nFive");
    check("a<br>b <code>c `d`</code>", "a b `` c `d` ``");
}
