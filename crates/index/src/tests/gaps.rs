//! What is judged while postings are missing: nothing that could matter is left out.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use seealso_test_support::Random;

use super::exhaustive::{Corpus, ranked, same};
use super::random::RandomInput as _;
use super::support::{Remote, open, pack};
use crate::partial::{Gap, Known, LengthBounds, Next, judge};
use crate::shape::Shape;
use crate::topk::Scored;
use crate::{Bm25, Idf, Layout, NewPack, NewPage, Query};

/// Lists cut into parts, with a weight each.
struct Lists {
    lengths: Vec<u32>,
    /// Of each list its parts, of these the pages and how often they say the word.
    parts: Vec<Vec<Vec<(u32, u32)>>>,
    weights: Vec<f64>,
    /// What packs' words add to each page that has a posting, and the most that they add to any.
    told: Vec<f64>,
    most_told: f64,
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
        let parts: Vec<Vec<Vec<(u32, u32)>>> = parts.collect();
        let most_told = [0.0, 0.4, 1.5][random.below(3)];
        let told = (0..pages).map(|_| most_told * [0.0, 0.0, 0.5, 1.0][random.below(4)]).collect();
        Lists {
            lengths,
            parts,
            weights: (0..lists).map(|_| [0.3, 0.5, 0.55, 1.0, 2.0][random.below(5)]).collect(),
            told,
            most_told,
        }
    }

    fn score(&self, list: usize, (page, count): (u32, u32)) -> f64 {
        let count = f64::from(count);
        self.weights[list] * count / (count + f64::from(self.lengths[page as usize]) / 10.0)
    }

    fn postings(&self, list: usize) -> impl Iterator<Item = (u32, u32)> {
        self.parts[list].iter().flatten().copied()
    }

    /// The pages with a posting in one of `parts`, each with what these give it and what packs' words add.
    fn sums(&self, parts: &dyn Fn(&(usize, usize)) -> bool, accept: &dyn Fn(u32) -> bool) -> Vec<Scored> {
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for (list, number) in self.part_numbers().filter(parts) {
            for &posting in self.parts[list][number].iter().filter(|posting| accept(posting.0)) {
                *sums.entry(posting.0).or_default() += self.score(list, posting);
            }
        }
        sums.into_iter().map(|(page, score)| (page, score + self.told[page as usize])).collect()
    }

    fn part_numbers(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |(list, parts): (usize, &Vec<Vec<(u32, u32)>>)| (0..parts.len()).map(move |part| (list, part));
        self.parts.iter().enumerate().flat_map(of)
    }

    fn exhaustive(&self, k: usize, accept: &dyn Fn(u32) -> bool) -> Vec<Scored> {
        let mut ranked = self.sums(&|_| true, accept);
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(k);
        ranked
    }

    /// What [`judge`] says of the parts that came.
    fn judged(&self, came: &BTreeSet<(usize, usize)>, k: usize, accept: &dyn Fn(u32) -> bool) -> (Next, Vec<Gap>) {
        let known = self.sums(&|part| came.contains(part), accept).into_iter();
        let known: Vec<Known> =
            known.map(|(page, score)| Known { page, score, length: self.lengths[page as usize] }).collect();
        let (mut gaps, mut limits) = (Vec::new(), Vec::new());
        for (list, parts) in self.parts.iter().enumerate() {
            let mut base = 0;
            let count = self.postings(list).count() as u32;
            for (part, postings) in parts.iter().enumerate() {
                let scores = postings.iter().map(|&posting| self.score(list, posting));
                let last = postings[postings.len() - 1].0;
                if !came.contains(&(list, part)) {
                    gaps.push(Gap { list, part, pages: (base, last), bound: scores.fold(0.0, f64::max), count });
                }
                base = last + 1;
            }
            let shape = |(page, _): (u32, u32)| Shape { length: self.lengths[page as usize], ..Shape::default() };
            let shapes: Vec<Shape> = self.postings(list).map(shape).collect();
            let scores: Vec<f64> = self.postings(list).map(|posting| self.score(list, posting)).collect();
            limits.push((list, LengthBounds::new(&shapes, &scores)));
        }
        (judge(&known, &gaps, &limits, self.most_told, k), gaps)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn what_is_settled_is_what_scoring_every_page_gives(seed in any::<u64>(), k in 1usize..20) {
        let mut random = Random::new(seed);
        let lists = Lists::new(&mut random);
        let kept = 1 + random.below(3) as u32;
        let accept = |page: u32| page.is_multiple_of(kept);
        // Other questions have left some parts.
        let left = 1 + random.below(4);
        let mut came: BTreeSet<(usize, usize)> = lists.part_numbers().filter(|_| random.below(left) > 0).collect();
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

/// Many short pages, so that lists have many parts, in four packs.
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
        let layout = Layout { inline_postings: 0, chunk_postings: 1, ..Layout::in_files_of(4096) };
        let (one_file, remote) = (open(&packs), Remote::new(&packs, layout));
        let corpus = Corpus::new(&packs);
        // Without words side by side few pages are kept, and lists may stay where they are.
        let other = Bm25 { weights: [0.01, 1.0, 9.0, 1.0], b: 0.1, idf: Idf::Fts5, adjacent: 0.0, ..Bm25::default() };
        for _ in 0..15 {
            let (text, k) = (random.text(1, 4, 90), 1 + random.below(8));
            for bm25 in [Bm25::default(), other] {
                let there = one_file.search(text.as_str(), k, &bm25).unwrap();
                let expected = corpus.search(Query::from(text.as_str()), k, &bm25);
                prop_assert!(same(&ranked(&there), &expected), "{k} best for {text}: {there:?}, {expected:?}");
                let fresh = remote.fresh();
                let (fresh, _) = remote.settle(&fresh, &|index| index.search(text.as_str(), k, &bm25));
                prop_assert_eq!(fresh, there, "{} best for {}", k, text);
            }
        }
    }
}
