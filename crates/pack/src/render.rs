//! Markdown rendered to a small tree of inert elements, for a browser to build nodes from.
//!
//! The text is hostile until shown otherwise: of raw HTML the text alone is shown, only the tags and attributes listed at
//! [`Element`] exist, and a link keeps its `href` only if it is http(s), an anchor, or a path that the caller made.

use crate::frontmatter::one_line;
use crate::markdown::{self, Event, Piece, Sink, Tag, pieces};
use crate::page::Anchors;
use std::ops::Range;

use href::{is_anchor, is_http, is_relative};
use node::language;

mod node;
mod href;
#[cfg(test)]
pub(crate) mod tests;

pub use node::{Element, Node};

pub(crate) use href::is_invisible;

/// Elements deeper than this are flattened to their text, so that no reader of the tree runs out of stack.
const MAX_DEPTH: usize = 64;

/// Nodes beyond this number are left out, so that no page keeps a browser busy for long.
const MAX_NODES: usize = 50_000;

/// Renders a page's body. `link` makes the final `href` of a link's target, or of a wikilink's slug where its
/// second argument is true; where it answers `None`, http(s) URLs and anchors are kept and all else loses the link.
pub fn render(body: &str, link: &dyn Fn(&str, bool) -> Option<String>) -> Vec<Node> {
    render_with(body, link, markdown::read)
}

/// Renders what a reader of markdown hands over.
pub(crate) fn render_with(
    body: &str,
    link: &dyn Fn(&str, bool) -> Option<String>,
    read: impl Fn(&str, Sink<'_>),
) -> Vec<Node> {
    let mut renderer = Renderer {
        link,
        elements: vec![Element::new("root")],
        open: Vec::new(),
        nodes: 0,
        anchors: Anchors::default(),
        heading: None,
        heading_at: 0,
        image: None,
        in_head: false,
        in_code: false,
    };
    let mut cut = false;
    read(body, &mut |event, range| {
        if !cut && renderer.nodes >= MAX_NODES {
            renderer.nodes -= 1;
            renderer.push_text("…");
            cut = true;
        } else if !cut {
            renderer.event(event, body, range);
        }
    });
    renderer.finish()
}

/// A tag that is open: one that made an element, or one that is dropped, so that its children go to the element
/// around it.
enum Open {
    Element,
    Flat,
}

/// Whether a paragraph of nothing else shows nothing.
fn is_blank(node: &Node) -> bool {
    matches!(node, Node::Text(text) if text.trim().is_empty())
}

struct Renderer<'l> {
    link: &'l dyn Fn(&str, bool) -> Option<String>,
    /// The elements that are open, outermost first; never empty, as the first is the root.
    elements: Vec<Element>,
    /// The tags that are open, the root not counted.
    open: Vec<Open>,
    nodes: usize,
    anchors: Anchors,
    /// The text of the heading at hand, for its anchor.
    heading: Option<String>,
    /// Where the heading at hand starts in the body.
    heading_at: usize,
    /// The image at hand: its URL, the alternative text so far, and how many images it stands in.
    image: Option<(String, String, usize)>,
    /// Whether this is a table's head.
    in_head: bool,
    /// Whether this is a code block.
    in_code: bool,
}

impl Renderer<'_> {
    fn event(&mut self, event: Event<'_>, body: &str, range: Range<usize>) {
        match event {
            Event::Start(tag @ Tag::Heading(_)) => {
                self.heading_at = range.start;
                self.start(tag);
            }
            Event::End(Tag::Heading(_)) => self.end_heading(body),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.running_text(text, &body[range]),
            Event::Sign(sign) => self.push_text(sign),
            Event::Hidden => {}
            Event::Code(code) => {
                self.push(Element::new("code"));
                self.text(code);
                self.pop();
            }
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.empty("br"),
            Event::Rule => self.empty("hr"),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::Module => self.push(Element::new("p")),
            Tag::Heading(level) => {
                self.heading = (self.open.is_empty() && level <= 6).then(String::new);
                self.push(Element::heading(level));
            }
            Tag::Quote | Tag::Aside | Tag::Note => self.push(Element::new("blockquote")),
            Tag::List(None) => self.push(Element::new("ul")),
            Tag::List(Some(start)) => {
                let attrs = if start == 1 { vec![] } else { vec![("start", start.to_string())] };
                self.push(Element { attrs, ..Element::new("ol") });
            }
            Tag::Item => self.push(Element::new("li")),
            Tag::CodeBlock(info) => {
                self.in_code = true;
                self.push(Element::new("pre"));
                self.push(Element { attrs: language(info), ..Element::new("code") });
            }
            Tag::Table => self.push(Element::new("table")),
            Tag::TableHead => {
                self.in_head = true;
                self.push(Element::new("thead"));
                self.push(Element::new("tr"));
            }
            Tag::TableRow => self.push(Element::new("tr")),
            Tag::TableCell => self.push(Element::new(if self.in_head { "th" } else { "td" })),
            Tag::Emphasis => self.push(Element::new("em")),
            Tag::Strong => self.push(Element::new("strong")),
            Tag::Strikethrough => self.push(Element::new("del")),
            Tag::Link(target) => match self.href(target, false) {
                Some(href) if !self.in_link() => {
                    self.push(Element { attrs: vec![("href", href)], ..Element::new("a") });
                }
                _ => self.open.push(Open::Flat),
            },
            Tag::Image(target) => match &mut self.image {
                Some((_, _, nested)) => *nested += 1,
                None => self.image = Some((target.to_string(), String::new(), 0)),
            },
        }
    }

    fn end(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Image(_) => return self.end_image(),
            Tag::TableHead => {
                self.in_head = false;
                self.pop();
                self.pop();
                return self.push(Element::new("tbody"));
            }
            Tag::CodeBlock(_) => {
                self.in_code = false;
                self.pop();
            }
            Tag::Table => self.pop(),
            _ => {}
        }
        self.pop();
    }

    fn end_heading(&mut self, body: &str) {
        let text = self.heading.take();
        let id = text.map(|text| self.anchors.of_heading(body, self.heading_at, &one_line(&text)));
        if let (Some(id), Some(Open::Element)) = (id.filter(|id| !id.is_empty()), self.open.last()) {
            self.innermost().attrs.push(("id", id));
        }
        self.pop();
    }

    /// An image is shown as a link to it: nothing is fetched unless the reader asks.
    fn end_image(&mut self) {
        if let Some((_, _, nested @ 1..)) = &mut self.image {
            *nested -= 1;
            return;
        }
        let Some((url, alt, _)) = self.image.take() else { return };
        let alt = one_line(&alt);
        let label = if alt.is_empty() { "[image]".to_string() } else { format!("[image: {alt}]") };
        self.anchor_text(&alt);
        self.leaf_link(&url, false, &label);
    }

    fn running_text(&mut self, text: &str, source: &str) {
        if let Some((_, alt, _)) = &mut self.image {
            return alt.push_str(text);
        }
        if self.in_link() || self.in_code {
            return self.text(text);
        }
        for piece in pieces(text, source) {
            let (target, label, wiki) = match piece {
                Piece::Text(text) => {
                    self.text(text);
                    continue;
                }
                Piece::Wiki(slug, label) | Piece::Embed(slug, label) => (slug, label, true),
                Piece::Url(url) => (url, url, false),
            };
            self.anchor_text(label);
            self.leaf_link(target, wiki, label);
        }
    }

    /// A link with a plain label; the label alone where there is nothing to link to.
    fn leaf_link(&mut self, target: &str, wiki: bool, label: &str) {
        match self.href(target, wiki) {
            Some(href) if !self.in_link() => {
                self.push(Element { attrs: vec![("href", href)], ..Element::new("a") });
                self.push_text(label);
                self.pop();
            }
            _ => self.push_text(label),
        }
    }

    /// The `href` that may stand in the tree, if any.
    fn href(&self, target: &str, wiki: bool) -> Option<String> {
        match (self.link)(target, wiki) {
            Some(made) => (is_http(&made) || is_anchor(&made) || is_relative(&made)).then_some(made),
            None => (!wiki && (is_http(target) || is_anchor(target))).then(|| target.to_string()),
        }
    }

    fn in_link(&self) -> bool {
        self.elements.iter().any(|element| element.tag == "a")
    }

    fn text(&mut self, text: &str) {
        if let Some((_, alt, _)) = &mut self.image {
            return alt.push_str(text);
        }
        self.anchor_text(text);
        self.push_text(text);
    }

    fn anchor_text(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.push_str(text);
        }
    }

    fn push_text(&mut self, text: &str) {
        if let Some(Node::Text(last)) = self.innermost().children.last_mut() {
            last.push_str(text);
        } else if self.nodes < MAX_NODES {
            self.nodes += 1;
            self.innermost().children.push(Node::Text(text.to_string()));
        }
    }

    fn empty(&mut self, tag: &'static str) {
        self.push(Element::new(tag));
        self.pop();
    }

    fn innermost(&mut self) -> &mut Element {
        self.elements.last_mut().expect("the root is never popped")
    }

    fn push(&mut self, element: Element) {
        if self.image.is_some() || self.is_full() {
            return self.open.push(Open::Flat);
        }
        self.nodes += 1;
        self.elements.push(element);
        self.open.push(Open::Element);
    }

    fn is_full(&self) -> bool {
        self.elements.len() > MAX_DEPTH || self.nodes >= MAX_NODES
    }

    fn pop(&mut self) {
        match self.open.pop() {
            Some(Open::Element) => {
                let element = self.elements.pop().expect("each open element is on the stack above the root");
                if element.tag == "p" && element.children.iter().all(is_blank) {
                    return;
                }
                self.innermost().children.push(Node::Element(element));
            }
            // Blocks that were flattened must not run into each other.
            Some(Open::Flat) if self.image.is_none() && self.is_full() => self.push_text(" "),
            _ => {}
        }
    }

    fn finish(mut self) -> Vec<Node> {
        while !self.open.is_empty() {
            self.pop();
        }
        std::mem::take(&mut self.innermost().children)
    }
}
