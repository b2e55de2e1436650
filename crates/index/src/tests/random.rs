//! Random corpora, layouts and queries, each from one number.

use std::collections::BTreeMap;

use seealso_test_support::Random;

use crate::{Bm25, Filter, Idf, Layout, NewPack, NewPage, PackInfo};

const LANGUAGES: [&str; 4] = ["en", "xx", "en-GB", "de"];
const TAGS: [&str; 4] = ["Red", "blue", "Grün", "rare"];

/// What random numbers make.
pub(super) trait RandomInput {
    /// A word, the first of the vocabulary far oftener than the last (Zipf's law). All have digits, so that none is
    /// taken for a misspelling of another: how far one looks for those depends on the layout.
    fn word(&mut self, vocabulary: usize) -> String;
    /// Between `fewest` and `most` words.
    fn text(&mut self, fewest: usize, most: usize, vocabulary: usize) -> String;
    /// Packs that have `pages` pages together, some of them none.
    fn packs(&mut self, pages: usize) -> Vec<NewPack>;
    /// Any layout, mostly one of many small files.
    fn layout(&mut self) -> Layout;
    /// The ranking that layouts expect, or any other.
    fn ranking(&mut self) -> Bm25;
    /// A filter, often of no effect.
    fn filter(&mut self) -> Filter;
}

impl RandomInput for Random {
    fn word(&mut self, vocabulary: usize) -> String {
        let rank = (vocabulary as f64).powf(self.share()) as usize;
        match self.below(30) {
            0 => "the".into(),
            1 => format!("w{rank}-x{rank}"),
            2 => "always".into(),
            _ => format!("w{rank}"),
        }
    }

    fn text(&mut self, fewest: usize, most: usize, vocabulary: usize) -> String {
        let count = fewest + self.below(most - fewest + 1);
        (0..count).map(|_| self.word(vocabulary)).collect::<Vec<_>>().join(" ")
    }

    fn packs(&mut self, pages: usize) -> Vec<NewPack> {
        let (vocabulary, count) = (2 + self.below(300), 1 + self.below(5));
        let mut left = pages;
        // In every third corpus packs say nothing but a number.
        let most_said = [0, 6, 6][self.below(3)];
        let packs = (0..count).map(|number| {
            let here = if number + 1 == count { left } else { self.below(left + 1) };
            left -= here;
            let info = PackInfo {
                path: format!("packs/{number}"),
                page_root: ["", "wiki"][self.below(2)].into(),
                title: format!("Pack {number}"),
                summary: self.text(0, most_said, 60),
                language: LANGUAGES[self.below(LANGUAGES.len())].into(),
                links_derived: self.below(2) == 1,
                site: ["", "../"][self.below(2)].into(),
            };
            let pages = (0..here).map(|at| page(self, at, here, vocabulary)).collect();
            NewPack { info, pages, pages_with: pages_with(self, here, vocabulary) }
        });
        packs.collect()
    }

    fn layout(&mut self) -> Layout {
        Layout {
            single_file_bytes: [0, 0, 0, 500, 20_000, usize::MAX][self.below(6)],
            term_bytes: 1 + self.below(2000),
            text_bytes: 1 + self.below(3000),
            inline_postings: [0, 1, 20, 300][self.below(4)],
            block_postings: [0, 1, 200, 4000][self.below(4)],
            lengths_in_root_up_to: [0, 0, 100, 4096][self.below(4)],
            buffered_postings: [1 + self.below(600), 1 << 20][self.below(2)],
            ..Layout::default()
        }
    }

    fn ranking(&mut self) -> Bm25 {
        let (pack, adjacent) = ([0.0, 1.0, 4.0 * self.share()][self.below(3)], [0.0, self.share()][self.below(2)]);
        let usual = Bm25 { context: self.share(), weak: self.share(), pack, adjacent, ..Bm25::default() };
        if self.below(2) == 0 {
            return usual;
        }
        Bm25 {
            k1: [0.0, 0.1 + 2.0 * self.share()][self.below(8).min(1)],
            b: [1.0, self.share()][self.below(8).min(1)],
            b_body: [1.0, 0.0, self.share()][self.below(8).min(2)],
            idf: [Idf::Plus1, Idf::Fts5][self.below(2)],
            weights: [3.0 * self.share(), 3.0 * self.share(), self.share(), [0.0, 1.0][self.below(2)]],
            ..usual
        }
    }

    fn filter(&mut self) -> Filter {
        let mut some = |values: &[&str]| -> Vec<String> {
            (0..self.below(3)).map(|_| values[self.below(values.len())].to_owned()).collect()
        };
        Filter {
            packs: some(&["packs/0", "packs/1", "packs/2", "none"]),
            tags: some(&["red", "BLUE", "grün", "Rare", "none"]),
            languages: some(&["en", "EN-gb", "xx", "fr"]),
        }
    }
}

fn page(random: &mut Random, number: usize, pages: usize, vocabulary: usize) -> NewPage {
    let bodies = [0, 0, 4][random.below(3)];
    NewPage {
        file: format!("c/{number}.md"),
        title: random.text(0, 3, vocabulary),
        aliases: (0..random.below(3)).map(|_| random.text(0, 2, vocabulary)).collect(),
        summary: random.text(0, 9, vocabulary),
        body: (0..bodies).map(|_| (format!("w{}", random.below(vocabulary)), random.below(3) as u32)).collect(),
        tags: (0..random.below(3)).map(|_| TAGS[random.below(TAGS.len() - 1)].into()).collect(),
        hash: [number as u8; crate::PAGE_HASH_BYTES],
        links: (0..random.below(3)).map(|_| random.below(pages) as u32).collect(),
    }
}

/// How many of `pages` pages hold each of some words anywhere; of every second pack that is not known.
fn pages_with(random: &mut Random, pages: usize, vocabulary: usize) -> BTreeMap<String, u32> {
    let words = random.below(2) * random.below(vocabulary);
    (0..words).map(|_| (format!("w{}", random.below(vocabulary)), random.below(pages + 1) as u32)).collect()
}
