//! Searches while blocks are not there yet: nothing that could matter is left out.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use seealso_test_support::Random;

use super::exhaustive::{Corpus, ranked, same};
use super::random::RandomInput as _;
use super::support::{Remote, open, pack};
use crate::postings::profile::TermProfile;
use crate::query::lazy_topk::{Decision, LengthBounds, PartialScore, UnfetchedBlock, decide};
use crate::query::topk::ScoredPage;
use crate::{Bm25, Idf, Layout, NewPack, NewPage, Query};

/// Lists in blocks, with a weight each.
struct Lists {
    /// The length of each page.
    lengths: Vec<u32>,
    /// The blocks of each list: pages, each with the count of the term.
    blocks: Vec<Vec<Vec<(u32, u32)>>>,
    weights: Vec<f64>,
    /// The bonus of each page that has a posting, and the most that a page may get.
    bonus: Vec<f64>,
    most_bonus: f64,
}

impl Lists {
    fn new(random: &mut Random) -> Lists {
        let pages = 1 + random.below(60);
        let lengths = (0..pages).map(|_| [3, 4, 5, 70, 90][random.below(5)]).collect();
        let lists = 1 + random.below(4);
        let blocks = (0..lists).map(|_| {
            let share = 1 + random.below(9);
            let here: Vec<u32> = (0..pages as u32).filter(|_| random.below(share) == 0).collect();
            let postings: Vec<(u32, u32)> = here.into_iter().map(|page| (page, 1 + random.below(3) as u32)).collect();
            postings.chunks(1 + random.below(6)).map(<[_]>::to_vec).collect()
        });
        let blocks: Vec<Vec<Vec<(u32, u32)>>> = blocks.collect();
        let most_bonus = [0.0, 0.4, 1.5][random.below(3)];
        let bonus = (0..pages).map(|_| most_bonus * [0.0, 0.0, 0.5, 1.0][random.below(4)]).collect();
        Lists {
            lengths,
            blocks,
            weights: (0..lists).map(|_| [0.3, 0.5, 0.55, 1.0, 2.0][random.below(5)]).collect(),
            bonus,
            most_bonus,
        }
    }

    fn score(&self, list: usize, (page, count): (u32, u32)) -> f64 {
        let count = f64::from(count);
        self.weights[list] * count / (count + f64::from(self.lengths[page as usize]) / 10.0)
    }

    fn postings(&self, list: usize) -> impl Iterator<Item = (u32, u32)> {
        self.blocks[list].iter().flatten().copied()
    }

    /// The pages with a posting in one of the blocks that `is_there` takes, each with its score by these and its bonus.
    fn sums(&self, is_there: &dyn Fn(&(usize, usize)) -> bool, accept: &dyn Fn(u32) -> bool) -> Vec<ScoredPage> {
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for (list, number) in self.block_numbers().filter(is_there) {
            for &posting in self.blocks[list][number].iter().filter(|posting| accept(posting.0)) {
                *sums.entry(posting.0).or_default() += self.score(list, posting);
            }
        }
        sums.into_iter().map(|(page, score)| (page, score + self.bonus[page as usize])).collect()
    }

    fn block_numbers(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |(list, blocks): (usize, &Vec<Vec<(u32, u32)>>)| (0..blocks.len()).map(move |block| (list, block));
        self.blocks.iter().enumerate().flat_map(of)
    }

    fn exhaustive(&self, k: usize, accept: &dyn Fn(u32) -> bool) -> Vec<ScoredPage> {
        let mut ranked = self.sums(&|_| true, accept);
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(k);
        ranked
    }

    /// What [`decide`] decides when the blocks `fetched` are there, and the other blocks.
    fn decision(
        &self,
        fetched: &BTreeSet<(usize, usize)>,
        k: usize,
        accept: &dyn Fn(u32) -> bool,
    ) -> (Decision, Vec<UnfetchedBlock>) {
        let scores = self.sums(&|block| fetched.contains(block), accept).into_iter();
        let scores: Vec<PartialScore> =
            scores.map(|(page, score)| PartialScore { page, score, length: self.lengths[page as usize] }).collect();
        let (mut unfetched, mut limits) = (Vec::new(), Vec::new());
        for (list, blocks) in self.blocks.iter().enumerate() {
            let mut base = 0;
            let count = self.postings(list).count() as u32;
            for (block, postings) in blocks.iter().enumerate() {
                let bound = postings.iter().map(|&posting| self.score(list, posting)).fold(0.0, f64::max);
                let last = postings[postings.len() - 1].0;
                if !fetched.contains(&(list, block)) {
                    unfetched.push(UnfetchedBlock { list, block, pages: (base, last), bound, count });
                }
                base = last + 1;
            }
            let profile =
                |(page, _): (u32, u32)| TermProfile { length: self.lengths[page as usize], ..TermProfile::default() };
            let profiles: Vec<TermProfile> = self.postings(list).map(profile).collect();
            let scores: Vec<f64> = self.postings(list).map(|posting| self.score(list, posting)).collect();
            limits.push((list, LengthBounds::new(&profiles, &scores)));
        }
        (decide(&scores, &unfetched, &limits, self.most_bonus, k), unfetched)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn lazy_results_are_those_of_scoring_every_page(seed in any::<u64>(), k in 1usize..20) {
        let mut random = Random::new(seed);
        let lists = Lists::new(&mut random);
        let kept = 1 + random.below(3) as u32;
        let accept = |page: u32| page.is_multiple_of(kept);
        // Other queries have fetched some blocks.
        let left = 1 + random.below(4);
        let mut fetched: BTreeSet<(usize, usize)> =
            lists.block_numbers().filter(|_| random.below(left) > 0).collect();
        let found = loop {
            match lists.decision(&fetched, k, &accept) {
                (Decision::Done(found), _) => break found,
                (Decision::Fetch { blocks, .. }, unfetched) => {
                    prop_assert!(!blocks.is_empty());
                    fetched.extend(blocks.iter().map(|&block| (unfetched[block].list, unfetched[block].block)));
                }
            }
        };
        prop_assert_eq!(found, lists.exhaustive(k, &accept));
    }
}

/// Many short pages, so that lists have many blocks, in four packs.
fn short_pages(random: &mut Random, pages: usize) -> Vec<NewPack> {
    let vocabulary = 20 + random.below(80);
    let of_pack = (pages / 4).max(1);
    let pages = (0..pages).map(|number| NewPage {
        file: format!("{number}.md"),
        title: random.text(0, 2, vocabulary),
        summary: if random.below(2) == 0 { random.text(0, 5, vocabulary) } else { String::new() },
        ..NewPage::default()
    });
    let pages: Vec<NewPage> = pages.collect();
    let packs = pages.chunks(of_pack).enumerate().map(|(at, pages)| {
        let mut pack = pack(&format!("p{at}"), "xx", pages.to_vec());
        pack.info.summary = random.text(0, 6, vocabulary);
        pack
    });
    packs.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn lists_in_many_files_give_the_same(seed in any::<u64>(), pages in 1500usize..2500) {
        let mut random = Random::new(seed);
        let packs = short_pages(&mut random, pages);
        let layout = Layout { inline_postings: 0, block_postings: 1, ..Layout::in_files_of(4096) };
        let (one_file, remote) = (open(&packs), Remote::new(&packs, layout));
        let corpus = Corpus::new(&packs);
        // Without words side by side few pages are kept, and lists may stay where they are.
        let other = Bm25 { weights: [0.01, 1.0, 9.0, 1.0], b: 0.1, idf: Idf::Fts5, adjacent: 0.0, ..Bm25::default() };
        for _ in 0..15 {
            let (text, k) = (random.text(1, 4, 90), 1 + random.below(8));
            for bm25 in [Bm25::default(), other] {
                let there = one_file.searcher(&bm25).search(text.as_str(), k).unwrap();
                let expected = corpus.search(Query::from(text.as_str()), k, &bm25);
                prop_assert!(same(&ranked(&there), &expected), "{k} best for {text}: {there:?}, {expected:?}");
                let fresh = remote.fresh();
                let (fresh, _) = remote.resolve_in_rounds(&fresh, &|index| index.searcher(&bm25).search(text.as_str(), k));
                prop_assert_eq!(fresh, there, "{} best for {}", k, text);
            }
        }
    }
}
