//! Analysis: from text to the tokens that are indexed and searched for.
//!
//! The same steps serve pages and questions. Text is brought into compatibility form (Unicode NFKC) and lower case, and
//! loses accents that are an ornament of a letter ([`fold()`]). It is divided into words at everything that is neither
//! letter, digit nor mark ([`words`]). Text in scripts without spaces, and in Korean, whose words carry their
//! particles, becomes overlapping pairs of characters, whatever the language ([`grams`]).
//!
//! In English, stop words are marked, and words lose their inflections ([`stem_english`]). The other languages of the
//! Snowball family have their own stop words and stemmers ([`language`]), by which a word has one term with its accents
//! and without. Words of every further language stay as they are. Identifiers and compounds have further forms beside
//! their words ([`forms`]); of these, joined compounds are searched for but not indexed.
//!
//! Guarantee: a pair or an identifier, analysed again, is itself. A stem need not be.

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

pub use language::{Analyser, Language, QuestionWordsSource};
pub use question_words::{QuestionWords, Role, Roles};

use std::borrow::Cow;

use crate::analysis::fold::fold;
use crate::field::Field;
use stem_english::stem;
use stop_words::{is_english_stop_word, is_english_weak_word};
use words::{Run, Script, is_symbol, runs};

/// A way to analyse the text of a pack. One index may hold packs of several analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Analysis {
    /// English, with its stop words and stemmer.
    English,
    /// Any language without a stemmer: words stay as they are.
    Plain,
    /// Another language, with its stop words and stemmer.
    Other(Language),
}

/// A kind of token.
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

/// A token, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The term, which is looked up in the dictionary.
    pub term: String,
    /// First byte of the word in the text.
    pub start: usize,
    /// One past the last byte of the word in the text.
    pub end: usize,
    /// Whether it is a stop word of the analysis's language.
    pub stop: bool,
    /// Whether it is a common word that says little about the subject of a question.
    pub weak: bool,
    /// Its kind.
    pub kind: Kind,
    /// The number of the word or pair in the text, from 0, where stop words count. An identifier or a joined compound
    /// has the number of its first word.
    pub position: u32,
}

impl Token {
    /// Whether it repeats what words beside it say, so that it does not count in a text's length.
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

    /// The byte that each of this analysis's keys in a dictionary begins with.
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

    /// The English name of its language; `plain` for [`Analysis::Plain`].
    pub fn name(self) -> &'static str {
        match self {
            Analysis::English => "English",
            Analysis::Plain => "plain",
            Analysis::Other(language) => language.name(),
        }
    }

    /// Whether it can be used. In a browser the languages other than English can be used once their wasm is loaded;
    /// until then they have no tokens.
    pub fn is_there(self) -> bool {
        !matches!(self, Analysis::Other(_)) || Language::are_loaded()
    }

    /// The table of its language's abbreviations, as `seealso_languages::abbreviations` returns it; empty for English,
    /// and for a language without a table.
    pub fn abbreviations(self) -> String {
        match self {
            Analysis::Other(language) => language.abbreviations().unwrap_or_default(),
            Analysis::English | Analysis::Plain => String::new(),
        }
    }

    /// The words and pairs of `text` in reading order, without stop words.
    pub fn tokens(self, text: &str) -> Vec<Token> {
        let mut tokens = self.all_tokens(text);
        tokens.retain(|token| !token.stop);
        tokens
    }

    /// The words and pairs of `text` in reading order, with stop words.
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
                    // Most symbols are decoration, but in a name they are meant.
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

    /// The [`tokens`](Self::tokens) of `text`, and after them its [`forms`](Self::forms).
    pub fn tokens_and_forms(self, text: &str) -> Vec<Token> {
        let mut tokens = self.all_tokens_and_forms(text);
        tokens.retain(|token| !token.stop);
        tokens
    }

    /// [`tokens_and_forms`](Self::tokens_and_forms), with stop words.
    pub fn all_tokens_and_forms(self, text: &str) -> Vec<Token> {
        let mut tokens = self.all_tokens(text);
        let forms = self.forms_beside(&tokens, text);
        tokens.extend(forms);
        tokens
    }

    /// The tokens by which a page is found in one of its fields. `text` is the summary, or has one name per line. In
    /// names these include stop words that a name consists of ("The Who"), or that are an acronym ("US tax forms") or a
    /// symbol.
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

    /// The term of a word, which is given folded and as written; whether it is a stop word, and whether it is weak.
    fn word(self, folded: &str, as_written: &str) -> Option<(String, bool, bool)> {
        let bare = without_possessive(folded);
        Some(match self {
            Analysis::English => {
                let (stop, weak) = (is_english_stop_word(folded), is_english_weak_word(folded));
                (stem(&bare), stop, weak)
            }
            Analysis::Plain => (bare.into_owned(), false, false),
            Analysis::Other(language) => {
                let (stem, stop) = language.analyse(as_written, folded)?;
                (fold(&stem).replace('\'', ""), stop, false)
            }
        })
    }
}

/// The test for acronyms and symbols among the words of a text.
pub(crate) struct Acronyms<'t> {
    text: &'t str,
    /// Whether the text is in capitals throughout, so that capitals mean nothing.
    is_all_capitals: bool,
}

impl<'t> Acronyms<'t> {
    /// The test for `text`, whose words are `tokens`. Two words in capitals may be acronyms ("US GAAP"); more words in
    /// capitals are an emphasis.
    pub(crate) fn of(text: &'t str, tokens: &[Token]) -> Acronyms<'t> {
        Acronyms { text, is_all_capitals: tokens.len() > 2 && !text.contains(char::is_lowercase) }
    }

    /// Whether `token` is a symbol, or has two capitals or more and no other letters.
    pub(crate) fn has(&self, token: &Token) -> bool {
        let word = &self.text[token.start..token.end];
        word.starts_with(is_symbol) || !self.is_all_capitals && word.len() > 1 && word.chars().all(char::is_uppercase)
    }

    /// Whether `token` begins with a capital although it does not begin a sentence.
    pub(crate) fn is_proper(&self, token: &Token) -> bool {
        let (before, word) = (self.text[..token.start].trim_end(), &self.text[token.start..token.end]);
        let opens = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
        // "I" is a capital at any place.
        !self.is_all_capitals && !opens && word.len() > 1 && word.starts_with(char::is_uppercase)
    }
}

/// Whether `c` belongs to a script without spaces.
pub fn is_unspaced(c: char) -> bool {
    matches!(words::script(c), Script::Unspaced(_))
}

fn without_possessive(word: &str) -> Cow<'_, str> {
    let word = word.strip_suffix("'s").unwrap_or(word);
    // Most words have none.
    if word.bytes().any(|byte| byte == b'\'') { word.replace('\'', "").into() } else { word.into() }
}
