//! The files of a sentence encoder of BERT's kind, such as all-MiniLM-L6-v2, and where they are looked for: where the command
//! is told, then where the variable `SEEALSO_ENCODER` says, then where they were when the packs were set up.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use seealso_pack::{FrontMatter, Value, WORK_FOLDER};

use crate::unusable_model::UnusableModel;

/// The variable that names an encoder.
pub(crate) const ENCODER_VARIABLE: &str = "SEEALSO_ENCODER";
/// The file in the work folder that says where the encoder was.
const PLACE_FILE: &str = "encoder";
/// The ending of the file of weights.
const WEIGHTS: &str = "safetensors";

/// The files of an encoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EncoderFiles {
    /// Its name for people.
    pub(crate) name: String,
    pub(crate) config: PathBuf,
    pub(crate) tokenizer: PathBuf,
    pub(crate) weights: PathBuf,
    pub(crate) pooling: EncoderPooling,
    /// The languages that it was trained in, as tags; none where its files do not say.
    pub(crate) languages: Vec<String>,
}

/// How an encoder makes one vector of a text's states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EncoderPooling {
    /// By their mean.
    Mean,
    /// By the first of them.
    First,
}

/// Where the encoder of some packs is looked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EncoderPlace {
    path: PathBuf,
    /// Whether only the last setup names it, so that it may have gone since.
    pub(crate) is_noted: bool,
}

impl EncoderPlace {
    /// The place of the encoder for the packs under `root`: `named`, or what the variable or the last setup names; none where
    /// nothing names one.
    pub(crate) fn choose(named: Option<&Path>, root: &Path) -> Option<EncoderPlace> {
        EncoderPlace::first_of(named, std::env::var_os(ENCODER_VARIABLE), root)
    }

    fn first_of(named: Option<&Path>, variable: Option<OsString>, root: &Path) -> Option<EncoderPlace> {
        let variable = variable.filter(|place| !place.is_empty()).map(PathBuf::from);
        if let Some(path) = named.map(Path::to_path_buf).or(variable) {
            return Some(EncoderPlace { path, is_noted: false });
        }
        let noted = fs::read_to_string(note_path(root)).ok()?;
        Some(EncoderPlace { path: PathBuf::from(noted.trim_end_matches('\n')), is_noted: true })
    }

    /// The files of the encoder there.
    ///
    /// # Errors
    /// [`UnusableModel`] where no encoder is there.
    pub(crate) fn files(&self) -> Result<EncoderFiles, UnusableModel> {
        EncoderFiles::find(&self.path)
    }
}

/// The files of the encoder for the packs under `root`, at the place that [`EncoderPlace::choose`] gives.
///
/// # Errors
/// [`UnusableModel`] where the place that is named first holds no encoder.
pub(crate) fn find_encoder_files(named: Option<&Path>, root: &Path) -> Result<Option<EncoderFiles>, UnusableModel> {
    EncoderPlace::choose(named, root).map(|place| place.files()).transpose()
}

/// Notes where the encoder of the packs under `root` is, for commands that come after.
///
/// # Errors
/// A folder that can't be written.
pub(crate) fn note_encoder(files: &EncoderFiles, root: &Path) -> anyhow::Result<()> {
    let path = note_path(root);
    let writing = || format!("writing {}", path.display());
    let weights = files.weights.canonicalize().with_context(|| format!("reading {}", files.weights.display()))?;
    fs::create_dir_all(root.join(WORK_FOLDER)).with_context(writing)?;
    fs::write(&path, format!("{}\n", weights.display())).with_context(writing)
}

/// Forgets where the encoder of the packs under `root` was.
///
/// # Errors
/// A file that can't be removed.
pub(crate) fn forget_encoder(root: &Path) -> anyhow::Result<()> {
    match fs::remove_file(note_path(root)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other.with_context(|| format!("removing {}", note_path(root).display())),
    }
}

fn note_path(root: &Path) -> PathBuf {
    root.join(WORK_FOLDER).join(PLACE_FILE)
}

impl EncoderFiles {
    /// Finds the files of the encoder at `path`: a folder with `config.json`, `tokenizer.json` and `model.safetensors`, or
    /// with the same names behind the encoder's own, such as `all-minilm-l6-v2.config.json` and
    /// `all-minilm-l6-v2.safetensors`; or the file of weights in such a folder.
    ///
    /// # Errors
    /// [`UnusableModel`], which says what is missing.
    pub(crate) fn find(path: &Path) -> Result<EncoderFiles, UnusableModel> {
        let unusable = |reason: String| UnusableModel::new(path, reason);
        let weights = match path.is_dir() {
            true => only_weights(path).map_err(unusable)?,
            false if path.is_file() => path.to_path_buf(),
            false => return Err(unusable("there is no such folder; give the folder of an encoder".to_owned())),
        };
        let folder = weights.parent().unwrap_or(Path::new("")).to_path_buf();
        let stem = weights.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_named_by_folder = stem == "model";
        let beside =
            |file: &str| if is_named_by_folder { folder.join(file) } else { folder.join(format!("{stem}.{file}")) };
        let [config, tokenizer] = ["config.json", "tokenizer.json"].map(beside);
        if let Some(missing) = [&config, &tokenizer].into_iter().find(|file| !file.is_file()) {
            let name = missing.file_name().unwrap_or_default().to_string_lossy();
            return Err(unusable(format!("there is no {name} beside its weights; an encoder has three files")));
        }
        let named = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let name =
            if is_named_by_folder { named.file_name().unwrap_or_default().to_string_lossy().into() } else { stem };
        let (pooling, languages) = (pooling_in(&folder), languages_in(&folder));
        Ok(EncoderFiles { name, config, tokenizer, weights, pooling, languages })
    }
}

impl EncoderFiles {
    /// Whether it was trained in the language of this tag, as far as its files say.
    pub(crate) fn knows(&self, language: &str) -> bool {
        let primary = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        self.languages.is_empty() || self.languages.iter().any(|known| primary(known) == primary(language))
    }
}

/// The only file of weights in a folder, or `model.safetensors`.
fn only_weights(folder: &Path) -> Result<PathBuf, String> {
    let usual = folder.join("model.safetensors");
    if usual.is_file() {
        return Ok(usual);
    }
    let listing = fs::read_dir(folder).map_err(|error| format!("listing it: {error}"))?;
    let paths = listing.filter_map(|entry| Some(entry.ok()?.path()));
    let found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == WEIGHTS)).collect();
    match found.as_slice() {
        [weights] => Ok(weights.clone()),
        [] => Err("there is no model.safetensors in it; give the folder of an encoder".to_owned()),
        _ => Err(format!("there are {} files of weights in it; give one of them", found.len())),
    }
}

/// How the encoder in a folder pools its states, which `1_Pooling/config.json` says; by their mean where it does not.
fn pooling_in(folder: &Path) -> EncoderPooling {
    let text = fs::read(folder.join("1_Pooling/config.json")).unwrap_or_default();
    let config: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    if config["pooling_mode_cls_token"] == true { EncoderPooling::First } else { EncoderPooling::Mean }
}

/// What a model card says of a model for many languages, not which they are.
const MULTILINGUAL: &str = "multilingual";

/// The languages that the model card in a folder names: the front matter of `README.md` has `language`, one tag or a list.
fn languages_in(folder: &Path) -> Vec<String> {
    let card = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
    let Some((front, _)) = card.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) else {
        return Vec::new();
    };
    let entry = FrontMatter::read(front, 2).entries.into_iter().find(|entry| entry.key == "language");
    let tags = match entry.map(|entry| entry.value) {
        Some(Value::List(tags)) => tags,
        other => other.into_iter().collect(),
    };
    let tag = |value| if let Value::Text(tag) = value { Some(tag) } else { None };
    let languages: Vec<String> = tags.into_iter().filter_map(tag).collect();
    if languages.iter().any(|tag| tag == MULTILINGUAL) { Vec::new() } else { languages }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_either_kind_of_name() {
        let root = std::env::temp_dir().join(format!("seealso-encoder-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let make = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for file in ["MiniLM/config.json", "MiniLM/tokenizer.json", "MiniLM/model.safetensors"] {
            make(file, "");
        }
        for file in ["models/bge.config.json", "models/bge.tokenizer.json", "models/bge.safetensors"] {
            make(file, "");
        }
        make("models/1_Pooling/config.json", r#"{"pooling_mode_cls_token": true}"#);
        make("half/model.safetensors", "");
        make("half/config.json", "");
        let find = |path: &str| EncoderFiles::find(&root.join(path));
        let refused = |path: &str| find(path).unwrap_err().to_string();
        let knows = |card: &str, language: &str| {
            make("MiniLM/README.md", card);
            find("MiniLM").unwrap().knows(language)
        };
        assert!(knows("# A model without front matter", "de"));
        assert!(knows("---\nlanguage: en\nlicense: mit\n---\n", "en-GB"));
        assert!(!knows("---\nlanguage: en\nlicense: mit\n---\n", "de"));
        assert!(knows("---\nlanguage:\n- en\n- pt\n---\n", "pt-BR"));
        assert!(!knows("---\nlanguage:\n- en\n- pt\n---\n", "ja"));
        assert!(knows("---\nlanguage: multilingual\n---\n", "ja"));
        let found = find("MiniLM").unwrap();
        assert_eq!((found.name.as_str(), found.pooling), ("MiniLM", EncoderPooling::Mean));
        assert_eq!(found.tokenizer, root.join("MiniLM/tokenizer.json"));
        let found = find("models").unwrap();
        assert_eq!((found.name.as_str(), found.pooling), ("bge", EncoderPooling::First));
        assert_eq!(found.config, root.join("models/bge.config.json"));
        assert_eq!(find("models/bge.safetensors").unwrap(), found);
        assert!(refused("half").contains("there is no tokenizer.json beside its weights"));
        assert!(refused("gone").contains("there is no such folder"));
        assert!(refused("models/1_Pooling").contains("there is no model.safetensors in it"));
        make("models/other.safetensors", "");
        assert!(refused("models").contains("there are 2 files of weights in it; give one of them"));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn the_first_place_that_is_named_counts() {
        let root = std::env::temp_dir().join(format!("seealso-encoder-place-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("model")).unwrap();
        for file in ["config.json", "tokenizer.json", "model.safetensors"] {
            fs::write(root.join("model").join(file), "").unwrap();
        }
        let place = |named: Option<&str>, variable: &str| {
            EncoderPlace::first_of(named.map(Path::new), Some(variable.into()), &root)
        };
        let named = |path: &str| Some(EncoderPlace { path: path.into(), is_noted: false });
        assert_eq!(place(None, ""), None);
        note_encoder(&EncoderFiles::find(&root.join("model")).unwrap(), &root).unwrap();
        let path = root.canonicalize().unwrap().join("model/model.safetensors");
        let noted = EncoderPlace { path, is_noted: true };
        assert_eq!(noted.files().unwrap().name, "model");
        assert_eq!(place(None, ""), Some(noted));
        assert_eq!(place(None, "/variable"), named("/variable"));
        assert_eq!(place(Some("/named"), "/variable"), named("/named"));
        fs::remove_dir_all(root).unwrap();
    }
}
