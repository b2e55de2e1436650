//! Running text: emphasis, code, links, images, references to footnotes.

use super::{Writer, escape, maths};
use crate::address::has_scheme;
use crate::dom::{NodeId, one_line};

impl Writer<'_> {
    /// Writes a node as part of the paragraph at hand.
    pub(super) fn inline(&mut self, id: NodeId) {
        if let Some(text) = self.dom.text(id) {
            return escape::push(&mut self.paragraph, text);
        }
        let name = self.dom.name(id);
        let is_formula = || {
            matches!(name, "script" | "math")
                || self.dom.classes(id).any(|class| matches!(class, "katex" | "math" | "MathJax"))
        };
        if is_formula()
            && let Some(formula) = maths::formula(self.dom, id)
        {
            return self.paragraph.push_str(&format!("${formula}$"));
        }
        if !self.dom.is_element(id) || self.rules.leaves_out(self.dom, id) || self.is_permalink(id) {
            return self.skip();
        }
        if self.rules.references.matches(self.dom, id)
            && let Some(label) = note_label(&self.dom.line(id))
        {
            return self.paragraph.push_str(&format!("[^{label}]"));
        }
        match name {
            "br" => self.space(),
            "wbr" => {}
            "code" | "tt" | "kbd" | "samp" => self.code(id),
            "em" | "i" | "var" | "dfn" | "cite" => self.marked(id, "*"),
            "strong" | "b" => self.marked(id, "**"),
            "del" | "s" => self.marked(id, "~~"),
            "a" => self.link(id),
            "img" => self.image(id),
            "q" => {
                self.paragraph.push('"');
                self.inner(id);
                self.paragraph.push('"');
            }
            "td" | "th" | "option" => {
                self.inner(id);
                self.space();
            }
            _ => self.inner(id),
        }
    }

    pub(super) fn inner(&mut self, id: NodeId) {
        for child in self.dom.children(id) {
            self.inline(child);
        }
        // Blocks inside of running text must not run into each other.
        if super::BLOCKS.contains(&self.dom.name(id)) {
            self.space();
        }
    }

    pub(super) fn space(&mut self) {
        if !(self.paragraph.is_empty() || self.paragraph.ends_with(' ')) {
            self.paragraph.push(' ');
        }
    }

    fn code(&mut self, id: NodeId) {
        let text = self.visible_line(id);
        if !text.is_empty() {
            let span = escape::code_span(&text);
            // Two code spans side by side would be read as one.
            if self.paragraph.ends_with('`') {
                self.paragraph.push(' ');
            }
            self.paragraph.push_str(&span);
        }
    }

    /// Text between marks, which stand right beside it: spaces go outside.
    fn marked(&mut self, id: NodeId, mark: &str) {
        let before = self.paragraph.len();
        self.inner(id);
        let inner = self.paragraph.split_off(before);
        let text = inner.trim();
        if inner.starts_with(' ') {
            self.space();
        }
        // Marks within marks of the same kind would end them.
        let marked = if text.is_empty() || text.starts_with('*') || text.ends_with('*') || self.paragraph.ends_with('*')
        {
            text.to_owned()
        } else {
            format!("{mark}{text}{mark}")
        };
        self.paragraph.push_str(&marked);
        if inner.ends_with(' ') {
            self.space();
        }
    }

    fn link(&mut self, id: NodeId) {
        let href = self.dom.filled(id, "href").unwrap_or_default();
        let before = self.paragraph.len();
        self.inner(id);
        if href.is_empty() || self.links_are_off {
            return;
        }
        self.note_link(href);
        let inner = self.paragraph.split_off(before);
        let text = inner.trim();
        let is_web = !has_scheme(href) || href.starts_with("http:") || href.starts_with("https:");
        if text.is_empty() || !is_web || text.contains("](") {
            return self.paragraph.push_str(&inner);
        }
        if inner.starts_with(' ') {
            self.space();
        }
        self.paragraph.push_str(&format!("[{text}]({})", escape::target(href)));
        if inner.ends_with(' ') {
            self.space();
        }
    }

    fn image(&mut self, id: NodeId) {
        let alt = one_line(self.dom.attribute(id, "alt").unwrap_or_default());
        if self.dom.has_class(id, "math") && !alt.is_empty() {
            return self.paragraph.push_str(&format!("${alt}$"));
        }
        let source = self.dom.filled(id, "src").unwrap_or_default();
        if alt.is_empty() {
            return;
        }
        let mut text = String::new();
        escape::push(&mut text, &alt);
        match self.links_are_off || source.is_empty() || source.starts_with("data:") {
            true => self.paragraph.push_str(&text),
            false => self.paragraph.push_str(&format!("![{text}]({})", escape::target(source))),
        }
    }

    /// Writes with links as their text alone.
    pub(super) fn without_links(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.links_are_off, true);
        write(self);
        self.links_are_off = outer;
    }
}

/// The label of a footnote, of what is shown for it, such as `[1]`.
pub(super) fn note_label(text: &str) -> Option<String> {
    let label: String = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
    (!label.is_empty() && label.chars().count() <= 20).then_some(label)
}
