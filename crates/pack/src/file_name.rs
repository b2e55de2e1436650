//! Which files are markdown by their names, and what such a name is without its ending.

/// The endings of markdown files, in small letters; a file's own may be in capitals.
const ENDINGS: [&str; 3] = ["md", "markdown", "mdx"];

/// A markdown file's path without its ending; the whole path of any other file.
pub fn stem(file: &str) -> &str {
    match file.rsplit_once('.') {
        Some((stem, ending)) if ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)) => stem,
        _ => file,
    }
}

/// Whether a file of that name is markdown.
pub fn is_markdown(file: &str) -> bool {
    stem(file).len() < file.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_known_in_any_case() {
        for (file, expected) in [
            ("a/b.md", "a/b"),
            ("B.MD", "B"),
            ("b.markdown", "b"),
            ("b.Mdx", "b"),
            ("v2.1", "v2.1"),
            ("v2.1.md", "v2.1"),
            ("b.md.txt", "b.md.txt"),
            ("md", "md"),
            (".md", ""),
            ("漢字.md", "漢字"),
        ] {
            assert_eq!(stem(file), expected, "{file}");
            assert_eq!(is_markdown(file), file != expected, "{file}");
        }
    }
}
