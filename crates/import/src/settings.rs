//! `seealso.toml`: what a site wants done otherwise. Each setting has a default that is right for most sites.

use std::fmt;

use serde::{Deserialize, Deserializer};

use crate::language_tag::language_tag;
use crate::selector::Selector;

/// Within this a page may be divided from, in bytes of Markdown.
const SPLITS: std::ops::RangeInclusive<usize> = 200..=10_000_000;

/// The settings of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// A selector of the elements that hold the text of a page.
    pub content: Option<Selector>,
    /// A selector of what in them is no text of the page.
    pub ignore: Selector,
    /// Patterns of the pages to read, as paths below the site's folder; all pages where there are none.
    #[serde(deserialize_with = "include")]
    pub include: Vec<String>,
    /// Patterns of the pages to leave out.
    #[serde(deserialize_with = "exclude")]
    pub exclude: Vec<String>,
    /// What the titles of all pages end with; found by comparing them where it is not given.
    #[serde(deserialize_with = "title_suffix")]
    pub title_suffix: Option<String>,
    /// The name of the site; found by comparing titles where it is not given.
    #[serde(deserialize_with = "title")]
    pub title: Option<String>,
    /// The language of pages that say none, and whose text does not tell, as a BCP 47 tag.
    #[serde(deserialize_with = "language")]
    pub language: Option<String>,
    /// The size of a page from which on it is divided at its headings, in bytes of Markdown.
    #[serde(deserialize_with = "split")]
    pub split: Option<usize>,
    /// Which versions of the site are read, where its folders hold several.
    pub versions: Versions,
}

/// Reads the value of the setting `key`, which is wrong where `flaw` finds something.
fn checked<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
    key: &str,
    flaw: impl Fn(&T) -> Option<String>,
) -> Result<T, D::Error> {
    let value = T::deserialize(value)?;
    match flaw(&value) {
        Some(flaw) => Err(serde::de::Error::custom(format!("{key}: {flaw}"))),
        None => Ok(value),
    }
}

fn include<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    checked(value, "include", |patterns: &Vec<String>| patterns.iter().find_map(|pattern| flaw_of_pattern(pattern)))
}

fn exclude<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    checked(value, "exclude", |patterns: &Vec<String>| patterns.iter().find_map(|pattern| flaw_of_pattern(pattern)))
}

fn flaw_of_pattern(pattern: &str) -> Option<String> {
    let is_path = !pattern.starts_with('/')
        && !pattern.contains('\\')
        && pattern.split('/').all(|step| !matches!(step, "" | "." | ".."));
    (!is_path).then(|| format!("\"{pattern}\" names no pages; write paths below the site's folder, such as \"blog/*\""))
}

fn title<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let flaw = |title: &String| title.trim().is_empty() || title.contains(char::is_control);
    let message = "write one line with the name of the site";
    checked(value, "title", |title: &String| flaw(title).then(|| message.to_owned())).map(Some)
}

fn title_suffix<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let message = "write what titles end with on one line, such as \" - Kitchen\"";
    checked(value, "title_suffix", |end: &String| end.contains(char::is_control).then(|| message.to_owned())).map(Some)
}

fn language<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let flaw = |tag: &String| format!("\"{tag}\" is no language tag; write one such as \"en\" or \"pt-BR\"");
    let tag = checked(value, "language", |tag: &String| language_tag(tag).is_none().then(|| flaw(tag)))?;
    Ok(language_tag(&tag))
}

fn split<'de, D: Deserializer<'de>>(value: D) -> Result<Option<usize>, D::Error> {
    let flaw = || format!("write a number of bytes from {} to {}", SPLITS.start(), SPLITS.end());
    let bytes = checked(value, "split", |bytes: &i64| {
        let is_fit = usize::try_from(*bytes).is_ok_and(|bytes| SPLITS.contains(&bytes));
        (!is_fit).then(flaw)
    })?;
    Ok(usize::try_from(bytes).ok())
}

/// Which versions of a site are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Versions {
    /// All of them; the older ones are searched where a filter names them.
    #[default]
    All,
    /// The newest alone.
    Newest,
}

/// What is wrong with a file of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    message: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SettingsError {}

impl Settings {
    /// Reads the text of `seealso.toml`.
    ///
    /// # Errors
    /// [`SettingsError`] with the line where the text is no TOML, or a setting is unknown or of a wrong kind.
    pub fn parse(text: &str) -> Result<Settings, SettingsError> {
        toml::from_str(text).map_err(|error| SettingsError { message: error.to_string().trim_end().to_owned() })
    }

    /// Whether the page at `address` is to be read.
    pub(crate) fn wants(&self, address: &str) -> bool {
        let is_one = |patterns: &[String]| patterns.iter().any(|pattern| crate::glob::matches(pattern, address));
        (self.include.is_empty() || is_one(&self.include)) && !is_one(&self.exclude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_flaws_named() {
        let settings = Settings::parse("content = 'main'\nexclude = ['old/*']\ntitle_suffix = ' - X'\n").unwrap();
        assert_eq!(settings.content, Some(Selector::parse("main").unwrap()));
        assert!(settings.wants("new/a.html") && !settings.wants("old/a/b.html"));
        assert!(!Settings { include: vec!["a/**".to_owned()], ..Settings::default() }.wants("b.html"));
        for (text, expected) in [
            ("contents = 'main'", "unknown field `contents`"),
            ("content = 'a:hover'", "is no selector"),
            ("content = ", "TOML parse error at line 1"),
            ("exclude = 'a'", "invalid type"),
            ("content = ''", "is no selector"),
            ("language = 'xx/../../../evil'", "language: \"xx/../../../evil\" is no language tag"),
            ("\n\nlanguage = ''", "TOML parse error at line 3"),
            ("language = ''", "language: \"\" is no language tag; write one such as \"en\" or \"pt-BR\""),
            ("split = 0", "split: write a number of bytes from 200 to 10000000"),
            ("split = -1", "split: write a number"),
            ("title = ' '", "title: write one line with the name of the site"),
            ("title = \"a\\nb\"", "title: write one line"),
            ("title_suffix = \"a\\tb\"", "title_suffix: write what titles end with"),
            ("exclude = ['a/*', '']", "exclude: \"\" names no pages"),
            ("include = ['/a/*']", "include: \"/a/*\" names no pages; write paths below the site's folder"),
            ("include = ['../a']", "include: \"../a\" names no pages"),
            ("versions = 'oldest'", "unknown variant `oldest`"),
        ] {
            let error = Settings::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
            assert!(error.contains("TOML parse error at line"), "{text}: {error}");
        }
        assert_eq!(Settings::parse("language = 'PT_br'").unwrap().language.as_deref(), Some("pt-BR"));
        assert_eq!(Settings::parse("").unwrap(), Settings::default());
    }
}
