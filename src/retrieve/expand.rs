//! `expand`: one hop along the See Also links of the pages that a search brought.
//!
//! It sees only pages and the packs' directories. It cannot search, it never leaves a pack, and the pages that it adds
//! are not expanded again.

use std::rc::Rc;

use seealso_index::{Error, Index, PageNo};

use crate::config::Config;
use crate::retrieve::fetch::{PageRequest, Pages, Via};

/// The See Also links of every pack's pages, and nothing else of the index.
#[derive(Debug, Clone)]
pub struct Directories {
    index: Rc<Index>,
}

impl Directories {
    /// The directories of an index's packs.
    pub fn of(index: &Rc<Index>) -> Directories {
        Directories { index: Rc::clone(index) }
    }

    /// Requests the index files that the links of all `pages` need.
    fn prefetch(&self, pages: impl Iterator<Item = PageNo>) -> Result<(), Error> {
        self.index.prefetch_pages(pages)
    }

    /// The pages of the same pack that `page` lists under See Also.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the links are damaged.
    pub fn links(&self, page: PageNo) -> Result<Vec<PageNo>, Error> {
        self.index.links(page)
    }
}

/// The pages that others list under See Also.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedPages {
    /// The pages to fetch.
    pub wanted: Vec<PageRequest>,
    /// Those that could not be fetched before.
    pub missed: Vec<PageNo>,
}

/// The pages that `pages` list under See Also and that were not requested already: first each page's first link, then
/// each one's second, up to the limit of each pack.
///
/// # Errors
/// [`Error::Corrupt`] where the links are damaged.
pub fn expand(pages: &Pages, directories: &Directories, config: &Config) -> Result<LinkedPages, Error> {
    let is_lost = |page: PageNo| pages.lost.iter().any(|lost| lost.number == Some(page));
    let pages = &pages.items;
    directories.prefetch(pages.iter().map(|page| page.number))?;
    let links: Vec<Vec<PageNo>> = pages.iter().map(|page| directories.links(page.number)).collect::<Result<_, _>>()?;
    let deepest = links.iter().map(Vec::len).max().unwrap_or(0);
    // The number of pages that each pack added, at the index of its first page.
    let mut added = vec![0; pages.len()];
    let (mut wanted, mut missed): (Vec<PageRequest>, Vec<PageNo>) = (Vec::new(), Vec::new());
    for place in 0..deepest {
        for (from, linked) in pages.iter().zip(&links) {
            let Some(&page) = linked.get(place) else { continue };
            if let Some(there) = wanted.iter_mut().find(|want| want.page == page) {
                let new = from.sub_queries.iter().filter(|number| !there.sub_queries.contains(number));
                let new: Vec<usize> = new.copied().collect();
                there.sub_queries.extend(new);
                continue;
            }
            let first = pages.iter().position(|page| page.pack == from.pack).unwrap_or_default();
            if added[first] == config.see_also_per_pack || pages.iter().any(|known| known.number == page) {
                continue;
            }
            if is_lost(page) {
                missed.push(page);
                continue;
            }
            added[first] += 1;
            wanted.push(PageRequest { page, via: Via::SeeAlso, sub_queries: from.sub_queries.clone() });
        }
    }
    Ok(LinkedPages { wanted, missed })
}
