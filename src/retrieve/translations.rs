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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieve::decompose::SubQuery;
    use seealso_index::{NewPack, NewPage, PackInfo, write};

    /// An index with a pack of one page for each of these languages, each of that site.
    fn index(packs: &[(&str, &str)]) -> Index {
        let pack = |&(language, site): &(&str, &str)| {
            let page = NewPage { file: "tea.html.md".into(), title: "Tea".into(), ..NewPage::default() };
            let (path, language, site) = (language.into(), language.into(), site.into());
            let info = PackInfo { path, language, site, ..PackInfo::default() };
            NewPack { info, pages: vec![page], ..NewPack::default() }
        };
        Index::open(&write(&packs.iter().map(pack).collect::<Vec<_>>()).unwrap()).unwrap()
    }

    /// The languages that the question keeps to, where its hits are the pages of the first `found` packs.
    fn check(packs: &[(&str, &str)], found: u32, text: &str, expected: &[&str]) {
        let item = SubQuery { text: text.to_owned(), context: String::new() };
        let sub_queries = SubQueries { items: vec![item], whole: None, split_rules: vec![], joined: false };
        let hits =
            (0..found).map(|page| Hit { page: seealso_index::PageNo(page), score: 1.0, exact: false, quoted: false });
        let hits: Vec<Hit> = hits.collect();
        let filter = own_language(&sub_queries, hits.iter(), &index(packs), &Filter::default()).unwrap();
        assert_eq!(filter.unwrap_or_default().languages, expected, "{text}");
    }

    #[test]
    fn a_question_keeps_to_its_language_on_a_site_in_several() {
        let site = [("de", "../"), ("en", "../"), ("ja", "../")];
        check(&site, 3, "how do I make the tea", &["en"]);
        check(&site, 3, "wie mache ich den Tee", &["de"]);
        check(&site, 3, "お茶のいれ方は何ですか", &["ja"]);
        // No function word tells.
        check(&site, 3, "Assam", &[]);
        // The pages in its language were not found yet.
        check(&[("de", "../"), ("ja", "../"), ("en", "../")], 2, "how do I make the tea", &["en"]);
        // All hits are in one language, or there is none in the question's.
        check(&site, 1, "how do I make the tea", &[]);
        check(&[("de", "../"), ("ja", "../")], 2, "how do I make the tea", &[]);
    }

    #[test]
    fn packs_of_other_sites_are_no_translations() {
        check(&[("de", ""), ("en", "")], 2, "how do I make the tea", &[]);
        check(&[("de", "../a/"), ("en", "../b/")], 2, "how do I make the tea", &[]);
    }
}
