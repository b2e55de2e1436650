//! Quotes paths for commands that are printed to be run, so that the shell passes on the same path.

use std::path::Path;

/// A family of shells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shell {
    /// `sh` and shells like it.
    Posix,
    /// The two shells of Windows, which agree on double quotes.
    Windows,
}

/// The path as an argument for the shell of this system.
pub(crate) fn quote_path(path: &Path) -> String {
    let shell = if cfg!(windows) { Shell::Windows } else { Shell::Posix };
    argument(&path.to_string_lossy(), shell)
}

/// The paths as arguments, separated by spaces.
pub(crate) fn quote_paths<P: AsRef<Path>>(paths: &[P]) -> String {
    paths.iter().map(|path| quote_path(path.as_ref())).collect::<Vec<_>>().join(" ")
}

fn argument(path: &str, shell: Shell) -> String {
    // An argument that begins with a dash is taken for an option.
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':');
    let is_plain = |c: char| is_plain(c) || shell == Shell::Windows && c == '\\';
    if !path.is_empty() && path.chars().all(is_plain) {
        return path;
    }
    match shell {
        // No path of Windows has a double quote, but a backslash before the closing quote would escape it.
        Shell::Windows => {
            let ends = path.len() - path.trim_end_matches('\\').len();
            format!("\"{path}{}\"", "\\".repeat(ends))
        }
        Shell::Posix if path.chars().any(char::is_control) => {
            format!("$'{}'", path.chars().map(escape).collect::<String>())
        }
        Shell::Posix => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// A character within `$'…'`, where escapes are interpreted.
fn escape(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        '\n' => r"\n".to_owned(),
        '\t' => r"\t".to_owned(),
        c if c.is_ascii_control() => format!("\\{:03o}", c as u32),
        c if c.is_control() => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_passes_on_the_same_path() {
        for (path, posix, windows) in [
            ("packs", "packs", "packs"),
            ("../a/b-c_d.e+f", "../a/b-c_d.e+f", "../a/b-c_d.e+f"),
            ("a,b", "'a,b'", "\"a,b\""),
            ("@x", "'@x'", "\"@x\""),
            ("=ls", "'=ls'", "\"=ls\""),
            ("My Packs", "'My Packs'", "\"My Packs\""),
            ("It's", r"'It'\''s'", "\"It's\""),
            ("say \"hi\"", "'say \"hi\"'", "\"say \"hi\"\""),
            ("$HOME", "'$HOME'", "\"$HOME\""),
            ("a`b`", "'a`b`'", "\"a`b`\""),
            ("~/packs", "'~/packs'", "\"~/packs\""),
            ("a&b|c;d", "'a&b|c;d'", "\"a&b|c;d\""),
            ("*.md", "'*.md'", "\"*.md\""),
            ("(1)", "'(1)'", "\"(1)\""),
            ("wow!", "'wow!'", "\"wow!\""),
            ("#1", "'#1'", "\"#1\""),
            ("", "''", "\"\""),
            ("-x", "./-x", "./-x"),
            ("-x y", "'./-x y'", "\"./-x y\""),
            ("漢字/été", "漢字/été", "漢字/été"),
            ("漢 字", "'漢 字'", "\"漢 字\""),
            (r"C:\packs", r"'C:\packs'", r"C:\packs"),
            (r"C:\My Packs\", r"'C:\My Packs\'", "\"C:\\My Packs\\\\\""),
            ("two\nlines", r"$'two\nlines'", "\"two\nlines\""),
            ("bell\u{7} it's", r"$'bell\007 it\'s'", "\"bell\u{7} it's\""),
        ] {
            assert_eq!(argument(path, Shell::Posix), posix, "{path:?}");
            assert_eq!(argument(path, Shell::Windows), windows, "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_real_shell_agrees() {
        for path in
            ["My Packs", "It's", "$HOME `x` \"y\"", "a\\b", "~", "*", "!x", "-n", "a\u{a0}b", "#", "", "{a,b}", "x=y z"]
        {
            let command = format!("printf '%s' {}", argument(path, Shell::Posix));
            let Ok(run) = std::process::Command::new("sh").args(["-c", &command]).output() else {
                return eprintln!("skipped: there is no sh");
            };
            assert_eq!(String::from_utf8_lossy(&run.stdout).trim_start_matches("./"), path);
        }
    }

    #[test]
    fn several_paths_are_several_arguments() {
        assert_eq!(quote_paths(&["a", "b"]), "a b");
    }
}
