//! A model of which is kept what it had in mind at each prompt, with a memory on disk: what once stood behind its layers
//! is not computed again, so that an evaluation of an hour goes on where it was stopped.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Context as _;
use seealso::{Abilities, Hear, Judge, Model, ModelError, Prompt, Writing, Written};
use seealso_cli::{LocalModel, does_not_write, key};

/// What stood behind some of a model's layers each time that it was to judge.
pub(super) struct Watched {
    model: LocalModel,
    /// Behind which layers.
    layers: RangeInclusive<usize>,
    abilities: Abilities,
    memory: RefCell<Memory>,
    /// In the order in which it was asked.
    pub(super) states: RefCell<Vec<Vec<f32>>>,
}

impl Watched {
    /// Watches `model`, with the memory in the file `at`.
    pub(super) fn new(model: LocalModel, layers: RangeInclusive<usize>, at: &Path) -> anyhow::Result<Watched> {
        let judge = Some(Judge { auc: 0.5, supports: 0.0, rejects: 0.0 });
        let abilities = Abilities { judge, ..Abilities::default() };
        let memory = Memory::open(at).with_context(|| format!("opening {}", at.display()))?;
        Ok(Watched { model, layers, abilities, memory: memory.into(), states: RefCell::default() })
    }
}

impl Model for Watched {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, _: &Writing, _: Hear<'_>) -> Result<Written, ModelError> {
        Err(does_not_write())
    }

    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        Err(ModelError::CannotScore)
    }

    async fn judge(&self, prompt: &Prompt, _: [&str; 2]) -> Result<f64, ModelError> {
        let key = key(prompt, &[&format!("{:?}", self.layers)]);
        let known = self.memory.borrow().known.get(&key).cloned();
        let state = match known {
            Some(state) => state,
            None => {
                let mut state = Vec::new();
                for layers in self.layers.clone() {
                    state.extend(self.model.state(prompt, layers).await?);
                }
                self.memory.borrow_mut().keep(key, &state);
                state
            }
        };
        self.states.borrow_mut().push(state);
        Ok(f64::NAN)
    }
}

/// Rows of numbers by a key, in a file: key (8 bytes), count (4 bytes), floats of four bytes each, little-endian.
struct Memory {
    known: HashMap<u64, Vec<f32>>,
    /// None once a row could not be written: what came after half a row could not be read.
    file: Option<File>,
}

impl Memory {
    /// What the file at `path` holds; it is made where there is none, and cut where a run that was stopped left half a row.
    fn open(path: &Path) -> std::io::Result<Memory> {
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (mut known, mut rest) = (HashMap::new(), bytes.as_slice());
        while let Some((key, row, after)) = row(rest) {
            known.insert(key, row);
            rest = after;
        }
        file.set_len((bytes.len() - rest.len()) as u64)?;
        Ok(Memory { known, file: Some(file) })
    }

    fn keep(&mut self, key: u64, row: &[f32]) {
        let mut bytes = key.to_le_bytes().to_vec();
        bytes.extend((row.len() as u32).to_le_bytes());
        bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
        // A memory that can't be written costs time, not the answer.
        self.file = self.file.take().filter(|file| (&*file).write_all(&bytes).is_ok());
        self.known.insert(key, row.to_vec());
    }
}

/// The first row of `bytes`, and what comes after it; none where it is not whole.
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
    fn a_memory_goes_on_where_it_was_stopped() {
        let path = std::env::temp_dir().join(format!("seealso-states-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let known = |memory: &Memory| {
            let mut known: Vec<(u64, Vec<f32>)> = memory.known.clone().into_iter().collect();
            known.sort_by_key(|(key, _)| *key);
            known
        };
        let mut memory = Memory::open(&path).unwrap();
        assert_eq!(known(&memory), []);
        memory.keep(1, &[0.5, -2.0]);
        memory.keep(2, &[]);
        memory.keep(3, &[1.0]);
        drop(memory);
        // Half of the last row was written.
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 2]).unwrap();
        let mut memory = Memory::open(&path).unwrap();
        assert_eq!(known(&memory), [(1, vec![0.5, -2.0]), (2, vec![])]);
        memory.keep(3, &[4.0]);
        drop(memory);
        assert_eq!(known(&Memory::open(&path).unwrap()), [(1, vec![0.5, -2.0]), (2, vec![]), (3, vec![4.0])]);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_row_that_claims_too_much_is_none() {
        let bytes = [[0; 8].as_slice(), &u32::MAX.to_le_bytes(), &[0; 40]].concat();
        assert_eq!(row(&bytes), None);
        assert_eq!(row(&[0; 11]), None);
        assert_eq!(row(&[0; 13]), Some((0, Vec::new(), &[0][..])));
    }
}
