//! What every test of the command shares: a folder of its own, and the built command run in it.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used)]

mod scripted_node;
mod stored_vectors;
mod tiny_encoder;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

#[allow(unused_imports, reason = "only the tests of nodes make one")]
pub use scripted_node::ScriptedNode;
#[allow(unused_imports, reason = "only the tests of vectors store some")]
pub use stored_vectors::publish_vectors;
#[allow(unused_imports, reason = "only the tests of encoders make one")]
pub use tiny_encoder::write_tiny_encoder;

/// A folder for one test, which is removed at its end.
pub struct Sandbox(PathBuf);

/// The result of a run of the command.
#[derive(Debug)]
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Sandbox {
    /// A new, empty folder; no other test has this `name`.
    pub fn new(name: &str) -> Sandbox {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Sandbox(root)
    }

    /// A sandbox whose folder `packs` holds the packs tea and bread, built.
    pub fn with_packs(name: &str) -> Sandbox {
        let sandbox = Sandbox::new(name);
        tea_and_bread(&sandbox);
        assert_eq!(sandbox.run(&["build", "packs"]).code, 0);
        sandbox
    }

    /// A path inside.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// The text of a file inside.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file inside, with its folders.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs the command in this folder.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let output = self.command(arguments).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The command, to be run in this folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seealso"));
        command.args(arguments).current_dir(&self.0).env_remove("CLICOLOR_FORCE").env_remove("SEEALSO_ENCODER");
        command
    }

    /// Every file below a folder inside, by its path there, with its bytes.
    pub fn files(&self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let (root, mut found) = (self.path(folder), Vec::new());
        let mut waiting = vec![root.clone()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    waiting.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().display().to_string();
                    found.push((name, fs::read(path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Run {
    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Asserts that the run ended with this code.
    #[track_caller]
    pub fn ends_with(self, code: i32) -> Run {
        assert_eq!(self.code, code, "{self:?}");
        self
    }
}

/// The stage of that name that the packs have; null where they have none.
pub fn stage_record(sandbox: &Sandbox, name: &str) -> Value {
    let catalog: Value = serde_json::from_str(&sandbox.read("packs/catalog.json")).unwrap();
    let Some(path) = catalog["stages_file"]["path"].as_str() else { return Value::Null };
    let stages: Value = serde_json::from_str(&sandbox.read(&format!("packs/{path}"))).unwrap();
    let named = stages["stages"].as_array().unwrap().iter().find(|stage| stage["name"] == name);
    named.cloned().unwrap_or_default()
}

/// Removes the root file of a stage.
pub fn remove_stage_root(sandbox: &Sandbox, name: &str) {
    let record = stage_record(sandbox, name);
    fs::remove_file(sandbox.path("packs").join(record["root"]["path"].as_str().unwrap())).unwrap();
}

/// Writes two small packs without flaws below `packs`.
pub fn tea_and_bread(sandbox: &Sandbox) {
    pack(
        sandbox,
        "tea",
        "Tea",
        &[
            (
                "green-tea",
                "Green tea",
                "How green tea is made, and at which temperature its leaves are steeped.",
                "Green tea is steeped at about 70 degrees.",
                "black-tea",
            ),
            (
                "black-tea",
                "Black tea",
                "How black tea is oxidised, rolled and dried, and why its leaves turn dark.",
                "Black tea is oxidised for some hours before it is dried.",
                "green-tea",
            ),
        ],
    );
    pack(
        sandbox,
        "bread",
        "Bread",
        &[
            (
                "sourdough",
                "Sourdough",
                "How sourdough rises with wild yeast and bacteria instead of bought yeast.",
                "Sourdough rises with wild yeast.",
                "crust",
            ),
            (
                "crust",
                "Crust",
                "Why the crust of a loaf browns in the oven, and how steam keeps it soft at first.",
                "A crust browns above 140 degrees.",
                "sourdough",
            ),
        ],
    );
}

/// A page: slug, title, summary, a fact, and the slug of its neighbour.
type Topic<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str);

fn pack(sandbox: &Sandbox, name: &str, title: &str, topics: &[Topic<'_>]) {
    let file = |path: &str| format!("packs/{name}/{path}");
    sandbox.write(
        &file("manifest.yaml"),
        &format!("name: {name}\ntitle: {title}\nversion: 1.0.0\nlanguage: en\ndomains: [{name}]\nsummary: A small pack about {name}, which serves to try the command out on true files.\n"),
    );
    sandbox.write(&file("wiki/schema.md"), "# Schema\n");
    sandbox.write(&file("wiki/log.md"), "# Log\n");
    sandbox.write(&file("raw/articles/notes.md"), "- A note.\n");
    for (slug, title, summary, fact, neighbour) in topics {
        let padding =
            "The page says this again in other words, so that it is long enough to be a page of a pack. ".repeat(2);
        sandbox.write(
            &file(&format!("wiki/concepts/{slug}.md")),
            &format!(
                "---\ntitle: {title}\nslug: {slug}\ncategory: concept\nsources: [raw/articles/notes.md]\n\
                 created: 2026-11-20\nupdated: 2026-11-21\nsummary: {summary}\ntags: [{name}]\n---\n\n# {title}\n\n\
                 > Abstract: {fact}\n\n## More\n\n{padding}\n\n## See Also\n\n- [[{neighbour}]] — its neighbour\n\n\
                 ## Sources\n\n- [Notes](../../raw/articles/notes.md) — all of it\n"
            ),
        );
    }
    assert_eq!(sandbox.run(&["check", "--fix", &file("")]).code, 0);
}
