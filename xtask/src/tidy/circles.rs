//! No circle of uses among the files of a crate: a file can be read, moved and tested without those that use it.
//!
//! A parent and its child are read as one: the parent declares the child and lists its names, and the child takes from it
//! what the children share. Nothing else is exempt, nor is a parent's parent.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::uses::{Module, Uses};

/// The findings, each a circle: `file: uses file, which uses file, …`. Of circles that share a file, one is named.
pub(super) fn check(files: &Uses) -> Vec<String> {
    let mut uses = files.all();
    for (module, used) in &mut uses {
        used.retain(|used| used.parent().as_ref() != Some(module) && module.parent().as_ref() != Some(used));
    }
    let (mut named, mut findings) = (BTreeSet::new(), Vec::new());
    for start in uses.keys() {
        let circle = circle(&uses, start);
        if circle.iter().any(|module| named.contains(module)) {
            continue;
        }
        let names: Vec<String> = circle.iter().map(|module| files.file(module).display().to_string()).collect();
        if let [first, others @ ..] = &names[..] {
            let others = others.join(", which uses ");
            findings.push(format!(
                "{first}: uses {others}, which uses the first: what both need goes into a file of its own"
            ));
        }
        named.extend(circle);
    }
    findings
}

/// The shortest way of uses from `start` back to it, `start` first; empty where there is none.
fn circle<'m>(uses: &BTreeMap<&'m Module, BTreeSet<&'m Module>>, start: &'m Module) -> Vec<&'m Module> {
    let mut came_from: BTreeMap<&Module, &Module> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(module) = waiting.pop_front() {
        for &next in uses.get(module).into_iter().flatten() {
            if next == start {
                let mut way = vec![module];
                while let Some(&before) = came_from.get(way[way.len() - 1]) {
                    way.push(before);
                }
                way.reverse();
                return way;
            }
            if !came_from.contains_key(next) {
                came_from.insert(next, module);
                waiting.push_back(next);
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let mut uses = Uses::default();
        for (name, text) in files {
            uses.add(Path::new(name), text);
        }
        let found = super::check(&uses);
        let found: Vec<&str> = found
            .iter()
            .map(|finding| finding.split(", which uses the first").next().expect("a split gives one part"))
            .collect();
        assert_eq!(found, expected, "{files:?}");
    }

    #[test]
    fn files_that_use_each_other_are_found() {
        let circle = ["src/a.rs: uses src/b.rs"];
        check(&[("src/a.rs", "use crate::b::B;"), ("src/b.rs", "use crate::a::A;")], &circle);
        check(&[("src/a.rs", "use super::b::B;"), ("src/b.rs", "fn b() { crate::a::a() }")], &circle);
        check(&[("src/a.rs", "use crate::{b::{self, C}, d};"), ("src/b.rs", "pub(crate) use super::a;")], &circle);
        check(&[("src/a.rs", "use crate::{\n    d::D as B,\n    b::B,\n};"), ("src/b.rs", "use crate::a;")], &circle);
        check(&[("src/a.rs", "use crate::b::B;"), ("src/b.rs", "use crate::c::C;")], &[]);
    }

    #[test]
    fn longer_circles_are_found() {
        let files = [
            ("crates/x/src/a.rs", "use crate::b::B;"),
            ("crates/x/src/b/mod.rs", "use crate::c::C;"),
            ("crates/x/src/c.rs", "use crate::a::A;"),
            ("crates/x/src/d.rs", "use crate::a::A;"),
        ];
        check(&files, &["crates/x/src/a.rs: uses crates/x/src/b/mod.rs, which uses crates/x/src/c.rs"]);
    }

    #[test]
    fn children_and_their_parents_are_one() {
        let parent = ("src/a.rs", "mod b;\nuse b::B;\nuse self::b::C;");
        check(&[parent, ("src/a/b.rs", "use super::A;\nuse crate::a::D;")], &[]);
        check(&[("src/lib.rs", "pub use a::A;"), ("src/a.rs", "use crate::Error;\nuse super::Error;")], &[]);
        let siblings =
            [("src/a.rs", "mod b;"), ("src/a/b.rs", "use super::c::C;"), ("src/a/c.rs", "use super::super::a::b::B;")];
        check(&siblings, &["src/a/b.rs: uses src/a/c.rs"]);
    }

    #[test]
    fn a_grandparent_is_not_exempt() {
        let files =
            [("src/a.rs", "mod b;\nuse b::c::C;"), ("src/a/b.rs", "mod c;"), ("src/a/b/c.rs", "use super::super::A;")];
        check(&files, &["src/a.rs: uses src/a/b/c.rs"]);
    }

    #[test]
    fn names_lead_to_the_files_that_define_them() {
        let circle = ["src/a/mod.rs: uses src/b.rs"];
        let root = ("src/lib.rs", "mod a;\nmod b;\npub use a::A;\npub use b::{B, C as D};");
        check(&[root, ("src/a/mod.rs", "use crate::B;"), ("src/b.rs", "use crate::A;")], &circle);
        check(&[root, ("src/a/mod.rs", "fn a() { crate::D::c() }"), ("src/b.rs", "use super::A;")], &circle);
        let parent = ("src/a/mod.rs", "mod c;\npub(crate) use c::C;\nuse crate::b::B;");
        let files = [("src/lib.rs", ""), parent, ("src/a/c.rs", "use super::B;"), ("src/b.rs", "use crate::a::C;")];
        check(&files, &["src/a/c.rs: uses src/b.rs"]);
        let twice = ("src/lib.rs", "#[cfg(x)]\nuse a::A;\n#[cfg(not(x))]\nuse c::A;");
        let files = [twice, ("src/a.rs", ""), ("src/b.rs", "use crate::A;"), ("src/c.rs", "use crate::b::B;")];
        check(&files, &["src/b.rs: uses src/c.rs"]);
        check(
            &[
                ("src/lib.rs", "use a::A;\nuse b::C as B;"),
                ("src/a.rs", "use crate::B;"),
                ("src/b.rs", "use crate::A;"),
            ],
            &["src/a.rs: uses src/b.rs"],
        );
    }

    #[test]
    fn tests_comments_and_other_crates_are_passed_over() {
        let a = ("crates/x/src/a.rs", "use crate::b::B;");
        check(&[a, ("crates/x/src/b.rs", "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}")], &[]);
        check(&[a, ("crates/x/src/b/tests.rs", "use crate::a::A;")], &[]);
        check(&[a, ("crates/x/src/b.rs", "/// As [`a`](crate::a) is.\nfn b() {} // crate::a::A")], &[]);
        check(&[a, ("crates/y/src/b.rs", "use crate::a::A;")], &[]);
        check(&[("examples/a.rs", "use crate::b::B;"), ("examples/b.rs", "use crate::a::A;")], &[]);
    }
}
