//! Tables of front matter and what is read from it; what is written is read back.

use super::*;
use proptest::prelude::*;

fn text(s: &str) -> Value {
    Value::Text(s.to_string())
}

fn list(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| text(item)).collect())
}

fn map(pairs: &[(&str, Value)]) -> Value {
    Value::Map(pairs.iter().map(|(key, value)| (key.to_string(), value.clone())).collect())
}

#[track_caller]
fn check(yaml: &str, expected: &[(&str, Value)]) {
    let read = FrontMatter::read(yaml, 1);
    let pairs: Vec<(&str, Value)> = read.entries.iter().map(|e| (e.key.as_str(), e.value.clone())).collect();
    assert_eq!(pairs, expected, "{yaml:?} with {:?}", read.odd);
}

#[track_caller]
fn check_odd(yaml: &str, lines: &[usize]) {
    let odd: Vec<usize> = FrontMatter::read(yaml, 1).odd.iter().map(|odd| odd.line).collect();
    assert_eq!(odd, lines, "{yaml:?}");
}

#[test]
fn scalars() {
    check("a: b c  # note", &[("a", text("b c"))]);
    check("a: b#c", &[("a", text("b#c"))]);
    check("a:\n  - b # see: c", &[("a", list(&["b"]))]);
    check("a:\n  - b#c: d", &[("a", Value::List(vec![map(&[("b#c", text("d"))])]))]);
    check("a: 'it''s' # note", &[("a", text("it's"))]);
    check(r#"a: "x\"y\n\u00e9\x41\U0001F600\q""#, &[("a", text("x\"y\né\u{41}😀\\q"))]);
    check("a: https://x.org/y: z", &[("a", text("https://x.org/y: z"))]);
    check("\"a b\": c\n'd': e", &[("a b", text("c")), ("d", text("e"))]);
    check("a:\nb: ~\nc: null\nd: \"\"", &[("a", Value::Null), ("b", Value::Null), ("c", Value::Null), ("d", text(""))]);
    check("a: one\n  two\n  three\nb: x", &[("a", text("one two three")), ("b", text("x"))]);
    check("a: \"one\n  two\"\nb: x", &[("a", text("one two")), ("b", text("x"))]);
    check("a: 2026-11-21T00:00:00Z", &[("a", text("2026-11-21T00:00:00Z"))]);
    check("é: ü", &[("é", text("ü"))]);
}

#[test]
fn block_scalars() {
    check("a: |\n  x\n    y\n\n  z\nb: c", &[("a", text("x\n  y\n\nz\n")), ("b", text("c"))]);
    check("a: >-\n  one\n  two\n\n  three\nb: c", &[("a", text("one two\nthree")), ("b", text("c"))]);
    check("a: >\n  one\n    code\n  two\n", &[("a", text("one\n  code\ntwo\n"))]);
    check("a: |+\n  x\n\n", &[("a", text("x\n\n"))]);
    check("a: |-2 # note\n    x\n", &[("a", text("  x"))]);
    check("a: |\nb: c", &[("a", text("")), ("b", text("c"))]);
}

#[test]
fn collections() {
    check("a: [x, \"y, z\", 'w']", &[("a", list(&["x", "y, z", "w"]))]);
    check("a: [x,\n  y,\n]\nb: c", &[("a", list(&["x", "y"])), ("b", text("c"))]);
    check("a: [don't, stop]\nb: c", &[("a", list(&["don't", "stop"])), ("b", text("c"))]);
    check("a: []\nb: {}", &[("a", Value::List(vec![])), ("b", Value::Map(vec![]))]);
    check(
        "a: { by: me, at: 10:30, n: [1, 2] }",
        &[("a", map(&[("by", text("me")), ("at", text("10:30")), ("n", list(&["1", "2"]))]))],
    );
    check("a:\n  - x\n  - y\nb:\n- z", &[("a", list(&["x", "y"])), ("b", list(&["z"]))]);
    check("a:\n  b:\n    c: d\n  e: f", &[("a", map(&[("b", map(&[("c", text("d"))])), ("e", text("f"))]))]);
    check(
        "sources:\n  - resource: https://x.org\n    title: \"X: a title\"\n\n  # note\n  - resource: y\nz: 1",
        &[
            (
                "sources",
                Value::List(vec![
                    map(&[("resource", text("https://x.org")), ("title", text("X: a title"))]),
                    map(&[("resource", text("y"))]),
                ]),
            ),
            ("z", text("1")),
        ],
    );
    check(
        "a:\n  - - x\n    - y\n  -\n    z: 1",
        &[("a", Value::List(vec![list(&["x", "y"]), map(&[("z", text("1"))])]))],
    );
}

#[test]
fn lines_are_known() {
    let read = FrontMatter::read("a: 1\n\n# note\nb:\n  - 2\nc: 3", 2);
    let lines: Vec<(&str, usize)> = read.entries.iter().map(|e| (e.key.as_str(), e.line)).collect();
    assert_eq!(lines, [("a", 2), ("b", 5), ("c", 7)]);
}

#[test]
fn odd_lines_are_reported_and_the_rest_is_read() {
    check_odd("a: b\nc: [d]", &[]);
    check_odd("a: b: c", &[1]);
    check_odd("a: b\nnonsense\nc: d", &[2]);
    check_odd("a: [b, c\nd: e", &[1]);
    check_odd("a: \"b\nc: d", &[1]);
    check_odd("a: \"b\" c", &[1]);
    check_odd("- a\nb: c", &[1]);
    check_odd("a:\n\tb: c", &[2]);
    check("a: \"b\nc: d", &[("a", text("\"b")), ("c", text("d"))]);
    check("a: [b, c\nd: e", &[("a", text("[b, c")), ("d", text("e"))]);
    check("a: \"b\" and c", &[("a", text("\"b\" and c"))]);
    check("nonsense\na: b", &[("a", text("b"))]);
    check("a:\n\t- b\n\t- c", &[("a", list(&["b", "c"]))]);
}

#[test]
fn deep_nesting_ends() {
    FrontMatter::read(&"- ".repeat(100_000), 1);
    FrontMatter::read(&format!("a: {}", "- ".repeat(100_000)), 1);
    FrontMatter::read(&format!("a: {}", "[".repeat(100_000)), 1);
    FrontMatter::read(&format!("a: {}", "{a: ".repeat(100_000)), 1);
    let steps: String = (0..2_000).map(|i| format!("{}k:\n", " ".repeat(i))).collect();
    FrontMatter::read(&steps, 1);
    let items: String = (0..2_000).map(|i| format!("{}-\n", " ".repeat(i))).collect();
    FrontMatter::read(&format!("a:\n{items}"), 1);
}

#[test]
fn garbage_takes_linear_time() {
    for unit in ["a: [\n", "a: \"\n", "a: |\n", "- - a: [\n", " x\n", "a: {'\n\n", "\"a\n", "a: b: c\n  d\n"] {
        FrontMatter::read(&unit.repeat(100_000 / unit.len()), 1);
    }
}

/// Each of the tables has so many keys that comparing each with each would take minutes.
#[test]
fn tables_of_many_keys_take_linear_time() {
    const KEYS: usize = 50_000;
    let keys = |mark: &str, end: &str| -> String { (0..KEYS).map(|i| format!("{mark}k{i} = {i}{end}")).collect() };
    for (toml, entries) in [
        (keys("", "\n"), KEYS),
        (format!("[a]\n{}", keys("", "\n")), 1),
        (keys("a.b.", "\n"), 1),
        (format!("a = {{{}}}", keys("", ",")), 1),
    ] {
        let read = FrontMatter::read_as(Language::Toml, &toml, 1);
        assert_eq!((read.entries.len(), read.odd.len()), (entries, 0));
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![any::<String>().prop_map(Value::Text), "[a-z :#'-]{0,9}".prop_map(Value::Text), Just(Value::Null)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec(("[a-z]{1,5}|.{0,4}", inner), 0..4).prop_map(Value::Map),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(pairs in prop::collection::vec(("[a-z]{1,5}|.{0,4}", value()), 0..6)) {
        let yaml = write(pairs.iter().map(|(key, value)| (key.as_str(), value)));
        let read = FrontMatter::read(&yaml, 1);
        let back: Vec<(String, Value)> = read.entries.into_iter().map(|e| (e.key, e.value)).collect();
        prop_assert_eq!(&back, &pairs, "{}", yaml);
        prop_assert_eq!(read.odd, vec![]);
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        FrontMatter::read(&text, 1);
    }

    #[test]
    fn any_near_yaml_is_read(text in "([a-c]: ?|- |\\[|\\]|\\{|\\}|\"|'|,|#|\\||>|\n|  |\t|\\\\|é){0,60}") {
        FrontMatter::read(&text, 1);
    }
}
