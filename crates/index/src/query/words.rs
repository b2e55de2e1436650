//! The words of a question as the index knows them: which of its stop words are a page's name, and which of its words an
//! identifier says better.
//!
//! Nearly every question has the words of some name of stop words in it ("who", "it"), so such a name must also be
//! written as one: with capitals, between quotation marks or beside signs, as three words or more, or in a question
//! that has no other words, where one word must be what that asks about ("what is it", not "how do I do it"). Only then
//! is it looked up, so that questions read no lists of stop words.

use crate::analysis::fold::fold;
use crate::analysis::{Acronyms, Analysis, Kind, QuestionWords, Role, Roles, Token};
use crate::error::Error;
use crate::index::Index;
use crate::query::names::LONGEST;

/// Words behind so many are not searched for: a question of 2,000 characters has fewer.
const MOST_WORDS: usize = 1024;
/// From so many stop words on, a name of them alone does not stand in a question by chance.
const MANY: usize = 3;

/// In other languages a question for one thing has so many words before it at most.
const MOST_BEFORE: usize = 3;

impl Index {
    /// The words, pairs and known forms of `text`, the first 1,024 of them, forms last. Of its stop words those that
    /// are a name, or an acronym in one, are none; words that stand in a known identifier are weak.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where one is not there yet.
    pub fn query_words(&self, analysis: Analysis, text: &str) -> Result<Vec<Token>, Error> {
        let mut tokens = analysis.all_tokens(text);
        let mut forms = analysis.forms_beside(&tokens, text);
        tokens.truncate(MOST_WORDS);
        forms.truncate(MOST_WORDS);
        let sought = tokens.iter().chain(&forms).filter(|token| !token.stop);
        let ready = self.ready(sought.map(|token| (analysis, token.term.as_str())));
        let names = self.stop_word_names(analysis, text);
        self.all([ready, names.as_ref().map(drop).map_err(Error::clone)].into_iter())?;
        for (start, end) in names? {
            tokens
                .iter_mut()
                .filter(|token| start <= token.start && token.end <= end)
                .for_each(|token| token.stop = false);
        }
        for form in forms {
            if !form.stop && self.pages_with(analysis, &form.term)? > 0 {
                let is_inside = |token: &&mut Token| form.start <= token.start && token.end <= form.end;
                if form.kind == Kind::Identifier {
                    tokens.iter_mut().filter(is_inside).for_each(|token| token.weak = true);
                }
                tokens.push(form);
            }
        }
        Ok(tokens)
    }

    /// Where stop words of `text` are a page's name, or an acronym in one: first byte and one past the last, rising.
    ///
    /// # Errors
    /// As [`Index::query_words`].
    pub fn stop_word_names(&self, analysis: Analysis, text: &str) -> Result<Vec<(usize, usize)>, Error> {
        let mut tokens = analysis.all_tokens(text);
        tokens.truncate(MOST_WORDS);
        let acronyms = Acronyms::of(text, &tokens);
        let is_bare = tokens.iter().all(|token| token.stop);
        let (mut found, mut at, mut missing) = (Vec::new(), 0, Ok(()));
        while at < tokens.len() {
            let run = tokens[at..].iter().take(LONGEST).take_while(|token| token.stop).count();
            let stands_out = run > 0 && (acronyms.has(&tokens[at]) || acronyms.is_proper(&tokens[at]));
            let mut next = at + 1;
            for length in (1..=run).rev() {
                let name = &tokens[at..at + length];
                let place = (name[0].start, name[length - 1].end);
                let is_whole = length == tokens.len();
                // "The WHO" means no band.
                let hides_acronym = || name[1..].iter().any(|token| acronyms.has(token));
                let is_asked = || is_bare && (length > 1 || is_asked_about(analysis, text, &tokens, at));
                let is_likely = is_whole || at > 0 && (length >= MANY || is_asked()) && !hides_acronym();
                if !stands_out && !is_likely && !is_marked(text, place) {
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

    /// Whether the words of `name` are that of a page, or the one of an acronym stands in some.
    fn is_name(&self, analysis: Analysis, name: &[Token], is_acronym: bool) -> Result<bool, Error> {
        let counts = self.with_counts(analysis, name)?;
        Ok(is_acronym && counts[0] > Some(0) || !self.pages_named(analysis, name, &counts)?.is_empty())
    }
}

/// Whether a question of the stop words `tokens` asks about the one at `at`: "what is the if", "what does if do".
fn is_asked_about(analysis: Analysis, text: &str, tokens: &[Token], at: usize) -> bool {
    if analysis != Analysis::English {
        return at + 1 == tokens.len() && at <= MOST_BEFORE;
    }
    let roles = |token: &Token| {
        let written = &text[token.start..token.end];
        QuestionWords::ENGLISH.roles(written, &fold(written))
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

/// Whether something other than space stands on both sides of a place in `text`, such as quotation marks.
fn is_marked(text: &str, (start, end): (usize, usize)) -> bool {
    let stands = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    stands(text[..start].chars().next_back()) && stands(text[end..].chars().next())
}
