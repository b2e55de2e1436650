//! Tables of questions over a small index of three packs: what splits, into what, and what must not.

mod asks;

use seealso_index::{Index, NewPack, NewPage, PackInfo, write};

use super::decompose;
use crate::config::Config;
use crate::question::Question;

fn pack(path: &str, pages: &[(&str, &[&str], &str)]) -> NewPack {
    let page = |(title, aliases, summary): &(&str, &[&str], &str)| NewPage {
        file: format!("{}.md", title.replace(' ', "-")),
        title: title.to_string(),
        aliases: aliases.iter().map(|alias| alias.to_string()).collect(),
        summary: summary.to_string(),
        ..NewPage::default()
    };
    let info = PackInfo { path: path.into(), language: "en".into(), ..PackInfo::default() };
    NewPack { info, pages: pages.iter().map(page).collect(), ..NewPack::default() }
}

fn index() -> Index {
    let boats = pack(
        "boats",
        &[
            ("Sailing", &["sail"], "How wind drives a boat and how its sails are trimmed."),
            ("Sea kayak", &["kayak"], "A narrow boat for one, paddled on open water."),
            ("Rowing boat", &[], "A boat moved by oars, its parts and how to row."),
            ("Anchor", &["anchoring"], "How a boat is held in place, which anchor holds in sand."),
            ("Oars vs sails", &[], "Which of the two to choose on calm days and on windy ones."),
            ("Tides and currents", &[], "Why water rises and falls, and how to plan around it."),
        ],
    );
    let bread = pack(
        "bread",
        &[
            ("Sourdough", &["sourdough starter"], "Bread raised by wild yeast kept in a starter."),
            ("Yeast", &["baker's yeast"], "The fungus that raises dough, fresh and dried."),
            ("Oven", &["ovens", "wood-fired oven"], "How heat reaches a loaf, and which temperature it needs."),
            ("Flour", &[], "Milled grain, its protein, and what gluten does in dough."),
            ("Salt and bread", &[], "What salt does to dough and taste."),
        ],
    );
    let bees = pack(
        "bees",
        &[
            ("Honey bee", &["bees", "honeybee"], "The insect, its colony, and how it finds flowers."),
            ("Beehive", &["hive"], "The box in which a colony lives, its frames and how it is opened."),
            ("Queen bee", &[], "The mother of the colony and how a new one is raised."),
            ("Honey", &[], "What bees make of nectar, and when it is harvested."),
        ],
    );
    Index::open(&write(&[bees, boats, bread]).unwrap()).unwrap()
}

fn check(question: &str, expected: &[&str]) {
    let config = Config::default();
    let asked = Question::new(question, config.question_chars).unwrap();
    let found = decompose(&asked, &index(), &config).unwrap();
    let texts: Vec<&str> = found.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, expected, "{question}");
}

#[test]
fn a_question_of_one_subject_stays_whole() {
    check("What is sourdough?", &["sourdough"]);
    check("Explain sourdough to me, please.", &["sourdough"]);
    check(
        "How do I keep a sourdough starter alive over the winter?",
        &["keep a sourdough starter alive over the winter"],
    );
    check("anchor", &["anchor"]);
    check(
        "My loaf came out flat. I used cold water. What did I do wrong?",
        &["loaf came out flat. I used cold water. What did I do wrong"],
    );
    check("When is honey harvested and why?", &["honey harvested"]);
    check("Tell me about tides and currents", &["tides and currents"]);
    check("What does salt do to bread?", &["salt do to bread"]);
    check("pros and cons of sourdough", &["pros and cons of sourdough"]);
    check("How does a colony raise a queen bee in its hive?", &["colony raise a queen bee in its hive"]);
}

#[test]
fn pairs_of_words_that_belong_together_are_not_seams() {
    check("Who wrote rock and roll songs?", &["wrote rock and roll songs"]);
    check("What does research and development cost?", &["research and development cost"]);
    check("When did Romeo and Juliet marry?", &["Romeo and Juliet marry"]);
    check("How do I stay safe and warm?", &["stay safe and warm"]);
    check("Is it black or white?", &["black or white"]);
    check("Who was Charles V of Spain?", &["Charles V of Spain"]);
    check("How do I use docker run -v to mount a folder?", &["use docker run -v to mount a folder"]);
    check("Who started the oars vs sails dispute?", &["started the oars vs sails dispute"]);
    check("Compare the ways to keep dough warm", &["ways to keep dough warm"]);
    check("What do \"bees and ovens\" stand for?", &["\"bees and ovens\" stand"]);
}

#[test]
fn a_quote_keeps_its_marks_wherever_it_stands() {
    check("What is \"dark matter\"?", &["\"dark matter\""]);
    check("Who wrote “the art of war”?", &["wrote “the art of war”"]);
    check("Compare \"dark matter\" with «honey bees»", &["\"dark matter\"", "«honey bees»"]);
    check("Is \"Nero\" a name?", &["\"Nero\" a name"]);
}

#[test]
fn comparisons_split_whatever_the_index_knows() {
    check("Compare honey bees with sourdough", &["honey bees", "sourdough"]);
    check("Compare honey bees to sourdough", &["honey bees", "sourdough"]);
    check("Compare TCP to UDP", &["TCP", "UDP"]);
    check("Roe v Wade", &["Roe", "Wade"]);
    check("What is the difference between TCP and UDP?", &["TCP", "UDP"]);
    check("What's the difference between a sea kayak and a rowing boat?", &["sea kayak", "rowing boat"]);
    check("yeast vs sourdough", &["yeast", "sourdough"]);
    check("Yeast versus sourdough: which is faster?", &["Yeast", "sourdough"]);
    check("How does honey differ from sugar?", &["honey", "sugar"]);
    check("How do sailing and rowing differ?", &["sailing", "rowing"]);
    check("How does a kayak compare to a rowing boat?", &["kayak", "rowing boat"]);
    check("Compare sailing, anchoring and tides and currents", &["sailing", "anchoring", "tides and currents"]);
    check("Compare and contrast yeast and flour", &["yeast", "flour"]);
    check("What is the relationship between bees and honey?", &["bees", "honey"]);
    check("compare how new bees and new sailors learn their work", &["new bees", "new sailors"]);
}

#[test]
fn coordinations_split_where_the_index_knows_both() {
    check("Tell me about bees and sourdough", &["bees", "sourdough"]);
    check("What do bees and ovens have in common?", &["bees", "ovens"]);
    check("Does a beehive or an oven need more wood?", &["beehive", "oven"]);
    check("How do flour and honey keep?", &["flour", "honey"]);
}

#[test]
fn two_clauses_split_where_each_has_its_subject() {
    check("How is yeast dried, and how do I anchor a boat in sand?", &["yeast dried", "anchor a boat in sand"]);
    check("What is a beehive? And where does sourdough come from?", &["beehive", "sourdough come"]);
    check("When is honey harvested, and when should I open the hive?", &["honey harvested", "open the hive"]);
    check("What does yeast do and how does it do it?", &["yeast"]);
    check("How do I sail, what is flour, and who raises a queen bee?", &["sail", "flour", "raises a queen bee"]);
}

#[test]
fn names_of_different_packs_are_parted_by_a_preposition() {
    check("Can I keep a beehive on a sailing boat?", &["beehive", "sailing boat"]);
    check("How do I bake in a wood-fired oven with honey?", &["bake wood-fired oven", "honey"]);
    check("How is honey kept in a hive?", &["honey kept in a hive"]);
}

#[test]
fn odd_questions_are_survived() {
    check("?!", &["?!"]);
    check("and", &["and"]);
    check("the difference between", &["difference"]);
    check("compare", &["compare"]);
    check("vs", &["vs"]);
    check("Wie backe ich Brot und was ist Hefe?", &["Wie backe ich Brot und was ist Hefe"]);
    check("C++是什么？", &["C++"]);
    check("C++是谁设计的？", &["C++"]);
    check("C++とは何ですか", &["C++とは何ですか"]);
    check("パンとは何ですか、船とは何ですか", &["パンとは何ですか、船とは何ですか"]);
    let long = "bees and ovens ".repeat(140);
    let config = Config::default();
    let asked = Question::new(&long, config.question_chars).unwrap();
    let found = decompose(&asked, &index(), &config).unwrap();
    assert!((1..=4).contains(&found.items.len()));
    for nested in ["(((((", "\"\"\"\"", "and and and or or", "between and between and", "vs vs vs vs"] {
        let asked = Question::new(nested, config.question_chars).unwrap();
        assert!(!decompose(&asked, &index(), &config).unwrap().items.is_empty(), "{nested}");
    }
}

#[test]
fn more_subjects_than_are_searched_apart_share_the_last_part() {
    check("Compare sailing, yeast, honey, flour and anchors", &["sailing", "yeast", "honey", "flour, anchors"]);
    let asked = Question::new("Compare sailing, yeast, honey, flour and anchors", 2_000).unwrap();
    assert!(decompose(&asked, &index(), &Config::default()).unwrap().joined);
}
