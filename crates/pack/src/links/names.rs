//! The pages of a pack by their names, and which of them a written path means.
//!
//! Neither case nor the Unicode normal form of a name counts, since file systems change both: `[[élan vital]]` finds
//! `Élan Vital.md`. Where no page has the name, one is taken that has its slug: `élan-vital.md` or `Élan_Vital.md`. A
//! sign of the page's own name is never lost that way: `[[c]]` does not find `C++.md`.

use super::{is_mark, lower, slugify};
use crate::file_name::{is_markdown, stem};
use seealso_index::{composed, sort_by};

/// The pages of a pack, by name.
#[derive(Debug, Clone, Default)]
pub struct PageNames {
    /// Sorted by slug, then by file.
    names: Vec<Name>,
}

#[derive(Debug, Clone)]
struct Name {
    /// The slug of the last step of the path.
    slug: String,
    /// The path without its ending, as names are compared.
    path: String,
    /// The folders and the slug; empty where the name has signs that the slug lacks.
    plain: String,
    file: String,
}

/// A path to look for.
pub(super) struct Sought {
    /// The path, as written but for escapes; from the page root where `from` is none.
    pub(super) path: String,
    /// The linking page's folder, where the path may begin in any folder.
    pub(super) from: Option<String>,
}

/// The page that a path means.
pub(super) struct Found<'n> {
    pub(super) file: &'n str,
    /// Another page that is as near.
    pub(super) rival: Option<&'n str>,
}

/// Added to the distance of a page that has the slug alone: any page that has the name is nearer.
const BY_SLUG: usize = 1 << 16;

impl PageNames {
    /// The names of pages, each given as its file below the page root.
    pub fn new(files: Vec<String>) -> PageNames {
        let mut names: Vec<Name> = files.into_iter().map(Name::of).collect();
        sort_by(&mut names, |a, b| (&a.slug, &a.file).cmp(&(&b.slug, &b.file)));
        PageNames { names }
    }

    /// The page that a path means: beside the linking page, else in as few folders as possible. Of pages in the same
    /// place, the one that is spelt as the path is.
    pub(super) fn find(&self, sought: &Sought) -> Option<Found<'_>> {
        let wanted = compared(stem(&sought.path));
        let (folder, last) = last_step(&wanted);
        let slug = slugify(last);
        let by_slug = format!("{folder}{slug}");
        let own = sought.from.as_deref().map(compared);
        let spelt = if is_markdown(&sought.path) { sought.path.clone() } else { format!("{}.md", sought.path) };
        let mut best: Option<(usize, Found<'_>)> = None;
        let first = self.names.partition_point(|name| name.slug < slug);
        for name in self.names[first..].iter().take_while(|name| name.slug == slug) {
            let by_name = distance(&name.path, &wanted, own.as_deref());
            let by_slug = || distance(&name.plain, &by_slug, own.as_deref()).map(|distance| distance + BY_SLUG);
            let Some(distance) = by_name.or_else(by_slug) else { continue };
            let distance = 2 * distance + usize::from(!name.file.ends_with(&spelt));
            match &mut best {
                Some((least, _)) if *least < distance => {}
                Some((least, found)) if *least == distance => {
                    found.rival.get_or_insert(&name.file);
                }
                _ => best = Some((distance, Found { file: &name.file, rival: None })),
            }
        }
        best.map(|(_, found)| found)
    }
}

impl Name {
    fn of(file: String) -> Name {
        let path = compared(stem(&file));
        let (folder, last) = last_step(&path);
        let slug = slugify(last);
        let is_plain = last.chars().all(|c| c.is_alphanumeric() || is_mark(c) || matches!(c, ' ' | '-' | '_'));
        let plain = if is_plain { format!("{folder}{slug}") } else { String::new() };
        Name { slug, plain, path, file }
    }
}

/// How far the page at `path` is from one in the folder `own`, where `wanted` is the end of its path: 0 beside it, else
/// one more than there are folders above `wanted`. Without `own`, a path counts from the page root alone.
fn distance(path: &str, wanted: &str, own: Option<&str>) -> Option<usize> {
    let above = path.strip_suffix(wanted)?;
    match (own, above.strip_suffix('/').or_else(|| above.is_empty().then_some(above))?) {
        (None, "") => Some(0),
        (Some(own), above) if above == own => Some(0),
        (Some(_), _) => Some(1 + above.matches('/').count()),
        _ => None,
    }
}

/// A path as names are compared.
fn compared(path: &str) -> String {
    composed(&lower(path))
}

/// A path's folders with the slash behind them, and its last step.
fn last_step(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}

#[cfg(test)]
mod tests;
