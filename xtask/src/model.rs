//! `cargo xtask model NAME`: fetches a model into `www/models/`, checks it, and lists it in `models.json` there.
//!
//! The models are those of `xtask/models.toml`. pip fetches the packages that hold them, and Python unpacks these;
//! a file takes its place only once its SHA-256 is right, so that what lies there is whole.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::tally::Tally;
use crate::{paths, process};

/// The list's name, in a folder of models.
pub(crate) const LIST: &str = "models.json";
/// The list of a folder that holds no model.
pub(crate) const EMPTY_LIST: &str = "{ \"version\": 1, \"models\": [] }\n";

/// Options of `model`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The model's name; without one, what there is is listed
    name: Option<String>,
    /// Hash what is already there again
    #[arg(long)]
    check: bool,
}

/// The table.
#[derive(Deserialize)]
struct Table {
    model: Vec<Model>,
}

/// A model of the table.
#[derive(Deserialize)]
struct Model {
    name: String,
    title: String,
    kind: String,
    architecture: String,
    context: u32,
    tier: String,
    licence: String,
    /// Whether a page proposes it before the others.
    #[serde(default)]
    default: bool,
    /// Whether the demo fetches it.
    #[serde(default)]
    demo: bool,
    answers: Option<Answers>,
    judge: Option<Judge>,
    files: Vec<ModelFile>,
}

/// What a model's answers say beside the quoted ones whose place they may take, as `seealso eval answers` counts it: of the
/// `facts` that right answers to so many `questions` must say, those that the quoted answers say, those that are lost where
/// a written answer took a quoted one's place, and those that are gained.
#[derive(Deserialize, Serialize, Clone)]
struct Answers {
    questions: u32,
    facts: u32,
    quoted: u32,
    lost: u32,
    gained: u32,
}

/// How well a model judges claims, by measurement: the area under its ROC curve, and the log-odds of yes over no from which
/// it supports a claim and up to which it rejects one. A model without it is not asked. Where the model runs here, its
/// probe, if it has one, takes their place.
#[derive(Deserialize, Serialize, Clone)]
struct Judge {
    auc: f64,
    supports: f64,
    rejects: f64,
    #[serde(rename = "reading", skip_serializing_if = "Option::is_none")]
    probe: Option<Probe>,
}

/// A probe, which reads a judgement off a model's state, and the same figures of it: `layers` layers are run, and what stands
/// behind the last `read` of them is weighted and summed. The weights are base64 of floats of four bytes, little-endian, the
/// earliest layer's first. With `units`, each of which has what is added to its sum, what it counts, and its weights' scale,
/// they are bytes with a sign, one unit after the other, and `scales` are those of the numbers, floats in base64.
#[derive(Deserialize, Serialize, Clone)]
struct Probe {
    auc: f64,
    supports: f64,
    rejects: f64,
    layers: u32,
    read: u32,
    bias: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    units: Vec<[f64; 3]>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    scales: String,
    weights: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    adapters: Option<Adapters>,
}

/// What the question is read through: before the second layer and so many in all, `units` hidden units each. `weights` are bytes
/// with a sign in base64, of each layer those that the units see by, then those of what they add, a row each; `scales` are
/// those of the rows and `biases` those of the units, floats in base64.
#[derive(Deserialize, Serialize, Clone)]
struct Adapters {
    layers: u32,
    units: u32,
    weights: String,
    scales: String,
    biases: String,
}

/// A file of a model.
#[derive(Deserialize)]
struct ModelFile {
    file: String,
    bytes: u64,
    sha256: String,
    parts: Vec<PackageMember>,
}

/// A member of a package, a part of a file, whose name is followed by `==` and a version.
#[derive(Deserialize)]
struct PackageMember {
    package: String,
    member: String,
}

/// `models.json`: what a page may offer.
#[derive(Serialize)]
struct Catalog<'a> {
    version: u32,
    models: Vec<Entry<'a>>,
}

/// A model in `models.json`. Addresses of files are relative to it; sizes are in bytes, the context in tokens.
#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    title: &'a str,
    kind: &'a str,
    architecture: &'a str,
    context: u32,
    tier: &'a str,
    licence: &'a str,
    default: bool,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Answers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<Judge>,
    files: Vec<EntryFile<'a>>,
}

#[derive(Serialize)]
struct EntryFile<'a> {
    url: &'a str,
    bytes: u64,
    sha256: &'a str,
}

/// Fetches the model that the options name, or lists all.
pub(crate) fn run(options: &Options) -> Result<()> {
    let table = table()?;
    match &options.name {
        Some(name) => {
            let names: Vec<&str> = table.iter().map(|model| model.name.as_str()).collect();
            let found = table.iter().find(|model| model.name == *name);
            let model = found.with_context(|| format!("no model is named `{name}`; there are {}", names.join(", ")))?;
            fetch(model, &folder(), options.check)?;
            write_catalog(&table, &folder())
        }
        None => {
            for model in &table {
                let state = if is_in(&folder(), model) { "here" } else { "not fetched" };
                let size = megabytes(model.files.iter().map(|file| file.bytes).sum());
                println!("{:<8} {:<40} {size:>7}  {:<11} {state}", model.name, model.title, model.licence);
            }
            Ok(())
        }
    }
}

/// Fetches the model that the demo offers, unless it is here.
pub(crate) fn fetch_for_demo() -> Result<()> {
    let table = table()?;
    let model = table.iter().find(|model| model.demo).context("xtask/models.toml names no model for the demo")?;
    fetch(model, &folder(), false)?;
    write_catalog(&table, &folder())
}

/// Where tests find real models: in the folder that `SEEALSO_MODELS` names, or where models were fetched.
pub(crate) fn for_tests() -> Option<PathBuf> {
    let named = std::env::var_os("SEEALSO_MODELS").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    named.or_else(|| [folder(), test_folder()].into_iter().find(|folder| folder.join(LIST).is_file()))
}

/// Fetches the demo's model for tests, unless they find models already. Where it can't be had, the tests that need it are
/// skipped, and this says why.
pub(crate) fn fetch_for_tests(tally: &mut Tally) -> Result<()> {
    if let Some(folder) = for_tests() {
        eprintln!("models are looked for in {}", paths::shown(&folder));
        return Ok(());
    }
    let table = table()?;
    let model = table.iter().find(|model| model.demo).context("xtask/models.toml names no model for the demo")?;
    match fetch(model, &test_folder(), false) {
        Ok(()) => write_catalog(&table, &test_folder()),
        Err(error) => {
            tally.skip("tests of real models", &format!("{error:#}"));
            Ok(())
        }
    }
}

fn table() -> Result<Vec<Model>> {
    let path = paths::root().join("xtask/models.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", paths::shown(&path)))?;
    let table: Table = toml::from_str(&text).with_context(|| format!("{} does not fit", paths::shown(&path)))?;
    Ok(table.model)
}

/// What a build puts into the site.
fn folder() -> PathBuf {
    paths::root().join("www/models")
}

/// What tests alone use: the site that they look at offers no model but those that they put there.
fn test_folder() -> PathBuf {
    paths::target_dir().join("models")
}

/// Whether all files are there; they were checked before they got their names.
fn is_in(folder: &Path, model: &Model) -> bool {
    model.files.iter().all(|file| size_of(&folder.join(&file.file)) == Some(file.bytes))
}

fn size_of(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len())
}

fn fetch(model: &Model, folder: &Path, check: bool) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for file in &model.files {
        let path = folder.join(&file.file);
        if size_of(&path) == Some(file.bytes) && (!check || hash(&path)? == file.sha256) {
            eprintln!("{} is here", paths::shown(&path));
            continue;
        }
        fetch_file(file, &path).with_context(|| format!("{} could not be fetched", file.file))?;
        eprintln!("{} is here, {}", paths::shown(&path), megabytes(file.bytes));
    }
    Ok(())
}

/// Puts a file together beside its place, checks it, and moves it there.
fn fetch_file(file: &ModelFile, path: &Path) -> Result<()> {
    let staging = path.with_file_name(format!(".fetching-{}", std::process::id()));
    let done = put_together(file, &staging).and_then(|whole| {
        let found = hash(&whole)?;
        ensure!(found == file.sha256, "its SHA-256 is {found}, not {}: the package has changed", file.sha256);
        fs::rename(&whole, path).with_context(|| format!("cannot write {}", path.display()))
    });
    let _ = fs::remove_dir_all(&staging);
    done
}

/// Fetches the parts one after another and joins them.
fn put_together(file: &ModelFile, staging: &Path) -> Result<PathBuf> {
    fs::create_dir_all(staging).with_context(|| format!("cannot create {}", staging.display()))?;
    let whole = staging.join("whole");
    let mut joined = File::create(&whole)?;
    let mut written = 0;
    for (number, part) in file.parts.iter().enumerate() {
        let folder = staging.join("part");
        let member = unpack(part, &folder)?;
        written += io::copy(&mut File::open(&member)?, &mut joined).context("the disk may be full")?;
        fs::remove_dir_all(&folder)?;
        let (number, count) = (number + 1, file.parts.len());
        eprintln!("  part {number} of {count}, {} of {}", megabytes(written), megabytes(file.bytes));
    }
    joined.flush()?;
    ensure!(written == file.bytes, "it has {written} bytes, not {}: the package has changed", file.bytes);
    Ok(whole)
}

/// Fetches a package into `folder` and unpacks it there; returns where the member is.
fn unpack(part: &PackageMember, folder: &Path) -> Result<PathBuf> {
    let python = ["python3", "python"].into_iter().find_map(paths::find_on_path);
    let python = python.context("Python with pip is needed; install python3 and python3-pip")?;
    // Wheels alone, which are archives: fetching a source package would run its build script.
    let fetch = ["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--quiet"];
    process::run(process::command(&python).args(fetch).arg("--dest").arg(folder).arg(&part.package)).with_context(
        || format!("pip could not fetch {}; is there a network, and an index that has it?", part.package),
    )?;
    let listing = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let [package] = listing.as_slice() else { bail!("pip fetched {} files where one was expected", listing.len()) };
    process::run(process::command(&python).args(["-m", "zipfile", "-e"]).arg(package.path()).arg(folder))?;
    let member = folder.join(&part.member);
    ensure!(member.is_file(), "{} holds no {}", part.package, part.member);
    Ok(member)
}

/// A file's SHA-256 in hexadecimal.
fn hash(path: &Path) -> Result<String> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut reader, mut digest, mut buffer) = (BufReader::new(file), Sha256::new(), vec![0; 1 << 20]);
    loop {
        match reader.read(&mut buffer)? {
            0 => break,
            count => digest.update(&buffer[..count]),
        }
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Lists what is there.
fn write_catalog(table: &[Model], folder: &Path) -> Result<()> {
    let models = table.iter().filter(|model| is_in(folder, model)).map(entry).collect();
    let json = serde_json::to_string_pretty(&Catalog { version: 1, models })? + "\n";
    let path = folder.join(LIST);
    fs::write(&path, json).with_context(|| format!("cannot write {}", paths::shown(&path)))
}

fn entry<'a>(model: &'a Model) -> Entry<'a> {
    let file = |file: &'a ModelFile| EntryFile { url: &file.file, bytes: file.bytes, sha256: &file.sha256 };
    Entry {
        name: &model.name,
        title: &model.title,
        kind: &model.kind,
        architecture: &model.architecture,
        context: model.context,
        tier: &model.tier,
        licence: &model.licence,
        default: model.default,
        size: model.files.iter().map(|file| file.bytes).sum(),
        answers: model.answers.clone(),
        judge: model.judge.clone(),
        files: model.files.iter().map(file).collect(),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_is_complete() -> Result<()> {
        let table = table()?;
        let names: Vec<&str> = table.iter().map(|model| model.name.as_str()).collect();
        assert_eq!(names, ["smollm2", "qwen", "minilm"]);
        assert_eq!(table.iter().filter(|model| model.demo).count(), 1);
        let gains = |model: &&Model| model.answers.as_ref().is_some_and(|answers| answers.gained > answers.lost);
        assert!(table.iter().filter(|model| model.default).all(|model| gains(&model)), "a default that adds nothing");
        assert!(table.iter().filter(|model| model.default).count() <= 1);
        for file in table.iter().flat_map(|model| &model.files) {
            assert!(file.sha256.len() == 64 && file.sha256.bytes().all(|c| c.is_ascii_hexdigit()), "{}", file.file);
            assert!(!file.parts.is_empty() && file.bytes > 0 && !file.file.contains('/'), "{}", file.file);
            assert!(file.parts.iter().all(|part| part.package.contains("==")), "{}", file.file);
        }
        Ok(())
    }

    #[test]
    fn a_catalog_entry_has_what_a_page_needs() -> Result<()> {
        let table = table()?;
        let json = serde_json::to_value(entry(&table[0]))?;
        assert_eq!(json["files"][0]["url"], "smollm2-135m-instruct-q4_1.gguf");
        assert_eq!((&json["size"], &json["default"]), (&98_362_432.into(), &false.into()));
        // At chance on claims, so it is not asked.
        assert!(json.get("judge").is_none());
        let mut judge = serde_json::to_value(entry(&table[1]))?["judge"].clone();
        let reading = judge.as_object_mut().and_then(|judge| judge.remove("reading")).context("it has a reading")?;
        assert_eq!(judge, serde_json::json!({ "auc": 0.7577, "supports": -0.1657, "rejects": -1.0164 }));
        // 896 numbers behind a layer: a byte for each of sixteen units, and a scale of four.
        let lengths = ["weights", "scales"].map(|part| reading[part].as_str().map(str::len));
        assert_eq!((reading["layers"].as_u64(), lengths), (Some(16), [Some(19_116), Some(4_780)]));
        assert_eq!(reading["units"].as_array().map(Vec::len), Some(16));
        // Before fifteen layers four units, each with a byte for each number that it sees and one for each that it changes.
        let lengths = ["weights", "scales", "biases"].map(|part| reading["adapters"][part].as_str().map(str::len));
        assert_eq!(lengths, [Some(143_360), Some(640), Some(320)]);
        Ok(())
    }
}
