//! Patterns of file names: `*` stands for any letters but a slash, `**` for those too, `?` for one letter. A folder's name with `/*`
//! stands for all below it.

/// Whether the whole of `name` is as `pattern` says.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut reached) = (0, 0);
    // Where the last star stands, whether it crosses slashes, and how far the name was taken by it.
    let mut star: Option<(usize, bool, usize)> = None;
    loop {
        let is_star = pattern.get(at) == Some(&'*');
        if is_star {
            let crosses =
                pattern.get(at + 1) == Some(&'*') || at + 1 == pattern.len() && at > 0 && pattern[at - 1] == '/';
            at += if pattern.get(at + 1) == Some(&'*') { 2 } else { 1 };
            star = Some((at, crosses, reached));
            continue;
        }
        match (pattern.get(at), name.get(reached)) {
            (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == found || *wanted == '?' && *found != '/' => {
                at += 1;
                reached += 1;
            }
            _ => {
                let Some((after, crosses, taken)) = star else { return false };
                match name.get(taken) {
                    Some(letter) if crosses || *letter != '/' => {}
                    _ => return false,
                }
                star = Some((after, crosses, taken + 1));
                at = after;
                reached = taken + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_name_files() {
        for (pattern, name, expected) in [
            ("a.html", "a.html", true),
            ("a.html", "b/a.html", false),
            ("*.html", "a.html", true),
            ("*.html", "b/a.html", false),
            ("**.html", "b/a.html", true),
            ("src/*", "src/a/b.html", true),
            ("src/*/c.html", "src/a/b/c.html", false),
            ("**/c.html", "src/a/b/c.html", true),
            ("genindex-?.html", "genindex-A.html", true),
            ("*a*b", "xxaxxb", true),
            ("*a*b", "xxaxxbc", false),
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
