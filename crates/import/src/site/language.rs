//! The language of a page: what it says, unless its text shows otherwise.

use crate::page::SitePage;

/// Words that stand in nearly every text of a language that is written in Latin letters.
const FREQUENT_WORDS: [(&str, &[&str]); 10] = [
    ("en", &["the", "of", "and", "to", "is", "in", "that", "for", "this", "with"]),
    ("de", &["der", "die", "und", "das", "ist", "nicht", "den", "mit", "ein", "zu"]),
    ("fr", &["le", "la", "les", "des", "et", "est", "une", "dans", "pour", "que"]),
    ("es", &["el", "los", "las", "que", "una", "para", "por", "con", "del", "se"]),
    ("it", &["il", "che", "di", "per", "una", "non", "con", "del", "gli", "sono"]),
    ("pt", &["os", "que", "uma", "para", "com", "não", "por", "dos", "em", "se"]),
    ("nl", &["de", "het", "een", "van", "en", "is", "niet", "voor", "met", "zijn"]),
    ("pl", &["w", "i", "nie", "na", "jest", "się", "do", "że", "lub", "oraz"]),
    ("sv", &["och", "att", "det", "som", "en", "är", "för", "med", "inte", "till"]),
    ("da", &["og", "at", "det", "som", "en", "er", "for", "med", "ikke", "til"]),
];

/// Whether a letter belongs to a script.
type IsLetter = fn(char) -> bool;

/// Languages that are written in letters of their own, and whether a letter is one of them.
const SCRIPTS: [(&[&str], IsLetter); 8] = [
    (&["ja", "zh"], |c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')),
    (&["ko"], |c| matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}')),
    (&["ru", "uk", "bg", "sr", "be"], |c| matches!(c, '\u{400}'..='\u{52f}')),
    (&["el"], |c| matches!(c, '\u{370}'..='\u{3ff}')),
    (&["ar", "fa", "ur"], |c| matches!(c, '\u{600}'..='\u{6ff}')),
    (&["he"], |c| matches!(c, '\u{590}'..='\u{5ff}')),
    (&["th"], |c| matches!(c, '\u{e00}'..='\u{e7f}')),
    (&["hi", "mr", "ne"], |c| matches!(c, '\u{900}'..='\u{97f}')),
];

/// A text in a script of its own has at least this share of such letters, in hundredths.
const LEAST_SHARE: usize = 10;

/// So much of a page is looked at, in bytes.
const SAMPLE_BYTES: usize = 40_000;

/// The language of a page as a BCP 47 tag. A page that says it is in one language and is in English is English.
pub(super) fn of(page: &SitePage, default: &str) -> String {
    let named = page.language.replace('_', "-");
    let is_tag = !named.is_empty() && named.len() <= 35 && named.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let tag = if is_tag { named.as_str() } else { default };
    let primary = tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
    if primary != "en" && is_english(page, &primary) { "en".to_owned() } else { primary }
}

fn is_english(page: &SitePage, claimed: &str) -> bool {
    let mut sample = String::new();
    for section in &page.sections {
        // Code is of no language.
        for block in section.body.split("\n\n").filter(|block| !block.starts_with("```")) {
            sample.push_str(block);
            sample.push(' ');
        }
        if sample.len() > SAMPLE_BYTES {
            break;
        }
    }
    let of = |language: &str| FREQUENT_WORDS.iter().find(|(tag, _)| *tag == language).map(|(_, words)| *words);
    let words: Vec<String> = sample.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect();
    let count = |known: &[&str]| words.iter().filter(|word| known.contains(&word.as_str())).count();
    let english = count(of("en").unwrap_or_default());
    if english < 10 {
        return false;
    }
    if let Some((_, is_letter)) = SCRIPTS.iter().find(|(tags, _)| tags.contains(&claimed)) {
        let letters = sample.chars().filter(|c| c.is_alphabetic());
        let (own, all) = letters.fold((0, 0), |(own, all), c| (own + usize::from(is_letter(c)), all + 1));
        return own * 100 < all * LEAST_SHARE;
    }
    of(claimed).is_some_and(|known| english > count(known) * 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::PageSection;

    #[test]
    fn a_page_is_in_the_language_that_it_says_unless_it_is_english() {
        let english = "The leaf of the plant is dried and rolled. To steep it, pour water on it in the pot, and wait for the tea. ";
        let german =
            "Die Blätter der Pflanze werden getrocknet und gerollt. Das Wasser ist nicht zu heiß, und der Tee zieht. ";
        let japanese = "茶の葉は乾かしてから揉みます。お湯を注いで待ちます。";
        for (tag, text, expected) in [
            ("en-US", english, "en"),
            ("de-DE", german, "de"),
            ("de-DE", english, "en"),
            ("ja", japanese, "ja"),
            ("ja_JP", english, "en"),
            ("", german, "en"),
            ("not a tag!", english, "en"),
            ("ja", "short", "ja"),
            ("pt-BR", "Uma página com texto para que os leitores não se percam.", "pt"),
        ] {
            let section = PageSection { body: text.repeat(4), ..PageSection::default() };
            let page = SitePage { language: tag.to_owned(), sections: vec![section], ..SitePage::default() };
            assert_eq!(of(&page, "en"), expected, "{tag}");
        }
    }
}
