//! No circle of uses among the files of a crate: a file can be read, moved and tested without those that use it.
//!
//! A file uses another where its code names a path into it. A file and those below it in the tree of modules are read as
//! one: a parent declares its children, and a child takes from its parent what they share. Tests may use anything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use super::test_code;

/// The steps from a crate's root to a module, such as `answer`, `extract`.
type Module = Vec<String>;

/// The modules of a crate, each with its file, and the paths that the file names.
type Modules = BTreeMap<Module, (PathBuf, Vec<Vec<String>>)>;

/// Collects the Rust files of all crates, and finds the circles among those of each.
#[derive(Default)]
pub(super) struct Circles {
    /// By folder of sources.
    crates: BTreeMap<PathBuf, Modules>,
}

impl Circles {
    /// Takes a file of code in. Files that are not in a crate's folder of sources are passed over.
    pub(super) fn add(&mut self, name: &Path, text: &str) {
        if name.extension().is_none_or(|extension| extension != "rs") {
            return;
        }
        let Some((folder, module)) = module(name) else { return };
        let code = test_code::lines(name, text).into_iter().filter(|(_, is_test)| !is_test);
        let code: Vec<&str> = code.map(|(line, _)| line.split("//").next().unwrap_or_default()).collect();
        if !code.is_empty() {
            let file = (name.to_path_buf(), paths(&code.join("\n")));
            self.crates.entry(folder).or_default().insert(module, file);
        }
    }

    /// The findings, each a circle: `file: uses file, which uses file, …`. Of circles that share a file, one is named.
    pub(super) fn findings(&self) -> Vec<String> {
        self.crates.values().flat_map(findings).collect()
    }
}

/// The folder of sources that a file lies in, and its module.
fn module(name: &Path) -> Option<(PathBuf, Module)> {
    let mut steps: Vec<String> =
        name.with_extension("").iter().map(|step| step.to_string_lossy().into_owned()).collect();
    let sources = steps.iter().position(|step| step == "src")?;
    let mut module = steps.split_off(sources + 1);
    if module.last().is_some_and(|last| last == "mod")
        || matches!(&module[..], [only] if only == "lib" || only == "main")
    {
        module.pop();
    }
    Some((steps.iter().collect(), module))
}

/// The paths that code names: those of its `use` items, each part of a group for itself, and those that start with
/// `crate`, `self` or `super`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        rest = &rest[start..];
        let word = &rest[..rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())];
        match word {
            "use" => {
                let item = rest["use".len()..].split(';').next().unwrap_or_default();
                group(&[], item, &mut found);
                rest = &rest["use".len() + item.len()..];
            }
            "crate" | "self" | "super" => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(rest.len());
                group(&[], &rest[..end], &mut found);
                rest = &rest[end..];
            }
            _ => rest = &rest[word.len()..],
        }
    }
    found.retain(|path| matches!(path[0].as_str(), "crate" | "self" | "super"));
    found
}

/// Adds the paths of a tree of uses that stands behind the steps of `before`.
fn group(before: &[String], tree: &str, found: &mut Vec<Vec<String>>) {
    let (path, members) = match tree.split_once('{') {
        Some((path, members)) => (path, members.rsplit_once('}').map(|(members, _)| members)),
        None => (tree, None),
    };
    let path = path.split(" as ").next().unwrap_or_default();
    let steps = path.split("::").map(str::trim).filter(|step| !step.is_empty()).map(str::to_owned);
    let steps: Vec<String> = before.iter().cloned().chain(steps).collect();
    let Some(members) = members else { return found.extend((!steps.is_empty()).then_some(steps)) };
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in members.char_indices().chain([(members.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                group(&steps, &members[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The circles among the modules of a crate.
fn findings(modules: &Modules) -> Vec<String> {
    let uses: BTreeMap<&Module, BTreeSet<&Module>> = modules
        .iter()
        .map(|(module, (_, paths))| {
            let used = paths.iter().filter_map(|path| used(modules, module, path));
            (module, used.filter(|used| !used.starts_with(module) && !module.starts_with(used)).collect())
        })
        .collect();
    let (mut named, mut findings) = (BTreeSet::new(), Vec::new());
    for start in uses.keys() {
        let circle = circle(&uses, start);
        if circle.iter().any(|module| named.contains(module)) {
            continue;
        }
        let files: Vec<String> = circle.iter().map(|module| modules[*module].0.display().to_string()).collect();
        if let [first, others @ ..] = &files[..] {
            let others = others.join(", which uses ");
            findings.push(format!(
                "{first}: uses {others}, which uses the first: what both need goes into a file of its own"
            ));
        }
        named.extend(circle);
    }
    findings
}

/// The module that a path leads into, named in `module`: the longest beginning of it that is one.
fn used<'m, F>(modules: &'m BTreeMap<Module, F>, module: &Module, path: &[String]) -> Option<&'m Module> {
    let mut full = module.clone();
    for step in path {
        match step.as_str() {
            "crate" => full.clear(),
            "self" => {}
            "super" => drop(full.pop()),
            name => full.push(name.to_owned()),
        }
    }
    (0..=full.len()).rev().find_map(|length| modules.get_key_value(&full[..length])).map(|(module, _)| module)
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
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let mut circles = Circles::default();
        for (name, text) in files {
            circles.add(Path::new(name), text);
        }
        let found = circles.findings();
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
        let siblings = [("src/a/b.rs", "use super::c::C;"), ("src/a/c.rs", "use super::super::a::b::B;")];
        check(&siblings, &["src/a/b.rs: uses src/a/c.rs"]);
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
