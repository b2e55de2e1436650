//! Holds the reader of YAML against an oracle, a parser of the whole language: the same values of tables, of the pages of
//! real packs, and of generated front matter in every style that the reader promises. What the writer writes is YAML too.

use std::path::Path;

use proptest::prelude::*;
use saphyr_parser::{Event, Parser, ScalarStyle};
use seealso_test_support::{evaluation_data, or_skip};

use super::{FrontMatter, Value, write};

/// What the oracle reads: the pairs of the only document's map; nothing where the text is no YAML, or no map.
fn oracle(text: &str) -> Option<Vec<(String, Value)>> {
    let events: Result<Vec<Event<'_>>, _> =
        Parser::new_from_str(text).map(|event| event.map(|(event, _)| event)).collect();
    let mut events = events.ok()?.into_iter().filter(|event| {
        !matches!(event, Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::StreamEnd)
    });
    let first = events.next()?;
    match node(first, &mut events)? {
        Value::Map(pairs) if events.next().is_none() => Some(pairs),
        _ => None,
    }
}

/// The value that begins with `event`. An anchor's alias is none.
fn node<'t>(event: Event<'t>, rest: &mut impl Iterator<Item = Event<'t>>) -> Option<Value> {
    match event {
        Event::Scalar(text, ScalarStyle::Plain, ..) if matches!(&*text, "" | "~" | "null" | "Null" | "NULL") => {
            Some(Value::Null)
        }
        Event::Scalar(text, ..) => Some(Value::Text(text.into_owned())),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match rest.next()? {
                    Event::SequenceEnd => return Some(Value::List(items)),
                    event => items.push(node(event, rest)?),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut pairs = Vec::new();
            loop {
                let Event::Scalar(key, ..) = rest.next()? else { return Some(Value::Map(pairs)) };
                let value = rest.next()?;
                pairs.push((key.into_owned(), node(value, rest)?));
            }
        }
        _ => None,
    }
}

/// What the reader reads, and whether anything in it was odd.
fn ours(text: &str) -> (Vec<(String, Value)>, bool) {
    let read = FrontMatter::read(text, 1);
    (read.entries.into_iter().map(|entry| (entry.key, entry.value)).collect(), !read.odd.is_empty())
}

#[test]
fn tables_are_read_alike() {
    for text in [
        "a: b c  # note",
        "a: b#c",
        "a: 'it''s' # note",
        "a: \"x\\\"y\\n\\u00e9\\x41\\U0001F600\"",
        "\"a b\": c\n'd': e",
        "a:\nb: ~\nc: null\nd: \"\"\ne: 'null'",
        "a: one\n  two\n  three\nb: x",
        "a: \"one\n  two\"\nb: x",
        "a: 2026-11-21T00:00:00Z\nb: 0x10\nc: 1.50\nd: yes\ne: Nein",
        "é: ü\n光: 合成",
        "a: |\n  x\n    y\n\n  z\nb: c",
        "a: >-\n  one\n  two\n\n  three\nb: c",
        "a: >\n  one\n    code\n  two\n",
        "a: |+\n  x\n\nb: c",
        "a: |-2 # note\n    x\n",
        "a: |\nb: c",
        "a: [x, \"y, z\", 'w']",
        "a: [x,\n  y,\n  ]\nb: c",
        "a: [don't, stop]\nb: c",
        "a: []\nb: {}",
        "a: { by: me, at: 10:30, n: [1, 2] }",
        "a:\n  - x\n  - y\nb:\n- z",
        "a:\n  b:\n    c: d\n  e: f",
        "sources:\n  - resource: https://x.org\n    title: \"X: a title\"\n\n  # note\n  - resource: y\nz: 1",
        "a:\n  - - x\n    - y\n  -\n    z: 1",
        "# note\n\na: b\n# note\n",
    ] {
        let theirs = oracle(text).unwrap_or_else(|| panic!("this is no YAML: {text:?}"));
        assert_eq!(ours(text), (theirs, false), "{text:?}");
    }
}

/// Where a line fits nowhere, YAML refuses the whole; the reader reports the line and reads the rest.
#[test]
fn what_yaml_refuses_is_read_and_reported() {
    for text in ["a: b: c", "a: b\nnonsense\nc: d", "a: [b, c\nd: e", "a: \"b\nc: d", "a: \"b\" c", "a:\n\tb: c"] {
        assert_eq!(oracle(text), None, "{text:?}");
        assert!(ours(text).1, "{text:?}");
    }
}

/// Compares the front matter of every page below `folder`; how many pages were compared.
fn compare(folder: &Path, wrong: &mut Vec<String>) -> usize {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut count = 0;
    for path in paths {
        if path.is_dir() {
            count += compare(&path, wrong);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
            let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
            let Some((theirs, front)) = front.and_then(|(front, _)| Some((oracle(front)?, front))) else { continue };
            if ours(front) != (theirs.clone(), false) {
                wrong.push(format!("{}\n{front}\n{:?}\n{theirs:?}", path.display(), ours(front)));
            }
            count += 1;
        }
    }
    count
}

#[track_caller]
fn check_pages(folder: &Path, at_least: usize) {
    let mut wrong = Vec::new();
    let count = compare(folder, &mut wrong);
    assert!(count >= at_least, "{count} pages were compared");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn demo_pages_are_read_alike() {
    check_pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs-static"), 100);
}

#[test]
fn pages_of_the_evaluation_data_are_read_alike() {
    check_pages(&or_skip!(evaluation_data()).join("packs"), 600);
}

/// Front matter in a style of its own.
#[derive(Debug, Clone)]
enum Node {
    /// A scalar, or a flow collection, as it is written on its line.
    Inline(String),
    /// A scalar in lines of its own below this header.
    Block(&'static str, Vec<String>),
    /// Items, as deep as their key or deeper.
    List(Vec<Node>, bool),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Writes what stands behind a key, or behind a dash, at this indentation.
    fn write(&self, out: &mut String, indent: usize, of_key: bool) {
        match self {
            Node::Inline(text) => out.push_str(&format!(" {text}\n")),
            Node::Block(header, lines) => {
                out.push_str(&format!(" {header}\n"));
                for line in lines {
                    let pad = if line.is_empty() { 0 } else { indent + 2 };
                    out.push_str(&format!("{:pad$}{line}\n", ""));
                }
            }
            Node::List(items, deeper) => {
                out.push('\n');
                let indent = if *deeper || !of_key { indent + 2 } else { indent };
                for item in items {
                    out.push_str(&format!("{:indent$}-", ""));
                    item.write(out, indent, false);
                }
            }
            Node::Map(pairs) => {
                out.push('\n');
                write_pairs(pairs, out, indent + 2);
            }
        }
    }
}

fn write_pairs(pairs: &[(String, Node)], out: &mut String, indent: usize) {
    for (key, value) in pairs {
        out.push_str(&format!("{:indent$}{key}:", ""));
        value.write(out, indent, true);
    }
}

/// A plain scalar with colons and signs within words, and perhaps a comment.
const PLAIN: &str = "[a-zäß0-9]([a-z.!?()/-]| [a-z0-9é]|[a-z]#[a-z]|[0-9]:[0-9]|, [a-z]|'){0,6}( # [a-z: ]{0,5})?";
/// One within brackets, where commas part items.
const PLAIN_IN_FLOW: &str = "[a-zäß0-9]([a-z.!?()/-]| [a-z0-9é]|[0-9]:[0-9]){0,4}";
const SINGLE: &str = "'([a-z ,:#\\[\\]{}\\\\\"-]|''){0,8}'";
const DOUBLE: &str = "\"([a-z ,:#\\[\\]{}'-]|\\\\n|\\\\t|\\\\\"|\\\\\\\\|\\\\u00e9|\\\\x41){0,8}\"";
const KEY: &str = "[a-zé]([a-z0-9_-]| [a-z]){0,4}|\"[a-z ,#]{0,4}\"|'[a-z ,#]{0,4}'";

fn inline() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![PLAIN_IN_FLOW.boxed(), SINGLE.boxed(), DOUBLE.boxed(), Just("~".to_owned()).boxed()];
    let flow = scalar.prop_recursive(2, 8, 3, |inner| {
        let pair = ("[a-z]{1,4}", inner.clone()).prop_map(|(key, value)| format!("{key}: {value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(pair, 0..4).prop_map(|pairs| format!("{{ {} }}", pairs.join(", "))),
        ]
    });
    prop_oneof![PLAIN.boxed(), SINGLE.boxed(), DOUBLE.boxed(), Just(String::new()).boxed(), flow.boxed()]
}

/// Lines of a block scalar: the first says where they begin, so it is neither blank nor deeper.
fn block() -> impl Strategy<Value = Node> {
    let header = prop::sample::select(vec!["|", "|-", "|+", ">", ">-"]);
    let lines = ("[a-z:#'-][a-z :#']{0,4}[a-z]", prop::collection::vec("|[a-z:#'-][a-z :#']{0,4}[a-z]", 0..4));
    (header, lines).prop_map(|(header, (first, more))| {
        let lines = [first].into_iter().chain(more).collect();
        Node::Block(header, lines)
    })
}

fn front_matter() -> impl Strategy<Value = Vec<(String, Node)>> {
    let leaf = prop_oneof![4 => inline().prop_map(Node::Inline), 1 => block()];
    let node = leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 1..4), any::<bool>())
                .prop_map(|(items, deeper)| Node::List(items, deeper)),
            prop::collection::vec((KEY, inner), 1..4).prop_map(Node::Map),
        ]
    });
    prop::collection::vec((KEY, node), 1..5)
}

fn value() -> impl Strategy<Value = Value> {
    let text = "[ -~äß光\n\t]{0,12}".prop_map(Value::Text);
    prop_oneof![text, Just(Value::Null)].prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec(("[a-z]{1,5}|[ -~]{0,4}", inner), 0..4).prop_map(Value::Map),
        ]
    })
}

proptest! {
    #[test]
    fn generated_front_matter_is_read_alike(pairs in front_matter()) {
        let mut text = String::new();
        write_pairs(&pairs, &mut text, 0);
        let theirs = oracle(&text);
        prop_assert!(theirs.is_some(), "this is no YAML:\n{}", text);
        prop_assert_eq!(Some(ours(&text)), theirs.map(|pairs| (pairs, false)), "{}", text);
    }

    #[test]
    fn what_is_written_is_yaml(pairs in prop::collection::vec(("[a-z]{1,5}|[ -~]{0,4}", value()), 1..6)) {
        let yaml = write(pairs.iter().map(|(key, value)| (key.as_str(), value)));
        prop_assert_eq!(oracle(&yaml), Some(pairs), "{}", yaml);
    }
}
