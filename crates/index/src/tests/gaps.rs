//! What is judged while postings are missing: nothing that could matter is left out.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::random::Random;
use super::support::{Remote, open};
use crate::partial::{Gap, Known, LengthBounds, Next, judge};
use crate::topk::Scored;
use crate::{Bm25, Idf, Layout, NewPack, NewPage, PackInfo};

/// Lists cut into parts, with a weight each.
struct Lists {
    lengths: Vec<u32>,
    /// Of each list its parts, of these the pages and how often they say the word.
    parts: Vec<Vec<Vec<(u32, u32)>>>,
    weights: Vec<f64>,
}

impl Lists {
    fn new(random: &mut Random) -> Lists {
        let pages = 1 + random.below(60);
        let lengths = (0..pages).map(|_| [3, 4, 5, 70, 90][random.below(5)]).collect();
        let lists = 1 + random.below(4);
        let parts = (0..lists).map(|_| {
            let share = 1 + random.below(9);
            let here: Vec<u32> = (0..pages as u32).filter(|_| random.below(share) == 0).collect();
            let postings: Vec<(u32, u32)> = here.into_iter().map(|page| (page, 1 + random.below(3) as u32)).collect();
            postings.chunks(1 + random.below(6)).map(<[_]>::to_vec).collect()
        });
        Lists {
            lengths,
            parts: parts.collect(),
            weights: (0..lists).map(|_| [0.3, 0.5, 0.55, 1.0, 2.0][random.below(5)]).collect(),
        }
    }

    fn score(&self, list: usize, (page, count): (u32, u32)) -> f64 {
        let count = f64::from(count);
        self.weights[list] * count / (count + f64::from(self.lengths[page as usize]) / 10.0)
    }

    fn postings(&self, list: usize) -> impl Iterator<Item = (u32, u32)> {
        self.parts[list].iter().flatten().copied()
    }

    fn exhaustive(&self, k: usize, accept: &dyn Fn(u32) -> bool) -> Vec<Scored> {
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for list in 0..self.parts.len() {
            for posting in self.postings(list).filter(|posting| accept(posting.0)) {
                *sums.entry(posting.0).or_default() += self.score(list, posting);
            }
        }
        let mut ranked: Vec<Scored> = sums.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(k);
        ranked
    }

    /// What [`judge`] says of the parts that came.
    fn judged(&self, came: &BTreeSet<(usize, usize)>, k: usize, accept: &dyn Fn(u32) -> bool) -> (Next, Vec<Gap>) {
        let (mut known, mut gaps, mut limits) = (Vec::new(), Vec::new(), Vec::new());
        for (list, parts) in self.parts.iter().enumerate() {
            let mut base = 0;
            let count = self.postings(list).count() as u32;
            for (part, postings) in parts.iter().enumerate() {
                let scores = postings.iter().map(|&posting| self.score(list, posting));
                let last = postings[postings.len() - 1].0;
                if came.contains(&(list, part)) {
                    let lengths = postings.iter().map(|posting| self.lengths[posting.0 as usize]);
                    let all = postings.iter().zip(scores).zip(lengths);
                    known.extend(all.map(|((posting, score), length)| Known { page: posting.0, score, length }));
                } else {
                    gaps.push(Gap { list, part, pages: (base, last), bound: scores.fold(0.0, f64::max), count });
                }
                base = last + 1;
            }
            let lengths: Vec<u32> = self.postings(list).map(|posting| self.lengths[posting.0 as usize]).collect();
            let scores: Vec<f64> = self.postings(list).map(|posting| self.score(list, posting)).collect();
            limits.push((list, LengthBounds::new(&lengths, &scores)));
        }
        (judge(known, &gaps, &limits, k, accept), gaps)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn what_is_settled_is_what_scoring_every_page_gives(seed in any::<u64>(), k in 1usize..20) {
        let mut random = Random(seed);
        let lists = Lists::new(&mut random);
        let kept = 1 + random.below(3) as u32;
        let accept = |page: u32| page.is_multiple_of(kept);
        // Other questions have left some parts.
        let left = 1 + random.below(4);
        let parts = lists.parts.iter().enumerate().flat_map(|(list, parts)| (0..parts.len()).map(move |part| (list, part)));
        let mut came: BTreeSet<(usize, usize)> = parts.filter(|_| random.below(left) > 0).collect();
        let found = loop {
            match lists.judged(&came, k, &accept) {
                (Next::Done(found), _) => break found,
                (Next::Fetch { gaps: fetch, .. }, gaps) => {
                    prop_assert!(!fetch.is_empty());
                    came.extend(fetch.iter().map(|&gap| (gaps[gap].list, gaps[gap].part)));
                }
            }
        };
        prop_assert_eq!(found, lists.exhaustive(k, &accept));
    }
}

/// Many short pages, so that lists have many parts.
fn short_pages(random: &mut Random, pages: usize) -> Vec<NewPack> {
    let vocabulary = 20 + random.below(80);
    let pages = (0..pages).map(|number| NewPage {
        file: format!("{number}.md"),
        title: random.text(0, 2, vocabulary),
        summary: if random.below(2) == 0 { random.text(0, 5, vocabulary) } else { String::new() },
        ..NewPage::default()
    });
    let pages = pages.collect();
    vec![NewPack { info: PackInfo { path: "p".into(), language: "xx".into(), ..PackInfo::default() }, pages }]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn lists_in_many_files_give_the_same(seed in any::<u64>(), pages in 1500usize..2500) {
        let mut random = Random(seed);
        let packs = short_pages(&mut random, pages);
        let layout = Layout { single_file_bytes: 0, inline_postings: 0, chunk_postings: 1, ..Layout::default() };
        let (one_file, remote) = (open(&packs), Remote::new(&packs, layout));
        let other = Bm25 { weights: [0.01, 1.0, 9.0, 1.0], b: 0.1, idf: Idf::Fts5, ..Bm25::default() };
        for _ in 0..15 {
            let (text, k) = (random.text(1, 4, 90), 1 + random.below(8));
            for bm25 in [Bm25::default(), other] {
                let there = one_file.search(text.as_str(), k, &bm25).unwrap();
                let (fresh, _) = remote.settle(&remote.fresh(), &|index| index.search(text.as_str(), k, &bm25));
                prop_assert_eq!(fresh, there, "{} best for {}", k, text);
            }
        }
    }
}
