//! Where the evaluation data lies, which the repository does not hold.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The folder of the evaluation data, which holds `questions` and `packs`: the one that the variable `SEEALSO_SHARED`
/// names, or `../shared/data` beside the repository.
///
/// # Errors
///
/// Why a test is skipped: the variable names no folder, and there is none beside the repository.
///
/// # Panics
///
/// Where the variable names a folder without `questions`.
pub fn evaluation_data() -> Result<PathBuf, String> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    evaluation_data_at(std::env::var_os("SEEALSO_SHARED").as_deref(), &beside)
}

/// [`evaluation_data`], with the variable's value and the folder that is looked at without it.
///
/// # Errors
///
/// As [`evaluation_data`].
///
/// # Panics
///
/// As [`evaluation_data`].
pub fn evaluation_data_at(named: Option<&OsStr>, beside: &Path) -> Result<PathBuf, String> {
    let named = named.filter(|folder| !folder.is_empty());
    let data = named.map_or_else(|| beside.to_owned(), PathBuf::from);
    if data.join("questions").is_dir() {
        return Ok(data);
    }
    assert!(named.is_none(), "SEEALSO_SHARED is {}, which has no questions/", data.display());
    Err("the evaluation data is not here; SEEALSO_SHARED may name its folder".into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::evaluation_data_at;

    #[test]
    fn a_folder_that_is_named_must_hold_the_data() {
        let folder = std::env::temp_dir().join(format!("seealso-data-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("beside/questions")).unwrap();
        let beside = folder.join("beside");
        assert_eq!(evaluation_data_at(None, &beside), Ok(beside.clone()));
        assert_eq!(evaluation_data_at(Some("".as_ref()), &beside), Ok(beside.clone()));
        assert_eq!(evaluation_data_at(Some(beside.as_os_str()), Path::new("nowhere")), Ok(beside.clone()));
        assert!(evaluation_data_at(None, &folder).unwrap_err().contains("SEEALSO_SHARED"));
        let named = std::panic::catch_unwind(|| evaluation_data_at(Some(folder.as_os_str()), &beside));
        assert!(named.is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
