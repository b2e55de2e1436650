//! Files that programs leave in any folder by themselves: nobody's work, so they neither go into a build nor stand in
//! the way of one. And folders in which a version control, or `setup`, keeps what it knows of the folder around them, which
//! a build spares.

/// Files that systems and file managers leave, in small letters.
const FILES: [&str; 8] = [
    // macOS: how a folder is shown, its icon, names in other languages
    ".ds_store",
    "icon\r",
    ".localized",
    // Windows: pictures of files, how a folder is shown
    "thumbs.db",
    "ehthumbs.db",
    "ehthumbs_vista.db",
    "desktop.ini",
    // Linux desktops: how a folder is shown
    ".directory",
];

/// Folders that they leave, in small letters: of attributes that a file system can't hold, and of search indexes.
const FOLDERS: [&str; 5] = [".appledouble", "__macosx", "@eadir", ".spotlight-v100", ".fseventsd"];

/// How names of files begin that file systems make up: twins with attributes, and files that were removed while open.
const BEGINNINGS: [&str; 4] = ["._", ".nfs0", ".fuse_hidden", ".smbdelete"];

/// Folders, or files that stand for them, of version controls.
const VERSION_CONTROLS: [&str; 5] = [".git", ".hg", ".svn", ".jj", ".bzr"];

/// The folder under a packs root in which `setup` keeps what it makes again at need: chunk records and vectors. It is hidden,
/// so no build copies it and no server shows it.
pub const WORK_FOLDER: &str = ".seealso";

/// Whether a file of that name, or a folder, is litter.
pub(super) fn is_litter(name: &str, is_folder: bool) -> bool {
    let small = name.to_ascii_lowercase();
    match is_folder {
        true => FOLDERS.contains(&small.as_str()),
        false => FILES.contains(&small.as_str()) || BEGINNINGS.iter().any(|beginning| small.starts_with(beginning)),
    }
}

/// Whether a version control or `setup` keeps what it knows under that name.
pub(super) fn is_kept(name: &str) -> bool {
    VERSION_CONTROLS.contains(&name) || name == WORK_FOLDER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_leave_is_told_from_work() {
        for file in [
            ".DS_Store",
            "._page.md",
            "._.DS_Store",
            "Icon\r",
            "Thumbs.db",
            "thumbs.db",
            "Desktop.ini",
            "desktop.ini",
            ".directory",
            ".nfs000000000123",
            ".localized",
        ] {
            assert!(is_litter(file, false) && !is_litter(file, true), "{file:?}");
        }
        for folder in ["__MACOSX", "@eaDir", ".AppleDouble", ".fseventsd"] {
            assert!(is_litter(folder, true) && !is_litter(folder, false), "{folder:?}");
        }
        for work in [
            ".htaccess",
            ".nojekyll",
            "CNAME",
            "icon.png",
            "Icon",
            "desktop.ini.md",
            "index.html",
            ".gitignore",
            "_page.md",
        ] {
            assert!(!is_litter(work, false) && !is_kept(work), "{work}");
        }
        for kept in [".git", ".hg", ".svn", ".jj", ".seealso"] {
            assert!(is_kept(kept) && !is_litter(kept, true), "{kept}");
        }
    }
}
