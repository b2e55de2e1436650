//! Tables.

use super::{Place, Writer, add_block, blocks::is_within};
use crate::dom::NodeId;

/// A row has at most so many cells.
const MAX_COLUMNS: usize = 64;

/// A cell that reaches over rows is repeated at most so often.
const MAX_ROW_SPAN: usize = 1000;

/// A row of cells, and whether all of them are heads.
struct Row {
    cells: Vec<String>,
    is_head: bool,
}

impl Writer<'_> {
    /// Writes a table, or what is in it, where it only lays out a page.
    pub(super) fn table(&mut self, id: NodeId, place: Place, out: &mut String) {
        let rows = self.rows_of(id);
        let caption = self.dom.elements(id).find(|&child| self.dom.name(child) == "caption");
        if let Some(caption) = caption {
            self.flow_into(caption, place.inside(), out);
        }
        if self.is_layout(id, &rows) {
            let place = Place { nesting: place.nesting + 1, ..place };
            for row in rows {
                let cells: Vec<NodeId> = self.cells_of(row).collect();
                for cell in cells {
                    self.flow_into(cell, place, out);
                }
            }
            return;
        }
        let rows = self.texts_of(&rows);
        add_block(out, &markdown(&rows));
    }

    /// The rows of a table, without those of tables in it.
    fn rows_of(&self, table: NodeId) -> Vec<NodeId> {
        let mut rows = Vec::new();
        for child in self.dom.elements(table).filter(|&child| !self.rules.leaves_out(self.dom, child)) {
            match self.dom.name(child) {
                "tr" => rows.push(child),
                "thead" | "tbody" | "tfoot" => {
                    rows.extend(
                        self.dom
                            .elements(child)
                            .filter(|&row| self.dom.name(row) == "tr" && !self.rules.leaves_out(self.dom, row)),
                    );
                }
                _ => {}
            }
        }
        rows
    }

    fn cells_of(&self, row: NodeId) -> impl Iterator<Item = NodeId> {
        self.dom
            .elements(row)
            .filter(|&cell| matches!(self.dom.name(cell), "td" | "th") && !self.rules.leaves_out(self.dom, cell))
    }

    /// Whether a table lays out other content: it says so, has a single column, or holds a table or a heading.
    fn is_layout(&self, table: NodeId, rows: &[NodeId]) -> bool {
        let is_column = rows.iter().all(|&row| self.cells_of(row).nth(1).is_none());
        is_column
            || matches!(self.dom.attribute(table, "role"), Some("presentation" | "none"))
            || is_within(self.dom, table, &["table", "h1", "h2", "h3", "h4", "h5", "h6"])
    }

    fn texts_of(&mut self, rows: &[NodeId]) -> Vec<Row> {
        let mut texts: Vec<Row> = Vec::new();
        // Cells that reach into rows below: the column, how many rows more, and the text.
        let mut reaching: Vec<(usize, usize, String)> = Vec::new();
        for &row in rows {
            let mut cells: Vec<String> = Vec::new();
            let own: Vec<NodeId> = self.cells_of(row).take(MAX_COLUMNS).collect();
            let is_head = !own.is_empty()
                && (own.iter().all(|&cell| self.dom.name(cell) == "th")
                    || self.dom.parent(row).is_some_and(|parent| self.dom.name(parent) == "thead"));
            let mut next: Vec<(usize, usize, String)> = Vec::new();
            for cell in own {
                take_reaching(&mut reaching, &mut next, &mut cells);
                let span = |key| self.dom.attribute(cell, key).and_then(|span| span.trim().parse::<usize>().ok());
                let (columns, rows) = (span("colspan").unwrap_or(1), span("rowspan").unwrap_or(1));
                let text = self.cell(cell);
                if rows > 1 {
                    next.push((cells.len(), (rows - 1).min(MAX_ROW_SPAN), text.clone()));
                }
                cells.push(text);
                let end = (cells.len() + columns.clamp(1, MAX_COLUMNS) - 1).min(MAX_COLUMNS);
                cells.resize(end.max(cells.len()), String::new());
            }
            take_reaching(&mut reaching, &mut next, &mut cells);
            next.append(&mut reaching);
            next.sort_by_key(|(column, ..)| *column);
            reaching = next;
            if cells.iter().any(|cell| !cell.is_empty()) {
                texts.push(Row { cells, is_head });
            }
        }
        texts
    }

    /// A cell's text on one line.
    fn cell(&mut self, cell: NodeId) -> String {
        let outer = std::mem::take(&mut self.paragraph);
        self.inner(cell);
        let text = std::mem::replace(&mut self.paragraph, outer);
        // Within a table a stroke ends a cell in code too.
        let mut out = String::with_capacity(text.len());
        for c in text.trim().chars() {
            if c == '|' && !out.ends_with('\\') {
                out.push('\\');
            }
            out.push(c);
        }
        out
    }
}

/// Fills the columns that cells of rows above reach into.
fn take_reaching(
    reaching: &mut Vec<(usize, usize, String)>,
    next: &mut Vec<(usize, usize, String)>,
    cells: &mut Vec<String>,
) {
    while let Some(at) = reaching.iter().position(|(column, ..)| *column == cells.len()) {
        let (column, rows, text) = reaching.remove(at);
        cells.push(text.clone());
        if rows > 1 {
            next.push((column, rows - 1, text));
        }
    }
}

fn markdown(rows: &[Row]) -> String {
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0).min(MAX_COLUMNS);
    if columns == 0 {
        return String::new();
    }
    let line = |cells: &[String]| {
        let cells = (0..columns).map(|at| cells.get(at).map_or("", String::as_str));
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    let has_head = rows.first().is_some_and(|row| row.is_head);
    let head = if has_head { line(&rows[0].cells) } else { line(&[]) };
    let mut lines = vec![head, format!("|{}", " --- |".repeat(columns))];
    lines.extend(rows[usize::from(has_head)..].iter().map(|row| line(&row.cells)));
    lines.join("\n")
}
