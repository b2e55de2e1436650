//! The language of a page: what it says, unless its text shows otherwise.

use std::collections::BTreeMap;

use crate::language_tag::language_tag;
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

/// Languages that are written in two ways: the language, the regions and scripts of the one way and of the other, and the way
/// of pages that name the language alone (Unicode CLDR, likely subtags).
const WAYS: [(&str, [&[&str]; 2], usize); 2] = [
    ("zh", [&["Hans", "CN", "SG", "MY"], &["Hant", "TW", "HK", "MO"]], 0),
    ("pt", [&["BR"], &["PT", "AO", "MZ", "CV"]], 0),
];

/// A text in a script of its own has at least this share of such letters, in hundredths.
const LEAST_SHARE: usize = 10;

/// A text with this share of letters of a script is written in it, in hundredths.
const CLEAR_SHARE: usize = 30;

/// Fewer frequent words tell nothing.
const LEAST_WORDS: usize = 8;

/// So much of a page is looked at, in bytes.
const SAMPLE_BYTES: usize = 40_000;

/// The language of each page as a BCP 47 tag: what it says; else that of a folder with the name of a language; else what
/// most pages of its folder are written in that say none. A page that says it is in one language and is in English is
/// English. Where pages of both ways to write a language are there, each has the tag that most pages of its way have.
pub(super) fn of_pages(pages: &[SitePage], default: &str) -> Vec<String> {
    let tags = tags_of_pages(pages, default);
    let mut names: BTreeMap<(&str, usize), BTreeMap<&str, usize>> = BTreeMap::new();
    for tag in &tags {
        if let Some(way) = way_of(tag) {
            *names.entry(way).or_default().entry(tag).or_default() += 1;
        }
    }
    let name = |tag: &String| {
        let (language, way) = way_of(tag)?;
        names.get(&(language, 1 - way))?;
        let most = names.get(&(language, way))?.iter().max_by_key(|(tag, count)| (tag.len() > 2, **count));
        most.map(|(tag, _)| (*tag).to_owned())
    };
    tags.iter().map(|tag| name(tag).unwrap_or_else(|| primary(tag).to_owned())).collect()
}

/// The language of a tag that is written in two ways, and which of them the tag names.
fn way_of(tag: &str) -> Option<(&'static str, usize)> {
    let (language, ways, likely) = WAYS.iter().find(|(language, ..)| *language == primary(tag))?;
    let parts = || tag.split('-').skip(1);
    // A script says it more clearly than a region: `zh-Hant-CN`.
    let named = parts().find_map(|part| ways.iter().position(|own| own.contains(&part)));
    Some((language, named.unwrap_or(*likely)))
}

/// The tag of each page.
fn tags_of_pages(pages: &[SitePage], default: &str) -> Vec<String> {
    let folder = |page: &SitePage| page.address.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let named: Vec<Option<String>> = pages.iter().map(named).collect();
    let mut votes: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for (page, _) in pages.iter().zip(&named).filter(|(_, named)| named.is_none()) {
        if let Some(tag) = written_in(&sample(page)) {
            *votes.entry(folder(page)).or_default().entry(tag).or_default() += 1;
        }
    }
    let most = |page: &SitePage| votes.get(&folder(page))?.iter().max_by_key(|(_, count)| **count).map(|(tag, _)| *tag);
    let of = |(page, named): (&SitePage, Option<String>)| match named {
        Some(tag) if primary(&tag) != "en" && is_english(&sample(page), primary(&tag)) => "en".to_owned(),
        Some(tag) => tag,
        None => most(page).unwrap_or(default).to_owned(),
    };
    pages.iter().zip(named).map(of).collect()
}

/// The language that a page or its folder names.
fn named(page: &SitePage) -> Option<String> {
    language_tag(&page.language).or_else(|| {
        let folders = page.address.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').filter_map(language_tag).find(|tag| is_known(primary(tag)))
    })
}

/// The first part of a language tag, such as `de` of `de-DE`.
fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or_default()
}

fn is_known(tag: &str) -> bool {
    FREQUENT_WORDS.iter().any(|(known, _)| *known == tag) || SCRIPTS.iter().any(|(known, _)| known.contains(&tag))
}

/// The beginning of a page's text; code is of no language.
fn sample(page: &SitePage) -> String {
    let mut sample = String::new();
    for section in &page.sections {
        for block in section.body.split("\n\n").filter(|block| !block.starts_with("```")) {
            sample.push_str(block);
            sample.push(' ');
        }
        if sample.len() > SAMPLE_BYTES {
            break;
        }
    }
    sample
}

/// The language that a text is clearly written in.
fn written_in(sample: &str) -> Option<&'static str> {
    let by_script = SCRIPTS.iter().find(|(_, is_letter)| share(sample, *is_letter) >= CLEAR_SHARE);
    if let Some((tags, _)) = by_script {
        let has_kana = sample.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}'));
        return if tags[0] == "ja" && !has_kana { Some("zh") } else { Some(tags[0]) };
    }
    let words = words(sample);
    let counts = FREQUENT_WORDS.iter().map(|(tag, known)| (count(&words, known), *tag));
    let mut counts: Vec<(usize, &str)> = counts.collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let [(most, tag), (next, _), ..] = counts[..] else { return None };
    (most >= LEAST_WORDS && most * 2 >= next * 3).then_some(tag)
}

fn is_english(sample: &str, claimed: &str) -> bool {
    let of = |language: &str| FREQUENT_WORDS.iter().find(|(tag, _)| *tag == language).map(|(_, words)| *words);
    let words = words(sample);
    let english = count(&words, of("en").unwrap_or_default());
    if english < LEAST_WORDS {
        return false;
    }
    match SCRIPTS.iter().find(|(tags, _)| tags.contains(&claimed)) {
        Some((_, is_letter)) => share(sample, *is_letter) < LEAST_SHARE,
        None => of(claimed).is_some_and(|known| english > count(&words, known) * 4),
    }
}

fn words(sample: &str) -> Vec<String> {
    sample.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect()
}

fn count(words: &[String], known: &[&str]) -> usize {
    words.iter().filter(|word| known.contains(&word.as_str())).count()
}

/// How many of the letters of a text belong to a script, in hundredths.
fn share(sample: &str, is_letter: IsLetter) -> usize {
    let letters = sample.chars().filter(|c| c.is_alphabetic());
    let (own, all) = letters.fold((0, 0), |(own, all), c| (own + usize::from(is_letter(c)), all + 1));
    own * 100 / std::cmp::max(all, 1)
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
            ("", german, "de"),
            ("", japanese, "ja"),
            ("", "Nothing to tell it by.", "en"),
            ("not a tag!", english, "en"),
            ("ja", "short", "ja"),
            ("pt-BR", "Uma página com texto para que os leitores não se percam.", "pt"),
        ] {
            let section = PageSection { body: text.repeat(4), ..PageSection::default() };
            let page = SitePage { language: tag.to_owned(), sections: vec![section], ..SitePage::default() };
            assert_eq!(of_pages(&[page], "en"), [expected], "{tag}");
        }
        for (address, expected) in
            [("de-DE/tea.html", "de"), ("ja/tea.html", "ja"), ("xx/tea.html", "fr"), ("de.html", "fr")]
        {
            let page = SitePage { address: address.to_owned(), ..SitePage::default() };
            assert_eq!(of_pages(&[page], "fr"), [expected], "{address}");
        }
    }

    #[test]
    fn both_ways_to_write_a_language_have_packs_of_their_own() {
        let tags = |tags: &[&str]| {
            let page = |tag: &&str| SitePage { language: (*tag).to_owned(), ..SitePage::default() };
            of_pages(&tags.iter().map(page).collect::<Vec<_>>(), "en")
        };
        for (named, expected) in [
            (&["zh-CN", "zh-TW", "zh", "zh-Hant"][..], &["zh-CN", "zh-TW", "zh-CN", "zh-TW"][..]),
            (&["zh-CN", "zh", "zh-SG"], &["zh", "zh", "zh"]),
            (&["pt-BR", "pt-PT", "pt-BR"], &["pt-BR", "pt-PT", "pt-BR"]),
            (&["pt", "pt-PT"], &["pt", "pt-PT"]),
            (&["en-US", "en-GB"], &["en", "en"]),
            (&["../x", "de-AT"], &["en", "de"]),
        ] {
            assert_eq!(tags(named), expected, "{named:?}");
        }
        let page = |address: &str| SitePage { address: address.to_owned(), ..SitePage::default() };
        assert_eq!(of_pages(&[page("pt_BR/a.html"), page("pt-pt/a.html")], "en"), ["pt-BR", "pt-PT"]);
    }
}
