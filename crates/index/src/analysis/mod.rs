//! Analysis: from text to the tokens that are indexed and asked for.
//!
//! The same steps serve pages and questions: compatibility form (Unicode NFKC), lower case, accents dropped where
//! they are an ornament of the letter ([`fold`](crate::fold())), words split at everything that is neither letter,
//! digit nor mark ([`words`]). Scripts written without spaces (and Korean, whose words carry their particles) become
//! overlapping pairs of characters, whatever the language ([`grams`]). A pack in English also loses its stop words,
//! and its words lose their inflections ([`stem_english`]); the other languages of the Snowball family have theirs
//! behind a seam ([`language`]), where a word has one term with its accents and without; every further one is taken word
//! for word. Identifiers and compounds have further forms beside their words ([`forms`]); of these, joined compounds are
//! asked for and not indexed.
//!
//! What is promised of terms: a pair, and an identifier, analysed again is itself. A stem need not be.

pub(crate) mod fold;
mod fold_rules;
pub(crate) mod spelling;
mod language;
mod words;
mod grams;
mod forms;
mod question_words;
mod stem_english;
mod stop_words;
#[cfg(test)]
mod tests;

pub use language::{Analyse, Language, TellQuestionWords};
pub use question_words::{QuestionWords, Role, Roles};

use crate::analysis::fold::fold;
use crate::field::Field;
use stem_english::stem;
use stop_words::{is_english_stop_word, is_english_weak_word};
use words::{Run, Script, is_symbol, runs};

/// How the text of a pack is analysed; one index may hold packs of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Analysis {
    /// English: stop words dropped, words stemmed.
    English,
    /// Any language without a stemmer: words as they stand.
    Plain,
    /// A language with a stemmer and stop words of its own.
    Other(Language),
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A word.
    Word,
    /// Two characters of a script without spaces, or a lone one.
    Pair,
    /// An identifier with its signs, such as `node.js`, beside its words.
    Identifier,
    /// A compound without its hyphens, beside its words.
    Joined,
}

/// One token, with where it stands in the text it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What is looked up in the dictionary.
    pub term: String,
    /// First byte of the word in the text.
    pub start: usize,
    /// One past the last byte of the word in the text.
    pub end: usize,
    /// Whether the analysis's language counts it as a stop word.
    pub stop: bool,
    /// Whether it is a common word that says little about a subject, in a question.
    pub weak: bool,
    /// What it is.
    pub kind: Kind,
    /// The number of the word or pair, from 0, stop words counted. An identifier and a joined compound have the number
    /// of the first of their words.
    pub position: u32,
}

impl Token {
    /// Whether it stands beside words that say the same, so that it adds nothing to a text's length.
    pub fn is_beside(&self) -> bool {
        matches!(self.kind, Kind::Identifier | Kind::Joined)
    }
}

impl Analysis {
    /// The analysis for a BCP 47 language tag (`en-GB` is English) or a language's English name.
    pub fn of_language(tag: &str) -> Analysis {
        let primary = tag.trim().split(['-', '_', ' ']).next().unwrap_or_default();
        match primary.eq_ignore_ascii_case("en") || primary.eq_ignore_ascii_case("English") {
            true => Analysis::English,
            false => Language::of(primary).map_or(Analysis::Plain, Analysis::Other),
        }
    }

    /// The byte that stands before each of this analysis's keys in a dictionary.
    pub(crate) fn tag(self) -> u8 {
        match self {
            Analysis::English => b'e',
            Analysis::Plain => b'p',
            Analysis::Other(language) => language.tag(),
        }
    }

    pub(crate) fn of_tag(tag: u8) -> Option<Analysis> {
        match tag {
            b'e' => Some(Analysis::English),
            b'p' => Some(Analysis::Plain),
            _ => Language::of_tag(tag).map(Analysis::Other),
        }
    }

    /// Its language's English name; `plain` for none.
    pub fn name(self) -> &'static str {
        match self {
            Analysis::English => "English",
            Analysis::Plain => "plain",
            Analysis::Other(language) => language.name(),
        }
    }

    /// Whether it can be used: always, but for another language than English in a browser that has not loaded its
    /// stemmer. Until then it finds no tokens.
    pub fn is_there(self) -> bool {
        !matches!(self, Analysis::Other(_)) || Language::are_there()
    }

    /// The table of its language's abbreviations, as `seealso_languages::abbreviations` has it; empty where there is none, and
    /// for English.
    pub fn abbreviations(self) -> String {
        match self {
            Analysis::Other(language) => language.abbreviations().unwrap_or_default(),
            Analysis::English | Analysis::Plain => String::new(),
        }
    }

    /// The words and pairs of `text` in reading order, stop words left out.
    pub fn tokens(self, text: &str) -> Vec<Token> {
        let mut tokens = self.all_tokens(text);
        tokens.retain(|token| !token.stop);
        tokens
    }

    /// The words and pairs of `text` in reading order, stop words marked but kept.
    pub fn all_tokens(self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        if !self.is_there() {
            return tokens;
        }
        for run in runs(text) {
            let position = tokens.len() as u32;
            match run.script {
                Script::Unspaced(_) => tokens.extend(grams::pairs(&run, position)),
                Script::Symbol => {
                    let Run { text: term, start, end, .. } = run;
                    // Most symbols decorate; in a name they are meant.
                    tokens.push(Token { term, start, end, stop: true, weak: false, kind: Kind::Pair, position });
                }
                Script::Spaced => {
                    let (start, end) = (run.start, run.end);
                    let word = self.word(&run.text, &text[start..end]).filter(|(term, ..)| !term.is_empty());
                    let token = |(term, stop, weak)| Token { term, start, end, stop, weak, kind: Kind::Word, position };
                    tokens.extend(word.map(token));
                }
            }
        }
        tokens
    }

    /// The [`tokens`](Self::tokens) of `text`, and after them its [`forms`](Self::forms): what a page is found by.
    pub fn tokens_and_forms(self, text: &str) -> Vec<Token> {
        let mut tokens = self.all_tokens_and_forms(text);
        tokens.retain(|token| !token.stop);
        tokens
    }

    /// The same, stop words marked but kept.
    pub fn all_tokens_and_forms(self, text: &str) -> Vec<Token> {
        let mut tokens = self.all_tokens(text);
        let forms = self.forms_beside(&tokens, text);
        tokens.extend(forms);
        tokens
    }

    /// What a page is found by in one of its fields, which holds a name a line or the summary: in names also the stop
    /// words that one is made of ("The Who"), or that stand in it as an acronym ("US tax forms") or a symbol.
    pub(crate) fn tokens_in(self, field: Field, text: &str) -> Vec<Token> {
        if field == Field::Summary {
            return self.tokens_and_forms(text);
        }
        let mut found = Vec::new();
        for name in text.lines() {
            let mut tokens = self.all_tokens(name);
            let mut forms = self.forms_beside(&tokens, name);
            let is_all = tokens.iter().all(|token| token.stop);
            let acronyms = Acronyms::of(name, &tokens);
            tokens.retain(|token| is_all || !token.stop || acronyms.has(token));
            forms.retain(|token| !token.stop);
            found.extend(tokens.into_iter().chain(forms));
        }
        found
    }

    /// The term of a word, given folded and as it stands; whether it is a stop word, and whether it is weak.
    fn word(self, folded: &str, as_written: &str) -> Option<(String, bool, bool)> {
        let bare = without_possessive(folded);
        Some(match self {
            Analysis::English => {
                let (stop, weak) = (is_english_stop_word(folded), is_english_weak_word(folded));
                (stem(&bare), stop, weak)
            }
            Analysis::Plain => (bare, false, false),
            Analysis::Other(language) => {
                let (stem, stop) = language.analyse(as_written, folded)?;
                (fold(&stem).replace('\'', ""), stop, false)
            }
        })
    }
}

/// Tells acronyms and symbols from other words of a text.
pub(crate) struct Acronyms<'t> {
    text: &'t str,
    /// Whether the text is in capitals throughout, so that they tell nothing.
    shouted: bool,
}

impl<'t> Acronyms<'t> {
    /// Of `text`, whose words are `tokens`. Two acronyms may stand alone ("US GAAP"); more words are shouted.
    pub(crate) fn of(text: &'t str, tokens: &[Token]) -> Acronyms<'t> {
        Acronyms { text, shouted: tokens.len() > 2 && !text.contains(char::is_lowercase) }
    }

    /// Whether `token` is a symbol, or is written in two capitals or more, as no word of a sentence is.
    pub(crate) fn has(&self, token: &Token) -> bool {
        let word = &self.text[token.start..token.end];
        word.starts_with(is_symbol) || !self.shouted && word.len() > 1 && word.chars().all(char::is_uppercase)
    }

    /// Whether `token` begins with a capital that no sentence's beginning explains.
    pub(crate) fn is_proper(&self, token: &Token) -> bool {
        let (before, word) = (self.text[..token.start].trim_end(), &self.text[token.start..token.end]);
        let opens = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
        // "I" is written so wherever it stands.
        !self.shouted && !opens && word.len() > 1 && word.starts_with(char::is_uppercase)
    }
}

/// Whether `c` is of a script that is written without spaces.
pub fn is_unspaced(c: char) -> bool {
    matches!(words::script(c), Script::Unspaced(_))
}

fn without_possessive(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    word.replace('\'', "")
}
