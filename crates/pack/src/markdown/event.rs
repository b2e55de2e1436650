//! What the markdown reader hands over: a document's parts, one after the other.

/// A part of a document. Texts stand as they are meant: escapes and entities are resolved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Event<'a> {
    Start(Tag<'a>),
    End(Tag<'a>),
    /// Text; a code block's text keeps its line ends. No two follow each other.
    Text(&'a str),
    /// A code span.
    Code(&'a str),
    /// A sign that is shown beside the text and is no part of it: a footnote's number, a task's box, an emoji's name.
    Sign(&'a str),
    /// A part of the source that no reader is to see.
    Hidden,
    SoftBreak,
    HardBreak,
    Rule,
}

/// What has parts of its own. A tight list's items hold their text without a paragraph around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tag<'a> {
    Paragraph,
    /// Lines that are hidden, as a module's imports; never handed over.
    Module,
    /// Its level, 1 to 6; 7 for the title of a callout or the like.
    Heading(u8),
    Quote,
    /// A callout, an admonition, a tab: what stands beside the page's own thread.
    Aside,
    /// A footnote.
    Note,
    /// The number of an ordered list's first item.
    List(Option<u32>),
    Item,
    /// What stands behind the opening fence; empty for indented code.
    CodeBlock(&'a str),
    Table,
    TableHead,
    TableRow,
    TableCell,
    Emphasis,
    Strong,
    Strikethrough,
    /// Its target; that of an e-mail address starts with `mailto:`.
    Link(&'a str),
    /// Its target.
    Image(&'a str),
}
