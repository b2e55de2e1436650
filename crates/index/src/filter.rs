//! Filters: searching only some packs, tags or languages.

use crate::error::Error;
use crate::fold::fold;
use crate::index::{Index, PackNo};
use crate::term_file::TAG_KEY;

/// Which pages count. What is empty lets every page pass; of several values one suffices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Paths of packs.
    pub packs: Vec<String>,
    /// Tags of pages, case and accents aside.
    pub tags: Vec<String>,
    /// BCP 47 tags of languages; `de` stands for `de-AT` too.
    pub languages: Vec<String>,
}

impl Filter {
    /// Whether every page passes.
    pub fn is_empty(&self) -> bool {
        self.packs.is_empty() && self.tags.is_empty() && self.languages.is_empty()
    }
}

type Accept<'i> = Box<dyn Fn(u32) -> bool + 'i>;

impl Index {
    /// The filter as a test of page numbers.
    pub(crate) fn filter(&self, filter: Option<&Filter>) -> Result<Accept<'_>, Error> {
        let Some(filter) = filter.filter(|filter| !filter.is_empty()) else { return Ok(Box::new(|_| true)) };
        let packs = self.packs_of(filter)?;
        let tagged = self.tagged(filter)?;
        Ok(Box::new(move |page| {
            let in_pack = packs
                .as_ref()
                .is_none_or(|packs| self.pack_of(crate::index::PageNo(page)).is_some_and(|pack| packs.contains(&pack)));
            in_pack && tagged.as_ref().is_none_or(|pages| pages.binary_search(&page).is_ok())
        }))
    }

    /// The packs that pass; none where all do.
    fn packs_of(&self, filter: &Filter) -> Result<Option<Vec<PackNo>>, Error> {
        let speaks = |pack: &PackNo| {
            let language = self.language_of(*pack);
            filter.languages.is_empty() || filter.languages.iter().any(|wanted| is_language(language, wanted))
        };
        if filter.packs.is_empty() {
            let all = || (0..self.pack_count()).map(PackNo).filter(speaks).collect();
            return Ok((!filter.languages.is_empty()).then(all));
        }
        self.all(filter.packs.iter().map(|path| self.find_pack(path).map(drop)))?;
        let mut found = Vec::new();
        for path in &filter.packs {
            found.extend(self.find_pack(path)?.filter(speaks));
        }
        Ok(Some(found))
    }

    /// The pages with one of the tags; none where no tag is asked for.
    fn tagged(&self, filter: &Filter) -> Result<Option<Vec<u32>>, Error> {
        if filter.tags.is_empty() {
            return Ok(None);
        }
        let keys: Vec<Vec<u8>> = filter.tags.iter().map(|tag| [&[TAG_KEY], fold(tag).as_bytes()].concat()).collect();
        self.all(keys.iter().map(|key| self.pages_under(key).map(drop)))?;
        let mut pages = Vec::new();
        for key in &keys {
            pages.extend(self.pages_under(key)?);
        }
        pages.sort_unstable();
        Ok(Some(pages))
    }
}

/// Whether a page's language is the one that is wanted, or a kind of it.
fn is_language(language: &str, wanted: &str) -> bool {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    same(language, wanted)
        || language.get(..wanted.len()).is_some_and(|start| same(start, wanted))
            && language[wanted.len()..].starts_with(['-', '_'])
}
