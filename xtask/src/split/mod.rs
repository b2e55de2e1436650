//! Splits a wasm in two: what a page loads with itself, and what only some calls need. Both run on the same memory, table
//! and globals, which the first has and the second imports.
//!
//! Only the table is cut: Rust calls what it knows by type alone, such as the body of an `async fn`, through the table, so
//! leaving the functions of some paths out of it leaves out all that only these call. The second part puts them into their
//! slots when it is instantiated. A call that names its function never leaves the first part, so no call of the
//! first part becomes slower. See `plan` for what moves.
//!
//! Both parts must be of one build, for they know each other's functions by number alone. So the second imports the memory by
//! a name that is made of all bytes of the whole: another build's first part has none of that name, and the two don't link.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use walrus::ir::Value;
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionId, FunctionKind, GlobalKind, ImportedFunction, Module,
    ModuleConfig, TableId,
};

mod plan;
#[cfg(test)]
mod tests;

use plan::Plan;

use crate::stamp::Stamp;

/// The module that the second part imports from: the exports of the first.
pub(crate) const FIRST: &str = "f";

/// The two parts of a wasm.
pub(crate) struct Parts {
    /// All that is not in the second part.
    pub(crate) first: Vec<u8>,
    /// What only the functions of the given paths call; to be instantiated with the exports of the first part
    /// as the module [`FIRST`], and with all that the whole imported.
    pub(crate) second: Vec<u8>,
}

/// Splits off what only functions of the table whose names mention one of the paths `later` call. Names are read from the
/// wasm's name section, and kept in both parts.
///
/// # Errors
/// Where it is no wasm, where no function of the table bears such a name, or where it uses what can't be
/// shared: passive segments, or a table that isn't filled by constant lists of functions.
pub(crate) fn split(wasm: &[u8], later: &[String]) -> Result<Parts> {
    let (mut first, mut second) = (parse(wasm)?, parse(wasm)?);
    let plan = Plan::of(&first, later)?;
    let names = export_shared(&mut first, &plan, &fingerprint(wasm));
    fill_table(&mut first, |slot| !plan.moves(slot))?;
    delete_functions(&mut first, |function| plan.moves(function));

    second.start = None;
    delete_exports(&mut second);
    delete_data(&mut second);
    fill_table(&mut second, |slot| plan.moves(slot))?;
    import_shared(&mut second, &plan, &names);
    walrus::passes::gc::run(&mut second);
    Ok(Parts { first: first.emit_wasm(), second: second.emit_wasm() })
}

/// Tells one build from another.
fn fingerprint(wasm: &[u8]) -> String {
    let mut stamp = Stamp::new();
    stamp.add(wasm);
    format!("{:.8}", stamp.hex())
}

fn parse(wasm: &[u8]) -> Result<Module> {
    let mut config = ModuleConfig::new();
    config.generate_producers_section(false).parse(wasm)
}

/// Kinds of what the second part takes from the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Function,
    Global,
    Memory,
    Table,
}

/// The kind and number of an item; both copies of a wasm number alike.
type Item = (Kind, usize);

fn item_of(export: &ExportItem) -> Option<Item> {
    match export {
        ExportItem::Function(id) => Some((Kind::Function, id.index())),
        ExportItem::Global(id) => Some((Kind::Global, id.index())),
        ExportItem::Memory(id) => Some((Kind::Memory, id.index())),
        ExportItem::Table(id) => Some((Kind::Table, id.index())),
        ExportItem::Tag(_) => None,
    }
}

/// Exports what the second part needs, and gives the names under which it is found; memories have that of the build.
fn export_shared(first: &mut Module, plan: &Plan, build: &str) -> BTreeMap<Item, String> {
    let exported = first.exports.iter().filter_map(|export| Some((item_of(&export.item)?, export.name.clone())));
    let mut names: BTreeMap<Item, String> = exported.filter(|((kind, _), _)| *kind != Kind::Memory).collect();
    for memory in first.memories.iter() {
        let name = format!("{build}{}", memory.id().index());
        first.exports.add(&name, memory.id());
        names.insert((Kind::Memory, memory.id().index()), name);
    }
    let mut items: Vec<ExportItem> = first.tables.iter().map(|table| table.id().into()).collect();
    items.extend(first.globals.iter().map(|global| ExportItem::from(global.id())));
    items.extend(first.funcs.iter_local().map(|(function, _)| ExportItem::from(function)));
    let mut free = (0..).map(short_name).filter(|name| first.exports.iter().all(|export| export.name != *name));
    let mut added = Vec::new();
    for export in items {
        let Some(item) = item_of(&export).filter(|item| plan.shares(*item) && !names.contains_key(item)) else {
            continue;
        };
        let name = free.next().expect("there is no end of names");
        names.insert(item, name.clone());
        added.push((name, export));
    }
    drop(free);
    for (name, export) in added {
        first.exports.add(&name, export);
    }
    names
}

/// `a`, `b`, … `z`, `aa`, and so on.
fn short_name(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        rest => format!("{}{last}", short_name(rest - 1)),
    }
}

/// Leaves those slots of the table filled whose function is `wanted`.
fn fill_table(module: &mut Module, wanted: impl Fn(usize) -> bool) -> Result<()> {
    let mut runs: Vec<(TableId, i32, Vec<FunctionId>)> = Vec::new();
    let mut filled = Vec::new();
    for element in module.elements.iter() {
        let (table, start, functions) = slots(&element.kind, &element.items)?;
        filled.push(element.id());
        let mut last = None;
        for (place, function) in functions.iter().enumerate().filter(|(_, function)| wanted(function.index())) {
            match runs.last_mut().filter(|_| last.is_some_and(|last| last + 1 == place)) {
                Some((_, _, run)) => run.push(*function),
                None => runs.push((table, start + place as i32, vec![*function])),
            }
            last = Some(place);
        }
    }
    for element in filled {
        module.elements.delete(element);
        for table in module.tables.iter_mut() {
            table.elem_segments.remove(&element);
        }
    }
    for (table, start, functions) in runs {
        let kind = ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(start)) };
        let element = module.elements.add(kind, ElementItems::Functions(functions));
        module.tables.get_mut(table).elem_segments.insert(element);
    }
    Ok(())
}

/// A table, and the functions in its slots from a number on.
fn slots<'m>(kind: &ElementKind, items: &'m ElementItems) -> Result<(TableId, i32, &'m [FunctionId])> {
    match (kind, items) {
        (ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(start)) }, ElementItems::Functions(list)) => {
            Ok((*table, *start, list))
        }
        _ => bail!("a wasm can be split only where its tables are filled by constant lists of functions"),
    }
}

fn delete_functions(module: &mut Module, unwanted: impl Fn(usize) -> bool) {
    let ids: Vec<_> = module.funcs.iter().map(|function| function.id()).filter(|id| unwanted(id.index())).collect();
    ids.into_iter().for_each(|id| module.funcs.delete(id));
}

fn delete_exports(module: &mut Module) {
    let ids: Vec<_> = module.exports.iter().map(|export| export.id()).collect();
    ids.into_iter().for_each(|id| module.exports.delete(id));
}

fn delete_data(module: &mut Module) {
    let ids: Vec<_> = module.data.iter().map(|data| data.id()).collect();
    ids.into_iter().for_each(|id| module.data.delete(id));
    module.memories.iter_mut().for_each(|memory| memory.data_segments.clear());
}

/// Makes imports of what the second part shares with the first.
fn import_shared(second: &mut Module, plan: &Plan, names: &BTreeMap<Item, String>) {
    // All memories, also one that only a function of the first part reads: the build stands in their names.
    let name_of = |item: Item| names.get(&item).filter(|_| item.0 == Kind::Memory || plan.shares(item));
    let Module { imports, funcs, globals, memories, tables, .. } = second;
    for memory in memories.iter_mut() {
        if let Some(name) = name_of((Kind::Memory, memory.id().index())) {
            memory.import = Some(imports.add(FIRST, name, memory.id()));
        }
    }
    for table in tables.iter_mut() {
        if let Some(name) = name_of((Kind::Table, table.id().index())) {
            table.import = Some(imports.add(FIRST, name, table.id()));
        }
    }
    for id in globals.iter().map(|global| global.id()).collect::<Vec<_>>() {
        if let Some(name) = name_of((Kind::Global, id.index())) {
            globals.get_mut(id).kind = GlobalKind::Import(imports.add(FIRST, name, id));
        }
    }
    for function in funcs.iter_mut() {
        if let Some(name) = name_of((Kind::Function, function.id().index())) {
            let import = imports.add(FIRST, name, function.id());
            function.kind = FunctionKind::Import(ImportedFunction { import, ty: function.ty() });
        }
    }
}
