//! The check of an FST's structure: every node that a lookup can reach lies inside the data and leads only backwards,
//! which also rules out cycles.
//!
//! The encoding of nodes is that of the crate `fst` 0.4, format version 3 (its `raw/node.rs`).

/// The first byte after the version and the type.
const NODES_START: usize = 16;
/// The bytes after the nodes: key count, root address, checksum.
const FOOTER: usize = 8 + 8 + 4;
/// The address of the final node without transitions, which is not stored.
const EMPTY_FINAL: usize = 0;
/// A node with more transitions has a table of 256 bytes.
const TABLE_ABOVE: usize = 32;

/// Checks `data` as an FST.
///
/// # Errors
/// What is wrong, as the reason of an [`Error::Corrupt`](crate::Error::Corrupt).
pub(super) fn check_structure(data: &[u8]) -> Result<(), &'static str> {
    if data.len() < NODES_START + FOOTER || data[..8] != 3u64.to_le_bytes() {
        return Err("it is no FST of the known version");
    }
    let nodes_end = data.len() - FOOTER;
    let number = |at: usize| usize::try_from(little_endian(&data[at..at + 8]));
    number(nodes_end).map_err(|_| "it has more keys than can be counted")?;
    let mut reached = ReachedNodes { seen: vec![false; nodes_end], waiting: Vec::new() };
    reached.add(number(nodes_end + 8).map_err(|_| "its root lies outside")?)?;
    while let Some(address) = reached.waiting.pop() {
        check_node(data, address, &mut reached)?;
    }
    Ok(())
}

/// The nodes that transitions lead to.
struct ReachedNodes {
    /// Whether the node that ends at a byte was reached before: each node waits once, however many transitions lead to
    /// it.
    seen: Vec<bool>,
    waiting: Vec<usize>,
}

impl ReachedNodes {
    fn add(&mut self, address: usize) -> Result<(), &'static str> {
        if address == EMPTY_FINAL {
            return Ok(());
        }
        if !(NODES_START..self.seen.len()).contains(&address) {
            return Err("a node lies outside");
        }
        if !std::mem::replace(&mut self.seen[address], true) {
            self.waiting.push(address);
        }
        Ok(())
    }
}

/// Checks the node whose last byte is at `address`, and adds the nodes that its transitions lead to.
fn check_node(data: &[u8], address: usize, reached: &mut ReachedNodes) -> Result<(), &'static str> {
    let mut back = Backwards { data, at: address };
    let state = back.byte()?;
    let (one_transition, next) = (state & 0x80 != 0, state & 0xc0 == 0xc0);
    if one_transition {
        if state & 0x3f == 0 {
            back.byte()?; // the input, where it is not a common one
        }
        if next {
            return reached.add(back.at);
        }
    }
    let count = match (one_transition, state & 0x3f) {
        (true, _) => 1,
        (false, 0) => match back.byte()? {
            1 => 256,
            count => usize::from(count),
        },
        (false, count) => usize::from(count),
    };
    let sizes = back.byte()?;
    let (delta_size, output_size) = (usize::from(sizes >> 4), usize::from(sizes & 0xf));
    if delta_size > 8 || output_size > 8 || (delta_size == 0 && count > 0) {
        return Err("a number has no possible size");
    }
    if !one_transition {
        let table = if count > TABLE_ABOVE { 256 } else { 0 };
        back.skip(table + count)?;
    }
    let deltas_end = back.at;
    back.skip(count * delta_size)?;
    let finals = usize::from(!one_transition && state & 0x40 != 0);
    back.skip((count + finals) * output_size)?;
    let node_end = back.at + 1;
    for index in 0..count {
        let from = deltas_end + 1 - (index + 1) * delta_size;
        let delta = little_endian(&data[from..from + delta_size]);
        let target = match usize::try_from(delta).map_err(|_| "a transition leads outside")? {
            0 => EMPTY_FINAL,
            delta => node_end.checked_sub(delta).filter(|&to| to >= NODES_START).ok_or("a transition leads outside")?,
        };
        reached.add(target)?;
    }
    Ok(())
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Reads a node from its last byte to its first. `at` is the next byte to read.
struct Backwards<'a> {
    data: &'a [u8],
    at: usize,
}

impl Backwards<'_> {
    fn byte(&mut self) -> Result<u8, &'static str> {
        let byte = self.data[self.at];
        self.skip(1)?;
        Ok(byte)
    }

    fn skip(&mut self, count: usize) -> Result<(), &'static str> {
        // The byte before the first node is the last legal position.
        self.at = self.at.checked_sub(count).filter(|&at| at + 1 >= NODES_START).ok_or("a node lies outside")?;
        Ok(())
    }
}
