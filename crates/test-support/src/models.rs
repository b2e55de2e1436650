//! Real models for golden tests, in the folder that the variable `SEEALSO_MODELS` names.
//!
//! Where it is not set, tests that need a model are skipped. Where it is set, a file that should be there and is not fails
//! the test: a golden test that ran on nothing must not look like one that passed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The short name of each file, and the one that `cargo xtask model` gives it.
const NAMES: [(&str, &str); 5] = [
    ("smollm2.gguf", "smollm2-135m-instruct-q4_1.gguf"),
    ("qwen.gguf", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
    ("minilm/config.json", "all-minilm-l6-v2.config.json"),
    ("minilm/model.safetensors", "all-minilm-l6-v2.safetensors"),
    ("minilm/tokenizer.json", "all-minilm-l6-v2.tokenizer.json"),
];

/// Where the file of this short name is.
///
/// # Errors
///
/// Why a test is skipped: the variable names no folder, or that folder's list of models (`models.json`) leaves this one
/// out.
///
/// # Panics
///
/// Where the folder is named, has no list of models that leaves this one out, and has no such file.
pub fn real_file(short: &str) -> Result<PathBuf, String> {
    find(short, std::env::var_os("SEEALSO_MODELS").as_deref())
}

fn find(short: &str, folder: Option<&OsStr>) -> Result<PathBuf, String> {
    let Some(folder) = folder.filter(|folder| !folder.is_empty()).map(Path::new) else {
        return Err(format!("no {short}: SEEALSO_MODELS names no folder of models"));
    };
    let listed = NAMES.iter().find(|(name, _)| *name == short).map_or(short, |(_, listed)| listed);
    if let Some(path) = [short, listed].map(|name| folder.join(name)).into_iter().find(|path| path.is_file()) {
        return Ok(path);
    }
    match std::fs::read_to_string(folder.join("models.json")) {
        Ok(list) if !list.contains(&format!("\"{listed}\"")) => {
            Err(format!("no {short}: {} does not list it", folder.display()))
        }
        _ => panic!("{} has neither {short} nor {listed}", folder.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_file_that_should_be_there_and_is_not_fails() {
        let folder = std::env::temp_dir().join(format!("seealso-real-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("minilm")).unwrap();
        let look = |short: &str| std::panic::catch_unwind(|| find(short, Some(folder.as_os_str()))).map_err(|_| ());
        assert!(find("qwen.gguf", None).unwrap_err().contains("names no folder"));
        assert_eq!(look("qwen.gguf"), Err(()));
        std::fs::write(folder.join("models.json"), "{\"url\": \"smollm2-135m-instruct-q4_1.gguf\"}").unwrap();
        assert_eq!(look("smollm2.gguf"), Err(()));
        assert!(look("qwen.gguf").unwrap().unwrap_err().contains("does not list it"));
        let file = folder.join("smollm2-135m-instruct-q4_1.gguf");
        std::fs::write(&file, "").unwrap();
        assert_eq!(look("smollm2.gguf"), Ok(Ok(file)));
        let short = folder.join("minilm/model.safetensors");
        std::fs::write(&short, "").unwrap();
        assert_eq!(look("minilm/model.safetensors"), Ok(Ok(short)));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
