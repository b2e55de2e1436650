//! The names in Rust code that lead to other modules, read without a parser.

/// The steps of a path, such as `crate`, `answer`, `extract`.
pub(super) type Steps = Vec<String>;

/// The names that a module's code holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// What `use` items bring in: a name, or `*`, and the path that it stands for.
    pub(super) imports: Vec<(String, Steps)>,
    /// The paths of two steps or more outside `use` items.
    pub(super) paths: Vec<Steps>,
}

impl Names {
    /// Reads code that is without comments and tests.
    pub(super) fn of(code: &str) -> Self {
        let mut names = Names::default();
        let mut rest = code;
        while let Some(start) = rest.find(is_letter) {
            rest = &rest[start..];
            let length = rest.find(|c: char| !is_letter(c) && c != ':').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length);
            rest = behind;
            if word == "use" {
                let tree = behind.split(';').next().unwrap_or_default();
                add_tree(&[], tree, &mut names.imports);
                rest = &behind[tree.len()..];
            } else if word.contains("::") {
                names.paths.push(steps(word).collect());
            }
        }
        names
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The steps of a path. A type's colon, as in `field: a::B`, ends what stands before it.
fn steps(path: &str) -> impl Iterator<Item = String> {
    path.split("::").map(str::trim).filter(|step| !step.is_empty()).map(str::to_owned)
}

/// Adds the imports of a tree of uses that stands behind the steps of `before`.
fn add_tree(before: &[String], tree: &str, imports: &mut Vec<(String, Steps)>) {
    let (path, members) = match tree.split_once('{') {
        Some((path, members)) => (path, members.rsplit_once('}').map(|(members, _)| members)),
        None => (tree, None),
    };
    let (path, alias) = path.split_once(" as ").map_or((path, None), |(path, alias)| (path, Some(alias.trim())));
    let path: Steps = before.iter().cloned().chain(steps(path)).collect();
    let Some(members) = members else {
        let last = path.iter().rev().find(|step| *step != "self");
        let name = alias.or(last.map(String::as_str)).map(str::to_owned);
        return imports.extend(name.map(|name| (name, path)));
    };
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in members.char_indices().chain([(members.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !members[start..at].trim().is_empty() {
                    add_tree(&path, &members[start..at], imports);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[track_caller]
    fn check(code: &str, imports: &[(&str, &str)], paths: &[&str]) {
        let names = Names::of(code);
        let found: Vec<_> = names.imports.iter().map(|(name, path)| (name.as_str(), path.join("::"))).collect();
        let expected: Vec<_> = imports.iter().map(|(name, path)| (*name, (*path).to_owned())).collect();
        assert_eq!(found, expected, "{code}");
        let found: Vec<_> = names.paths.iter().map(|path| path.join("::")).collect();
        assert_eq!(found, paths, "{code}");
    }

    #[test]
    fn imports() {
        check("use crate::a::B;", &[("B", "crate::a::B")], &[]);
        check("pub(crate) use super::a as b;", &[("b", "super::a")], &[]);
        check(
            "use a::{self, B as C, d::{E, *},\n};",
            &[("a", "a::self"), ("C", "a::B"), ("E", "a::d::E"), ("*", "a::d::*")],
            &[],
        );
        check("use a::B as _; mod c;", &[("_", "a::B")], &[]);
    }

    #[test]
    fn paths() {
        check("fn f(x: a::B) -> Vec<C> { crate::d::e(x); Vec::<u8>::new() }", &[], &["a::B", "crate::d::e", "Vec"]);
        check("match self { Self::A => x, user => y }", &[], &["Self::A"]);
    }
}
