//! A small wasm is split, looked into, and run by Node.

use std::path::PathBuf;
use std::{env, fs};

use seealso_test_support::or_skip;
use walrus::ir::BinaryOp;
use walrus::{FunctionBuilder, FunctionId, InstrSeqBuilder, LocalId, RefType, TypeId, ValType};

use super::plan::{COPIED, mentions};
use super::*;
use crate::{npm, process};

/// A wasm with a table of `app::early`, `app[0f]::later::answer` and `app::later::told`, and what they use:
///
/// - `call(slot, x)` is exported, and calls a slot;
/// - `app::early` doubles x by `app::helper`, and then calls `app::short`, which adds nothing, and by its name
///   `app::later::told`, which adds a constant;
/// - `app::later::answer` adds x to a global, writes the sum into memory, and gives what `app::later::inner` makes of
///   x: `short` of `helper` of what the host's `log` gives;
/// - `stored(place)` is exported, and gives what memory holds.
struct App {
    module: Module,
}

const UNARY: ([ValType; 1], [ValType; 1]) = ([ValType::I32], [ValType::I32]);

impl App {
    fn new(constant: i32) -> Self {
        let mut app = Self { module: Module::default() };
        let module = &mut app.module;
        let memory = module.memories.add_local(false, false, 1, None, None);
        module.exports.add("memory", memory);
        let sum = module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
        let unary = module.types.add(&UNARY.0, &UNARY.1);
        let (log, _) = module.add_import_func("env", "log", unary);
        let helper = app.function("app::helper", |body, x| {
            body.local_get(x).i32_const(2).binop(BinaryOp::I32Mul);
            for _ in 0..COPIED {
                body.i32_const(0).binop(BinaryOp::I32Xor);
            }
        });
        let short = app.function("app::short", |body, x| {
            body.local_get(x);
        });
        let told = app.function("app::later::told", |body, x| {
            body.local_get(x).i32_const(constant).binop(BinaryOp::I32Add);
        });
        let early = app.function("app::early", |body, x| {
            body.local_get(x).call(helper).call(short).call(told);
        });
        let inner = app.function("app::later::inner", |body, x| {
            body.local_get(x).call(log).call(helper).call(short);
        });
        let at = walrus::ir::MemArg { align: 4, offset: 0 };
        let answer = app.function("app[0f]::later::answer", |body, x| {
            body.global_get(sum).local_get(x).binop(BinaryOp::I32Add).global_set(sum);
            body.i32_const(8).global_get(sum).store(memory, walrus::ir::StoreKind::I32 { atomic: false }, at);
            body.local_get(x).call(inner);
        });
        let stored = app.function("app::stored", |body, x| {
            body.local_get(x).load(memory, walrus::ir::LoadKind::I32 { atomic: false }, at);
        });
        app.module.exports.add("stored", stored);
        app.module.exports.add("a", helper);
        app.table(&[early, answer, told], unary);
        app
    }

    fn function(&mut self, name: &str, write: impl FnOnce(&mut InstrSeqBuilder, LocalId)) -> FunctionId {
        let x = self.module.locals.add(ValType::I32);
        let mut builder = FunctionBuilder::new(&mut self.module.types, &UNARY.0, &UNARY.1);
        builder.name(name.to_owned());
        write(&mut builder.func_body(), x);
        builder.finish(vec![x], &mut self.module.funcs)
    }

    /// Fills the table from its second slot on, and exports what calls a slot.
    fn table(&mut self, functions: &[FunctionId], unary: TypeId) {
        let size = functions.len() as u64 + 1;
        let table = self.module.tables.add_local(false, size, Some(size), RefType::FUNCREF);
        let kind = ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(1)) };
        let element = self.module.elements.add(kind, ElementItems::Functions(functions.to_vec()));
        self.module.tables.get_mut(table).elem_segments.insert(element);
        let (slot, x) = (self.module.locals.add(ValType::I32), self.module.locals.add(ValType::I32));
        let mut builder = FunctionBuilder::new(&mut self.module.types, &[ValType::I32; 2], &UNARY.1);
        builder.name("app::call".to_owned()).func_body().local_get(x).local_get(slot).call_indirect(unary, table);
        let call = builder.finish(vec![slot, x], &mut self.module.funcs);
        self.module.exports.add("call", call);
    }

    fn split(mut self) -> Parts {
        split(&self.module.emit_wasm(), &["app::later".to_owned()]).expect("it can be split")
    }
}

fn read(wasm: &[u8]) -> Module {
    Module::from_buffer(wasm).expect("it is a whole wasm")
}

/// The names of a wasm's own functions, sorted.
fn functions(module: &Module) -> Vec<&str> {
    let mut names: Vec<&str> =
        module.funcs.iter_local().filter_map(|(id, _)| module.funcs.get(id).name.as_deref()).collect();
    names.sort_unstable();
    names
}

#[test]
fn functions_of_the_table_move_with_what_only_they_call() {
    let parts = App::new(1).split();
    let (first, second) = (read(&parts.first), read(&parts.second));
    assert_eq!(functions(&second), ["app::later::inner", "app::short", "app[0f]::later::answer"]);
    // `told` is called by its name as well, and `short` is shorter than a call from one part to the other.
    let kept = ["app::call", "app::early", "app::helper", "app::later::told", "app::short", "app::stored"];
    assert_eq!(functions(&first), kept);
}

#[test]
fn the_second_part_imports_what_it_shares_and_exports_nothing() {
    let parts = App::new(1).split();
    let second = read(&parts.second);
    let imports = |of: &str| {
        let mut names: Vec<&str> =
            second.imports.iter().filter(|import| import.module == of).map(|import| import.name.as_str()).collect();
        names.sort_unstable_by_key(|name| (name.len(), *name));
        names
    };
    assert_eq!(imports("env"), ["log"]);
    let of_first = imports(FIRST);
    // The helper was exported as `a` already, so no other export bears that name.
    assert_eq!(of_first[..3], ["a", "b", "c"]);
    assert_eq!((of_first.len(), of_first[3].len()), (4, 9), "the memory bears the name of the build");
    let exported = read(&parts.first);
    assert!(of_first.iter().all(|name| exported.exports.iter().any(|export| export.name == *name)));
    assert_eq!(second.exports.iter().count(), 0);
    assert!(second.memories.iter().all(|memory| memory.import.is_some()));
}

#[test]
fn both_parts_run_on_one_memory_table_and_global() {
    let said = run(
        &App::new(1).split(),
        &App::new(2).split(),
        "const trap = (work) => { try { work(); return 'nothing'; } catch (error) { return error.constructor.name; } };
        const log = (x) => x + 100;
        const first = load('first', { env: { log } });
        const said = [first.call(1, 5), first.call(3, 5), trap(() => first.call(2, 5))];
        said.push(trap(() => load('other', { env: { log }, f: first })));
        load('second', { env: { log }, f: first });
        said.push(first.call(1, 5), first.call(2, 5), first.call(2, 7), first.stored(8));
        console.log(said.join(' '));",
    );
    assert_eq!(or_skip!(said), "11 6 RuntimeError LinkError 11 210 214 12");
}

/// What Node says when it runs a script that can load both parts and another build's second one.
///
/// # Errors
///
/// There is no Node.
fn run(parts: &Parts, other: &Parts, script: &str) -> Result<String> {
    npm::node_version()?;
    let folder: PathBuf = env::temp_dir().join(format!("seealso-xtask-split-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    for (name, bytes) in [("first", &parts.first), ("second", &parts.second), ("other", &other.second)] {
        fs::write(folder.join(format!("{name}.wasm")), bytes).expect("a file can be written");
    }
    let load = "const { readFileSync } = require('fs');
        const load = (name, imports) =>
            new WebAssembly.Instance(new WebAssembly.Module(readFileSync(`${name}.wasm`)), imports).exports;\n";
    let mut node = process::command("node");
    node.current_dir(&folder).args(["-e", &format!("{load}{script}")]);
    let said = process::capture(&mut node).expect("Node runs the script");
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    Ok(said)
}

#[test]
fn what_cannot_be_split_says_why() {
    let check = |wasm: &[u8], path: &str, expected: &str| {
        let error = split(wasm, &[path.to_owned()]).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(expected), "{error}");
    };
    check(&App::new(1).module.emit_wasm(), "app::never", "no function of the table is named for `app::never`");
    assert!(split(b"no wasm", &["app::later".to_owned()]).is_err());
    let mut passive = App::new(1);
    passive.module.elements.add(ElementKind::Passive, ElementItems::Functions(Vec::new()));
    check(&passive.module.emit_wasm(), "app::later", "constant lists of functions");
}

#[test]
fn names_mention_paths() {
    let check = |name: &str, path: &str, expected: bool| assert_eq!(mentions(name, path), expected, "{name}");
    check("seealso[8dcc84c92d45007a]::answer::extract::choose", "seealso::answer", true);
    check("seealso::answer", "seealso::answer", true);
    check("seealso::answers::choose", "seealso::answer", false);
    check("other::seealso::answer::choose", "seealso::answer", false);
    check("seealso_index[24]::sort::<seealso[8d]::answer::Hit, usize>", "seealso::answer", true);
    check("<seealso[8d]::web::class::SeeAlso>::ask::{closure#0}", "<seealso::web::class::SeeAlso>::ask", true);
    check("<seealso[8d]::web::class::SeeAlso>::asked", "<seealso::web::class::SeeAlso>::ask", false);
    check("<[seealso[8d]::answer::Hit] as core[7]::Debug>::fmt", "seealso::answer", true);
    check("", "seealso::answer", false);
    check("[u8; 6usize]::sort::<seealso::answer::Hit>", "seealso::answer", true);
}
