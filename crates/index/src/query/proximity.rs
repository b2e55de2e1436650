//! Proximity: words that are side by side in the query and on the page, and names of pages that are whole in the query.
//!
//! BM25 sees a bag of words. A page whose title or summary has two words of the query one right after the other, as the
//! query does, is more probably meant than one that has them apart (sequential dependence: Metzler and Croft, 2005).
//! Stop words and weak words count here too, beside a word that is neither. And a page of whose title the query has all
//! words is more probably meant than one whose title has further words: each of the words counts once more, as in a
//! pair.

use std::rc::Rc;

use super::Query;
use super::searcher::Searcher;
use crate::analysis::{Analysis, Kind, Token};
use crate::error::Error;
use crate::field::occurs_before_body;
use crate::ids::PageNo;
use crate::postings::list::PostingsList;

/// A word of the query.
pub(super) struct QueryWord {
    token: Token,
    /// What it adds to the score of a pair; 0 for a stop word.
    score: f64,
    /// Whether it makes a pair with the word before: one of the two is neither a stop word nor weak, and the same pair
    /// does not come earlier in the query.
    makes_pair: bool,
    /// Whether its postings are read: not for a stop word, nor for a [common](super::common_terms) term.
    has_postings: bool,
    list: Option<Rc<PostingsList>>,
}

impl Searcher<'_> {
    /// The words of `text` in their order.
    pub(super) fn words_for_proximity(self, analysis: Analysis, text: &str) -> Result<Vec<QueryWord>, Error> {
        let mut words: Vec<QueryWord> = Vec::new();
        let mut tokens = self.query_words(analysis, text)?;
        tokens.retain(|token| token.kind == Kind::Word);
        for token in tokens {
            let (mut score, mut list, mut has_postings) = (0.0, None, false);
            if !token.stop {
                let (idf, pages_with) = self.rarity(analysis, &token.term)?;
                score = self.bm25.adjacent * idf * if token.weak { self.bm25.weak } else { 1.0 } / 2.0;
                list = self.index.list(analysis, &token.term)?;
                has_postings = !self.index.is_common(pages_with);
            }
            let makes_pair = words.last().is_some_and(|before| makes_pair(&words, &before.token, &token));
            words.push(QueryWord { token, score, makes_pair, has_postings, list });
        }
        Ok(words)
    }

    /// The most that the pairs of `words` can add to the score of `page`, by its postings. The page is one of a
    /// ranking's best, so its postings are there.
    pub(super) fn proximity_bound(self, page: PageNo, words: &[QueryWord]) -> Result<f64, Error> {
        let mut may_occur = Vec::with_capacity(words.len());
        for word in words {
            may_occur.push(match &word.list {
                Some(list) if word.has_postings => {
                    let profile = self.index.profile_in_postings(list, page)?;
                    profile.is_some_and(|profile| occurs_before_body(&profile.frequencies))
                }
                _ => !word.has_postings,
            });
        }
        Ok(pairs_score(words, &|at| may_occur[at - 1] && may_occur[at]))
    }

    /// What the pairs of `words` in the texts of `page`, and a whole name of the page among `words`, add to its score.
    pub(super) fn proximity(self, analysis: Analysis, page: PageNo, words: &[QueryWord]) -> Result<f64, Error> {
        let entry = self.index.page(page)?;
        let (mut texts, mut name) = (Vec::new(), 0.0f64);
        for text in entry.aliases.iter().chain([&entry.title]) {
            // With pairs of characters, which no word of the query is: a name that has some does not consist of words.
            name = name.max(name_score(words, &analysis.all_tokens(text)));
            texts.push(words_of(analysis, text));
        }
        texts.push(words_of(analysis, &entry.summary));
        let pairs = pairs_score(words, &|at| {
            let [a, b] = [at - 1, at].map(|at| &words[at].token.term);
            texts.iter().any(|tokens| tokens.windows(2).any(|two| two[0].term == *a && two[1].term == *b))
        });
        Ok(name + pairs)
    }

    /// [`proximity`](Searcher::proximity) of a query to one page; 0 where the ranking does not use it.
    pub(super) fn proximity_of(self, analysis: Analysis, query: Query<'_>, page: PageNo) -> Result<f64, Error> {
        match self.bm25.adjacent > 0.0 {
            true => self.proximity(analysis, page, &self.words_for_proximity(analysis, query.text)?),
            false => Ok(0.0),
        }
    }
}

/// Whether `token`, which follows `before`, the last of `words`, makes a pair with it.
fn makes_pair(words: &[QueryWord], before: &Token, token: &Token) -> bool {
    let is_telling = |token: &Token| !token.stop && !token.weak;
    let is_other = |at: usize| {
        let terms = [&words[at - 1].token.term, &words[at].token.term];
        !words[at].makes_pair || terms != [&before.term, &token.term]
    };
    (is_telling(before) || is_telling(token)) && (1..words.len()).all(is_other)
}

/// The score of the pairs for which `occurs` holds. It gets the place of a pair's second word.
fn pairs_score(words: &[QueryWord], occurs: &dyn Fn(usize) -> bool) -> f64 {
    let occurring = (1..words.len()).filter(|&at| words[at].makes_pair && occurs(at));
    occurring.map(|at| words[at - 1].score + words[at].score).sum()
}

/// The score of a name: that of its words, each once, if the query has all of them; otherwise 0.
fn name_score(words: &[QueryWord], name: &[Token]) -> f64 {
    let mut sum = 0.0;
    for (at, token) in name.iter().enumerate().filter(|(_, token)| !token.stop) {
        let found = words.iter().find(|word| !word.token.stop && word.token.term == token.term);
        let Some(word) = found else { return 0.0 };
        if name[..at].iter().all(|before| before.term != token.term) {
            sum += word.score;
        }
    }
    sum
}

/// The words of a text, without pairs of characters, which are side by side always.
pub(super) fn words_of(analysis: Analysis, text: &str) -> Vec<Token> {
    let mut tokens = analysis.all_tokens(text);
    tokens.retain(|token| token.kind == Kind::Word);
    tokens
}
