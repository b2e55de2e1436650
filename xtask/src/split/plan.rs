//! Which functions the second part of a wasm has, and what it shares with the first.
//!
//! The first part keeps what its exports reach by calls that name a function, and what the other slots of the table reach.
//! So it needs the second for nothing but calls through the slots that were left out. The second imports what both reach, but
//! for short functions, which it has too: all state is shared, so a copy does the same.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use walrus::ir::{Visitor, dfs_in_order};
use walrus::{
    DataId, ElementId, ExportItem, FunctionId, FunctionKind, GlobalId, LocalFunction, MemoryId, Module, TableId,
};

use super::{Item, Kind, slots};

/// The most instructions of a function that both parts have. A call from one part to the other takes some nanoseconds, and can't be
/// inlined; without copies an answer makes 1.5 million of them, nearly all into short functions of the standard library.
pub(super) const COPIED: u64 = 96;

/// Where each function goes, by its number.
pub(super) struct Plan {
    first: BTreeSet<usize>,
    second: BTreeSet<usize>,
    shared: BTreeSet<Item>,
}

impl Plan {
    /// Moves the functions of the table whose names mention one of `paths`, and what only these call.
    pub(super) fn of(module: &Module, paths: &[String]) -> Result<Self> {
        let (mut kept, mut later, mut used) = (Vec::new(), Vec::new(), Uses::default());
        for element in module.elements.iter() {
            let (table, _, functions) = slots(&element.kind, &element.items)?;
            used.items.insert((Kind::Table, table.index()));
            for function in functions {
                let name = name_of(module, *function);
                let moves = paths.iter().any(|path| mentions(name, path));
                if moves { &mut later } else { &mut kept }.push(*function);
            }
        }
        if let Some(path) = paths.iter().find(|path| !later.iter().any(|id| mentions(name_of(module, *id), path))) {
            bail!("no function of the table is named for `{path}`, so there is nothing to split off for it");
        }
        kept.extend(module.start);
        kept.extend(module.exports.iter().filter_map(|export| match export.item {
            ExportItem::Function(id) => Some(id),
            _ => None,
        }));
        let first = reached(module, kept, |_, _| true);
        let second = reached(module, later, |id, function| !first.contains(&id) || function.size() <= COPIED);
        for (id, function) in module.funcs.iter_local().filter(|(id, _)| second.contains(&id.index())) {
            used.add(function);
            if used.passive {
                bail!("`{}` uses a passive segment, which two parts of a wasm can't share", name_of(module, id));
            }
        }
        used.items.retain(|(kind, number)| *kind != Kind::Function || !second.contains(number));
        Ok(Self { first, second, shared: used.items })
    }

    /// Whether the second part alone has a function.
    pub(super) fn moves(&self, function: usize) -> bool {
        self.second.contains(&function) && !self.first.contains(&function)
    }

    /// Whether the second part takes that from the first. Functions that are imported already are imported by each.
    pub(super) fn shares(&self, item: Item) -> bool {
        self.shared.contains(&item)
    }
}

fn name_of(module: &Module, function: FunctionId) -> &str {
    module.funcs.get(function).name.as_deref().unwrap_or_default()
}

/// The numbers of the module's own functions that `roots` reach by calls that name them, of those that are `wanted`.
fn reached(module: &Module, roots: Vec<FunctionId>, wanted: impl Fn(usize, &LocalFunction) -> bool) -> BTreeSet<usize> {
    let (mut reached, mut open) = (BTreeSet::new(), roots);
    while let Some(id) = open.pop() {
        let FunctionKind::Local(function) = &module.funcs.get(id).kind else { continue };
        if wanted(id.index(), function) && reached.insert(id.index()) {
            let mut uses = Uses::default();
            uses.add(function);
            open.append(&mut uses.functions);
        }
    }
    reached
}

/// What functions use.
#[derive(Default)]
struct Uses {
    functions: Vec<FunctionId>,
    items: BTreeSet<Item>,
    passive: bool,
}

impl Uses {
    fn add(&mut self, function: &LocalFunction) {
        dfs_in_order(self, function, function.entry_block());
    }
}

impl Visitor<'_> for Uses {
    fn visit_function_id(&mut self, id: &FunctionId) {
        self.functions.push(*id);
        self.items.insert((Kind::Function, id.index()));
    }

    fn visit_global_id(&mut self, id: &GlobalId) {
        self.items.insert((Kind::Global, id.index()));
    }

    fn visit_memory_id(&mut self, id: &MemoryId) {
        self.items.insert((Kind::Memory, id.index()));
    }

    fn visit_table_id(&mut self, id: &TableId) {
        self.items.insert((Kind::Table, id.index()));
    }

    fn visit_data_id(&mut self, _: &DataId) {
        self.passive = true;
    }

    fn visit_element_id(&mut self, _: &ElementId) {
        self.passive = true;
    }
}

/// Whether a function's name mentions a path: as its own, or as that of a type. rustc writes a crate's hash behind its name.
pub(super) fn mentions(name: &str, path: &str) -> bool {
    let name = without_hashes(name);
    let inside = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':');
    name.match_indices(path).any(|(at, _)| {
        let (before, after) = (name[..at].chars().next_back(), &name[at + path.len()..]);
        !inside(before) && (after.starts_with("::") || !inside(after.chars().next()))
    })
}

/// The name without `[…]`, where hexadecimal digits stand in it alone.
fn without_hashes(name: &str) -> String {
    let (mut out, mut rest) = (String::new(), name);
    while let Some((before, behind)) = rest.split_once('[') {
        out.push_str(before);
        match behind.split_once(']') {
            Some((hash, after)) if !hash.is_empty() && hash.chars().all(|c| c.is_ascii_hexdigit()) => rest = after,
            _ => {
                out.push('[');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}
