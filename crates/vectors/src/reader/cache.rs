//! The files of opened vectors: those that were supplied, decoded, and the list of those that calls have missed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::error::Error;
use crate::format::bytes::Cursor;
use crate::format::files::{File, WantedFile};
use crate::format::leaf::Leaf;
use crate::format::node::Node;
use crate::format::places::read_places;
use crate::format::root::Root;

/// The files of opened vectors.
#[derive(Debug, Default)]
pub(super) struct Cache(RefCell<Files>);

#[derive(Debug, Default)]
struct Files {
    groups: BTreeMap<WantedFile, Rc<Node>>,
    leaves: BTreeMap<WantedFile, Rc<Leaf>>,
    places: BTreeMap<WantedFile, Rc<[u32]>>,
    missing: BTreeSet<WantedFile>,
}

impl Cache {
    /// The leaves of a group.
    pub(super) fn group(&self, file: WantedFile) -> Result<Rc<Node>, Error> {
        let found = self.0.borrow().groups.get(&file).cloned();
        found.ok_or_else(|| self.miss(file))
    }

    /// A leaf.
    pub(super) fn leaf(&self, file: WantedFile) -> Result<Rc<Leaf>, Error> {
        let found = self.0.borrow().leaves.get(&file).cloned();
        found.ok_or_else(|| self.miss(file))
    }

    /// A file of places.
    pub(super) fn places(&self, file: WantedFile) -> Result<Rc<[u32]>, Error> {
        let found = self.0.borrow().places.get(&file).cloned();
        found.ok_or_else(|| self.miss(file))
    }

    /// Records that a file is missing.
    fn miss(&self, file: WantedFile) -> Error {
        self.0.borrow_mut().missing.insert(file);
        Error::Missing
    }

    /// The files that were missed since the last call.
    pub(super) fn take_missing(&self) -> Vec<WantedFile> {
        std::mem::take(&mut self.0.borrow_mut().missing).into_iter().collect()
    }

    /// Drops all files.
    pub(super) fn clear(&self) {
        *self.0.borrow_mut() = Files::default();
    }

    /// Adds a file's bytes.
    pub(super) fn supply(&self, file: WantedFile, bytes: &[u8], root: &Root) -> Result<(), Error> {
        let name = file.name();
        let mut cursor = Cursor::new(bytes, name.as_str());
        if bytes.len() != file.bytes as usize {
            return Err(cursor.corrupt(&format!("it has {} bytes, not {}", bytes.len(), file.bytes)));
        }
        let fits = |found: usize| match found == file.entries as usize {
            true => Ok(()),
            false => Err(Error::corrupt(&name, format!("it has {found} entries, not {}", file.entries))),
        };
        match file.file {
            File::Group => {
                let node = Node::read(&mut cursor, root.space.dimensions)?;
                fits(node.children.len())?;
                cursor.end()?;
                self.0.borrow_mut().groups.insert(file, Rc::new(node));
            }
            File::Leaf => {
                let leaf = Leaf::read(&mut cursor, root.space.dimensions, root.chunks())?;
                fits(leaf.chunks.len())?;
                cursor.end()?;
                self.0.borrow_mut().leaves.insert(file, Rc::new(leaf));
            }
            File::Places => {
                let places = read_places(&mut cursor, file.entries, root.tree.leaves())?;
                cursor.end()?;
                self.0.borrow_mut().places.insert(file, places.into());
            }
        }
        Ok(())
    }
}
