//! Filters: searching only some packs, tags or languages.

use super::searcher::Searcher;
use crate::analysis::fold::fold;
use crate::error::{Error, try_all};
use crate::ids::{PackNo, PageNo};
use crate::postings::list::{PACK_KEY, Postings, TAG_KEY};
use crate::sort::sort_by;

/// Which pages count. An empty list lets every page pass, but for packs those of [archived](crate::Index::archive) ones; of
/// several values a page needs one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Paths of packs, or of folders of packs: `history` lets `history/roman-emperors` pass.
    pub packs: Vec<String>,
    /// Tags of pages. Case and accents don't matter.
    pub tags: Vec<String>,
    /// BCP 47 tags of languages. `de` lets `de-AT` pass.
    pub languages: Vec<String>,
}

impl Filter {
    /// Whether every page passes.
    pub fn is_empty(&self) -> bool {
        self.packs.is_empty() && self.tags.is_empty() && self.languages.is_empty()
    }

    /// Whether pages of the pack of this path and language may pass; their tags are not looked at.
    pub fn admits_pack(&self, path: &str, language: &str) -> bool {
        let is_at = |wanted: &String| {
            let rest = path.strip_prefix(wanted.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (self.packs.is_empty() || self.packs.iter().any(is_at))
            && (self.languages.is_empty() || self.languages.iter().any(|wanted| is_language(language, wanted)))
    }
}

/// A test of page numbers.
pub(super) type Accept<'a> = dyn Fn(u32) -> bool + 'a;

impl<'i> Searcher<'i> {
    /// The filter as a test of page numbers.
    pub(super) fn filter(self, filter: Option<&Filter>) -> Result<Box<Accept<'i>>, Error> {
        let index = self.index;
        let all = Filter::default();
        let filter = filter.unwrap_or(&all);
        if filter.is_empty() && index.archived.is_empty() {
            return Ok(Box::new(|_| true));
        }
        let packs = self.packs_passing(filter)?;
        let tagged = self.pages_tagged(filter)?;
        Ok(Box::new(move |page| {
            let in_pack = packs
                .as_ref()
                .is_none_or(|packs| index.pack_of(PageNo(page)).is_some_and(|pack| packs.binary_search(&pack).is_ok()));
            in_pack && tagged.as_ref().is_none_or(|pages| pages.binary_search(&page).is_ok())
        }))
    }

    /// Those of `pages` that pass, in their order.
    ///
    /// # Errors
    /// [`Error::Missing`] where a file has to be supplied first, or [`Error::Corrupt`].
    pub fn pages_passing(self, filter: Option<&Filter>, mut pages: Vec<PageNo>) -> Result<Vec<PageNo>, Error> {
        let passes = self.filter(filter)?;
        pages.retain(|page| passes(page.0));
        Ok(pages)
    }

    /// The packs that pass, by rising number; none where all pass.
    fn packs_passing(self, filter: &Filter) -> Result<Option<Vec<PackNo>>, Error> {
        let has_language = |pack: &PackNo| {
            let language = self.index.language_of(*pack);
            filter.languages.is_empty() || filter.languages.iter().any(|wanted| is_language(language, wanted))
        };
        if filter.packs.is_empty() {
            if filter.languages.is_empty() && self.index.archived.is_empty() {
                return Ok(None);
            }
            let archived = self.packs_at_any(&self.index.archived)?;
            let wanted = |pack: &PackNo| archived.binary_search(pack).is_err() && has_language(pack);
            return Ok(Some((0..self.index.pack_count()).map(PackNo).filter(wanted).collect()));
        }
        let mut found = self.packs_at_any(&filter.packs)?;
        found.retain(has_language);
        Ok(Some(found))
    }

    /// The packs of these paths and in the folders of these paths, by rising number.
    fn packs_at_any(self, paths: &[String]) -> Result<Vec<PackNo>, Error> {
        try_all(paths.iter().map(|path| self.packs_at(path).map(drop)))?;
        let mut found = Vec::new();
        for path in paths {
            found.extend(self.packs_at(path)?);
        }
        sort_by(&mut found, PackNo::cmp);
        found.dedup();
        Ok(found)
    }

    /// The pack of that path, and the packs in the folder of that path.
    ///
    /// # Errors
    /// [`Error::Missing`] where a file has to be supplied first, or [`Error::Corrupt`].
    pub fn packs_at(self, path: &str) -> Result<Vec<PackNo>, Error> {
        let path = path.trim_end_matches('/');
        let folder = [&[PACK_KEY], path.as_bytes(), b"/"].concat();
        let shards = self.index.shards_from(&folder, usize::MAX);
        let mut found: Vec<PackNo> = self.index.find_pack(path)?.into_iter().collect();
        for shard in shards? {
            for (key, value) in shard.dictionary.starting_with(&folder, self.index.pack_count()) {
                // The list of a path is a single posting.
                if value & 1 == 0 {
                    return Err(Error::corrupt("term shard", "a path leads to several packs"));
                }
                let list = shard.read(&key, value, self.index.decode_context(PACK_KEY))?;
                if let Postings::Inline(run) = &list.postings {
                    found.extend(run.pages.iter().map(|&pack| PackNo(pack as usize)));
                }
            }
        }
        Ok(found)
    }

    /// The pages with one of the tags, by rising number; none where the filter has no tags.
    fn pages_tagged(self, filter: &Filter) -> Result<Option<Vec<u32>>, Error> {
        if filter.tags.is_empty() {
            return Ok(None);
        }
        let keys: Vec<Vec<u8>> = filter.tags.iter().map(|tag| [&[TAG_KEY], fold(tag).as_bytes()].concat()).collect();
        try_all(keys.iter().map(|key| self.index.pages_of_key(key).map(drop)))?;
        let mut pages = Vec::new();
        for key in &keys {
            pages.extend(self.index.pages_of_key(key)?);
        }
        pages.sort_unstable();
        Ok(Some(pages))
    }
}

/// Whether a language is the wanted one, or a variety of it.
fn is_language(language: &str, wanted: &str) -> bool {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    same(language, wanted)
        || language.get(..wanted.len()).is_some_and(|start| same(start, wanted))
            && language[wanted.len()..].starts_with(['-', '_'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bm25, Index, NewPack, NewPage, PackInfo, Query, write};

    fn pack(path: &str, language: &str) -> NewPack {
        let info = PackInfo { path: path.into(), language: language.into(), ..PackInfo::default() };
        let page =
            NewPage { file: "wall.md".into(), title: "Wall".into(), tags: vec!["Stone".into()], ..NewPage::default() };
        NewPack { info, pages: vec![page], ..NewPack::default() }
    }

    /// The paths of the packs whose pages pass, in their order.
    fn check(filter: Filter, expected: &[&str]) {
        check_without(&[], filter, expected);
    }

    /// The same where the packs of some paths are archived.
    fn check_without(archived: &[&str], filter: Filter, expected: &[&str]) {
        let packs =
            [pack("history", "en"), pack("history/rome", "en-GB"), pack("historya", "en"), pack("plants", "zz")];
        let mut index = Index::open(&write(&packs).unwrap()).unwrap();
        index.archive(archived.iter().map(|&path| path.into()).collect());
        let hits =
            index.searcher(&Bm25::default()).search(Query { filter: Some(&filter), ..Query::from("wall") }, 9).unwrap();
        let mut found: Vec<usize> = hits.iter().map(|hit| index.pack_of(hit.page).unwrap().0).collect();
        found.sort_unstable();
        let paths: Vec<&str> = found.iter().map(|&number| packs[number].info.path.as_str()).collect();
        assert_eq!(paths, expected, "{filter:?}");
        // The same pages pass where they are not searched for. Each pack has one.
        let all = (0..4).map(PageNo).collect();
        let passing = index.searcher(&Bm25::default()).pages_passing(Some(&filter), all).unwrap();
        assert_eq!(passing.into_iter().map(|page| page.0 as usize).collect::<Vec<_>>(), found);
    }

    #[test]
    fn packs_pass_by_path_and_by_folder() {
        let of =
            |packs: &[&str]| Filter { packs: packs.iter().map(|&path| path.into()).collect(), ..Filter::default() };
        check(of(&[]), &["history", "history/rome", "historya", "plants"]);
        check(of(&["history"]), &["history", "history/rome"]);
        check(of(&["history/"]), &["history", "history/rome"]);
        check(of(&["history/rome", "plants"]), &["history/rome", "plants"]);
        check(of(&["hist"]), &[]);
    }

    #[test]
    fn a_pack_is_admitted_by_path_and_language() {
        let check = |packs: &[&str], languages: &[&str], expected: bool| {
            let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            let filter = Filter { packs: owned(packs), languages: owned(languages), ..Filter::default() };
            assert_eq!(filter.admits_pack("history/rome", "en-GB"), expected, "{filter:?}");
        };
        check(&[], &[], true);
        check(&["history"], &["en"], true);
        check(&["plants", "history/rome/"], &[], true);
        check(&["hist"], &[], false);
        check(&["history/rome/late"], &[], false);
        check(&["history"], &["de"], false);
    }

    #[test]
    fn archived_packs_pass_where_they_are_named() {
        let of =
            |packs: &[&str]| Filter { packs: packs.iter().map(|&path| path.into()).collect(), ..Filter::default() };
        let archived = ["history/rome", "plants"];
        check_without(&archived, of(&[]), &["history", "historya"]);
        check_without(&archived, of(&["plants"]), &["plants"]);
        check_without(&archived, of(&["history"]), &["history", "history/rome"]);
        let languages = Filter { languages: vec!["en".into()], ..Filter::default() };
        check_without(&archived, languages, &["history", "historya"]);
        check_without(&["gone"], of(&[]), &["history", "history/rome", "historya", "plants"]);
    }

    #[test]
    fn languages_and_tags_pass() {
        let languages = Filter { languages: vec!["en".into()], ..Filter::default() };
        check(languages, &["history", "history/rome", "historya"]);
        let all = Filter { packs: vec!["history".into()], tags: vec!["stone".into()], languages: vec!["EN-gb".into()] };
        check(all, &["history/rome"]);
        check(Filter { tags: vec!["wood".into()], ..Filter::default() }, &[]);
    }
}
