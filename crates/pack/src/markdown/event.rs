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
    /// The lines of an HTML block.
    Html(&'a str),
    /// A tag, a comment or the like in running text.
    InlineHtml(&'a str),
    SoftBreak,
    HardBreak,
    Rule,
}

/// What has parts of its own. A tight list's items hold their text without a paragraph around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tag<'a> {
    Paragraph,
    HtmlBlock,
    /// Its level, 1 to 6.
    Heading(u8),
    Quote,
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
