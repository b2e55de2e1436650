//! Shapes: what BM25 needs to know of one posting, said in one small number.
//!
//! A posting's score depends on the term's counts in the page's fields and on the page's length, and few combinations
//! of these are common: titles and summaries are short. An index therefore numbers the combinations, the commonest
//! first; a posting names one by number, and a query looks its score up in a table.

use crate::error::Error;
use crate::field::{FIELDS, Frequencies};
use crate::format::bytes::{Cursor, put_varint};
use crate::query::bm25::Bm25;

/// The counts of a term in a page's fields, and the page's length in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Shape {
    pub(crate) frequencies: Frequencies,
    pub(crate) length: u32,
}

/// Shapes that have a number in the whole index; a list adds its rarer ones behind them.
pub(crate) const COMMON_SHAPES: usize = 255;

impl Shape {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let fields = self.frequencies.iter().enumerate().fold(0u8, |bits, (at, &n)| bits | (u8::from(n > 0) << at));
        out.push(fields);
        self.frequencies.iter().filter(|&&count| count > 0).for_each(|&count| put_varint(out, u64::from(count)));
        put_varint(out, u64::from(self.length));
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Shape, Error> {
        let fields = cursor.byte()?;
        let mut frequencies = [0; FIELDS];
        for (at, frequency) in frequencies.iter_mut().enumerate() {
            if fields >> at & 1 == 1 {
                *frequency = cursor.number()?;
            }
        }
        Ok(Shape { frequencies, length: cursor.number()? })
    }

    /// The shape's score for a term of idf 1, among pages of mean length `average`.
    pub(crate) fn norm(&self, bm25: &Bm25, average: f64) -> f64 {
        bm25.term_score(1.0, bm25.weighted(&self.frequencies, self.length, average), self.length, average)
    }
}

/// Writes `shapes` with their count.
pub(crate) fn write_shapes(out: &mut Vec<u8>, shapes: &[Shape]) {
    put_varint(out, shapes.len() as u64);
    shapes.iter().for_each(|shape| shape.write(out));
}

/// Reads what [`write_shapes`] wrote.
pub(crate) fn read_shapes(cursor: &mut Cursor<'_>) -> Result<Vec<Shape>, Error> {
    cursor.list(Shape::read)
}
