//! The words of a text as the index has them: which of its stop words are a page's name, and which of its words are
//! part of an identifier.
//!
//! Nearly every question contains the words of some name that consists of stop words ("who", "it"). Such a name must
//! therefore stand out before it is looked up, so that questions read no lists of stop words. It stands out where it is
//! written with capitals, between quotation marks or beside signs; where it has three words or more; or where the
//! question has no other words. One word in such a question must be what the question asks about: "what is it", not
//! "how do I do it".

use super::name_lookup::LONGEST_NAME;
use super::searcher::Searcher;
use crate::analysis::{Acronyms, Analysis, Kind, QuestionWords, Role, Roles, Token, fold::fold};
use crate::error::{Error, try_all};

/// How many words of a text are searched for. A question of 2,000 characters has fewer.
const MOST_WORDS: usize = 1024;
/// A name of so many stop words or more does not occur in a question by chance.
const MANY: usize = 3;
/// How many words may come before the thing that a question asks for, in languages other than English.
const MOST_BEFORE: usize = 3;

impl Searcher<'_> {
    /// The words and pairs of `text`, and after them the identifiers and joined compounds that the index has; the first
    /// 1,024 of each. A stop word that is a page's name, or an acronym in one, is not marked as a stop word. A word of
    /// an identifier that the index has is marked as weak.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where one is not there yet.
    pub fn query_words(self, analysis: Analysis, text: &str) -> Result<Vec<Token>, Error> {
        let mut tokens = analysis.all_tokens(text);
        let mut forms = analysis.forms_beside(&tokens, text);
        tokens.truncate(MOST_WORDS);
        forms.truncate(MOST_WORDS);
        let searched = tokens.iter().chain(&forms).filter(|token| !token.stop);
        let prefetched = self.prefetch_terms(analysis, searched.map(|token| token.term.as_str()));
        let names = self.stop_word_names(analysis, text);
        try_all([prefetched, names.as_ref().map(drop).map_err(Error::clone)].into_iter())?;
        for (start, end) in names? {
            tokens
                .iter_mut()
                .filter(|token| start <= token.start && token.end <= end)
                .for_each(|token| token.stop = false);
        }
        for form in forms {
            if !form.stop && self.index.pages_with(analysis, &form.term)? > 0 {
                let is_inside = |token: &&mut Token| form.start <= token.start && token.end <= form.end;
                if form.kind == Kind::Identifier {
                    tokens.iter_mut().filter(is_inside).for_each(|token| token.weak = true);
                }
                tokens.push(form);
            }
        }
        Ok(tokens)
    }

    /// The places where stop words of `text` are a page's name, or an acronym in one: the first byte and one past the
    /// last, in their order.
    ///
    /// # Errors
    /// As [`Searcher::query_words`].
    pub fn stop_word_names(self, analysis: Analysis, text: &str) -> Result<Vec<(usize, usize)>, Error> {
        let mut tokens = analysis.all_tokens(text);
        tokens.truncate(MOST_WORDS);
        let acronyms = Acronyms::of(text, &tokens);
        let is_bare = tokens.iter().all(|token| token.stop);
        let (mut found, mut at, mut missing) = (Vec::new(), 0, Ok(()));
        while at < tokens.len() {
            let run = tokens[at..].iter().take(LONGEST_NAME).take_while(|token| token.stop).count();
            let stands_out = run > 0 && (acronyms.has(&tokens[at]) || acronyms.is_proper(&tokens[at]));
            let mut next = at + 1;
            for length in (1..=run).rev() {
                let name = &tokens[at..at + length];
                let place = (name[0].start, name[length - 1].end);
                let is_whole = length == tokens.len();
                // "The WHO" does not mean the band.
                let hides_acronym = || name[1..].iter().any(|token| acronyms.has(token));
                let is_subject = || is_bare && (length > 1 || is_asked_about(analysis, text, &tokens, at));
                let is_likely = is_whole || at > 0 && (length >= MANY || is_subject()) && !hides_acronym();
                if !stands_out && !is_likely && !is_between_signs(text, place) {
                    continue;
                }
                let is_acronym = length == 1 && (is_whole || acronyms.has(&name[0]));
                match self.is_name(analysis, name, is_acronym) {
                    Ok(true) => {
                        found.push(place);
                        next = at + length;
                        break;
                    }
                    Ok(false) => {}
                    Err(Error::Missing) => missing = Err(Error::Missing),
                    Err(error) => return Err(error),
                }
            }
            at = next;
        }
        missing.map(|()| found)
    }

    /// Whether `name` is the name of a page; for an acronym, also whether it is part of one.
    fn is_name(self, analysis: Analysis, name: &[Token], is_acronym: bool) -> Result<bool, Error> {
        let counts = self.posting_counts(analysis, name)?;
        Ok(is_acronym && counts[0] > Some(0) || !self.pages_of_name(analysis, name, &counts)?.is_empty())
    }
}

/// Whether a question that consists of the stop words `tokens` asks about the one at `at`: "what is the if", "what does
/// if do".
fn is_asked_about(analysis: Analysis, text: &str, tokens: &[Token], at: usize) -> bool {
    if analysis != Analysis::English {
        return at + 1 == tokens.len() && at <= MOST_BEFORE;
    }
    let table = QuestionWords::english();
    let roles = |token: &Token| {
        let written = &text[token.start..token.end];
        table.roles(written, &fold(written))
    };
    let words: Vec<Roles> = tokens.iter().map(roles).collect();
    let (before, after) = (&words[..at], &words[at + 1..]);
    let before = match before {
        [before @ .., article] if article.has_any(&[Role::Definite, Role::Determining]) => before,
        _ => before,
    };
    match (before, after) {
        ([asking], []) => asking.has(Role::Asking) && text[..tokens[0].end].ends_with("s"),
        ([asking, being], []) => asking.has(Role::Asking) && being.has(Role::Being),
        // "What does it do" asks about no page.
        ([asking, doing], [done]) => {
            asking.has(Role::Asking) && doing.has(Role::Doing) && done.has(Role::Doing) && !words[at].has(Role::Person)
        }
        _ => false,
    }
}

/// Whether a place in `text` has a character other than space on both sides, such as a quotation mark.
fn is_between_signs(text: &str, (start, end): (usize, usize)) -> bool {
    let stands = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    stands(text[..start].chars().next_back()) && stands(text[end..].chars().next())
}
