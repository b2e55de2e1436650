//! Merging neighbours, the best pair first: what both families of tokenizers come down to.
//!
//! Symbols stand in a linked list, possible merges in a heap, so that n symbols take O(n log n) steps, however long
//! a word is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A symbol without a token.
pub(super) const NONE: u32 = u32::MAX;

/// A stretch of bytes that is one symbol.
#[derive(Debug, Clone, Copy)]
pub(super) struct Symbol {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its token, or [`NONE`].
    pub(super) token: u32,
    /// The symbol after it; its own place and beyond the list for the last.
    next: usize,
    previous: usize,
}

impl Symbol {
    pub(super) fn new(start: usize, end: usize, token: u32) -> Symbol {
        Symbol { start, end, token, next: 0, previous: 0 }
    }
}

/// A pair that may be merged, the lowest first; of equal ones the leftmost.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: u32,
    left: usize,
    /// Where left and right symbol ended when this was noted: if they no longer do, it is out of date.
    middle: usize,
    end: usize,
    token: u32,
}

/// Merges `symbols`, none of them empty, until `join` has nothing more to merge, and returns what
/// remains. `join` tells the rank of a pair, lower before higher, and the token that it becomes.
pub(super) fn merge(
    mut symbols: Vec<Symbol>,
    join: impl Fn(&Symbol, &Symbol) -> Option<(u32, u32)>,
) -> impl Iterator<Item = Symbol> {
    let count = symbols.len();
    for (place, symbol) in symbols.iter_mut().enumerate() {
        (symbol.next, symbol.previous) = (place + 1, place.wrapping_sub(1));
    }
    let mut heap = BinaryHeap::new();
    let note = |symbols: &[Symbol], left: usize, heap: &mut BinaryHeap<Reverse<Candidate>>| {
        let Some(right) = symbols.get(left).and_then(|symbol| symbols.get(symbol.next)) else { return };
        if let Some((rank, token)) = join(&symbols[left], right) {
            heap.push(Reverse(Candidate { rank, left, middle: symbols[left].end, end: right.end, token }));
        }
    };
    (0..count).for_each(|left| note(&symbols, left, &mut heap));
    while let Some(Reverse(best)) = heap.pop() {
        let left = symbols[best.left];
        let Some(&right) = symbols.get(left.next) else { continue };
        // A symbol that was merged into the one before it is empty.
        if left.start == left.end || left.end != best.middle || right.end != best.end {
            continue;
        }
        let gone = left.next;
        symbols[best.left] = Symbol { end: right.end, token: best.token, next: right.next, ..left };
        symbols[gone].end = symbols[gone].start;
        if let Some(after) = symbols.get_mut(right.next) {
            after.previous = best.left;
        }
        note(&symbols, left.previous, &mut heap);
        note(&symbols, best.left, &mut heap);
    }
    symbols.into_iter().filter(|symbol| symbol.start < symbol.end)
}
