//! JavaScript in a page: the imports and exports that MDX takes out of it. Prose starts with the same words, so only a
//! whole statement is one.

use crate::seek::find;

/// A statement is no longer than this, in bytes: looking for its end must not take long where there is no end.
const MAX_STATEMENT: usize = 10_000;

/// The length of the statements that `text`, the rest of a page, starts with: up to the first empty line that stands in
/// no brackets.
pub(super) fn length(text: &str) -> Option<usize> {
    let text = &text[..text.floor_char_boundary(MAX_STATEMENT)];
    let found = match (text.strip_prefix("import "), text.strip_prefix("export ")) {
        (Some(rest), _) => is_import(rest.trim_start()),
        (_, Some(rest)) => is_export(rest.trim_start()),
        _ => return None,
    };
    found.then(|| end(text))
}

/// Whether what stands behind `import` makes it a statement: a file in quotes, or names from one.
fn is_import(text: &str) -> bool {
    is_file(text) || clause(text).is_some_and(|(names, file)| is_file(file) && is_names(names))
}

/// The names before `from`, and what stands behind it.
fn clause(text: &str) -> Option<(&str, &str)> {
    let names = text.find(['\'', '"', ';'])?;
    let names = text[..names].trim_ascii_end().strip_suffix("from")?;
    Some((names.trim_ascii(), text[names.len() + 4..].trim_ascii_start()))
}

/// Whether it is `X`, `{ … }` or `* as X`, or the first with one of the others behind a comma.
fn is_names(text: &str) -> bool {
    let text = text.strip_prefix("type ").unwrap_or(text);
    if let Some((first, others)) = text.split_once(',').filter(|_| !text.starts_with('{')) {
        return is_name(first.trim_ascii()) && is_names(others.trim_ascii()) && others.contains(['{', '*']);
    }
    match text.strip_prefix('*') {
        Some(rest) => rest.trim_ascii_start().strip_prefix("as ").is_some_and(|name| is_name(name.trim_ascii())),
        None => is_name(text) || is_list(text),
    }
}

/// Whether it is a list of names in braces, each perhaps with another one behind `as`.
fn is_list(text: &str) -> bool {
    let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inner.is_some_and(|inner| {
        inner.split(',').all(|item| match item.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            [] => true,
            [name] | ["type", name] => is_name(name),
            [name, "as", other] => is_name(name) && is_name(other),
            _ => false,
        })
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_part)
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Whether a file in quotes ends the statement there.
fn is_file(text: &str) -> bool {
    let Some(quote @ ('\'' | '"')) = text.chars().next() else { return false };
    text[1..].split_once(quote).is_some_and(|(file, behind)| !file.contains('\n') && is_end(behind))
}

/// Whether the line ends here, perhaps behind a semicolon, a comment or import attributes.
fn is_end(text: &str) -> bool {
    let line = text.lines().next().unwrap_or("").trim_ascii();
    line.is_empty() || line.starts_with([';', '/']) || line.starts_with("with {")
}

/// Whether what stands behind `export` makes it a statement.
fn is_export(text: &str) -> bool {
    if let Some(value) = text.strip_prefix("default ") {
        let word = value.bytes().take_while(|&byte| is_part(byte)).count();
        return is_declaration(value)
            || value.starts_with(['(', '{', '['])
            || ["function", "async", "class"].contains(&&value[..word])
                && value[word..].trim_ascii_start().starts_with(['(', '{'])
            || word > 0
                && (is_end(&value[word..]) || value[word..].starts_with('(') || value[word..].starts_with(" =>"));
    }
    if text.starts_with('*') {
        let names = |names: &str| names == "*" || is_names(names);
        return clause(text).is_some_and(|(found, file)| names(found) && is_file(file));
    }
    let list = text.find('}').map(|end| text.split_at(end + 1)).filter(|(list, _)| is_list(list));
    let from = |rest: &str| rest.trim_ascii_start().strip_prefix("from").is_some_and(|file| is_file(file.trim_ascii()));
    list.is_some_and(|(_, rest)| is_end(rest) || from(rest)) || is_declaration(text)
}

/// Whether it is a word that declares, a name, and the sign that follows a name there.
fn is_declaration(text: &str) -> bool {
    let text = text.strip_prefix("async ").unwrap_or(text);
    let Some((word, rest)) = text.split_once(' ') else { return false };
    let signs: &[char] = match word {
        "const" | "let" | "var" => &['=', ':', ';'],
        "function" => &['(', '<'],
        "class" => &['{', '<'],
        _ => return false,
    };
    let rest = rest.trim_ascii_start();
    if signs[0] == '=' && rest.starts_with(['{', '[']) {
        return rest.contains('=');
    }
    let rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
    rest.trim_ascii_start().starts_with(signs) || word == "class" && rest.starts_with(" extends ")
}

/// Where the statements end: before the first empty line outside brackets; before the first of all where there is no
/// such line.
fn end(text: &str) -> usize {
    let (mut at, mut depth, mut first) = (0, 0, None);
    for line in text.split_inclusive('\n') {
        if line.trim_ascii().is_empty() {
            if depth <= 0 {
                return at;
            }
            first = first.or(Some(at));
        }
        depth += brackets(line);
        at += line.len();
    }
    if depth <= 0 { at } else { first.unwrap_or(at) }
}

/// How many more brackets the line opens than it closes. Those in quotes and comments count for nothing.
fn brackets(line: &str) -> isize {
    let line = find(line, "// ").map_or(line, |comment| &line[..comment]);
    let paired = ['\'', '"', '`'].map(|quote| (quote, line.matches(quote).count() % 2 == 0));
    let (mut depth, mut quote) = (0, None);
    for c in line.chars() {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            _ if paired.contains(&(c, true)) => quote = Some(c),
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    depth
}
