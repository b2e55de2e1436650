//! A dictionary: an FST map (crate `fst`) that has been checked, so that no bytes, however hostile, make it panic.
//!
//! `fst` trusts what it reads: an address out of range panics deep inside a lookup. [`Dictionary::open`] therefore
//! walks every reachable node once and checks that each lies inside the data and points only backwards, which also
//! rules out cycles. The node encoding is that of `fst` 0.4, format version 3 (its `raw/node.rs`).

use std::ops::Range;
use std::rc::Rc;

use fst::raw::Fst;

use crate::error::Error;

/// A range of the file's shared bytes.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    pub(crate) bytes: Rc<[u8]>,
    pub(crate) range: Range<usize>,
}

impl AsRef<[u8]> for Slice {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

/// A checked map from byte strings to numbers.
pub(crate) struct Dictionary {
    fst: Fst<Slice>,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dictionary({} keys)", self.len())
    }
}

impl Dictionary {
    /// Checks `slice` as an FST; `part` names it in errors.
    pub(crate) fn open(slice: Slice, part: &'static str) -> Result<Self, Error> {
        check_structure(slice.as_ref()).map_err(|reason| Error::corrupt(part, reason))?;
        let fst = Fst::new(slice).map_err(|e| Error::corrupt(part, e.to_string()))?;
        Ok(Dictionary { fst })
    }

    /// The number stored under `key`.
    pub(crate) fn get(&self, key: &[u8]) -> Option<u64> {
        self.walk().follow(key)?.value()
    }

    /// How many keys there are, as the file says.
    pub(crate) fn len(&self) -> usize {
        self.fst.len()
    }

    /// Stands at the dictionary's beginning.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { fst: &self.fst, address: self.fst.root().addr(), output: 0 }
    }

    /// Every key with its value, in order; none where they have more than `most_bytes` together. A few hostile bytes
    /// can share their nodes so cleverly that the keys would fill any memory.
    pub(crate) fn entries(&self, most_bytes: usize) -> Option<Vec<(Vec<u8>, u64)>> {
        let mut found = Vec::new();
        let mut left = most_bytes;
        let mut key = Vec::new();
        // The nodes on the way to `key`, each with the number of its transitions that were followed.
        let mut path = vec![(self.walk(), 0)];
        while let Some((here, followed)) = path.last_mut() {
            if *followed == 0
                && let Some(value) = here.value()
            {
                left = left.checked_sub(key.len())?;
                found.push((key.clone(), value));
            }
            match here.step(*followed) {
                Some((byte, next)) => {
                    *followed += 1;
                    left = left.checked_sub(1)?;
                    key.push(byte);
                    path.push((next, 0));
                }
                None => {
                    path.pop();
                    key.pop();
                }
            }
        }
        Some(found)
    }
}

/// A place inside a dictionary, reached by the bytes followed so far.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    fst: &'a Fst<Slice>,
    address: usize,
    output: u64,
}

impl Walk<'_> {
    /// Goes on by `bytes`; none where no key continues so.
    pub(crate) fn follow(mut self, bytes: &[u8]) -> Option<Self> {
        for &byte in bytes {
            let at = self.fst.node(self.address).find_input(byte)?;
            (_, self) = self.step(at)?;
        }
        Some(self)
    }

    /// Goes on by the transition numbered `at`, and says its byte; none where there is none, or its number is absurd.
    pub(super) fn step(self, at: usize) -> Option<(u8, Self)> {
        let node = self.fst.node(self.address);
        let step = (at < node.len()).then(|| node.transition(at))?;
        let output = self.output.checked_add(step.out.value())?;
        Some((step.inp, Walk { address: step.addr, output, ..self }))
    }

    /// The value, where a key ends here.
    pub(crate) fn value(self) -> Option<u64> {
        let node = self.fst.node(self.address);
        node.is_final().then(|| self.output.checked_add(node.final_output().value())).flatten()
    }
}

/// First byte after the version and the type.
const NODES_START: usize = 16;
/// Bytes after the nodes: key count, root address, checksum.
const FOOTER: usize = 8 + 8 + 4;
/// The address that stands for the final node without transitions.
const EMPTY_FINAL: usize = 0;
/// From this many transitions on a node carries a table of 256 bytes.
const TABLE_ABOVE: usize = 32;

fn check_structure(data: &[u8]) -> Result<(), &'static str> {
    if data.len() < NODES_START + FOOTER || data[..8] != 3u64.to_le_bytes() {
        return Err("it is no FST of the known version");
    }
    let nodes_end = data.len() - FOOTER;
    let number = |at: usize| usize::try_from(little_endian(&data[at..at + 8]));
    number(nodes_end).map_err(|_| "it has more keys than can be counted")?;
    let mut found = Found { seen: vec![false; nodes_end], waiting: Vec::new() };
    found.add(number(nodes_end + 8).map_err(|_| "its root lies outside")?)?;
    while let Some(address) = found.waiting.pop() {
        check_node(data, address, &mut found)?;
    }
    Ok(())
}

/// The nodes that some transition leads to.
struct Found {
    /// Whether the node that ends at a byte was found before: each waits at most once, however many lead to it.
    seen: Vec<bool>,
    waiting: Vec<usize>,
}

impl Found {
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

/// Checks the node whose last byte is at `address`, and notes where its transitions lead.
fn check_node(data: &[u8], address: usize, found: &mut Found) -> Result<(), &'static str> {
    let mut back = Backwards { data, at: address };
    let state = back.byte()?;
    let (one_transition, next) = (state & 0x80 != 0, state & 0xc0 == 0xc0);
    if one_transition {
        if state & 0x3f == 0 {
            back.byte()?; // the input, where it is not a common one
        }
        if next {
            return found.add(back.at);
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
        found.add(target)?;
    }
    Ok(())
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Reads a node from its last byte towards its first. `at` is the next byte to read.
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
        // One byte before the first node is a legal place to stand, none further.
        self.at = self.at.checked_sub(count).filter(|&at| at + 1 >= NODES_START).ok_or("a node lies outside")?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
