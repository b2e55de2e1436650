//! `loss`: what becomes of an answer when pages of it could not be fetched. A lost page never loses the answer; it becomes a
//! notice, unless it was only to be compared with others.

use seealso_index::{Hit, PageNo};

use super::fetch::{FetchedPage, LostPage, Pages};
use super::merge::{Pick, Picks};
use super::search::Rankings;

/// Removes from the `reranked` hits those that were not read, which are no pages to answer from even if lost pages make room
/// for them, and those too weak to stand in for a lost page. `found` are the rankings by the index alone, and `by_index` the
/// pages that would be kept by them.
pub(super) fn retain_readable(reranked: &mut Rankings, found: &Rankings, by_index: &Picks, read: &Pages) {
    for (number, (ranking, found)) in reranked.all_mut().zip(found.all()).enumerate() {
        let least = least_to_stand_in(&found.hits, number, by_index, read);
        let is_read = |hit: &Hit| read.items.iter().any(|page| page.number == hit.page);
        let stands_in = |hit: &Hit| found.hits.iter().any(|known| known.page == hit.page && known.score >= least);
        ranking.hits.retain(|hit| is_read(hit) && stands_in(hit));
    }
}

/// The least score by the index of a hit of sub-query `number`. If most pages that would be kept `by_index` are lost,
/// and no other of them scores half of the best of those `found`, it is that half: a page that hardly matches a
/// question does not become its answer because other pages are missing.
fn least_to_stand_in(found: &[Hit], number: usize, by_index: &Picks, read: &Pages) -> f64 {
    let half = found.iter().map(|hit| hit.score).fold(0.0, f64::max) / 2.0;
    let is_lost = |pick: &&Pick| read.lost.iter().any(|lost| lost.number == Some(pick.page));
    let is_strong = |pick: &Pick| found.iter().any(|hit| hit.page == pick.page && hit.score >= half);
    let kept = || by_index.items.iter().filter(|pick| pick.wanted_by.contains(&number));
    let lost = kept().filter(is_lost).count();
    let is_most = lost * 2 > kept().count();
    let is_any_strong = kept().any(|pick| !is_lost(&pick) && is_strong(pick));
    if is_most && !is_any_strong { half } else { 0.0 }
}

/// Marks the lost pages that were only to be compared: those that would not be kept `by_index`.
pub(super) fn mark_compared(read: &mut Pages, by_index: &Picks) {
    for lost in &mut read.lost {
        lost.for_comparison_only = !by_index.items.iter().any(|pick| Some(pick.page) == lost.number);
    }
}

/// The lost pages among those `wanted` under See Also, which are missed now for their own sake.
pub(super) fn missed<'p>(pages: &'p Pages, wanted: &'p [PageNo]) -> impl Iterator<Item = LostPage> + 'p {
    let is_wanted = |lost: &&LostPage| lost.number.is_some_and(|number| wanted.contains(&number));
    pages.lost.iter().filter(is_wanted).map(|lost| LostPage { for_comparison_only: false, ..lost.clone() })
}

/// The loss of all See Also links, because the index's record of them is damaged.
pub(super) fn of_links(reason: String) -> Pages {
    let (number, id) = (None, "See Also".to_owned());
    let lost = LostPage { number, id, reason, sub_queries: Vec::new(), for_comparison_only: false };
    Pages { items: Vec::new(), lost: vec![lost] }
}

/// All pages, and each lost one once.
pub(super) fn join(mut pages: Pages, linked: Pages) -> (Vec<FetchedPage>, Vec<LostPage>) {
    pages.items.extend(linked.items);
    pages.lost.retain(|lost| !linked.lost.iter().any(|other| other.number == lost.number));
    pages.lost.extend(linked.lost);
    (pages.items, pages.lost)
}

/// Removes the lost pages that were only to be compared and whose every sub-query is `answered` by others. A page that may
/// have answered its part of the question stays.
pub(crate) fn retain_reported(lost: &mut Vec<LostPage>, answered: impl Fn(usize) -> bool) {
    lost.retain(|lost| !lost.for_comparison_only || !lost.sub_queries.iter().all(|&number| answered(number)));
}
