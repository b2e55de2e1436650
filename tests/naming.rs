//! Questions whose subject is hard to see: a name of stop words, a name with signs, and a subject of which pages say
//! nothing that was asked.
#![allow(clippy::unwrap_used)]

mod support;

use seealso::{Answer, MemorySource};
use support::answer;

/// Title, summary and body of each page; its file is its number.
const PAGES: [(&str, &str, &str); 21] = [
    ("WHO", "The World Health Organization.", "It coordinates health work. It was founded in 1948."),
    ("IT", "Information technology in a company.", "It keeps computers running. A help desk answers tickets."),
    ("US tax forms", "Which form a worker files.", "A worker files Form 1040 in April of each year."),
    ("May", "The fifth month of the year.", "It has thirty-one days. It was named after Maia."),
    ("CAN", "A bus for controllers in vehicles.", "It connects control units in a car, by priority."),
    ("if", "A conditional statement.", "It runs a block where a condition holds, and else another."),
    ("To be or not to be", "A speech in a play.", "The speech was written by Shakespeare for Hamlet."),
    ("C", "A small systems language.", "It was made by Dennis Ritchie at Bell Labs in 1972."),
    ("C++", "A systems language with classes.", "It was made by Bjarne Stroustrup in 1985, with classes."),
    ("C#", "A managed language.", "It was made by Anders Hejlsberg in 2000 for a runtime."),
    ("F#", "A functional language.", "It was made by Don Syme in 2005 for the same runtime."),
    (".NET", "A runtime for managed code.", "The runtime executes managed code on several systems."),
    ("Net", "A fabric of knotted cord.", "Fishers knot it from cord, and mend it by hand in winter."),
    ("--no-verify", "An option that skips hooks.", "The option skips the hooks before a commit is made."),
    ("Verify", "Checking a signature.", "Checking a signature proves who has signed a tag."),
    ("A*", "A search for the shortest path.", "The search keeps the cheapest open nodes in a queue."),
    ("Release v2.1", "What is new.", "This release adds tables, and mends links in lists."),
    ("Build 14.2.1.0", "What is new.", "This build mends a crash that came at the start."),
    ("AT&T", "A telephone company.", "The company was founded in 1885 as a carrier of calls."),
    ("Binturong", "A mammal of the forests of Asia.", "The binturong lives in trees. A binturong eats figs."),
    ("Skunk", "A mammal that sprays.", "A skunk sleeps by day. The skunk sprays a strong smell, a foul one."),
];

fn asked(question: &str) -> Answer {
    let text = |(title, summary, body): &(&str, &str, &str)| {
        format!("---\ntitle: '{title}'\nsummary: {summary}\n---\n\n{body}\n")
    };
    let files: Vec<(String, String)> =
        PAGES.iter().enumerate().map(|(number, page)| (format!("{number}.md"), text(page))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    answer(MemorySource::of_packs(&[("p", &files)]), question)
}

/// The titles of the pages that are quoted first for each part of the question.
#[track_caller]
fn check(question: &str, expected: &[&str]) {
    let answer = asked(question);
    let first = |part: usize| {
        let sentence = answer.sentences.iter().find(|sentence| sentence.sub_query == part);
        sentence.map_or("-", |sentence| answer.sources[sentence.source - 1].title.as_str())
    };
    let found: Vec<&str> = (0..answer.sub_queries.len()).map(first).collect();
    assert_eq!(found, expected, "{question}: {}", answer.text());
}

#[test]
fn a_page_whose_name_is_made_of_stop_words_answers() {
    check("What is the WHO?", &["WHO"]);
    check("what is the who", &["WHO"]);
    check("how do I do it?", &["-"]);
    check("What may it be?", &["-"]);
    check("When was the WHO founded?", &["WHO"]);
    check("What is IT?", &["IT"]);
    check("What does the CAN do?", &["CAN"]);
    check("What is May named after?", &["May"]);
    check("What does if do?", &["if"]);
    check("Which block does an `if` run?", &["if"]);
    check("who wrote To be or not to be?", &["To be or not to be"]);
    check("Who wrote \"To be or not to be\"?", &["To be or not to be"]);
    check("What are US tax forms?", &["US tax forms"]);
    check("What is the difference between IT and the WHO?", &["IT", "WHO"]);
}

#[test]
fn words_that_only_look_like_a_name_are_none() {
    check("Who eats figs when it is dark?", &["Binturong"]);
    check("How may it be that a skunk sprays?", &["Skunk"]);
}

#[test]
fn a_question_keeps_the_signs_of_a_name() {
    check("What is C++?", &["C++"]);
    check("C++是什么？", &["C++"]);
    check("C++是谁设计的？", &["C++"]);
    check("C++とは", &["C++"]);
    check("C++とは何ですか", &["C++"]);
    check("What is C#?", &["C#"]);
    check("What is C?", &["C"]);
    check("Who made F#?", &["F#"]);
    check("What is .NET?", &[".NET"]);
    check("What is a net?", &["Net"]);
    check("What does --no-verify do?", &["--no-verify"]);
    check("What does `git commit --no-verify` skip?", &["--no-verify"]);
    check("What is A*?", &["A*"]);
    check("What did version 2.1 add?", &["Release v2.1"]);
    check("What did 2.1 add?", &["Release v2.1"]);
    check("What is AT&T?", &["AT&T"]);
    check("What is the difference between C and C++?", &["C", "C++"]);
    check("Compare C# with F#", &["C#", "F#"]);
    check("--no-verify vs verify", &["--no-verify", "Verify"]);
}

#[test]
fn a_page_that_merely_names_the_subject_does_not_answer() {
    for question in [
        "What does the binturong smell of?",
        "Does a binturong spray?",
        "Which links does the binturong mend?",
        "Why does a binturong smell so strong?",
        "Has the binturong a queue?",
    ] {
        assert!(asked(question).is_empty(), "{question}: {}", asked(question).text());
    }
}

#[test]
fn a_page_that_may_tell_in_other_words_is_quoted() {
    check("What is a binturong?", &["Binturong"]);
    check("Who founded AT&T?", &["AT&T"]);
    check("Who made C++?", &["C++"]);
    check("Where is the binturong found?", &["Binturong"]);
    check("How large is a binturong?", &["Binturong"]);
    check("Does the binturong live in Africa?", &["Binturong"]);
}

#[test]
fn the_passage_with_the_asked_word_comes_first() {
    let check = |question: &str, expected: &str| {
        let answer = asked(question);
        let first = answer.passages().next().unwrap();
        assert!(first.iter().any(|sentence| sentence.text == expected), "{question} {}", answer.text());
    };
    check("What does a skunk smell of?", "The skunk sprays a strong smell, a foul one.");
    check("What does the binturong eat?", "A binturong eats figs.");
    check("Where does the binturong live?", "The binturong lives in trees.");
}
