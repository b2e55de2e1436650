//! Named beginnings of prompts whose cache is kept, within a bound on memory: the least recently used goes first.

use crate::Error;
use crate::adapters::ADAPTED;
use crate::network::{Network, Snapshot};

/// The kept beginnings.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    /// Least recently used first.
    kept: Vec<CachedPrefix>,
    /// The most bytes that all of them may take.
    bound: usize,
}

#[derive(Debug)]
struct CachedPrefix {
    name: String,
    tokens: Vec<u32>,
    snapshot: Snapshot,
    bytes: usize,
}

/// How many tokens two sequences have in common at their beginning.
pub(crate) fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

impl Prefixes {
    pub(crate) fn new(bound: usize) -> Self {
        Self { kept: Vec::new(), bound }
    }

    /// Keeps the cache of `tokens`, which stand at its beginning, under `name`, in place of what had that name.
    /// Gives whether it could: what is larger than the bound by itself is not kept.
    pub(crate) fn keep(&mut self, network: &mut impl Network, name: &str, tokens: &[u32]) -> Result<bool, Error> {
        self.forget(network, name);
        let bytes = network.snapshot_bytes(tokens.len());
        if bytes > self.bound {
            return Ok(false);
        }
        while self.bytes() + bytes > self.bound {
            network.drop_snapshot(self.kept.remove(0).snapshot);
        }
        let snapshot = network.keep(tokens.len())?;
        self.kept.push(CachedPrefix { name: name.to_owned(), tokens: tokens.to_vec(), snapshot, bytes });
        Ok(true)
    }

    /// Frees what is kept under `name`; gives whether there was something.
    pub(crate) fn forget(&mut self, network: &mut impl Network, name: &str) -> bool {
        let Some(at) = self.kept.iter().position(|kept| kept.name == name) else { return false };
        network.drop_snapshot(self.kept.remove(at).snapshot);
        true
    }

    /// Frees all that has a token that was read through adapters.
    pub(crate) fn forget_adapted(&mut self, network: &mut impl Network) {
        let is_adapted = |kept: &mut CachedPrefix| kept.tokens.iter().any(|token| token & ADAPTED != 0);
        self.kept.extract_if(.., is_adapted).for_each(|kept| network.drop_snapshot(kept.snapshot));
    }

    /// Restores the kept beginning that has the most of `prompt`, if it has more than `have` tokens; gives how many
    /// tokens of `prompt` the cache then holds, at most `most`.
    pub(crate) fn restore(
        &mut self,
        network: &mut impl Network,
        prompt: &[u32],
        have: usize,
        most: usize,
    ) -> Result<usize, Error> {
        let lengths = self.kept.iter().map(|kept| common(&kept.tokens, prompt).min(most));
        let Some((at, length)) = lengths.enumerate().max_by_key(|&(_, length)| length) else { return Ok(have) };
        if length <= have {
            return Ok(have);
        }
        let used = self.kept.remove(at);
        let outcome = network.restore(used.snapshot, length);
        self.kept.push(used);
        outcome.map(|()| length)
    }

    /// Names and lengths in tokens, least recently used first.
    pub(crate) fn list(&self) -> impl Iterator<Item = (&str, usize)> {
        self.kept.iter().map(|kept| (kept.name.as_str(), kept.tokens.len()))
    }

    /// The bytes that all take.
    pub(crate) fn bytes(&self) -> usize {
        self.kept.iter().map(|kept| kept.bytes).sum()
    }
}
