//! Which Rust files of the repository use which: a file uses another where its code names what the other defines.
//!
//! A name is followed through the `use` items of the modules that it passes, so `crate::Tokenizer` leads to the file that
//! defines the tokenizer, not to the root that exports it again. What is reached by a method alone is not seen.

mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use names::{Names, Steps};

use super::test_code;

/// Imports that lead to imports are followed so many times.
const MOST_IMPORTS: usize = 16;

/// A module: the folder of sources of its crate, and the steps from the crate's root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Module {
    pub(super) sources: PathBuf,
    pub(super) steps: Steps,
}

impl Module {
    /// The module of a file. Files that are not in a crate's folder of sources have none.
    fn of(file: &Path) -> Option<Self> {
        let mut steps: Steps = file.with_extension("").iter().map(|step| step.to_string_lossy().into_owned()).collect();
        let sources = steps.iter().position(|step| step == "src")?;
        let mut module = steps.split_off(sources + 1);
        let is_root = matches!(&module[..], [only] if only == "lib" || only == "main");
        if is_root || module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        Some(Module { sources: steps.iter().collect(), steps: module })
    }

    /// The module that declares this one; none for a crate's root.
    pub(super) fn parent(&self) -> Option<Module> {
        let (_, steps) = self.steps.split_last()?;
        Some(Module { sources: self.sources.clone(), steps: steps.to_vec() })
    }

    /// Whether this is a crate's root.
    pub(super) fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    fn child(&self, name: &str) -> Module {
        let steps = self.steps.iter().cloned().chain([name.to_owned()]).collect();
        Module { sources: self.sources.clone(), steps }
    }

    fn root(&self) -> Module {
        Module { sources: self.sources.clone(), steps: Steps::new() }
    }
}

/// The modules of all crates.
#[derive(Default)]
pub(super) struct Uses {
    modules: BTreeMap<Module, (PathBuf, Names)>,
}

impl Uses {
    /// Takes a file in. Tests may use anything, so they are left out.
    pub(super) fn add(&mut self, file: &Path, text: &str) {
        if file.extension().is_none_or(|extension| extension != "rs") {
            return;
        }
        let Some(module) = Module::of(file) else { return };
        // A crate's binary is a user of its library, and has a root of its own.
        let has_library = self.modules.get(&module).is_some_and(|(root, _)| root.ends_with("lib.rs"));
        if has_library && file.ends_with("main.rs") {
            return;
        }
        let code = test_code::lines(file, text).into_iter().filter(|(_, is_test)| !is_test);
        let code: Vec<&str> = code.map(|(line, _)| line.split("//").next().unwrap_or_default()).collect();
        if !code.is_empty() {
            self.modules.insert(module, (file.to_path_buf(), Names::of(&code.join("\n"))));
        }
    }

    /// The file of a module.
    pub(super) fn file(&self, module: &Module) -> &Path {
        &self.modules[module].0
    }

    /// The module of a file that was taken in.
    pub(super) fn module(&self, file: &Path) -> Option<&Module> {
        let (module, (known, _)) = self.modules.get_key_value(&Module::of(file)?)?;
        (known == file).then_some(module)
    }

    /// The modules that each module uses.
    pub(super) fn all(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        self.modules.keys().map(|module| (module, self.used_by(module))).collect()
    }

    /// The modules that `module` uses, itself left out.
    pub(super) fn used_by(&self, module: &Module) -> BTreeSet<&Module> {
        let mut used = BTreeSet::new();
        let names = self.modules.get(module).map(|(_, names)| names);
        for path in names.iter().flat_map(|names| names.imports.iter().map(|(_, path)| path).chain(&names.paths)) {
            self.follow(module, path, MOST_IMPORTS, &mut used);
        }
        used.remove(module);
        used
    }

    /// Adds the modules that define what `path` leads to, named in `module`: none outside the repository, two where an item
    /// stands in for another in some builds.
    fn follow<'u>(&'u self, module: &Module, path: &[String], imports_left: usize, found: &mut BTreeSet<&'u Module>) {
        let Some((first, behind)) = path.split_first() else { return };
        let start = match first.as_str() {
            "crate" => Some(module.root()),
            "self" => Some(module.clone()),
            "super" => module.parent(),
            name => match self.declares(module, name) {
                true => return self.enter(module, path, imports_left, found),
                false => crate_of(name),
            },
        };
        if let Some(start) = start {
            self.enter(&start, behind, imports_left, found);
        }
    }

    /// Whether `module` has a child of this name, or imports the name.
    fn declares(&self, module: &Module, name: &str) -> bool {
        let imports = self.modules.get(module).map(|(_, names)| &names.imports[..]).unwrap_or_default();
        self.modules.contains_key(&module.child(name)) || imports.iter().any(|(import, _)| import == name)
    }

    /// As [`follow`](Self::follow), from inside of `module`, which may have no code of its own.
    fn enter<'u>(&'u self, module: &Module, path: &[String], imports_left: usize, found: &mut BTreeSet<&'u Module>) {
        let here = self.modules.get_key_value(module);
        let Some((name, behind)) = path.split_first() else {
            found.extend(here.map(|(here, _)| here));
            return;
        };
        if matches!(name.as_str(), "self" | "super") {
            return self.follow(module, path, imports_left, found);
        }
        let child = module.child(name);
        if self.modules.contains_key(&child) {
            return self.enter(&child, behind, imports_left, found);
        }
        let (Some((here, (_, names))), Some(imports_left)) = (here, imports_left.checked_sub(1)) else { return };
        let mut is_import = false;
        for (_, import) in names.imports.iter().filter(|(import, _)| import == name) {
            is_import = true;
            let path: Steps = import.iter().chain(behind).cloned().collect();
            self.follow(here, &path, imports_left, found);
        }
        if !is_import {
            found.insert(here);
        }
    }
}

/// The root of one of this repository's crates by its name in code, such as `seealso_index`.
fn crate_of(name: &str) -> Option<Module> {
    let sources = match name.strip_prefix("seealso") {
        Some("") => PathBuf::from("src"),
        Some(rest) => Path::new("crates").join(rest.strip_prefix('_')?.replace('_', "-")).join("src"),
        None => return None,
    };
    Some(Module { sources, steps: Steps::new() })
}
