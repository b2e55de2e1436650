//! A site in several languages: its packs hold the same pages, so that a question is answered from those in its own language.
//!
//! Translations are often partial. Without this, an English question brings the untranslated paragraphs of every edition,
//! and the page that it is about has to compete with its own copies.

use seealso_index::{Analysis, Error, Filter, Hit, Index, Kind, PackNo};

use crate::retrieve::decompose::SubQueries;

/// The filter that keeps to the language of the question, where `hits` come from several packs of one site in other
/// languages too. None where they do not, where the language can't be told, or where `filter` names languages.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub(super) fn own_language<'h>(
    sub_queries: &SubQueries,
    hits: impl Iterator<Item = &'h Hit>,
    index: &Index,
    filter: &Filter,
) -> Result<Option<Filter>, Error> {
    let mut packs: Vec<PackNo> = hits.filter_map(|hit| index.pack_of(hit.page)).collect();
    packs.sort_unstable();
    packs.dedup();
    if packs.len() < 2 || !filter.languages.is_empty() {
        return Ok(None);
    }
    let mut site: Option<String> = None;
    for &pack in &packs {
        let own = index.pack(pack)?.site;
        if own.is_empty() || site.as_ref().is_some_and(|site| *site != own) {
            return Ok(None);
        }
        site = Some(own);
    }
    let texts: Vec<&str> = sub_queries.searched().map(|item| item.text.as_str()).collect();
    let Some(analysis) = language(&texts.join(" "), index) else { return Ok(None) };
    // No hit may be in it.
    let mut languages: Vec<String> = Vec::new();
    for pack in (0..index.pack_count()).map(PackNo) {
        let tag = index.language_of(pack);
        if Analysis::of_language(tag) == analysis && Some(index.pack(pack)?.site) == site {
            languages.push(tag.to_owned());
        }
    }
    Ok((!languages.is_empty()).then(|| Filter { languages, ..filter.clone() }))
}

/// The language with the most function words in `text`, of those that the index has; none where two have as many. Text in
/// a script without spaces is in a language whose words are not known.
fn language(text: &str, index: &Index) -> Option<Analysis> {
    let tokens = Analysis::Plain.all_tokens(text);
    let pairs = tokens.iter().filter(|token| token.kind == Kind::Pair).count();
    if pairs * 2 > tokens.len() {
        return Some(Analysis::Plain);
    }
    let (mut best, mut most) = (None, 0);
    for (analysis, _) in index.analyses() {
        let count = analysis.all_tokens(text).iter().filter(|token| token.stop).count();
        if count >= most {
            best = Some(*analysis).filter(|_| count > most);
            most = count;
        }
    }
    best
}
