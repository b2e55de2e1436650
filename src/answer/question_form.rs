//! What kind of thing a sub-query asks for, by the words around it in the question.

use seealso_index::{Analysis, QuestionWords, Role, Token};

/// The part of `question` that asks for the sub-query `text`: from the break before it to its end. A part's text alone has
/// lost "how long" and "does". Where the question has not these words in a row, all of it.
pub(super) fn clause<'q>(question: &'q str, text: &'q str) -> &'q str {
    let Some(at) = question.find(text) else { return question };
    let before = &question[..at];
    let start = before.rfind(is_break).map_or(0, |mark| mark + before[mark..].chars().next().map_or(1, char::len_utf8));
    &question[start..at + text.len()]
}

fn is_break(c: char) -> bool {
    matches!(c, '.' | '?' | '!' | ';' | ',' | '。' | '？' | '，' | '；')
}

/// Whether a clause of these `words`, in lower case, asks for a number, a time or an amount.
pub(super) fn asks_for_number(words: &[(usize, String)], table: &QuestionWords) -> bool {
    let is = |at: usize, roles: &[Role]| {
        words.get(at).is_some_and(|(_, word)| roles.iter().any(|role| table.is(*role, word)))
    };
    let verb = [Role::Being, Role::Doing, Role::Opening];
    (0..words.len()).any(|at| {
        let behind_asking = at > 0 && is(at - 1, &[Role::Asking]);
        // "When" that no verb follows begins a condition.
        let asks_time = is(at, &[Role::Timing]) && (!is(at, &[Role::Subordinate]) || is(at + 1, &verb));
        is(at, &[Role::Measured]) || behind_asking && is(at, &[Role::Measuring]) || asks_time
    })
}

/// Whether a clause of these `words` asks how something is done, or what is to be done: "how do I", "what should one".
pub(super) fn asks_how_to(words: &[(usize, String)], table: &QuestionWords) -> bool {
    words.windows(3).any(|three| {
        let [asks, verb, who] = [0, 1, 2].map(|at| three[at].1.as_str());
        let is_verb = table.is(Role::Doing, verb) || table.is(Role::Opening, verb);
        table.is(Role::Manner, asks) && is_verb && table.is(Role::Person, who)
    })
}

/// Whether a summary only announces what a page tells, as in "How tea is made, and which water it takes".
pub(crate) fn announces(summary: &str, table: Option<&QuestionWords>) -> bool {
    let first = summary.split_whitespace().next().unwrap_or_default().to_lowercase();
    table.is_some_and(|table| table.is(Role::Asking, &first) || table.is(Role::Relative, &first))
}

/// Whether `text` denies something, bounds it, or says that it ended.
pub(super) fn denies(text: &str, table: &QuestionWords) -> bool {
    let words = text.split(|c: char| c.is_whitespace() || ",;:.!?()|\u{2014}".contains(c));
    words.filter(|word| !word.is_empty()).any(|word| {
        let word = word.to_lowercase().replace('’', "'");
        let elided = word.find('\'').map_or("", |at| &word[..at + 1]);
        table.is(Role::Negating, &word) || !elided.is_empty() && table.is(Role::Negating, elided)
    })
}

/// Whether `text` tells a number, in digits or in letters.
pub(super) fn tells_number(text: &str, table: &QuestionWords) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    text.chars().any(char::is_numeric) || words.any(|word| table.is(Role::Numeral, &word.to_lowercase()))
}

/// Whether `question` asks for a person, a time, a place or a number: pages tell these without the question's verb, as in
/// "Hadrian (76–138)" when one asks when he was born. English is known.
pub(super) fn asks_for_name_or_number(question: &str) -> bool {
    let tokens = Analysis::English.all_tokens(question);
    let asks = |token: &Token| token.stop && ["who", "when", "where"].iter().any(|word| token.term.starts_with(word));
    // "How long", but not "how does".
    tokens.iter().any(asks) || tokens.windows(2).any(|two| two[0].term == "how" && !two[1].stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(language: &str) -> QuestionWords {
        QuestionWords::of(Analysis::of_language(language)).unwrap()
    }

    #[test]
    fn a_part_is_read_with_the_words_that_ask_for_it() {
        let check = |question: &str, text: &str, expected: &str| assert_eq!(clause(question, text).trim(), expected);
        check(
            "How does monero hide who sent money?",
            "monero hide who sent money",
            "How does monero hide who sent money",
        );
        check("My tap drips. How long does a washer last?", "washer last", "How long does a washer last");
        check("Why is it red, and how big is it?", "big", "and how big");
        check("What is a wombat?", "wombat burrow", "What is a wombat?");
    }

    #[test]
    fn questions_for_numbers_are_known() {
        let check = |language: &str, question: &str, expected: bool| {
            let words = Analysis::of_language(language).all_tokens(question);
            let words: Vec<(usize, String)> =
                words.iter().map(|token| (token.start, question[token.start..token.end].to_lowercase())).collect();
            assert_eq!(asks_for_number(&words, &table(language)), expected, "{question}");
        };
        for (language, question, expected) in [
            ("en", "how long does it last", true),
            ("en", "how do long lists scroll", false),
            ("en", "when is the deadline", true),
            ("en", "when did it close", true),
            ("en", "what happens when a lock is held", false),
            ("en", "what share said yes", true),
            ("en", "how does it work", false),
            ("de", "wie lange hält ein Akku", true),
            ("de", "wann schließt das Amt", true),
            ("de", "wie funktioniert es", false),
            ("fr", "combien de jours faut-il", true),
            ("fr", "comment ça marche", false),
            ("es", "cuántos días tengo", true),
            ("es", "cómo funciona", false),
        ] {
            check(language, question, expected);
        }
    }

    #[test]
    fn a_summary_may_only_announce() {
        let check = |language: &str, summary: &str, expected: bool| {
            assert_eq!(announces(summary, Some(&table(language))), expected, "{summary}");
        };
        check("en", "How tea is made, and which water it takes.", true);
        check("en", "Tea is steeped for two minutes.", false);
        check("de", "Wie Tee gekocht wird.", true);
        check("fr", "Comment faire du thé.", true);
        check("es", "Cómo se hace el té.", true);
        assert!(!announces("How tea is made.", None));
    }

    #[test]
    fn questions_for_steps_are_known() {
        let check = |question: &str, expected: bool| {
            let words = Analysis::English.all_tokens(question);
            let words: Vec<(usize, String)> =
                words.iter().map(|token| (token.start, question[token.start..token.end].to_lowercase())).collect();
            assert_eq!(asks_how_to(&words, &table("en")), expected, "{question}");
        };
        check("how do I drain it", true);
        check("what should we do first", true);
        check("why do you feed swans", false);
        check("when can I open it", false);
        check("how does tea keep", false);
    }

    #[test]
    fn denials_are_known() {
        let check = |language: &str, text: &str, expected: bool| {
            assert_eq!(denies(text, &table(language)), expected, "{text}");
        };
        check("en", "Not covered", true);
        check("en", "It can’t be had back.", true);
        check("en", "Covered", false);
        check("de", "Das gilt nur für Mitglieder.", true);
        check("de", "Das ist mehr als genug.", false);
        check("fr", "Il n’est plus vendu.", true);
        check("fr", "C'est plus cher.", false);
        check("es", "Ya no se cambian.", true);
    }

    #[test]
    fn numbers_stand_in_digits_or_letters() {
        let check = |text: &str, expected: bool| assert_eq!(tells_number(text, &table("en")), expected, "{text}");
        check("Within 28 days.", true);
        check("Within five days.", true);
        check("As soon as you can.", false);
    }
}
