//! Builds a tree with html5ever, within limits that keep any page linear in time.
//!
//! The standard's way of building a tree looks at all open elements for many a tag, so deep nesting takes quadratic time.
//! [`Guard`] stands between tokenizer and tree builder, and lets no element open below [`MAX_DEPTH`].

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeBuilder, TreeBuilderOpts, TreeSink};
use html5ever::{
    Attribute, ExpandedName, LocalName, Namespace, QualName, TokenizerResult, expanded_name, local_name, ns,
};

use super::{Dom, ElementData, MAX_ATTRIBUTES, MAX_DEPTH, MAX_NODES, Node, NodeData, NodeId, TooLarge};

/// The tokenizer is fed so many bytes at a time.
const FEED_BYTES: usize = 64 << 10;

pub(super) fn parse(html: &str) -> Result<Dom, TooLarge> {
    if has_endless_tag(html) {
        return Err(TooLarge::Attributes);
    }
    // No scripts run here, so what `noscript` holds is part of the page.
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let guard = Guard { builder: TreeBuilder::new(Sink::new(), options), dropped: Cell::new(0) };
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut rest = html;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(rest.floor_char_boundary(FEED_BYTES.min(rest.len())));
        rest = later;
        input.push_back(StrTendril::from_slice(now));
        // A script or a declared encoding ends the call early, and neither changes anything here.
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        if tokenizer.sink.builder.sink.nodes.borrow().len() > MAX_NODES {
            return Err(TooLarge::Nodes);
        }
    }
    tokenizer.end();
    Ok(Dom { nodes: tokenizer.sink.builder.sink.nodes.take() })
}

/// Whether a tag has so many attributes that reading it would take quadratic time.
fn has_endless_tag(html: &str) -> bool {
    let (mut count, mut is_in_tag, mut before) = (0usize, false, 0u8);
    for byte in html.bytes() {
        match byte {
            _ if before == b'<' && byte.is_ascii_alphabetic() => (count, is_in_tag) = (0, true),
            b'>' => is_in_tag = false,
            b' ' | b'\n' | b'\t' | b'/' | b'"' | b'\'' if is_in_tag => count += 1,
            _ => {}
        }
        if count > MAX_ATTRIBUTES * 8 {
            return true;
        }
        before = byte;
    }
    false
}

/// Hands tokens over to the tree builder, but for the tags of elements that lie too deep.
struct Guard {
    builder: TreeBuilder<NodeId, Sink>,
    /// How many elements were dropped that are not closed yet.
    dropped: Cell<u32>,
}

impl Guard {
    fn drops(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::StartTag if self.builder.sink.depth.get() >= MAX_DEPTH => {
                let count = u32::from(!tag.self_closing && !is_void(&tag.name));
                self.dropped.set(self.dropped.get() + count);
                true
            }
            TagKind::EndTag if self.dropped.get() > 0 => {
                self.dropped.set(self.dropped.get() - 1);
                true
            }
            _ => false,
        }
    }
}

fn is_void(name: &LocalName) -> bool {
    matches!(&**name, "br" | "img" | "hr" | "wbr" | "input" | "col" | "meta" | "link" | "source" | "track" | "area")
}

impl TokenSink for Guard {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        match &token {
            Token::TagToken(tag) if self.drops(tag) => TokenSinkResult::Continue,
            Token::ParseError(_) => TokenSinkResult::Continue,
            _ => self.builder.process_token(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The tree as it grows.
struct Sink {
    nodes: RefCell<Vec<Node>>,
    /// About how deep the next element would lie.
    depth: Cell<u32>,
}

/// The name of an element, as the tree builder asks for it.
struct ElementName<'s>(Ref<'s, ElementData>);

impl std::fmt::Debug for ElementName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.name)
    }
}

impl html5ever::tree_builder::ElemName for ElementName<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.0.name
    }
}

impl Sink {
    fn new() -> Sink {
        let sink = Sink { nodes: RefCell::new(Vec::new()), depth: Cell::new(0) };
        sink.add(NodeData::Document);
        sink
    }

    fn add(&self, data: NodeData) -> NodeId {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, parent: None, previous: None, next: None, first: None, last: None, depth: 0 });
        NodeId((nodes.len() - 1) as u32)
    }

    /// Makes a node or text the last child of `parent`, or puts it before `sibling` there.
    fn insert(&self, parent: NodeId, sibling: Option<NodeId>, child: NodeOrText<NodeId>) {
        let before = {
            let nodes = self.nodes.borrow();
            sibling.map_or(nodes[parent.0 as usize].last, |sibling| nodes[sibling.0 as usize].previous)
        };
        let child = match child {
            NodeOrText::AppendNode(child) => child,
            NodeOrText::AppendText(text) => {
                if let Some(before) = before
                    && let NodeData::Text(known) = &mut self.nodes.borrow_mut()[before.0 as usize].data
                {
                    return known.push_tendril(&text);
                }
                self.add(NodeData::Text(text))
            }
        };
        self.detach(child);
        let nodes = &mut *self.nodes.borrow_mut();
        let depth = nodes[parent.0 as usize].depth + 1;
        let node = &mut nodes[child.0 as usize];
        (node.parent, node.previous, node.next, node.depth) = (Some(parent), before, sibling, depth);
        if matches!(node.data, NodeData::Element(_)) {
            self.depth.set(depth);
        }
        match before {
            Some(before) => nodes[before.0 as usize].next = Some(child),
            None => nodes[parent.0 as usize].first = Some(child),
        }
        match sibling {
            Some(sibling) => nodes[sibling.0 as usize].previous = Some(child),
            None => nodes[parent.0 as usize].last = Some(child),
        }
    }

    fn detach(&self, child: NodeId) {
        let nodes = &mut *self.nodes.borrow_mut();
        let node = &mut nodes[child.0 as usize];
        let (parent, previous, next) = (node.parent.take(), node.previous.take(), node.next.take());
        let Some(parent) = parent else { return };
        match previous {
            Some(previous) => nodes[previous.0 as usize].next = next,
            None => nodes[parent.0 as usize].first = next,
        }
        match next {
            Some(next) => nodes[next.0 as usize].previous = previous,
            None => nodes[parent.0 as usize].last = previous,
        }
    }
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = Vec<Node>;
    type ElemName<'a> = ElementName<'a>;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        Dom::ROOT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> ElementName<'a> {
        ElementName(Ref::map(self.nodes.borrow(), |nodes| match &nodes[target.0 as usize].data {
            NodeData::Element(element) => &**element,
            _ => unreachable!("the tree builder asks for the names of elements alone"),
        }))
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> NodeId {
        let attributes = attributes.into_iter().map(|attribute| (attribute.name.local, attribute.value)).collect();
        self.add(NodeData::Element(Box::new(ElementData { namespace: name.ns, name: name.local, attributes })))
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.add(NodeData::Hidden)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.add(NodeData::Hidden)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.insert(*parent, None, child);
    }

    fn append_based_on_parent_node(&self, element: &NodeId, previous: &NodeId, child: NodeOrText<NodeId>) {
        let has_parent = self.nodes.borrow()[element.0 as usize].parent.is_some();
        match has_parent {
            true => self.append_before_sibling(element, child),
            false => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &NodeId) {
        let depth = self.nodes.borrow()[node.0 as usize].depth;
        self.depth.set(depth.saturating_sub(1));
    }

    /// What a template holds goes to a node outside of the tree.
    fn get_template_contents(&self, _: &NodeId) -> NodeId {
        self.add(NodeData::Hidden)
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let parent = self.nodes.borrow()[sibling.0 as usize].parent;
        if let Some(parent) = parent {
            self.insert(parent, Some(*sibling), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Attribute>) {
        if let NodeData::Element(element) = &mut self.nodes.borrow_mut()[target.0 as usize].data {
            for Attribute { name, value } in attributes {
                if !element.attributes.iter().any(|(known, _)| *known == name.local) {
                    element.attributes.push((name.local, value));
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        while let Some(first) = { self.nodes.borrow()[node.0 as usize].first } {
            self.insert(*new_parent, None, NodeOrText::AppendNode(first));
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &NodeId) -> bool {
        let nodes = self.nodes.borrow();
        let NodeData::Element(element) = &nodes[node.0 as usize].data else { return false };
        let name = ExpandedName { ns: &element.namespace, local: &element.name };
        let holds_html = |(name, value): &(LocalName, StrTendril)| {
            *name == local_name!("encoding")
                && (value.eq_ignore_ascii_case("text/html") || value.eq_ignore_ascii_case("application/xhtml+xml"))
        };
        name == expanded_name!(mathml "annotation-xml") && element.attributes.iter().any(holds_html)
    }
}
