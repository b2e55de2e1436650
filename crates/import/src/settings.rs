//! `seealso.toml`: what a site wants done otherwise. Each setting has a default that is right for most sites.

use std::fmt;

use serde::Deserialize;

use crate::selector::Selector;

/// The settings of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// A selector of the elements that hold the text of a page.
    pub content: Option<Selector>,
    /// A selector of what in them is no text of the page.
    pub ignore: Selector,
    /// Patterns of the pages to read, as paths below the site's folder; all pages where there are none.
    pub include: Vec<String>,
    /// Patterns of the pages to leave out.
    pub exclude: Vec<String>,
    /// What the titles of all pages end with; found by comparing them where it is not given.
    pub title_suffix: Option<String>,
    /// The name of the site; found by comparing titles where it is not given.
    pub title: Option<String>,
    /// The language of pages that say none, and whose text does not tell.
    pub language: Option<String>,
    /// The size of a page from which on it is divided at its headings, in bytes of Markdown.
    pub split: Option<usize>,
    /// Which versions of the site are read, where its folders hold several.
    pub versions: Versions,
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
        ] {
            let error = Settings::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
