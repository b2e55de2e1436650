//! Words that stand side by side in the question and on the page, and names of pages that stand whole in the question.
//!
//! BM25 sees a bag of words. A page whose title or summary says two words of the question one right after the other, as
//! the question does, is likelier meant than one that says them apart (sequential dependence: Metzler and Croft,
//! 2005). Stop words and weak ones count here, beside a word that is neither. And a page all words of whose title the
//! question has is likelier meant than one whose title says more: each of them counts once more as in a pair.
//!
//! That takes a page's texts, which a result list needs for few pages only. So of a ranking's best those are read that
//! would be the best if their words stood as they do in the question, and then those that are the best as far as was
//! read: the first eight of a list were read, unless a quote brought them there.

use std::rc::Rc;

use crate::analysis::{Analysis, Kind, Token, is_unspaced};
use crate::dictionary::shard::TermList;
use crate::error::Error;
use crate::field::occurs_before_body;
use crate::ids::PageNo;
use crate::index::Index;
use crate::query::bm25::Bm25;
use crate::query::search::{Asked, Hit, Query};

/// Of so many of a ranking's best, however many are asked for, the most promising are looked at.
pub(crate) const PROMISING_AMONG: usize = 64;
/// The texts of so many are looked at, in each of two passes: as many as an answer asks for.
pub(crate) const READ: usize = 8;

/// A word of the question, in its order.
struct Word {
    token: Token,
    /// What it counts in a pair; nothing if it is a stop word.
    counts: f64,
    /// Whether it makes a pair with the word before: one of the two is no stop word and no weak one, and the pair is
    /// new.
    pairs: bool,
    /// Whether postings tell on which pages it stands: not of stop words, nor of [common](crate::query::common_terms) ones.
    is_told: bool,
    list: Option<Rc<TermList>>,
}

impl Index {
    /// Adds to the scores of the most promising of `hits`, which come best first, and of those that are then the best,
    /// what their texts tell: words of the whole collection, words side by side, and whole names. Where neither of the
    /// latter counts all hits get the first.
    pub(crate) fn add_texts(&self, asked: &Asked, text: &str, bm25: &Bm25, hits: &mut [Hit]) -> Result<(), Error> {
        if bm25.adjacent <= 0.0 || hits.is_empty() {
            return self.add_common(asked, bm25, hits);
        }
        let said = self.said_in(asked.analysis, text, bm25)?;
        let among = hits.len().min(PROMISING_AMONG);
        let mut read: Vec<PageNo> = Vec::new();
        for by_promise in [true, false] {
            let mut worth = Vec::with_capacity(among);
            for hit in &hits[..among] {
                worth.push(hit.score + if by_promise { self.promise(hit.page, &said)? } else { 0.0 });
            }
            let best = best_first(hits, &mut worth);
            self.foresee_pages(best.iter().map(|hit| hit.page))?;
            for hit in best {
                if !read.contains(&hit.page) {
                    read.push(hit.page);
                    self.add_common(asked, bm25, std::slice::from_mut(hit))?;
                    hit.score += self.adjacency(asked.analysis, hit.page, &said)?;
                }
            }
        }
        Ok(())
    }

    /// What words side by side may add to the score of `page`, one of a ranking's best, so that its postings are there.
    fn promise(&self, page: PageNo, said: &[Word]) -> Result<f64, Error> {
        let mut may_stand = Vec::with_capacity(said.len());
        for word in said {
            may_stand.push(match &word.list {
                Some(list) if word.is_told => {
                    let shape = self.posted_shape(list, page)?;
                    shape.is_some_and(|shape| occurs_before_body(&shape.frequencies))
                }
                _ => !word.is_told,
            });
        }
        Ok(count(said, &|at| may_stand[at - 1] && may_stand[at]))
    }

    /// What the texts of one page add.
    pub(crate) fn adjacent_part(
        &self,
        analysis: Analysis,
        query: Query<'_>,
        page: PageNo,
        bm25: &Bm25,
    ) -> Result<f64, Error> {
        match bm25.adjacent > 0.0 {
            true => self.adjacency(analysis, page, &self.said_in(analysis, query.text, bm25)?),
            false => Ok(0.0),
        }
    }

    /// The words of `text`, and which of them make pairs.
    fn said_in(&self, analysis: Analysis, text: &str, bm25: &Bm25) -> Result<Vec<Word>, Error> {
        let mut said: Vec<Word> = Vec::new();
        let mut words = self.query_words(analysis, text)?;
        words.retain(|token| token.kind == Kind::Word);
        for token in words {
            let (mut counts, mut list, mut is_told) = (0.0, None, false);
            if !token.stop {
                let (rarity, with) = self.rarity(analysis, &token.term, bm25)?;
                counts = bm25.adjacent * rarity * if token.weak { bm25.weak } else { 1.0 } / 2.0;
                list = self.list(analysis, &token.term)?;
                is_told = with <= self.most_uncommon;
            }
            let pairs = said.last().is_some_and(|before| {
                let tells = |token: &Token| !token.stop && !token.weak;
                let is_other = |at: usize| {
                    let terms = [&said[at - 1].token.term, &said[at].token.term];
                    !said[at].pairs || terms != [&before.token.term, &token.term]
                };
                (tells(&before.token) || tells(&token)) && (1..said.len()).all(is_other)
            });
            said.push(Word { token, counts, pairs, is_told, list });
        }
        Ok(said)
    }

    /// What the texts of `page` share with the question's pairs, and with its words by a name that they hold whole.
    fn adjacency(&self, analysis: Analysis, page: PageNo, said: &[Word]) -> Result<f64, Error> {
        let entry = self.page(page)?;
        let (mut pairs_in, mut name) = (Vec::new(), 0.0f64);
        for text in entry.aliases.iter().chain([&entry.title]) {
            // Pairs of characters too, none of which is a word: a name that has some is none of words alone.
            name = name.max(name_counts(said, &analysis.all_tokens(text)));
            pairs_in.push(words(analysis, text));
        }
        pairs_in.push(words(analysis, &entry.summary));
        let pairs = count(said, &|at| {
            let [a, b] = [at - 1, at].map(|at| &said[at].token.term);
            pairs_in.iter().any(|tokens| tokens.windows(2).any(|two| two[0].term == *a && two[1].term == *b))
        });
        Ok(name + pairs)
    }
}

/// Brings the hits of the greatest `worth` to the front, the first so many of them; ties by page.
fn best_first<'h>(hits: &'h mut [Hit], worth: &mut [f64]) -> &'h mut [Hit] {
    let many = worth.len().min(READ);
    for place in 0..many {
        let better = |&a: &usize, &b: &usize| worth[a].total_cmp(&worth[b]).then(hits[b].page.cmp(&hits[a].page));
        let best = (place..worth.len()).max_by(better).unwrap_or(place);
        hits.swap(place, best);
        worth.swap(place, best);
    }
    &mut hits[..many]
}

/// What the pairs count for which `stands`, each told by the place of its second word.
fn count(said: &[Word], stands: &dyn Fn(usize) -> bool) -> f64 {
    let standing = (1..said.len()).filter(|&at| said[at].pairs && stands(at));
    standing.map(|at| said[at - 1].counts + said[at].counts).sum()
}

/// What the words of a name count, each once, if all of them are said.
fn name_counts(said: &[Word], name: &[Token]) -> f64 {
    let mut sum = 0.0;
    for (at, token) in name.iter().enumerate().filter(|(_, token)| !token.stop) {
        let found = said.iter().find(|word| !word.token.stop && word.token.term == token.term);
        let Some(word) = found else { return 0.0 };
        if name[..at].iter().all(|before| before.term != token.term) {
            sum += word.counts;
        }
    }
    sum
}

/// What stands between quotation marks in `text`, if it is more than one word, or more than one character of a script
/// without spaces.
pub(crate) fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match open {
            Some((start, close)) if c == close => {
                found.push(text[start..at].trim());
                open = None;
            }
            None => open = closing(c).map(|close| (at + c.len_utf8(), close)),
            Some(_) => {}
        }
    }
    found.retain(|phrase| {
        phrase.contains(char::is_whitespace) || phrase.chars().filter(|&c| is_unspaced(c)).nth(1).is_some()
    });
    found
}

/// The mark that closes what `mark` opens.
fn closing(mark: char) -> Option<char> {
    match mark {
        '"' => Some('"'),
        '“' => Some('”'),
        '„' => Some('“'),
        '«' => Some('»'),
        '「' => Some('」'),
        '『' => Some('』'),
        _ => None,
    }
}

/// So many of the best pages are looked through for the words of what is quoted, however many are asked for.
pub(crate) const QUOTED_AMONG: usize = 128;
/// The texts of so many of those that have all of them are read.
const QUOTES_READ: usize = 32;

impl Index {
    /// Puts those of the first hits first whose title, summary or aliases say every one of `quotes`, their order kept.
    pub(crate) fn quoting_first(&self, quotes: &[&str], hits: Vec<Hit>) -> Result<Vec<Hit>, Error> {
        if quotes.is_empty() {
            return Ok(hits);
        }
        let mut may_say = Vec::new();
        for hit in hits.iter().take(QUOTED_AMONG).filter(|hit| !hit.exact) {
            if may_say.len() < QUOTES_READ && self.may_say(hit.page, quotes)? {
                may_say.push(hit.page);
            }
        }
        self.foresee_pages(may_say.iter().copied())?;
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for hit in hits {
            let quoted = may_say.contains(&hit.page) && self.says(hit.page, quotes)?;
            let hit = Hit { quoted, ..hit };
            if hit.exact || quoted { first.push(hit) } else { rest.push(hit) }
        }
        first.extend(rest);
        Ok(first)
    }

    /// Whether `page` has all words of `quotes`, as far as postings tell: not of [common](crate::query::common_terms) words, whose lists are not
    /// fetched, nor of pairs of characters, since a page may have a space where the quote has none.
    fn may_say(&self, page: PageNo, quotes: &[&str]) -> Result<bool, Error> {
        let Some(pack) = self.pack_of(page) else { return Ok(false) };
        let analysis = self.analysis_of(pack);
        for token in quotes.iter().flat_map(|quote| words(analysis, quote)).filter(|token| !token.stop) {
            let Some(list) = self.list(analysis, &token.term)? else { return Ok(false) };
            if list.pages_with <= self.most_uncommon {
                let shape = self.posted_shape(&list, page)?;
                if !shape.is_some_and(|shape| occurs_before_body(&shape.frequencies)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn says(&self, page: PageNo, quotes: &[&str]) -> Result<bool, Error> {
        let Some(pack) = self.pack_of(page) else { return Ok(false) };
        let (analysis, entry) = (self.analysis_of(pack), self.page(page)?);
        Ok(quotes.iter().all(|quote| {
            let is_of_words = !words(analysis, quote).is_empty();
            let quote = phrase(analysis, quote, is_of_words);
            let mut texts = [&entry.title, &entry.summary].into_iter().chain(&entry.aliases);
            let says =
                |text: &String| phrase(analysis, text, is_of_words).windows(quote.len()).any(|part| part == quote);
            !quote.is_empty() && texts.any(says)
        }))
    }
}

/// The words of a text; or its pairs of characters, as a quote without words is looked for: in their scripts a space
/// says nothing.
fn phrase(analysis: Analysis, text: &str, of_words: bool) -> Vec<String> {
    let mut tokens = match of_words {
        true => words(analysis, text),
        false => analysis.all_tokens(&text.split_whitespace().collect::<Vec<_>>().concat()),
    };
    tokens.retain(|token| of_words || token.kind == Kind::Pair);
    tokens.into_iter().map(|token| token.term).collect()
}

/// The words of a text. Pairs of characters stand side by side by themselves.
fn words(analysis: Analysis, text: &str) -> Vec<Token> {
    let mut tokens = analysis.all_tokens(text);
    tokens.retain(|token| token.kind == Kind::Word);
    tokens
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use crate::{Bm25, Index, NewPack, NewPage, PackInfo, PageNo, write};

    fn index(summaries: &[&str]) -> Index {
        let page = |(number, summary): (usize, &&str)| NewPage {
            file: format!("{number}.md"),
            title: format!("Page {number}"),
            summary: (*summary).into(),
            ..NewPage::default()
        };
        let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
        let pages = summaries.iter().enumerate().map(page).collect();
        Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap()
    }

    #[test]
    fn a_quote_of_a_script_without_spaces_is_looked_for_by_its_letters() {
        let index = index(&["学习 机器。", "关于机器学习的一页。", "GPT 机器 的 学习"]);
        for (query, expected) in [
            ("机器学习", &[1, 0, 2][..]),
            ("学习 「学习 机器」", &[0, 2, 1]),
            ("学习 「机器 学习」", &[1, 0, 2]),
            ("学习 「机器 的学习」", &[2, 0, 1]),
            ("学习 「ＧＰＴ 机器」", &[2, 0, 1]),
            ("学习 「习学 学习」", &[0, 2, 1]),
            ("学习 「机器学习」", &[1, 0, 2]),
            ("学习 『学习机器』", &[0, 2, 1]),
        ] {
            assert_eq!(ranked(&index, query), expected, "{query}");
        }
    }

    fn ranked(index: &Index, query: &str) -> Vec<u32> {
        index.search(query, 9, &Bm25::default()).unwrap().iter().map(|hit| hit.page.0).collect()
    }

    #[test]
    fn words_side_by_side_count_more() {
        let index = index(&["A gate for garden tools.", "A tool shed at the garden gate."]);
        assert_eq!(ranked(&index, "garden gate"), [1, 0]);
        assert_eq!(ranked(&index, "gate for the garden"), [0, 1]);
    }

    #[test]
    fn a_name_that_stands_whole_in_the_question_counts_more() {
        let page = |(number, title): (usize, &&str)| NewPage {
            file: format!("{number}.md"),
            title: (*title).into(),
            ..NewPage::default()
        };
        let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
        let titles = ["Tax return", "Tax code", "The code of tax tax", "Tax 税"];
        let pages = titles.iter().enumerate().map(page).collect();
        let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
        let told = |number| {
            let why = index.explain("what code does the tax office use", PageNo(number), &Bm25::default()).unwrap();
            (why.adjacent * 1000.0).round() / 1000.0
        };
        // "tax" is on four pages, "code" on two: 0.15 × (ln(1 + 0.5 / 4.5) + ln(1 + 2.5 / 2.5)).
        assert_eq!([told(0), told(1), told(2), told(3)], [0.0, 0.120, 0.120, 0.0]);
    }

    #[test]
    fn the_most_promising_are_looked_at_wherever_they_stand() {
        let long = format!("A garden gate {}", "of iron and oak and brass ".repeat(5));
        let mut summaries = ["Garden.", "Gate."].repeat(6);
        summaries.push(&long);
        let index = index(&summaries);
        let words_alone = Bm25 { adjacent: 0.0, ..Bm25::default() };
        let place = |bm25| index.search("garden gate", 20, bm25).unwrap().iter().position(|hit| hit.page == PageNo(12));
        assert_eq!(place(&words_alone), Some(12), "of the others each scores more");
        assert_eq!(place(&Bm25::default()), Some(0));
    }

    #[test]
    fn a_pair_of_words_that_say_little_hides_no_other_of_the_same_stems() {
        let index = index(&["She looked at the sea.", "A sea."]);
        let adjacent = |question: &str| index.explain(question, PageNo(0), &Bm25::default()).unwrap().adjacent;
        assert!(adjacent("looked at") > 0.0);
        assert_eq!(adjacent("looking at it and looked at it"), adjacent("looked at"), "\"looking\" is weak");
    }

    #[test]
    fn a_page_that_says_the_quote_comes_first() {
        let index = index(&["Dust, and more dust, on the moon.", "The moon has dust of the far side on it."]);
        assert_eq!(ranked(&index, "moon dust"), [0, 1]);
        assert_eq!(ranked(&index, "moon \"dust of the far side\""), [1, 0]);
        assert_eq!(ranked(&index, "moon “dust moon”"), [0, 1], "nobody says it");
    }

    #[test]
    fn quotation_marks_of_several_languages_are_known() {
        assert_eq!(quoted("a \"b c\" d \"e\" „f g“ «h i» 「j k」 “open end"), ["b c", "f g", "h i", "j k"]);
        assert!(quoted("it's 5\" long").is_empty());
        assert_eq!(quoted("「机器学习」 『学习』 「学」 \"ภาษาไทย\" \"Wort\""), ["机器学习", "学习", "ภาษาไทย"]);
    }
}
