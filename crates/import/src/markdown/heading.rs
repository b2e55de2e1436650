//! Headings, and the terms of definition lists that are headings by their id.

use super::{Place, Writer, add_block};
use crate::dom::NodeId;
use crate::page::PageSection;

/// An element that opens a page's part is looked for so far above its heading.
const MAX_STEPS_UP: usize = 6;

/// A longer heading is cut, in characters.
const MAX_HEADING: usize = 200;

impl Writer<'_> {
    /// The level of a heading: 1 to 6.
    pub(super) fn heading_level(&self, id: NodeId) -> Option<u8> {
        match self.dom.name(id).as_bytes() {
            [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
            _ if self.rules.headings.matches(self.dom, id) => Some((self.level + 1).min(6)),
            _ if self.dom.attribute(id, "role") == Some("heading") => self
                .dom
                .attribute(id, "aria-level")
                .and_then(|level| level.parse().ok())
                .filter(|level| (1..7).contains(level)),
            _ => None,
        }
    }

    /// Writes a heading: where sections begin as one, else as a paragraph of strong text.
    pub(super) fn heading(&mut self, id: NodeId, level: u8, place: Place, out: &mut String) {
        let (markdown, title, names) = self.heading_texts(id);
        if title.is_empty() {
            return;
        }
        match place.is_top {
            true => {
                let own = self.id_of(id);
                self.begin_section(
                    PageSection { level, heading: markdown, title, names, ..PageSection::default() },
                    own,
                    out,
                );
            }
            false => add_block(out, &format!("**{markdown}**")),
        }
    }

    /// Begins a section below the one at hand for a term of a definition list.
    pub(super) fn term_section(&mut self, term: NodeId, own: String, level: u8, out: &mut String) {
        let (heading, title, names) = self.heading_texts(term);
        if !title.is_empty() {
            self.begin_section(PageSection { level, heading, title, names, ..PageSection::default() }, Some(own), out);
        }
    }

    fn begin_section(&mut self, section: PageSection, own: Option<String>, out: &mut String) {
        self.end_section(out);
        self.level = section.level;
        let has_own_id = own.is_some();
        if let Some(own) = own {
            self.last_id = own;
        }
        self.sections.push(PageSection { id: self.last_id.clone(), has_own_id, ..section });
    }

    /// A heading as Markdown and as plain text, and the names of code in it.
    pub(super) fn heading_texts(&mut self, id: NodeId) -> (String, String, Vec<String>) {
        let plain = cut(&without_number(&self.visible_line(id)));
        let is_signature = self.rules.signatures.matches(self.dom, id);
        let names = self.names_in(id, is_signature);
        if is_signature {
            return (super::escape::code_span(&plain), plain, names);
        }
        let outer = std::mem::take(&mut self.paragraph);
        self.without_links(|writer| {
            for child in writer.dom.children(id) {
                writer.inline(child);
            }
        });
        let markdown = std::mem::replace(&mut self.paragraph, outer);
        let markdown = without_number(markdown.trim());
        let markdown = if markdown.chars().count() > MAX_HEADING + 80 { plain.clone() } else { markdown };
        (markdown, plain, names)
    }

    /// The id by which a link opens the heading: the one that its link to itself has, its own, one inside it, that of the
    /// part of the page that it opens, or that of an empty element right before it.
    pub(super) fn id_of(&self, heading: NodeId) -> Option<String> {
        let linked = || self.permalink_id(heading);
        let own = linked().or_else(|| self.ids.own(self.dom, heading)).or_else(|| self.ids.below(self.dom, heading));
        let mut at = heading;
        let mut found = own;
        for _ in 0..MAX_STEPS_UP {
            if found.is_some() || at == self.content {
                break;
            }
            let mut before = self.dom.previous(at);
            while let Some(previous) = before {
                if !self.is_blank(previous) {
                    return None;
                }
                found =
                    found.or_else(|| self.ids.own(self.dom, previous)).or_else(|| self.ids.below(self.dom, previous));
                before = self.dom.previous(previous);
            }
            let Some(parent) = self.dom.parent(at) else { break };
            found = found.or_else(|| self.ids.own(self.dom, parent));
            at = parent;
        }
        found
    }

    /// The id that the heading's link to itself leads to.
    fn permalink_id(&self, heading: NodeId) -> Option<String> {
        let links = self.dom.descendants(heading).filter(|&id| self.is_permalink(id));
        links.filter_map(|id| self.dom.attribute(id, "href")?.strip_prefix('#')).find_map(|id| self.ids.named(id))
    }

    /// Whether a node shows no text.
    fn is_blank(&self, id: NodeId) -> bool {
        let is_blank_text = |id| self.dom.text(id).is_none_or(|text| text.trim().is_empty());
        let is_hidden = |id| self.dom.is_element(id) && self.rules.leaves_out(self.dom, id);
        if is_hidden(id) {
            return true;
        }
        let mut at = Some(id);
        while let Some(here) = at {
            let is_hidden = is_hidden(here);
            if !(is_hidden || is_blank_text(here)) {
                return false;
            }
            at = self.dom.following(here, id, !is_hidden);
        }
        true
    }

    /// The text below a node as one line, without what is left out, and without the signs of links to the place itself.
    pub(super) fn visible_line(&self, top: NodeId) -> String {
        let mut text = String::new();
        let mut at = self.dom.following(top, top, true);
        while let Some(id) = at {
            let is_hidden = self.dom.is_element(id) && (self.rules.leaves_out(self.dom, id) || self.is_permalink(id));
            if let Some(own) = self.dom.text(id) {
                text.push_str(own);
            } else if matches!(self.dom.name(id), "br" | "p" | "div") {
                text.push(' ');
            }
            at = self.dom.following(id, top, !is_hidden);
        }
        crate::dom::one_line(&text)
    }

    /// Whether a link leads to a place on the page by a sign alone, as `¶` or `#`.
    pub(super) fn is_permalink(&self, id: NodeId) -> bool {
        let leads_here = || self.dom.attribute(id, "href").is_some_and(|href| href.starts_with('#'));
        self.dom.name(id) == "a" && leads_here() && {
            let text = self.dom.all_text(id);
            let text = text.trim();
            text.chars().count() <= 3 && !text.chars().any(char::is_alphanumeric)
        }
    }

    /// The names that a heading or term defines: those in its code, each up to what is no part of a name.
    pub(super) fn names_in(&self, id: NodeId, is_signature: bool) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        fn add(names: &mut Vec<String>, name: &str) {
            if is_name(name) && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        if is_signature {
            let line = self.visible_line(id);
            if let Some(own) = self.id_of(id) {
                let steps =
                    std::iter::once(own.as_str()).chain(own.match_indices(['.', ':']).map(|(at, _)| &own[at + 1..]));
                if let Some(name) = steps.into_iter().find(|step| !step.is_empty() && holds_word(&line, step)) {
                    add(&mut names, name);
                }
            }
            return names;
        }
        let codes = self.dom.descendants(id).filter(|&below| matches!(self.dom.name(below), "code" | "tt" | "kbd"));
        // What stands in parentheses says of what kind the name is.
        let is_kind = |code| {
            let before = self.dom.previous(code).and_then(|before| self.dom.text(before));
            before.is_some_and(|text| text.trim_end().ends_with('('))
        };
        for code in codes.filter(|&code| !is_kind(code)) {
            add(&mut names, name_at_start(&self.dom.line(code)));
        }
        if names.is_empty() {
            let line = self.visible_line(id);
            if looks_like_code(&line) {
                add(&mut names, name_at_start(&line));
            }
        }
        names
    }
}

/// A heading without the number of its chapter or section, such as `9.9.`.
fn without_number(text: &str) -> String {
    let text = text.trim();
    // The parts of an appendix begin with its letter.
    let letter = usize::from(matches!(text.as_bytes(), [b'A'..=b'Z', b'.', ..]));
    let digits = letter + text[letter..].bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let number = &text[..digits];
    let is_number = number.ends_with('.') && number.trim_end_matches('.').contains('.') && !number.contains("..");
    let rest = text[digits..].trim_start();
    if is_number && !rest.is_empty() && text[digits..].starts_with(char::is_whitespace) {
        rest.to_owned()
    } else {
        text.to_owned()
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_HEADING) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
    }
}

/// What of code is the name of what it shows: `fs.open` of `fs.open(path)`, `--color` of `--color=WHEN`.
fn name_at_start(code: &str) -> &str {
    let code = code.trim();
    let end = code
        .find(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '=' | '<' | ',' | ';' | '{'))
        .unwrap_or(code.len());
    code[..end].trim_end_matches([':', '.'])
}

/// Whether a text is a name by which code is looked for.
fn is_name(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).count();
    (2..=80).contains(&name.chars().count())
        && letters >= 1
        && name.chars().all(|c| c.is_alphanumeric() || "_-.:/$@!?%+*#~".contains(c))
}

/// Whether a heading without code is a name by its form: of one word with marks that prose has not.
fn looks_like_code(line: &str) -> bool {
    !line.contains(' ')
        && line.is_ascii()
        && (line.contains(['_', '('])
            || line.starts_with('-')
            || line.trim_matches('.').contains('.')
            || line.contains("::"))
}

/// Whether `word` stands in `line` with no letter or digit beside it.
fn holds_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        ![before, after].into_iter().flatten().any(|c| c.is_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_sections_are_no_part_of_headings() {
        for (text, expected) in [
            ("9.9. Quotas", "Quotas"),
            ("20.4.1.\u{a0}Memory", "Memory"),
            ("E.2. Release", "Release"),
            ("A. Person", "A. Person"),
            ("3.11 is out", "3.11 is out"),
            ("1. First", "1. First"),
            ("2.5.", "2.5."),
            ("1...2", "1...2"),
        ] {
            assert_eq!(without_number(text), expected, "{text}");
        }
    }

    #[test]
    fn code_begins_with_its_name() {
        for (code, expected) in [
            ("fs.open(path, flags)", "fs.open"),
            ("--color=WHEN", "--color"),
            ("-e, --eval \"script\"", "-e"),
            ("work_mem", "work_mem"),
            ("Vec<T>", "Vec"),
            ("PYTHONHOME:", "PYTHONHOME"),
        ] {
            assert_eq!(name_at_start(code), expected, "{code}");
        }
        assert!(
            is_name("--no-verify") && is_name("asyncio.gather") && !is_name("a b") && !is_name("()") && !is_name("x")
        );
    }
}
