//! The names in a text: runs of capitalised words, acronyms, and words that contain digits.
//!
//! The first word of a sentence may be capitalised for that reason, so by itself it is not a name.

use std::ops::Range;

use super::months::month;
use super::words::{Word, is_acronym, is_capital, is_initial, words};

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) range: Range<usize>,
    /// Its words, as written.
    pub(super) words: Vec<String>,
    /// Whether it opens the sentence, and so is most likely its subject.
    pub(super) opens: bool,
}

/// Words that may stand inside a name.
const INSIDE: [&str; 16] =
    ["of", "the", "de", "la", "le", "von", "van", "der", "den", "du", "da", "di", "al", "bin", "and", "&"];
/// Weekdays are not names.
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Words that begin a sentence before it names its subject: "Born in Bonn, she", "Several of".
const LEADING: [&str; 73] = [
    "Born",
    "Bought",
    "Brought",
    "Built",
    "Drawn",
    "Found",
    "Given",
    "Held",
    "Known",
    "Led",
    "Lost",
    "Made",
    "Seen",
    "Set",
    "Shot",
    "Sold",
    "Struck",
    "Sung",
    "Taken",
    "Taught",
    "Thought",
    "Told",
    "Won",
    "Worn",
    "Written",
    "Early",
    "Late",
    "Later",
    "Prior",
    "Since",
    "Soon",
    "Unlike",
    "Although",
    "Though",
    "Despite",
    "Thanks",
    "Never",
    "Hardly",
    "Seldom",
    "Almost",
    "Nearly",
    "Even",
    "Once",
    "Half",
    "Several",
    "Many",
    "Most",
    "Some",
    "Few",
    "Both",
    "Each",
    "Every",
    "Another",
    "Nobody",
    "Nothing",
    "Everyone",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Currently",
    "Finally",
    "Formerly",
    "Initially",
    "Originally",
    "Previously",
    "Recently",
    "Shortly",
];

/// The single first word of a sentence, if it may be a name.
pub(super) fn opening(text: &str) -> Option<Name> {
    let all = words(text);
    let at = usize::from(all.first().is_some_and(|word| word.lower == "the"));
    let first = all.get(at).filter(|word| !word.stop && is_capital(&text[word.range.clone()]))?;
    let next = all.get(at + 1).filter(|next| !next.after_break && !INSIDE.contains(&next.lower.as_str()))?;
    let word = text[first.range.clone()].to_owned();
    let says = next.stop || next.lower.ends_with("ed");
    let tells = ["ed", "ing"].iter().any(|end| word.ends_with(end)) || LEADING.contains(&word.as_str());
    (says && !tells).then(|| Name { range: first.range.clone(), words: vec![word], opens: true })
}

/// The names of `text`, in order.
pub(super) fn names(text: &str) -> Vec<Name> {
    let words = words(text);
    let mut found: Vec<Name> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let end = run(text, &words, at);
        if end > at {
            found.extend(name(text, &words, at, end));
        }
        at = end.max(at + 1);
    }
    found
}

/// Abbreviated titles before names.
pub(super) const TITLES: [&str; 10] = ["st", "mt", "ft", "dr", "mr", "mrs", "ms", "lt", "col", "gen"];

/// The end of the run of capitalised words that begins at `at`.
pub(super) fn run(text: &str, words: &[Word], at: usize) -> usize {
    let capital = |at: usize| words.get(at).is_some_and(|word| is_capital(&text[word.range.clone()]));
    // The full stop after an initial or after "St." does not end the run.
    let shortened = |at: usize| is_initial(&words[at].lower) || TITLES.contains(&words[at].lower.as_str());
    let initial = |at: usize| shortened(at) && text[words[at].range.end..].starts_with('.');
    let joined = |at: usize| words.get(at).is_some_and(|word| !word.after_break || initial(at - 1));
    let mut end = at;
    // "F-35" and "Apollo 13" include their numbers.
    let number = |at: usize| {
        joined(at) && words[at].lower.bytes().all(|byte| byte.is_ascii_digit()) && words[at].lower.len() < 4
    };
    while (capital(end) && (end == at || joined(end))) || (end > at && end < words.len() && number(end)) {
        end += 1;
        // "Bank of England" is one name; "England and the" is not.
        let inside = |at: usize| words.get(at).is_some_and(|word| joined(at) && INSIDE.contains(&word.lower.as_str()));
        let step = (end..end + 3).take_while(|&at| inside(at) && !capital(at)).count();
        if step > 0 && capital(end + step) && joined(end + step) && !ends_with_and(words, end, step) {
            end += step;
        }
    }
    end
}

fn ends_with_and(words: &[Word], end: usize, step: usize) -> bool {
    words[end..end + step].iter().any(|word| word.lower == "and")
}

/// The name of the words `at..end`, without words that are capitalised for another reason.
fn name(text: &str, all: &[Word], at: usize, end: usize) -> Option<Name> {
    let as_written = |word: &Word| text[word.range.clone()].trim_end_matches("'s").trim_end_matches("’s").to_owned();
    let mut from = at;
    // The name does not include a common word that opens the sentence, a month, a day, or "Several of".
    let leads = |at: usize| {
        let is_of = all.get(at + 1).is_some_and(|next| next.lower == "of" && at + 1 < end);
        is_of && LEADING.contains(&as_written(&all[at]).as_str())
    };
    while from < end
        && (all[from].stop || is_time(&all[from].lower) || leads(from))
        && !is_acronym(&as_written(&all[from]))
    {
        from += 1;
    }
    all.get(from)?;
    let starts = |at: usize| text[..all[at].range.start].trim_end().is_empty() || all[at].after_break;
    // "The" may precede it.
    let opens = (0..=from)
        .rev()
        .take_while(|&at| at == from || matches!(all[at].lower.as_str(), "the" | "a" | "an"))
        .any(|at| starts(at) && (at == 0 || ends_sentence(text, all, at)));
    let members: Vec<&Word> = all[from..end].iter().filter(|word| !INSIDE.contains(&word.lower.as_str())).collect();
    // "The Quran" is capitalised for its own sake.
    let capital_is_its_own = from > at && matches!(all[from - 1].lower.as_str(), "the" | "a" | "an");
    let alone = members.len() == 1 && opens && !capital_is_its_own && !is_acronym(&as_written(members[0]));
    let pronoun = members.iter().all(|word| word.stop || word.lower == "i");
    let numbers = members.iter().all(|word| !word.lower.chars().any(char::is_alphabetic));
    if numbers || alone || pronoun {
        return None;
    }
    let range = members[0].range.start..members[members.len() - 1].range.end;
    let telling = members.iter().filter(|word| !word.stop || is_acronym(&as_written(word)));
    let words = telling.map(|word| as_written(word)).collect();
    Some(Name { range, words, opens })
}

/// Whether a sentence ends before the word at `at`.
fn ends_sentence(text: &str, all: &[Word], at: usize) -> bool {
    let between = &text[all[at - 1].range.end..all[at].range.start];
    between.contains(['.', '!', '?', ':']) && is_capital(&text[all[at].range.clone()])
}

fn is_time(word: &str) -> bool {
    DAYS.contains(&word) || month(word).is_some() && word.len() > 3
}
