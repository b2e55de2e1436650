//! Which lines of a Rust file are tests.

use std::path::Path;

/// The lines of a Rust file, each with whether it stands in tests: in a file of a folder `tests`, in `tests.rs`, below
/// `#[cfg(test)]` and the head of a module, or in a file that has tests and no such module.
pub(super) fn lines<'t>(name: &Path, text: &'t str) -> Vec<(&'t str, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let in_folder = name.components().any(|part| part.as_os_str() == "tests") || name.ends_with("tests.rs");
    let is_module = |below: &[&str]| {
        let head = below.iter().find(|line| !line.starts_with("#["));
        head.is_some_and(|line| line.starts_with("mod ") && line.ends_with('{'))
    };
    let module = (0..lines.len()).find(|&at| lines[at] == "#[cfg(test)]" && is_module(&lines[at + 1..]));
    let has_tests = lines.iter().any(|line| line.trim() == "#[test]");
    let start = match module {
        _ if in_folder => 0,
        Some(start) => start,
        None if has_tests => 0,
        None => lines.len(),
    };
    lines.into_iter().enumerate().map(|(at, line)| (line, at >= start)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::lines;

    #[test]
    fn tests_are_known_by_their_place() {
        let check = |name: &str, text: &str, expected: &[bool]| {
            let found: Vec<bool> = lines(Path::new(name), text).iter().map(|(_, is_test)| *is_test).collect();
            assert_eq!(found, expected, "{name}: {text}");
        };
        check("crates/a/tests/b.rs", "a\nb", &[true, true]);
        check("crates/a/src/b/tests.rs", "a", &[true]);
        check("crates/a/src/b.rs", "a\nb", &[false, false]);
        check("crates/a/src/b.rs", "a\n#[cfg(test)]\nmod tests {\nb", &[false, true, true, true]);
        check(
            "crates/a/src/b.rs",
            "a\n#[cfg(test)]\n#[allow(b)]\nmod tests {\n#[test]",
            &[false, true, true, true, true],
        );
        check("crates/a/src/b.rs", "a\n#[cfg(test)]\nmod tests;\nb", &[false; 4]);
        check("crates/a/src/b.rs", "a\n#[test]\nfn b() {}", &[true; 3]);
    }
}
