//! Stemming of English: inflections are removed, derivations stay.
//!
//! A question has "merging branches" where a title has "merge a branch": such words must match. But "disability" and
//! "disabled", or "general" and "generation", are different words. In titles and summaries, where a word occurs once or
//! twice, mistaking one for the other costs the first place. So this is step 1 of Porter's stemmer (M. F. Porter, "An
//! algorithm for suffix stripping", Program 14.3, 1980), which removes plurals, -ed and -ing, with the corrections of
//! its second version for short words, -ies and -y (<https://snowballstem.org/algorithms/english/stemmer.html>), and
//! its step 5, which removes the silent e that step 1 would have to guess. That weak stemmers serve about as well as
//! strong ones was found by D. Harman ("How effective is suffixing?", JASIS 42.1, 1991).

use std::borrow::Cow;

/// Words that would lose what is no ending, or meet another word.
const KEPT: [&str; 8] = ["bias", "embed", "hundred", "lens", "news", "sacred", "series", "species"];

/// The longest word that is stemmed. No English word is longer, and the time for a run of y's grows faster than its
/// length.
const LONGEST: usize = 40;

/// The stem of `word`, which is folded. A word with other than ASCII letters is its own stem.
pub(crate) fn stem(word: &str) -> String {
    let stemmable = (3..=LONGEST).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    // The last letters that a step looks at.
    if !stemmable || !word.ends_with(['d', 'e', 'g', 'l', 's', 'y']) || KEPT.contains(&word) {
        return word.to_owned();
    }
    let word = without_plural(word);
    let word = without_ed_or_ing(&word);
    without_silent_ending(with_i_for_y(&word).into_owned())
}

/// Step 1a: -sses, -ies and -s.
fn without_plural(word: &str) -> Cow<'_, str> {
    if word.ends_with("sses") {
        return Cow::Borrowed(&word[..word.len() - 2]);
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return Cow::Owned(with_y_or_ie(stem));
    }
    match word.strip_suffix('s') {
        Some(stem) if !["s", "u", "si"].iter().any(|end| stem.ends_with(end)) && has_vowel(&stem[..stem.len() - 1]) => {
            Cow::Borrowed(stem)
        }
        _ => Cow::Borrowed(word),
    }
}

/// What "-ies" and "-ied" stood for: "ties" is of "tie", "flies" of "fly".
fn with_y_or_ie(stem: &str) -> String {
    let end = if stem.len() > 1 { "y" } else { "ie" };
    [stem, end].concat()
}

/// Step 1b: -eed, -ied, -ed and -ing.
fn without_ed_or_ing(word: &str) -> Cow<'_, str> {
    if let Some(stem) = word.strip_suffix("eed") {
        return if measure(stem) > 0 { Cow::Borrowed(&word[..word.len() - 1]) } else { Cow::Borrowed(word) };
    }
    if let Some(stem) = word.strip_suffix("ied") {
        return Cow::Owned(with_y_or_ie(stem));
    }
    match word.strip_suffix("ed").or_else(|| word.strip_suffix("ing")) {
        Some(stem) if has_vowel(stem) => Cow::Owned(mended(stem)),
        _ => Cow::Borrowed(word),
    }
}

/// The stem of a word without -ed or -ing: "hopp" is "hop", "hop" is "hope", "lock" stays.
fn mended(stem: &str) -> String {
    let mut bytes = stem.bytes().rev();
    let doubled = matches!((bytes.next(), bytes.next()), (Some(a), Some(b)) if a == b && b"bdfgmnprt".contains(&a));
    if doubled {
        stem[..stem.len() - 1].to_owned()
    } else if ["at", "bl", "iz"].iter().any(|end| stem.ends_with(end)) || (measure(stem) == 1 && is_short(stem)) {
        [stem, "e"].concat()
    } else {
        stem.to_owned()
    }
}

/// Step 1c: a last y behind a consonant, as in "policy", is the i of "policies"; not in "by".
fn with_i_for_y(word: &str) -> Cow<'_, str> {
    match word.strip_suffix('y') {
        Some(stem) if stem.len() > 1 && is_consonant(stem.as_bytes(), stem.len() - 1) => [stem, "i"].concat().into(),
        _ => Cow::Borrowed(word),
    }
}

/// Step 5: a last e that is not heard, and one of two last l's.
fn without_silent_ending(mut word: String) -> String {
    if let Some(stem) = word.strip_suffix('e') {
        let measure = measure(stem);
        if measure > 1 || (measure == 1 && !is_short(stem)) {
            word.pop();
        }
    }
    if word.ends_with("ll") && measure(&word) > 1 {
        word.pop();
    }
    word
}

/// Whether the letter at `at` is a consonant: y is one at the beginning and after a vowel.
fn is_consonant(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        b'y' => at == 0 || !is_consonant(word, at - 1),
        _ => true,
    }
}

fn has_vowel(word: &str) -> bool {
    (0..word.len()).any(|at| !is_consonant(word.as_bytes(), at))
}

/// How many times a consonant follows a vowel: Porter's m.
fn measure(word: &str) -> usize {
    let word = word.as_bytes();
    (1..word.len()).filter(|&at| is_consonant(word, at) && !is_consonant(word, at - 1)).count()
}

/// Whether `word` ends in consonant, vowel, consonant, the last not w, x or y: Porter's *o.
fn is_short(word: &str) -> bool {
    let (word, end) = (word.as_bytes(), word.len());
    end > 2
        && is_consonant(word, end - 1)
        && !is_consonant(word, end - 2)
        && is_consonant(word, end - 3)
        && !b"wxy".contains(&word[end - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All `words` have the stem `expected`.
    fn check(expected: &str, words: &[&str]) {
        for word in words {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn inflections_of_a_word_meet() {
        check("merg", &["merge", "merges", "merged", "merging"]);
        check("branch", &["branch", "branches", "branched", "branching"]);
        check("creat", &["create", "creates", "created", "creating"]);
        check("hope", &["hope", "hopes", "hoped", "hoping"]);
        check("hop", &["hop", "hops", "hopped", "hopping"]);
        check("polici", &["policy", "policies"]);
        check("appli", &["apply", "applies", "applied"]);
        check("tie", &["tie", "ties", "tied"]);
        check("control", &["control", "controls", "controlled", "controlling"]);
        check("instal", &["install", "installed", "installing"]);
        check("agre", &["agree", "agrees", "agreed"]);
        check("box", &["box", "boxes", "boxed"]);
        check("class", &["class", "classes"]);
        check("siz", &["siz"]);
        check("size", &["size", "sizes", "sized", "sizing"]);
        check("api", &["api", "apis"]);
        check("us", &["use", "uses", "used", "using"]);
        check("plai", &["plai"]);
        check("play", &["play", "plays", "played", "playing"]);
    }

    #[test]
    fn derivations_stay_apart() {
        for (one, other) in [
            ("disability", "disabled"),
            ("general", "generation"),
            ("universe", "university"),
            ("policy", "police"),
            ("news", "new"),
            ("organ", "organization"),
            ("hope", "hop"),
        ] {
            assert_ne!(stem(one), stem(other), "{one}, {other}");
        }
    }

    #[test]
    fn what_is_no_ending_stays() {
        for word in ["this", "gas", "bus", "status", "process", "basis", "string", "king", "red", "need", "sky"] {
            let expected = if word == "sky" { "ski" } else { word };
            assert_eq!(stem(word), expected);
        }
        assert_eq!(stem(&"y".repeat(5_000)), "y".repeat(5_000));
        for word in ["", "s", "is", "v2", "c", "größen", "光合", "ed", "ing", "2000s"] {
            assert_eq!(stem(word), word);
        }
    }
}
