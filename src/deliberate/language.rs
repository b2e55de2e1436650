//! The language of a text, as far as its script and its commonest words indicate. That is enough to detect an answer in
//! another language than its question. A text that is too short has no language.

/// The commonest words of languages in Latin script that are less frequent in the other languages here.
const WORDS: [(&str, &[&str]); 8] = [
    ("en", &["the", "of", "and", "is", "are", "what", "how", "does", "with", "that", "this", "which", "was", "for"]),
    ("de", &["der", "die", "das", "und", "ist", "wie", "was", "nicht", "ein", "eine", "mit", "den", "von", "sich"]),
    ("fr", &["le", "les", "des", "et", "est", "une", "dans", "que", "pour", "qui", "sur", "quelle", "sont", "pas"]),
    ("es", &["el", "los", "las", "y", "es", "una", "qué", "que", "por", "del", "cómo", "para", "con", "son"]),
    ("it", &["il", "gli", "che", "è", "una", "della", "di", "come", "sono", "per", "nel", "cosa", "con", "non"]),
    ("pt", &["o", "os", "e", "é", "uma", "não", "que", "como", "para", "são", "dos", "com", "da", "do"]),
    ("nl", &["de", "het", "een", "en", "is", "van", "wat", "hoe", "niet", "zijn", "met", "voor", "dat", "op"]),
    ("sv", &["och", "är", "en", "ett", "som", "det", "att", "vad", "hur", "inte", "på", "för", "med", "av"]),
];

/// Scripts of one language, or of a family whose members share one.
const SCRIPTS: [(&str, &[std::ops::RangeInclusive<char>]); 9] = [
    ("ja", &['\u{3040}'..='\u{30ff}']),
    ("ko", &['\u{ac00}'..='\u{d7af}', '\u{1100}'..='\u{11ff}']),
    ("zh", &['\u{4e00}'..='\u{9fff}', '\u{3400}'..='\u{4dbf}']),
    ("th", &['\u{0e00}'..='\u{0e7f}']),
    ("cyrillic", &['\u{0400}'..='\u{052f}']),
    ("arabic", &['\u{0600}'..='\u{06ff}']),
    ("el", &['\u{0370}'..='\u{03ff}']),
    ("he", &['\u{0590}'..='\u{05ff}']),
    ("hi", &['\u{0900}'..='\u{097f}']),
];

/// The language of `text`, or the name of a script that many languages share; `None` if nothing indicates one.
pub(crate) fn language(text: &str) -> Option<&'static str> {
    of_script(text).or_else(|| of_words(text))
}

/// Whether `answer` is in another language than `question`, as far as both are known.
pub(crate) fn differs(question: &str, answer: &str) -> bool {
    matches!((language(question), language(answer)), (Some(asked), Some(given)) if asked != given)
}

/// Whether a character belongs to a script that puts no spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{e00}'..='\u{e7f}').contains(&c)
}

fn of_script(text: &str) -> Option<&'static str> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let count = |ranges: &[std::ops::RangeInclusive<char>]| {
        text.chars().filter(|c| ranges.iter().any(|range| range.contains(c))).count()
    };
    // Japanese mixes its own letters with Chinese characters, so it comes first and needs fewer.
    let enough = |(name, ranges): &(&'static str, &[std::ops::RangeInclusive<char>])| {
        let share = if *name == "ja" { 8 } else { 3 };
        letters > 0 && count(ranges) * share >= letters
    };
    SCRIPTS.iter().find(|script| enough(script)).map(|(name, _)| *name)
}

fn of_words(text: &str) -> Option<&'static str> {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let count = |known: &[&str]| words.iter().filter(|word| known.contains(&word.as_str())).count();
    let mut counts: Vec<(usize, &'static str)> = WORDS.iter().map(|(name, known)| (count(known), *name)).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    // At least two of its words, and more than of any other language.
    (counts[0].0 >= 2 && counts[0].0 > counts[1].0).then_some(counts[0].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(language(text), expected, "{text}");
    }

    #[test]
    fn words_and_scripts_tell() {
        check("What is the difference between TCP and UDP?", Some("en"));
        check("Wie funktioniert die Photosynthese und was ist Chlorophyll?", Some("de"));
        check("Quelle est la différence entre les deux ?", Some("fr"));
        check("¿Qué es la fotosíntesis y cómo funciona?", Some("es"));
        check("Che cosa è la fotosintesi e come funziona?", Some("it"));
        check("光合作用是什么？", Some("zh"));
        check("光合成とは何ですか", Some("ja"));
        check("Что такое фотосинтез?", Some("cyrillic"));
        check("Docker", None);
        check("Photosynthesis releases O2 and splits H2O. O2 comes from H2O.", None);
        check("docker run --rm", None);
        check("", None);
    }

    #[test]
    fn only_what_is_told_differs() {
        assert!(differs("Wie ist die Luft und was ist der Mond?", "The moon is a stone and the air is thin."));
        assert!(!differs("Docker?", "The moon is a stone and the air is thin."));
        assert!(!differs("What is the moon?", "The moon is a stone."));
    }
}
