//! Acronyms, and the names that they abbreviate.

use super::CheckContext;
use super::proper_names::{Name, names};
use super::words::is_acronym;

/// What the pages have for a name of these words: the name that an acronym abbreviates, or the acronym of a name.
pub(super) fn by_initials(context: &CheckContext<'_>, name: &[String]) -> Option<String> {
    if let [word] = name {
        let letters = word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_uppercase();
        return is_acronym(word).then(|| context.texts().find_map(|text| spelled_out(text, &letters))).flatten();
    }
    let acronym = name.iter().filter_map(|word| word.chars().next()).collect::<String>().to_uppercase();
    (acronym.len() >= 2 && context.alignment.evidence.has(&acronym)).then_some(acronym)
}

/// A name of several words in `text` with these initials, or two such names joined by "and", which [`names`] separates.
fn spelled_out(text: &str, letters: &str) -> Option<String> {
    let found = names(text);
    let initials = |names: &[Name]| -> String {
        names.iter().flat_map(|name| &name.words).filter_map(|word| word.chars().next()).collect()
    };
    let spells = |names: &[Name]| initials(names).to_uppercase() == letters;
    let whole = found.iter().find(|name| name.words.len() > 1 && spells(std::slice::from_ref(name)));
    if let Some(name) = whole {
        return Some(text[name.range.clone()].to_owned());
    }
    let are_joined = |pair: &[Name]| matches!(text[pair[0].range.end..pair[1].range.start].trim(), "and" | "&");
    let pair = found.windows(2).find(|pair| are_joined(pair) && spells(pair))?;
    Some(text[pair[0].range.start..pair[1].range.end].to_owned())
}
