//! A model whose states are recorded, with a cache on disk: a state is not computed twice, so that a run that takes an hour
//! continues where it was stopped.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Context as _;
use seealso::{Abilities, Hear, Judge, Model, ModelError, Prompt, Writing, Written};
use seealso_cli::{LocalModel, cache_key, cannot_write};

/// Records the states behind some layers of a model, each time that it is to judge.
pub(super) struct StateRecorder {
    model: LocalModel,
    /// The layers whose states are recorded.
    layers: RangeInclusive<usize>,
    abilities: Abilities,
    cache: RefCell<StateCache>,
    /// The states, in the order of prompts.
    pub(super) states: RefCell<Vec<Vec<f32>>>,
}

impl StateRecorder {
    /// Records states of `model`, with the cache in the file `at`.
    pub(super) fn new(model: LocalModel, layers: RangeInclusive<usize>, at: &Path) -> anyhow::Result<StateRecorder> {
        let judge = Some(Judge { auc: 0.5, supports: 0.0, rejects: 0.0 });
        let abilities = Abilities { judge, ..Abilities::default() };
        let cache = StateCache::open(at).with_context(|| format!("opening {}", at.display()))?;
        Ok(StateRecorder { model, layers, abilities, cache: cache.into(), states: RefCell::default() })
    }
}

impl Model for StateRecorder {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, _: &Writing, _: Hear<'_>) -> Result<Written, ModelError> {
        Err(cannot_write())
    }

    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        Err(ModelError::CannotScore)
    }

    async fn judge(&self, prompt: &Prompt, _: [&str; 2]) -> Result<f64, ModelError> {
        let key = cache_key(prompt, &[&format!("{:?}", self.layers)]);
        let known = self.cache.borrow().known.get(&key).cloned();
        let state = match known {
            Some(state) => state,
            None => {
                let mut state = Vec::new();
                for layers in self.layers.clone() {
                    state.extend(self.model.layer_state(prompt, layers).await?);
                }
                self.cache.borrow_mut().keep(key, &state);
                state
            }
        };
        self.states.borrow_mut().push(state);
        Ok(f64::NAN)
    }
}

/// Rows of numbers by key, in a file: key (8 bytes), count (4 bytes), floats of four bytes each, little-endian.
struct StateCache {
    known: HashMap<u64, Vec<f32>>,
    /// None once a row could not be written, since a row after half a row could not be read.
    file: Option<File>,
}

impl StateCache {
    /// Opens the file at `path`, which is made where there is none, and cut where a run that was stopped left half a row.
    fn open(path: &Path) -> std::io::Result<StateCache> {
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (mut known, mut rest) = (HashMap::new(), bytes.as_slice());
        while let Some((key, row, after)) = row(rest) {
            known.insert(key, row);
            rest = after;
        }
        file.set_len((bytes.len() - rest.len()) as u64)?;
        Ok(StateCache { known, file: Some(file) })
    }

    fn keep(&mut self, key: u64, row: &[f32]) {
        let mut bytes = key.to_le_bytes().to_vec();
        bytes.extend((row.len() as u32).to_le_bytes());
        bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
        // A cache that can't be written costs time, not the result.
        self.file = self.file.take().filter(|file| (&*file).write_all(&bytes).is_ok());
        self.known.insert(key, row.to_vec());
    }
}

/// The first row of `bytes`, and the bytes after it; none where the row is not whole.
fn row(bytes: &[u8]) -> Option<(u64, Vec<f32>, &[u8])> {
    let (key, rest) = bytes.split_first_chunk()?;
    let (count, rest) = rest.split_first_chunk()?;
    let (row, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*count)).ok()?.checked_mul(4)?)?;
    let row = row.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
    Some((u64::from_le_bytes(*key), row, rest))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_continues_where_it_was_stopped() {
        let path = std::env::temp_dir().join(format!("seealso-states-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let known = |cache: &StateCache| {
            let mut known: Vec<(u64, Vec<f32>)> = cache.known.clone().into_iter().collect();
            known.sort_by_key(|(key, _)| *key);
            known
        };
        let mut cache = StateCache::open(&path).unwrap();
        assert_eq!(known(&cache), []);
        cache.keep(1, &[0.5, -2.0]);
        cache.keep(2, &[]);
        cache.keep(3, &[1.0]);
        drop(cache);
        // Half of the last row was written.
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 2]).unwrap();
        let mut cache = StateCache::open(&path).unwrap();
        assert_eq!(known(&cache), [(1, vec![0.5, -2.0]), (2, vec![])]);
        cache.keep(3, &[4.0]);
        drop(cache);
        assert_eq!(known(&StateCache::open(&path).unwrap()), [(1, vec![0.5, -2.0]), (2, vec![]), (3, vec![4.0])]);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_row_that_is_cut_is_none() {
        let bytes = [[0; 8].as_slice(), &u32::MAX.to_le_bytes(), &[0; 40]].concat();
        assert_eq!(row(&bytes), None);
        assert_eq!(row(&[0; 11]), None);
        assert_eq!(row(&[0; 13]), Some((0, Vec::new(), &[0][..])));
    }
}
