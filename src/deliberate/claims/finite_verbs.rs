//! Whether a few English words contain a finite verb, and so state something, as far as word forms indicate.

/// Verbs whose form is unambiguous, and the commonest irregular past tenses.
const VERBS: [&str; 72] = [
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "do", "does", "did", "can", "could", "will",
    "would", "may", "might", "must", "should", "became", "began", "broke", "brought", "built", "burnt", "came",
    "chose", "cost", "cut", "drank", "drew", "drove", "ate", "fell", "felt", "flew", "found", "fought", "gave", "grew",
    "held", "hit", "kept", "knew", "led", "left", "lost", "made", "met", "paid", "put", "ran", "rose", "said", "sang",
    "sat", "saw", "sent", "shot", "slew", "sold", "spoke", "stole", "stood", "taught", "thought", "told", "took",
    "went", "won", "wrote",
];
/// A plural noun may stand before these words: "terms of use".
const BEHIND_NOUNS: [&str; 24] = [
    "of", "in", "on", "at", "for", "to", "by", "with", "from", "and", "or", "nor", "as", "per", "between", "about",
    "over", "under", "within", "during", "into", "than", "that", "which",
];

/// The words of a text, as written.
pub(crate) fn words_of(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect()
}

/// Whether one of `words`, in lower case, may be a finite verb: "cures" before another word, "burned", "is".
pub(crate) fn has_verb(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1);
        let third_person = word.len() > 3
            && word.ends_with('s')
            && !word.contains('\'')
            && !word.ends_with("ss")
            && !word.ends_with("us");
        VERBS.contains(word)
            || word.len() > 4 && word.ends_with("ed")
            || at > 0 && third_person && next.is_some_and(|next| !BEHIND_NOUNS.contains(next))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_from_things() {
        let check = |text: &str, expected: bool| {
            assert_eq!(has_verb(&text.split(' ').collect::<Vec<_>>()), expected, "{text}");
        };
        check("green tea cures cancer", true);
        check("nero burned rome", true);
        check("bleach is healthy", true);
        check("the emperor sold it in vienna", true);
        check("licensing terms", false);
        check("terms of use and support plans", false);
        check("the author's name", false);
        check("red algae", false);
        check("", false);
    }
}
