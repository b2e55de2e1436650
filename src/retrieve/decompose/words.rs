//! The words of a question, with the properties that decomposition needs.

use seealso_index::{Role, Roles, fold, is_unspaced};

use super::language::QuestionLanguage;

/// One word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// First byte in the text.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
    /// The same range with the signs that are attached to it, as in "--no-verify", "$PATH" and "C++".
    pub(crate) with_signs: (usize, usize),
    /// The word, folded.
    pub(crate) lower: String,
    /// Whether it expresses how something is asked, not what about.
    pub(crate) stop: bool,
    /// Its roles in a question of its language.
    pub(crate) roles: Roles,
    /// Whether it is a common word that does not indicate where a question belongs.
    pub(crate) weak: bool,
    /// The strongest punctuation between this word and the one before.
    pub(crate) before: Break,
    /// Whether it is inside quotation marks or code marks.
    pub(crate) quoted: bool,
}

/// The punctuation between two words, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Break {
    /// Spaces, hyphens, slashes.
    None,
    /// A comma, a dash, a bracket.
    Comma,
    /// A colon or a semicolon.
    Colon,
    /// A full stop.
    Stop,
    /// A question mark.
    Question,
}

/// The words of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
}

impl Words {
    /// Splits `text`, which is in `language`. Words are split as in analysis, so that "Hadrian's" and "C4" stay whole.
    pub(crate) fn of(text: &str, language: &QuestionLanguage) -> Words {
        let mut words: Vec<Word> = Vec::new();
        let mut last_end = 0;
        let mut quotes = QuoteTracker::default();
        for token in language.analysis.all_tokens(text) {
            if token.start < last_end {
                continue; // one of several pairs of the same unspaced run
            }
            let gap = &text[last_end..token.start];
            quotes.pass(gap, last_end == 0);
            let lower = fold(&text[token.start..token.end]);
            let before = strongest_break(gap);
            let with_signs = with_signs(text, token.start, token.end);
            words.push(Word {
                start: token.start,
                end: token.end,
                with_signs,
                roles: language.words.roles(&text[token.start..token.end], &lower),
                lower,
                // "A*" is not an article.
                stop: token.stop && with_signs == (token.start, token.end),
                weak: token.weak,
                before,
                quoted: quotes.open(),
            });
            last_end = token.end;
        }
        Words { text: text.to_owned(), words }
    }

    /// The number of words.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The text of words `from..to` and between them, with the signs that are attached to either end, and with the
    /// marks around a quotation there.
    pub(crate) fn slice(&self, from: usize, to: usize) -> &str {
        let Some([first, ..]) = self.words.get(from..to) else { return "" };
        let last = &self.words[to - 1];
        let (mut start, mut end) = (first.with_signs.0, last.with_signs.1);
        if first.quoted {
            let before = from.checked_sub(1).map_or(0, |at| self.words[at].end);
            let opening = self.text[before..start].rfind(|c| closing_of(c).is_some());
            start = opening.map_or(start, |at| before + at);
        }
        if last.quoted {
            let after = self.words.get(to).map_or(self.text.len(), |next| next.start);
            let closing = self.text[end..after].char_indices().find(|&(_, c)| is_closing(c));
            end = closing.map_or(end, |(at, c)| end + at + c.len_utf8());
        }
        &self.text[start..end]
    }

    /// Word `at` as written.
    pub(crate) fn written(&self, at: usize) -> &str {
        &self.text[self.words[at].start..self.words[at].end]
    }

    /// Whether word `at` exists, is not quoted, and has `role`.
    pub(crate) fn has(&self, at: usize, role: Role) -> bool {
        self.has_any(at, &[role])
    }

    /// Whether word `at` exists, is not quoted, and has one of `roles`.
    pub(crate) fn has_any(&self, at: usize, roles: &[Role]) -> bool {
        self.words.get(at).is_some_and(|word| !word.quoted && word.roles.has_any(roles))
    }

    /// The first word in `from..to` with `role`.
    pub(crate) fn find(&self, from: usize, to: usize, role: Role) -> Option<usize> {
        (from..to.min(self.len())).find(|&at| self.has(at, role))
    }

    /// Whether the words from `at` are `phrase`, without a break inside.
    pub(crate) fn is_at(&self, at: usize, phrase: &[&str]) -> bool {
        self.words.get(at..at + phrase.len()).is_some_and(|words| {
            words.iter().zip(phrase).enumerate().all(|(i, (word, expected))| {
                word.lower == *expected && !word.quoted && (i == 0 || word.before == Break::None)
            })
        })
    }

    /// The text of the words `numbers`, which ascend; neighbours keep the text between them.
    pub(crate) fn gather(&self, numbers: &[usize]) -> String {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for &at in numbers {
            match runs.last_mut() {
                Some(run) if run.1 == at && self.words[at].before == Break::None => run.1 += 1,
                _ => runs.push((at, at + 1)),
            }
        }
        runs.iter().map(|&(from, to)| self.slice(from, to)).collect::<Vec<_>>().join(" ")
    }

    /// The numbers of the content words in `from..to`.
    pub(crate) fn content(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + '_ {
        (from..to.min(self.len())).filter(|&at| !self.words[at].stop)
    }

    /// Those of them that indicate what a question is about.
    pub(crate) fn telling(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + '_ {
        let asks = |at| self.has_any(at, &[Role::Asking, Role::Being, Role::Doing, Role::Opening]);
        self.content(from, to).filter(move |&at| !self.words[at].weak && !asks(at))
    }

    /// Whether a question mark follows word `at`.
    pub(crate) fn question_mark_after(&self, at: usize) -> bool {
        let end = self.words[at].end;
        let gap_end = self.words.get(at + 1).map_or(self.text.len(), |next| next.start);
        self.text[end..gap_end].contains(['?', '？'])
    }
}

/// The range of the word at `start..end` with the signs that are attached to it and to no other word.
fn with_signs(text: &str, start: usize, end: usize) -> (usize, usize) {
    let (before, after) = (&text[..start], &text[end..]);
    let first = before.trim_end_matches(['-', '.', '#', '$', '@', '/', '~', '%', '*', '+', '_']);
    let last = after.trim_start_matches(['+', '#', '*', '_', '%', '$']);
    // In "C++是什么" the signs belong to the "C": words of scripts without spaces have none.
    let is_word = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    // Signs that end in full stops are punctuation ("...", and the end of a sentence).
    let is_first = !first.ends_with(is_word) && !before.ends_with("..");
    let is_last = !last.starts_with(is_word);
    (if is_first { first.len() } else { start }, if is_last { text.len() - last.len() } else { end })
}

fn strongest_break(gap: &str) -> Break {
    let spaced = gap.ends_with(char::is_whitespace) || gap.is_empty();
    gap.chars()
        .map(|c| match c {
            '?' | '？' | '¿' => Break::Question,
            '!' | '。' | '！' => Break::Stop,
            '.' if spaced => Break::Stop,
            ';' | '；' => Break::Colon,
            ':' if spaced => Break::Colon,
            ',' | '、' | '，' | '(' | ')' | '–' | '—' => Break::Comma,
            _ => Break::None,
        })
        .max()
        .unwrap_or(Break::None)
}

/// Tracks quotation marks through the gaps between words. An apostrophe inside a word is not part of a gap.
#[derive(Default)]
struct QuoteTracker {
    closing: Option<char>,
}

impl QuoteTracker {
    fn pass(&mut self, gap: &str, at_start: bool) {
        let mut before_is_space = at_start;
        for c in gap.chars() {
            match self.closing {
                Some(closing) if c == closing => self.closing = None,
                Some(_) => {}
                None => self.closing = closing_of(c).filter(|_| c != '\'' || before_is_space),
            }
            before_is_space = c.is_whitespace() || c == '(';
        }
    }

    fn open(&self) -> bool {
        self.closing.is_some()
    }
}

fn closing_of(opening: char) -> Option<char> {
    Some(match opening {
        '"' => '"',
        '\'' => '\'',
        '`' => '`',
        '“' => '”',
        '„' => '“',
        '«' => '»',
        '「' => '」',
        '『' => '』',
        '{' => '}',
        _ => return None,
    })
}

fn is_closing(mark: char) -> bool {
    matches!(mark, '"' | '\'' | '`' | '”' | '“' | '»' | '」' | '』' | '}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_breaks_and_quotes() {
        let words = Words::of("Is \"rock and roll\" old? Yes, it's v2.0.", &QuestionLanguage::english());
        let seen: Vec<(&str, Break, bool, bool)> =
            words.words.iter().map(|w| (w.lower.as_str(), w.before, w.quoted, w.stop)).collect();
        assert_eq!(
            seen,
            [
                ("is", Break::None, false, true),
                ("rock", Break::None, true, false),
                ("and", Break::None, true, true),
                ("roll", Break::None, true, false),
                ("old", Break::None, false, false),
                ("yes", Break::Question, false, false),
                ("it's", Break::Comma, false, true),
                ("v2", Break::None, false, false),
                ("0", Break::None, false, false),
            ]
        );
        assert_eq!(words.slice(1, 4), "\"rock and roll\"");
        assert_eq!([words.slice(0, 2), words.slice(2, 5)], ["Is \"rock", "and roll\" old"]);
        assert_eq!([words.slice(2, 3), words.slice(4, 5), words.written(1)], ["and", "old", "rock"]);
        assert!(words.question_mark_after(4));
    }

    #[test]
    fn words_keep_the_signs_that_are_written_to_them() {
        for (text, word, expected) in [
            ("What is C++?", 2, "C++"),
            ("Use F#.", 1, "F#"),
            ("(see .NET)", 1, ".NET"),
            ("set $PATH", 1, "$PATH"),
            ("of A*,", 1, "A*"),
            ("for @types/node", 1, "@types/node"),
            ("in /etc/hosts?", 1, "/etc/hosts"),
            ("a #include", 1, "#include"),
            ("commit --amend;", 1, "--amend"),
            ("of key=value!", 1, "key=value"),
            ("is 50%", 1, "50%"),
            ("it goes on...", 2, "on"),
            ("wait ...what", 1, "what"),
            ("a one-two", 1, "one-two"),
            ("it's Hadrian's.", 1, "Hadrian's"),
            ("我用C++", 1, "C++"),
        ] {
            let words = Words::of(text, &QuestionLanguage::english());
            assert_eq!(words.slice(word, words.len()), expected, "{text}");
        }
        for (text, expected) in [("C++是什么？", "C++"), ("C++とは何ですか", "C++"), (".NET是谁", ".NET"), ("a+b", "a")]
        {
            assert_eq!(Words::of(text, &QuestionLanguage::english()).slice(0, 1), expected, "{text}");
        }
    }
}
