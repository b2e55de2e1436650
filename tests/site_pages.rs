//! Questions about pages as `seealso site` makes them: parts that hold several named sections, and questions with code,
//! misspelt words, or another verb than the page's.
#![allow(clippy::unwrap_used)]

mod support;

use seealso::{Answer, MemorySource};
use support::answer;

const VARIABLES: &str = "---\ntitle: 'Kettle: KETTLE_LAMP'\nsummary: Sets which lamp shows that the water boils.\naliases:\n  - \
    KETTLE_LAMP\n  - KETTLE_QUIET\n---\n\n# KETTLE_LAMP {#lamp}\n\nIf this is set, it names a lamp in dotted notation. The \
    lamp shows that the water boils.\n\n# KETTLE_QUIET {#quiet}\n\nIf this is set, nothing whistles when the steam rises. \
    The default is off.\n";

const DEPLOYING: &str = "---\ntitle: Deploying the menu\nsummary: Hosts that a menu can be put on.\n---\n\n# Deploying the \
    menu {#deploying}\n\nThe menu is deployed to Harbour Boards with one command, `menu send`. A board shows it at once.\n";

const EXCLUDING: &str = "---\ntitle: Leaving dishes out\nsummary: Dishes that the menu leaves out.\n---\n\n# Leaving dishes \
    out {#out}\n\nA draft of a dish is left out of the menu when its file begins with a dot. Other dishes are listed.\n";

fn asked(question: &str) -> Answer {
    let pages =
        [("kettle.html~~lamp.md", VARIABLES), ("deploying.html.md", DEPLOYING), ("excluding.html.md", EXCLUDING)];
    answer(MemorySource::of_packs(&[("en", &pages)]), question)
}

#[test]
fn a_name_is_that_of_the_section_whose_heading_holds_it() {
    for (question, expected, place) in
        [("KETTLE_LAMP", "it names a lamp", "lamp"), ("KETTLE_QUIET", "nothing whistles", "quiet")]
    {
        let answer = asked(question);
        let first = answer.sentences.first().unwrap();
        assert!(first.text.contains(expected), "{question}: {}", answer.text());
        assert_eq!(first.anchor, place, "{question}");
    }
}

#[test]
fn what_an_unknown_name_of_code_does_is_not_told() {
    for (question, is_answered) in [
        ("How do I leave a draft of a dish out of the menu?", true),
        ("How do I use exclude_drafts to leave a dish out?", false),
        ("What does menu::leave_out do with a draft?", false),
        ("How do I leave a dish out with --no-drafts?", false),
        // A file of the asker's own.
        ("How do I leave draft.dish out of the menu?", true),
    ] {
        let answer = asked(question);
        assert_eq!(!answer.is_empty(), is_answered, "{question}: {}", answer.text());
    }
}

#[test]
fn misspelt_words_and_other_verbs_are_no_foreign_subjects() {
    for question in ["is a drafft lissted", "How do I publish the menu on Harbour Boards?"] {
        assert!(!asked(question).is_empty(), "{question}");
    }
    assert!(asked("How is a zeppelin moored?").is_empty());
}
