//! `seealso new`: makes a pack to start from, whose two pages explain how pages are written.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use seealso_pack::{Pack, slugify};

use crate::exit::{CommandResult, Completion};
use crate::shell_quoting::quote_path;
use crate::style::{FAINT, STRONG, printable, say};
use crate::utc::today;

/// Start a new pack: a manifest, conventions, a log, and two linked example pages with their source.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The pack's folder; made anew, or empty.
    dir: PathBuf,
    /// The pack's title; by default its folder's name.
    #[arg(long, short)]
    title: Option<String>,
    /// The language of its pages, as a BCP 47 tag.
    #[arg(long, short, value_name = "TAG", default_value = "en", value_parser = language)]
    language: String,
}

/// The pack's files. Paths have the placeholder `{{date}}`, and texts those of [`TemplateValues`].
const TEMPLATE: [(&str, &str); 6] = [
    ("manifest.yaml", include_str!("../../template/manifest.yaml")),
    ("wiki/schema.md", include_str!("../../template/wiki/schema.md")),
    ("wiki/log.md", include_str!("../../template/wiki/log.md")),
    ("wiki/concepts/writing-a-page.md", include_str!("../../template/wiki/concepts/writing-a-page.md")),
    ("wiki/concepts/linking-pages.md", include_str!("../../template/wiki/concepts/linking-pages.md")),
    (
        "raw/articles/{{date}}-how-packs-are-written.md",
        include_str!("../../template/raw/articles/how-packs-are-written.md"),
    ),
];

/// The values that replace the template's placeholders.
struct TemplateValues {
    name: String,
    title: String,
    language: String,
    date: String,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let dir = &arguments.dir;
    ensure_empty(dir)?;
    let values = TemplateValues::of(arguments)?;
    for (path, text) in TEMPLATE {
        write(&dir.join(values.fill(path)), &values.fill(text))?;
    }
    let pack = Pack::read(dir, &values.name)?;
    write(&dir.join("wiki/index.md"), &seealso_pack::write_index(&pack.pages, &values.date))?;
    report(dir);
    Ok(Completion::Success)
}

fn ensure_empty(dir: &Path) -> anyhow::Result<()> {
    let mut entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.with_context(|| format!("reading {}", dir.display()))?,
    };
    ensure!(entries.next().is_none(), "{}: the folder is not empty; name a new or an empty one", dir.display());
    Ok(())
}

impl TemplateValues {
    fn of(arguments: &Arguments) -> anyhow::Result<TemplateValues> {
        let whole = std::path::absolute(&arguments.dir)?;
        let folder = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = slugify(&folder);
        ensure!(!name.is_empty(), "{}: a pack's folder needs a name with letters or digits", arguments.dir.display());
        let title = arguments.title.as_deref().map(one_line).filter(|title| !title.is_empty());
        let title = title.unwrap_or_else(|| title_from_name(&name));
        Ok(TemplateValues { name, title, language: arguments.language.clone(), date: today() })
    }

    fn fill(&self, text: &str) -> String {
        // A JSON string is a YAML one too, whatever the title holds.
        let quoted = serde_json::to_string(&self.title).unwrap_or_default();
        let values = [
            ("{{name}}", &self.name),
            ("{{language}}", &self.language),
            ("{{date}}", &self.date),
            // Titles last, so that nothing in them is taken for a placeholder.
            ("{{title as YAML}}", &quoted),
            ("{{title}}", &self.title),
        ];
        values.iter().fold(text.to_owned(), |text, (blank, value)| text.replace(blank, value))
    }
}

fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A folder's name as a title: `roman-emperors` becomes `Roman emperors`.
fn title_from_name(name: &str) -> String {
    let spaced = name.replace('-', " ");
    let mut chars = spaced.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("writing {}", path.display()))
}

fn report(dir: &Path) {
    let root = match dir.parent() {
        _ if dir == Path::new(".") => Path::new(".."),
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (concepts, manifest) = (dir.join("wiki/concepts"), dir.join("manifest.yaml"));
    let [root, pack] = [root, dir].map(quote_path);
    say!("{STRONG}{}{STRONG:#}: a new pack with two pages", printable(&dir.to_string_lossy()));
    say!("Next:");
    say!("  1. write pages under {}, and put your own summary into {}", quote_path(&concepts), quote_path(&manifest));
    say!("  2. seealso check --fix {pack}   {FAINT}lists the pages in wiki/index.md and says what to mend{FAINT:#}");
    say!("  3. seealso build {root}   {FAINT}builds the index of all packs there{FAINT:#}");
    say!("  4. seealso ask \"How is a page written?\" --packs {root}");
}

fn language(tag: &str) -> Result<String, String> {
    let subtag = |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
    let primary =
        tag.split('-').next().is_some_and(|part| part.len() > 1 && part.chars().all(|c| c.is_ascii_alphabetic()));
    match primary && tag.split('-').all(subtag) {
        true => Ok(tag.to_owned()),
        false => Err("not a language tag; write one such as en, de or pt-BR".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_tags_are_told_from_other_text() {
        for good in ["en", "de", "pt-BR", "zh-Hant-TW", "gsw"] {
            assert_eq!(language(good).as_deref(), Ok(good));
        }
        for bad in ["", "e", "english language", "de_DE", "en-", "12", "verylongtag"] {
            assert!(language(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_becomes_a_title() {
        assert_eq!(title_from_name("roman-emperors"), "Roman emperors");
        assert_eq!(title_from_name("übung"), "Übung");
        assert_eq!(one_line(" a\n b\u{7}c "), "a b c");
    }
}
