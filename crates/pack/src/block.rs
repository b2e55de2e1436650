//! A block: a piece of a page's prose, its kind, and its place in a list.

use serde::Serialize;

/// What stands between the cells of a row.
pub(crate) const CELLS: &str = " | ";
/// A piece of prose, as plain text: markup removed, code spans kept in backticks, links as their labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Index into [`Page::sections`](crate::Page::sections).
    pub section: usize,
    /// What it is.
    pub kind: BlockKind,
    /// The text. A code block keeps its lines; all else is one line.
    pub text: String,
    /// Of a table's row, the heads of its columns, joined as its cells are; else empty.
    pub heads: String,
    /// Where it stands in a list; outside of lists the default.
    pub list: ListPlace,
}

/// Where a block stands in a list: an item's text, or what else the item holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ListPlace {
    /// The innermost list, numbered from 1 in its page; 0 outside of lists.
    pub list: u32,
    /// How many lists it stands in, one inside the other; 0 outside of lists.
    pub depth: u8,
    /// The place of its item in the innermost list, from 1.
    pub item: u32,
    /// The number that is shown before the item, where the list is numbered.
    pub number: Option<u32>,
}

/// What a [`Block`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A paragraph.
    Paragraph,
    /// A paragraph of a block quote.
    Quote,
    /// A paragraph of a callout, an admonition or a tab: it stands beside the page's own thread.
    Aside,
    /// A list item, without the lists inside it.
    ListItem,
    /// A row of a table, cells joined by ` | `; its header row is in [`Block::heads`].
    TableRow,
    /// A code block.
    Code,
    /// A heading, without backticks.
    Heading,
}

impl Block {
    /// The text with what it needs to be understood alone: of a row, each cell behind the head of its column, as in
    /// "Parsnips — Cellar: four months; Freezer: a year"; else the text. The first cell names what its row is about, and
    /// has its head only where `is_telling` says so of it: "Not allowed: Fireworks — Since: 2019".
    pub fn text_with_heads(&self, is_telling: impl Fn(&str) -> bool) -> String {
        let cells: Vec<&str> = self.text.split(CELLS).collect();
        let heads: Vec<&str> = self.heads.split(CELLS).collect();
        // Another number of cells: no telling which head is whose.
        if self.kind != BlockKind::TableRow || cells.len() != heads.len() {
            return self.text.clone();
        }
        let headed =
            |(cell, head): (&&str, &&str)| if head.is_empty() { (*cell).to_owned() } else { format!("{head}: {cell}") };
        let others = cells.iter().zip(&heads).skip(1).filter(|(cell, _)| !cell.is_empty());
        let others = others.map(headed).collect::<Vec<_>>().join("; ");
        let first = if is_telling(heads[0]) { headed((&cells[0], &heads[0])) } else { cells[0].to_owned() };
        [&first, &others]
            .iter()
            .filter(|part| !part.is_empty())
            .map(|part| part.as_str())
            .collect::<Vec<_>>()
            .join(" — ")
    }
}
