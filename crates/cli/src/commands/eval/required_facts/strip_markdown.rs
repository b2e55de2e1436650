//! Turns markdown into plain text that can be compared: lower case, one kind of quote, dash and space, no marks.
//!
//! A link keeps its label, and its target too where that is a web address. Table bars become spaces. Each step
//! goes over the whole text before the next, so that every implementation of these rules gives the same text.

use unicode_normalization::UnicodeNormalization as _;

/// `markdown` without its marks.
pub(super) fn strip_markdown(markdown: &str) -> String {
    let text: String = markdown.nfkc().collect();
    let text = replace_marks(&text, |before, rest| is_line_start(before).then(|| line_mark(rest))?);
    let text = replace_marks(&text, |_, rest| wiki_link(rest));
    let text = replace_marks(&text, |_, rest| link(rest));
    let text = replace_marks(&text, |_, rest| escape(rest));
    let text = replace_marks(&text, emphasis);
    let text: String = text.chars().filter_map(normalise).flat_map(fold_case).collect();
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text that replaces a mark, and the bytes that the mark takes.
type Replacement = (String, usize);

/// Replaces all that `mark` finds in `text`, from the beginning on. `mark` is called with the text before a place and the text
/// from there.
fn replace_marks(text: &str, mark: impl Fn(&str, &str) -> Option<Replacement>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match mark(&text[..at], &text[at..]) {
            Some((shown, length)) => {
                out.push_str(&shown);
                at += length;
            }
            None => {
                out.push(c);
                at += c.len_utf8();
            }
        }
    }
    out
}

fn is_line_start(before: &str) -> bool {
    before.is_empty() || before.ends_with('\n')
}

/// The marks of quotations at the beginning of a line, or that of a heading.
fn line_mark(line: &str) -> Option<Replacement> {
    let bare = line.trim_start_matches([' ', '\t']);
    let mut rest = bare;
    while let Some(after) = rest.strip_prefix('>') {
        rest = after.strip_prefix([' ', '\t']).unwrap_or(after);
    }
    if rest.len() == bare.len() {
        let title = bare.trim_start_matches('#');
        let is_heading = (1..=6).contains(&(bare.len() - title.len())) && title.starts_with([' ', '\t']);
        rest = if is_heading { title.trim_start_matches([' ', '\t']) } else { return None };
    }
    Some((String::new(), line.len() - rest.len()))
}

/// `[[target|label]]` or `[[label]]`.
fn wiki_link(text: &str) -> Option<Replacement> {
    let inside = text.strip_prefix("[[")?;
    let inside = &inside[..inside.find(['[', ']'])?];
    let closes = text[2 + inside.len()..].starts_with("]]");
    let label = inside.split_once('|').map_or(inside, |(_, label)| label);
    (closes && !label.contains('|')).then(|| (label.to_owned(), inside.len() + 4))
}

/// `[label](target "title")`, or an image.
fn link(text: &str) -> Option<Replacement> {
    let inside = text.strip_prefix('!').unwrap_or(text).strip_prefix('[')?;
    let label = nested(inside, ['[', ']'], |_| true)?;
    let rest = inside[label.len()..].strip_prefix("](")?.trim_start_matches(is_space);
    let rest = rest.strip_prefix('<').unwrap_or(rest);
    let target = nested(rest, ['(', ')'], |c| !is_space(c) && c != '<' && c != '>')?;
    let rest = &rest[target.len()..];
    let rest = rest.strip_prefix('>').unwrap_or(rest);
    let rest = without_title(rest).trim_start_matches(is_space).strip_prefix(')')?;
    let shown = if target.starts_with("http") { format!("{label} {target}") } else { label.to_owned() };
    Some((shown, text.len() - rest.len()))
}

/// The beginning of `text` as far as its characters are `admitted`, with whatever stands in brackets that hold no others.
/// None where a bracket is opened that does not close so.
fn nested(text: &str, [open, close]: [char; 2], admitted: impl Fn(char) -> bool) -> Option<&str> {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c == open {
            let inside = &text[at + 1..];
            let end = inside.find([open, close]).filter(|&end| inside[end..].starts_with(close))?;
            at += end + 2;
        } else if c == close || !admitted(c) {
            break;
        } else {
            at += c.len_utf8();
        }
    }
    Some(&text[..at])
}

/// What follows the title of a link in double quotes, where there is one.
fn without_title(text: &str) -> &str {
    let title = text.trim_start_matches(is_space);
    let inside = title.strip_prefix('"').filter(|_| title.len() < text.len());
    inside.and_then(|inside| inside.split_once('"')).map_or(text, |(_, after)| after)
}

/// A backslash before a mark that is to be shown.
fn escape(text: &str) -> Option<Replacement> {
    let mark = text.strip_prefix('\\')?.chars().next()?;
    "\\`*_{}[]()#+.!|<>~-".contains(mark).then(|| (mark.to_string(), 2))
}

/// Text between one or two underscores that do not join the parts of a name.
fn emphasis(before: &str, text: &str) -> Option<Replacement> {
    if !text.starts_with('_') || before.ends_with(is_word) {
        return None;
    }
    ["__", "_"].into_iter().find_map(|mark| {
        let inside = text.strip_prefix(mark)?;
        let inside = &inside[..inside.find('_')?];
        let after = text[mark.len() + inside.len()..].strip_prefix(mark)?;
        let is_framed = !inside.is_empty() && !inside.starts_with(is_space) && !inside.ends_with(is_space);
        (is_framed && !after.starts_with(is_word)).then(|| (inside.to_owned(), inside.len() + 2 * mark.len()))
    })
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// White space, with the separators of the first control characters.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// The one kind of each quote, dash and space; none for a mark that is invisible.
fn normalise(c: char) -> Option<char> {
    match c {
        '`' | '*' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{feff}' => None,
        '‘' | '’' | '‚' | '‛' | '′' => Some('\''),
        '“' | '”' | '„' | '‟' | '«' | '»' => Some('"'),
        '‐'..='―' | '−' => Some('-'),
        '|' => Some(' '),
        c => Some(c),
    }
}

/// A letter in the one form of all its cases: "ß" is "ss", and each of the sigmas "σ". The dotless "ı" is no "i".
fn fold_case(c: char) -> impl Iterator<Item = char> {
    let small = c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let dotless = (c == 'ı').then_some(c);
    dotless.into_iter().chain(small.filter(move |_| dotless.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markdown: &str, expected: &str) {
        assert_eq!(strip_markdown(markdown), expected, "{markdown:?}");
    }

    #[test]
    fn marks_case_spaces_quotes_and_dashes_make_no_difference() {
        check("> **Soft**\u{2011}fork  in\n`2017`", "soft-fork in 2017");
        check("“Don’t” – it’s ½ done", "\"don't\" - it's 1⁄2 done");
        check("Straße ΟΔΟΣ ſo ıI", "strasse οδοσ so ıi");
        check("| 3 | 4 |", "3 4");
        check(r"2 \* 3 \[x\] \q", r"2 3 [x] \q");
    }

    #[test]
    fn lines_lose_one_mark_at_their_beginning() {
        check(">> Quoted\n  ### Title\n#no-heading and [1] stay", "quoted title #no-heading and [1] stay");
        check("> # Title", "# title");
        check("####### Seven", "####### seven");
    }

    #[test]
    fn links_show_their_labels_and_web_addresses() {
        check("see [the guide](guide.md) and [a site](https://a.b/c)", "see the guide and a site https://a.b/c");
        check("[[other-page|another page]], [[page]], [[a|b|c]]", "another page, page, [[a b c]]");
        check("![a [b] c]( <x_(y)> \"title\" ) end", "a [b] c end");
        check("[a](b c) [d](e\"f\") [g [h [i]]](j)", "[a](b c) d [g [h [i]]](j)");
    }

    #[test]
    fn underscores_are_marks_outside_of_names() {
        check("_so_ it is: snake_case and __init__", "so it is: snake_case and init");
        check("_ a_ ___b___ (_c_)_", "_ a_ ___b___ (c)_");
    }
}
