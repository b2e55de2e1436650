//! Whether an answer says what a right one must say: short strings, or alternatives separated by `|`, that stand in its text.
//!
//! Markdown marks, letter case, spacing, and kinds of quotes and dashes make no difference: `**Soft**‑fork` holds "soft-fork".

use unicode_normalization::UnicodeNormalization as _;

/// The facts that an answer needs, each a list of alternatives in plain text.
#[derive(Debug, Clone, Default)]
pub(super) struct Needs(Vec<Vec<String>>);

impl Needs {
    /// What `groups` require.
    ///
    /// # Errors
    /// A group with an alternative of nothing but marks, which every text would hold.
    pub(super) fn of(groups: &[String]) -> anyhow::Result<Needs> {
        let alternatives = |group: &String| {
            let plain: Vec<String> = group.split('|').map(plain).collect();
            anyhow::ensure!(plain.iter().all(|one| !one.is_empty()), "`must_say` has an empty alternative: {group:?}");
            Ok(plain)
        };
        Ok(Needs(groups.iter().map(alternatives).collect::<anyhow::Result<_>>()?))
    }

    /// For each fact, whether `text` says it.
    pub(super) fn held_by(&self, text: &str) -> Vec<bool> {
        let said = plain(text);
        self.0.iter().map(|alternatives| alternatives.iter().any(|one| said.contains(one))).collect()
    }
}

/// `markdown` without its marks, in one case, with one kind of quote, dash and space.
fn plain(markdown: &str) -> String {
    let text: String = markdown.nfkc().collect();
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        inline(without_line_marks(line), &mut plain);
        plain.push(' ');
    }
    plain.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line without the marks of quotations and headings at its beginning.
fn without_line_marks(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some(after) = rest.strip_prefix('>') {
        rest = after.trim_start();
    }
    let bare = rest.trim_start_matches('#');
    let is_heading = (1..=6).contains(&(rest.len() - bare.len())) && bare.starts_with([' ', '\t']);
    if is_heading { bare } else { rest }
}

/// Adds a line's text without its marks to `plain`.
fn inline(line: &str, plain: &mut String) {
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some((shown, after)) = link(rest) {
            inline(&shown, plain);
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' if rest.starts_with(|next: char| next.is_ascii_punctuation()) => {
                plain.push_str(&rest[..1]);
                rest = &rest[1..];
            }
            '_' if is_emphasis(plain, rest) => {}
            '`' | '*' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{feff}' => {}
            '‘' | '’' | '‚' | '‛' | '′' => plain.push('\''),
            '“' | '”' | '„' | '‟' | '«' | '»' => plain.push('"'),
            '‐'..='―' | '−' => plain.push('-'),
            '|' => plain.push(' '),
            c => plain.push(c),
        }
    }
}

/// Whether an underscore between `before` and `after` is a mark: one that does not join two parts of a name.
fn is_emphasis(before: &str, after: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    is_word(before.chars().next_back()) != is_word(after.trim_start_matches('_').chars().next())
}

/// What a link at the beginning of `text` shows, and what follows it. The target of a link to the web is shown too.
fn link(text: &str) -> Option<(String, &str)> {
    if let Some(inside) = text.strip_prefix("[[") {
        let (inside, after) = inside.split_once("]]")?;
        let shown = inside.rsplit('|').next()?;
        return Some((shown.to_owned(), after));
    }
    let inside = text.strip_prefix('!').unwrap_or(text).strip_prefix('[')?;
    let (label, after) = inside.split_once("](")?;
    let (target, after) = after.split_once(')')?;
    let target = target.trim().trim_matches(['<', '>']);
    let is_one_link = !label.contains(['\n', ']']) && !target.contains(['(', '\n']);
    let shown = if target.starts_with("http") { format!("{label} {target}") } else { label.to_owned() };
    is_one_link.then_some((shown, after))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn marks_case_spaces_quotes_and_dashes_make_no_difference() {
        let check = |markdown: &str, expected: &str| assert_eq!(plain(markdown), expected, "{markdown:?}");
        check("> ## **Soft**\u{2011}fork  in\n`2017`", "soft-fork in 2017");
        check("“Don’t” – it’s ½ done", "\"don't\" - it's 1⁄2 done");
        check("_so_ it is: snake_case and __init__", "so it is: snake_case and init");
        check("see [the guide](guide.md) and [a site](https://a.b/c)", "see the guide and a site https://a.b/c");
        check("[[other-page|another page]], [[page]]", "another page, page");
        check("| 3 | 4 |", "3 4");
        check(r"2 \* 3 \[x\]", "2 * 3 [x]");
        check("#no-heading and [1] stay", "#no-heading and [1] stay");
    }

    #[test]
    fn an_answer_says_a_fact_by_one_of_its_alternatives() {
        let needs = Needs::of(&["117 to 138|117–138".to_owned(), "Trajan".to_owned()]).unwrap();
        assert_eq!(needs.held_by("Emperor from 117 to 138."), [true, false]);
        assert_eq!(needs.held_by("Hadrian (117-138) followed *Trajan*."), [true, true]);
        assert_eq!(needs.held_by(""), [false, false]);
        assert!(Needs::of(&["a||b".to_owned()]).unwrap_err().to_string().contains("empty alternative"));
    }
}
