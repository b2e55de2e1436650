//! A model's file of random weights that is made while it is read: it may be of any size, and takes little memory. For
//! measuring a model of a given shape where no real one can be had.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::rc::Rc;

use super::{Random, TinyModel, Writer, put_vocabulary, random_values};
use crate::{Error, Kind, Role};

/// Random blocks that a matrix repeats: a prime, so that its rows are not the same.
const BLOCKS: usize = 1021;

/// A file of the shape that a [`TinyModel`] says, as a stream.
pub struct RandomFile {
    /// What is still to come.
    runs: VecDeque<ByteRun>,
    bytes: u64,
}

/// Bytes that repeat some others.
struct ByteRun {
    pool: Rc<[u8]>,
    at: usize,
    left: u64,
}

impl RandomFile {
    /// A model's file. Matrices whose rows are no whole blocks of the model's kind get the kind that llama.cpp's
    /// quantiser puts in its place.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] where a row is no whole number of blocks of any.
    pub fn new(model: &TinyModel) -> Result<RandomFile, Error> {
        let mut writer = Writer::new();
        model.put_metadata(&mut writer);
        put_vocabulary(&mut writer, model.vocab);
        let mut tensors = Vec::new();
        for (role, shape) in model.tensors() {
            let kind = if role.is_vector() { Kind::F32 } else { kind_for(model.kind, shape[0] as usize) };
            let bytes = kind
                .bytes_of(shape.iter().product::<u64>() as usize)
                .filter(|_| (shape[0] as usize).is_multiple_of(kind.block_elements()));
            let bytes =
                bytes.ok_or_else(|| Error::argument(format!("rows of {} are no whole blocks of {kind}", shape[0])))?;
            tensors.push((role, role.name(), shape, kind, bytes as u64));
        }
        let head = writer.head(tensors.iter().map(|(_, name, shape, kind, bytes)| (&**name, &**shape, *kind, *bytes)));
        let alignment = writer.alignment() as u64;
        let mut runs = VecDeque::from([ByteRun { left: head.len() as u64, pool: head.into(), at: 0 }]);
        let zeros: Rc<[u8]> = vec![0; alignment as usize].into();
        let mut pools = Pools { random: Random(model.seed), made: BTreeMap::new() };
        for (number, (role, _, shape, kind, bytes)) in tensors.iter().enumerate() {
            let pool = pools.get(*role, shape, *kind)?;
            // Each begins elsewhere in it, at a block.
            let at = number * 97 % (pool.len() / kind.block_bytes()) * kind.block_bytes();
            runs.push_back(ByteRun { pool, at, left: *bytes });
            let padding = bytes.next_multiple_of(alignment) - bytes;
            runs.push_back(ByteRun { pool: zeros.clone(), at: 0, left: padding });
        }
        // The last tensor's end is the file's.
        runs.pop_back();
        let bytes = runs.iter().map(|stretch| stretch.left).sum();
        Ok(RandomFile { runs, bytes })
    }

    /// The file's bytes.
    pub fn file_bytes(&self) -> u64 {
        self.bytes
    }
}

impl Read for RandomFile {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut done = 0;
        while done < buffer.len()
            && let Some(stretch) = self.runs.front_mut()
        {
            if stretch.left == 0 {
                self.runs.pop_front();
                continue;
            }
            let here = &stretch.pool[stretch.at..];
            let count = here.len().min(buffer.len() - done).min(usize::try_from(stretch.left).unwrap_or(usize::MAX));
            buffer[done..done + count].copy_from_slice(&here[..count]);
            done += count;
            stretch.left -= count as u64;
            stretch.at = (stretch.at + count) % stretch.pool.len();
        }
        Ok(done)
    }
}

/// Random blocks by what they depend on: the kind, the width of a row, and what role it is for.
struct Pools {
    random: Random,
    made: BTreeMap<(&'static str, u64, u32), Rc<[u8]>>,
}

impl Pools {
    fn get(&mut self, role: Role, shape: &[u64], kind: Kind) -> Result<Rc<[u8]>, Error> {
        let what = match role {
            _ if role.name().ends_with(".bias") => "bias",
            _ if role.is_vector() => "norm",
            Role::Embedding => "embedding",
            _ => "matrix",
        };
        let key = (what, shape[0], kind.code());
        if let Some(pool) = self.made.get(&key) {
            return Ok(pool.clone());
        }
        let values = random_values(role, (BLOCKS * kind.block_elements()) as u64, shape[0], &mut self.random);
        let pool: Rc<[u8]> = super::quantise(kind, &values)?.into();
        self.made.insert(key, pool.clone());
        Ok(pool)
    }
}

/// The kind itself, or what llama.cpp's quantiser takes where rows are no whole blocks of it.
fn kind_for(kind: Kind, columns: usize) -> Kind {
    match kind {
        _ if columns.is_multiple_of(kind.block_elements()) => kind,
        Kind::Q4_K => Kind::Q5_0,
        Kind::Q5_K => Kind::Q5_1,
        Kind::Q6_K => Kind::Q8_0,
        _ => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Architecture, read_all};

    fn check(model: &TinyModel) {
        let file = RandomFile::new(model).unwrap();
        let bytes = file.file_bytes();
        let mut all = Vec::new();
        // In pieces of an odd size, as a stream may come.
        let mut file = file;
        let mut piece = [0; 1021];
        loop {
            match file.read(&mut piece).unwrap() {
                0 => break,
                count => all.extend_from_slice(&piece[..count]),
            }
        }
        assert_eq!(all.len() as u64, bytes);
        let mut placed = 0;
        let header = read_all::<Error>(&all, &mut |_, bytes| {
            placed += bytes.len();
            Ok(())
        })
        .unwrap();
        assert_eq!(header.file_bytes(), bytes);
        assert_eq!(header.tensors.len(), model.tensors().count());
        assert_eq!(header.tensors.iter().map(|tensor| tensor.bytes).sum::<u64>(), placed as u64);
    }

    #[test]
    fn it_is_a_file_of_its_shape() {
        for architecture in Architecture::ALL {
            for kind in [Kind::F32, Kind::Q4_0, Kind::Q8_0, Kind::Q4_K, Kind::Q6_K] {
                check(&TinyModel { architecture, kind, layers: 2, ..TinyModel::default() });
                check(&TinyModel {
                    architecture,
                    kind,
                    width: 256,
                    ffn_width: 768,
                    tied: false,
                    ..TinyModel::default()
                });
            }
        }
    }

    #[test]
    fn rows_that_are_no_blocks_of_any_kind_are_an_error() {
        assert!(RandomFile::new(&TinyModel { kind: Kind::Q4_0, width: 33, ..TinyModel::default() }).is_err());
    }
}
