//! Short words that are written together with the next one: the French "l'eau" is "eau".

const FRENCH: &str = "c d j l m n s t qu jusqu lorsqu puisqu quoiqu";
const ITALIAN: &str = "c d l s un all dall dell nell sull coll quell quest dov com cos";
const CATALAN: &str = "d l m n s t";

/// `word` without the elided one before it.
pub(crate) fn without<'w>(language: &str, word: &'w str) -> &'w str {
    let elided = match language {
        "fr" => FRENCH,
        "it" => ITALIAN,
        "ca" => CATALAN,
        _ => return word,
    };
    match word.split_once('\'') {
        Some((before, rest)) if !rest.is_empty() && elided.split(' ').any(|short| short == before) => rest,
        _ => word,
    }
}
