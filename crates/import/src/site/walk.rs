//! Which files of a folder are pages.

use std::fs;
use std::io;
use std::path::Path;

/// Folders nest at most so deep.
const MAX_FOLDERS: usize = 64;

/// The addresses of the HTML files below `root`, sorted. Hidden folders and the folder `seealso` are passed over; links
/// to folders are not followed, so that they cannot lead in circles.
///
/// # Errors
/// Where `root` itself can't be listed.
pub fn html_files(root: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        let entries = match fs::read_dir(root.join(&folder)) {
            Ok(entries) => entries,
            // A folder below that can't be listed is not worth losing the site for.
            Err(_) if depth > 0 => continue,
            Err(error) => return Err(error),
        };
        for entry in entries.flatten() {
            // What is no text can't be linked to.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let address = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let Ok(kind) = entry.file_type() else { continue };
            let is_file = kind.is_file() || kind.is_symlink() && root.join(&address).is_file();
            if kind.is_dir() && !is_passed_over(&name, depth) && depth < MAX_FOLDERS {
                waiting.push((address, depth + 1));
            } else if is_file && is_html(&name) {
                found.push(address);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_passed_over(name: &str, depth: usize) -> bool {
    name.starts_with('.') || name == "node_modules" || depth == 0 && name == super::OUTPUT_FOLDER
}

fn is_html(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("html" | "htm" | "xhtml"))
}
