//! Search in chunks, as retrieval for language models commonly has it: bodies are cut into pieces of a fixed length, the
//! pieces are ranked by BM25, and a page stands where its best piece does.

use std::collections::{HashMap, HashSet};

use seealso_index::{Analysis, B, Bm25, K1};

use crate::ours::PageText;

/// Words of a chunk, stop words included; chunks do not overlap.
const CHUNK_TOKENS: usize = 500;

/// What stands before each chunk of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefix {
    /// Nothing: the text alone.
    None,
    /// The page's title and summary, in the method's favour.
    TitleAndSummary,
}

/// All chunks, with their words counted.
pub(crate) struct Chunks {
    pages: Vec<String>,
    chunks: Vec<Chunk>,
    /// For each term, the chunks that hold it, with its count.
    postings: HashMap<String, Vec<(usize, u32)>>,
    average_length: f64,
}

/// One piece of a page.
struct Chunk {
    page: usize,
    /// In terms, stop words left out.
    length: u32,
}

impl Chunks {
    /// Cuts `pages`.
    pub(crate) fn of(pages: impl Iterator<Item = PageText>, prefix: Prefix) -> Self {
        let mut all = Chunks { pages: Vec::new(), chunks: Vec::new(), postings: HashMap::new(), average_length: 0.0 };
        for page in pages {
            all.add(page, prefix);
        }
        let total: u64 = all.chunks.iter().map(|chunk| u64::from(chunk.length)).sum();
        all.average_length = total as f64 / all.chunks.len().max(1) as f64;
        all
    }

    fn add(&mut self, page: PageText, prefix: Prefix) {
        let before = match prefix {
            Prefix::None => Vec::new(),
            Prefix::TitleAndSummary => Analysis::English.tokens(&format!("{}\n{}", page.title, page.summary)),
        };
        for piece in Analysis::English.all_tokens(&page.body).chunks(CHUNK_TOKENS) {
            let terms = before.iter().chain(piece.iter().filter(|token| !token.stop));
            let mut counts: HashMap<&str, u32> = HashMap::new();
            terms.for_each(|token| *counts.entry(&token.term).or_default() += 1);
            let number = self.chunks.len();
            self.chunks.push(Chunk { page: self.pages.len(), length: counts.values().sum() });
            for (term, count) in counts {
                self.postings.entry(term.to_owned()).or_default().push((number, count));
            }
        }
        self.pages.push(page.id);
    }

    /// The ids of the `k` best pages for `question`.
    pub(crate) fn best_pages(&self, question: &str, k: usize) -> Vec<String> {
        // Those of whole texts, which chunks are.
        let bm25 = Bm25 { k1: K1, b: B, ..Bm25::default() };
        let terms: HashSet<String> = Analysis::English.tokens(question).into_iter().map(|token| token.term).collect();
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for postings in terms.iter().filter_map(|term| self.postings.get(term)) {
            let idf = bm25.idf(self.chunks.len() as u32, postings.len() as u32);
            for &(chunk, count) in postings {
                let length = self.chunks[chunk].length;
                *scores.entry(chunk).or_default() +=
                    bm25.term_score(idf, f64::from(count), length, self.average_length);
            }
        }
        let mut best: Vec<(usize, f64)> = scores.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut seen = HashSet::new();
        let pages = best.iter().map(|(chunk, _)| self.chunks[*chunk].page).filter(|page| seen.insert(*page));
        pages.take(k).map(|page| self.pages[page].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(id: &str, title: &str, body: &str) -> PageText {
        PageText { id: id.into(), title: title.into(), summary: String::new(), body: body.into() }
    }

    #[test]
    fn a_page_stands_where_its_best_chunk_does() {
        let long = format!("{} stomata stomata", "filler ".repeat(600));
        let pages = || vec![page("p/long", "Leaves", &long), page("p/short", "Roots", "stomata and roots")].into_iter();
        let chunks = Chunks::of(pages(), Prefix::None);
        assert_eq!(chunks.chunks.len(), 3);
        assert_eq!(chunks.best_pages("What do stomata do?", 12), ["p/short", "p/long"]);
        assert!(chunks.best_pages("leaves", 12).is_empty(), "titles are not in the text");
        assert_eq!(Chunks::of(pages(), Prefix::TitleAndSummary).best_pages("leaves", 12), ["p/long"]);
    }
}
