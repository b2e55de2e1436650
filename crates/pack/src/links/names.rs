//! The pages of a pack by their names, and which of them a written path means.
//!
//! Neither case nor the Unicode normal form of a name counts, since file systems change both: `[[élan vital]]` finds
//! `Élan Vital.md`. Where no page has the name, one is taken that has its slug: `élan-vital.md` or `Élan_Vital.md`. Signs
//! that the slug of the page's own name lacks are not lost that way: `[[c]]` does not find `C++.md`.

use super::{lower, slugify};
use crate::file_name::stem;
use seealso_index::{composed, sort_by};

/// The pages of a pack, by name.
#[derive(Debug, Clone, Default)]
pub struct PageNames {
    /// Sorted by slug; those of one slug stand in the order of the pack.
    names: Vec<Name>,
}

#[derive(Debug, Clone)]
struct Name {
    /// The slug of the last step of the path.
    slug: String,
    /// The path without its ending, as names are compared.
    path: String,
    file: String,
}

/// A path to look for.
pub(super) struct Lookup<'l> {
    /// The path, as written but for escapes.
    pub(super) path: String,
    /// The linking page's folder, with the slash behind it, where the path may begin in any folder; where none is said, the path
    /// counts from the page root.
    pub(super) from: Option<&'l str>,
}

/// Added to the rank of a page that has the slug alone: any page that has the name goes first.
const BY_SLUG: usize = 1 << 16;

impl PageNames {
    /// The names of pages, each given as its file below the page root, in the order of the pack.
    pub fn new(files: Vec<String>) -> PageNames {
        let name = |file: String| {
            let path = compared(stem(&file));
            Name { slug: slugify(last_step(&path).1), path, file }
        };
        let mut names: Vec<Name> = files.into_iter().map(name).collect();
        sort_by(&mut names, |a, b| a.slug.cmp(&b.slug));
        PageNames { names }
    }

    /// The page that a path means.
    pub(super) fn find(&self, lookup: &Lookup<'_>) -> Option<&str> {
        self.ranked(lookup).min_by_key(|(rank, _)| *rank).map(|(_, file)| file)
    }

    /// Another page that a path may as well mean as the one that is found.
    pub(super) fn alternative(&self, lookup: &Lookup<'_>) -> Option<&str> {
        let least = self.ranked(lookup).map(|(rank, _)| rank).min()?;
        self.ranked(lookup).filter(|(rank, _)| *rank == least).map(|(_, file)| file).nth(1)
    }

    /// The pages that a path may mean, each with its rank: the least is for the page beside the linking one, then it grows
    /// with the folders above the path. Of pages in the same place, the one that is spelt as the path is goes first.
    fn ranked<'n>(&'n self, lookup: &Lookup<'_>) -> impl Iterator<Item = (usize, &'n str)> {
        let (wanted, written) = (compared(stem(&lookup.path)), lookup.path.clone());
        let own = lookup.from.map(compared);
        let slug = slugify(last_step(&wanted).1);
        let first = self.names.partition_point(|name| name.slug < slug);
        self.names[first..].iter().map_while(move |name| (name.slug == slug).then_some(name)).filter_map(move |name| {
            let ((folder, last), (wanted_folder, wanted_last)) = (last_step(&name.path), last_step(&wanted));
            let by_slug = if last == wanted_last { 0 } else { BY_SLUG };
            let is_spelt_so = name.file.ends_with(&written) || stem(&name.file).ends_with(&written);
            let distance = distance(folder, wanted_folder, own.as_deref())?;
            let may_be_meant = by_slug == 0 || last.len() == name.slug.len() && !wanted_last.is_empty();
            may_be_meant.then(|| (by_slug + 2 * distance + usize::from(!is_spelt_so), name.file.as_str()))
        })
    }
}

/// How far a page in `folder` is from one in the folder `own`, where `wanted` is written before its name: 0 beside it, else one
/// more than there are folders above `wanted`. Without `own`, a path counts from the page root alone. Folders end in slashes.
fn distance(folder: &str, wanted: &str, own: Option<&str>) -> Option<usize> {
    let above = folder.strip_suffix(wanted).filter(|above| above.is_empty() || above.ends_with('/'))?;
    match own {
        None => above.is_empty().then_some(0),
        Some(own) if own == above => Some(0),
        Some(_) => Some(above.split('/').count()),
    }
}

/// A path as names are compared.
fn compared(path: &str) -> String {
    composed(&lower(path))
}

/// A path's folders with the slash behind them, and its last step.
pub(crate) fn last_step(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}

#[cfg(test)]
mod tests;
