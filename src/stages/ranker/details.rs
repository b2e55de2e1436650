//! The components of a hit's score, with those that the stages add.

use seealso_index::PageNo;

use super::NearRanking;
use crate::retrieve::search::Ranking;
use crate::stages::fusion::FusedPage;
use crate::trace::{Detail, ToDetail as _, detail};

/// What is known of each hit of a ranking, to be taken one by one.
pub(super) struct Details(Vec<(PageNo, Detail)>);

impl Details {
    pub(super) fn of(ranking: &mut Ranking) -> Details {
        let explained = std::mem::take(&mut ranking.explained);
        Details(ranking.hits.iter().map(|hit| hit.page).zip(explained).collect())
    }

    /// What is known of `page`, with what the stages know of it.
    pub(super) fn with(&mut self, page: PageNo, fused: &FusedPage, near: &NearRanking) -> Detail {
        let known = self.0.iter().position(|(known, _)| *known == page).map(|at| self.0.swap_remove(at).1);
        let mut parts = match known {
            Some(Detail::Map(parts)) => parts,
            _ => Vec::new(),
        };
        let chunk = near.pages.iter().find(|chunk| chunk.page == page);
        if let Some(chunk) = chunk {
            if parts.is_empty() {
                parts.push(("page".to_owned(), chunk.id.to_detail()));
                parts.push(("score".to_owned(), 0.0.to_detail()));
            }
            parts.push(("near".to_owned(), chunk.detail()));
        }
        let pair = near.pairs.get(&page).copied().unwrap_or(f64::NAN);
        let fused = detail!({ "score": fused.score, "words": fused.words, "meaning": fused.meaning, "pair": pair });
        parts.push(("fused".to_owned(), fused));
        Detail::map(parts)
    }
}
