//! The map of a dictionary: an FST (crate `fst`) that has been checked, so that hostile bytes never make it panic.
//!
//! `fst` trusts what it reads: an address out of range panics deep inside a lookup. [`Dictionary::open`] therefore
//! [checks](super::check) every node first.

use std::ops::Range;
use std::rc::Rc;

use fst::raw::Fst;

use super::check::check_structure;
use crate::error::Error;

/// A range of a file's bytes, which others share.
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

    /// A position at the beginning of all keys.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { fst: &self.fst, address: self.fst.root().addr(), output: 0 }
    }

    /// Every key with its value, in order; none where the keys have more than `most_bytes` together. With nodes that
    /// share their ends, a few hostile bytes can make keys that fill any memory.
    pub(crate) fn entries(&self, most_bytes: usize) -> Option<Vec<(Vec<u8>, u64)>> {
        let mut found = Vec::new();
        let mut left = most_bytes;
        let mut key = Vec::new();
        // The nodes that lead to `key`, each with the number of its transitions that were followed.
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

/// A position in a dictionary: the node that the bytes followed so far lead to.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    fst: &'a Fst<Slice>,
    address: usize,
    output: u64,
}

impl Walk<'_> {
    /// Follows `bytes`; none where no key continues with them.
    pub(crate) fn follow(mut self, bytes: &[u8]) -> Option<Self> {
        for &byte in bytes {
            let at = self.fst.node(self.address).find_input(byte)?;
            (_, self) = self.step(at)?;
        }
        Some(self)
    }

    /// Follows the transition of number `at`: its byte, and the position there. None where there is no such transition,
    /// or its output is too large.
    pub(super) fn step(self, at: usize) -> Option<(u8, Self)> {
        let node = self.fst.node(self.address);
        let step = (at < node.len()).then(|| node.transition(at))?;
        let output = self.output.checked_add(step.out.value())?;
        Some((step.inp, Walk { address: step.addr, output, ..self }))
    }

    /// The value of the key that ends here; none where no key does.
    pub(crate) fn value(self) -> Option<u64> {
        let node = self.fst.node(self.address);
        node.is_final().then(|| self.output.checked_add(node.final_output().value())).flatten()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
