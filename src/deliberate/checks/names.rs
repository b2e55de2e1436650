//! Names: a name is known if a page, its title or one of its aliases contains it, partly, by its initials or in another
//! inflection.

use std::ops::Range;

use super::apposition::apposition;
use super::dates::dates;
use super::proper_names::{Name, TITLES, names, opening};
use super::words::{Word, is_acronym, is_capital, is_initial, words};
use super::{ALTERNATIVE, CheckContext, CheckKind, CheckOutcome, CheckResult, Finding, STRONG, acronyms, countries};
use crate::deliberate::language::language;

/// A name is not supported if a smaller share of its words is known, and neither the first nor the last is.
const KNOWN_SHARE: f64 = 1.0 / 3.0;
pub(super) fn check(context: &CheckContext<'_>) -> Vec<Finding> {
    let in_dates: Vec<_> = dates(context.claim).into_iter().map(|date| date.range).collect();
    let is_date = |name: &Name| in_dates.iter().any(|date| date.contains(&name.range.start));
    // German capitalises every noun.
    let german = language(context.claim) == Some("de");
    let certain = |name: &Name| !german || name.words.iter().any(|word| is_acronym(word));
    let checked = names(context.claim).into_iter().filter(|name| !is_date(name) && certain(name));
    let found = checked.filter_map(|name| Some((check_name(context, &name)?, name)));
    let apposition = apposition(context.claim).filter(|_| context.alignment.evidence.is_excerpt());
    let counts = |finding: &Finding, name: &Name| {
        let Some(apposition) = apposition.as_ref().filter(|apposition| apposition.range.contains(&name.range.start))
        else {
            return true;
        };
        // "King of Bohemia" and "King of Hungary" are two names, and so are "(TCP)" and "(UDP)".
        let is_like = name.words.iter().any(|word| finding.result.found.contains(word.as_str()));
        is_like || !apposition.is_place && finding.result.outcome == CheckOutcome::Contradicted
    };
    found.filter(|(finding, name)| counts(finding, name)).map(|(finding, _)| finding).collect()
}

fn check_name(context: &CheckContext<'_>, name: &Name) -> Option<Finding> {
    let evidence = context.alignment.evidence;
    let claimed = context.claim[name.range.clone()].to_owned();
    let finding = |found: String, outcome, passage| {
        Some(Finding {
            result: CheckResult { kind: CheckKind::Name, claimed: claimed.clone(), found, outcome },
            passage,
        })
    };
    let known: Vec<&String> = name.words.iter().filter(|word| evidence.has_same_stem(word)).collect();
    // "F-35" identifies the thing by itself.
    let has_digits = |word: &&String| word.chars().any(|c| c.is_ascii_digit());
    let ends = [name.words.first(), name.words.last()].into_iter().flatten();
    let by_its_end = ends.chain(name.words.iter().filter(has_digits)).any(|word| known.contains(&word));
    let is_all_known = known.len() == name.words.len();
    if let Some(found) = countries::other_name(context, &claimed).filter(|_| !is_all_known) {
        return finding(found, CheckOutcome::Supported, None);
    }
    let is_named = is_all_known || known.iter().any(|word| !is_kind(word) || is_part_of_name(context, word));
    if by_its_end && is_named && known.len() as f64 >= KNOWN_SHARE * name.words.len() as f64 {
        return match conflicting_namesake(context, name, &known) {
            Some((found, at)) => finding(found, CheckOutcome::Contradicted, Some(at)),
            None => finding(joined(&known), CheckOutcome::Supported, None),
        };
    }
    if let Some(found) = acronyms::by_initials(context, &name.words) {
        return finding(found, CheckOutcome::Supported, None);
    }
    if countries::is_region(&claimed) {
        let other = other_continent(context, name).filter(|_| countries::is_continent(&claimed));
        return other.and_then(|(found, at)| finding(found, CheckOutcome::Contradicted, Some(at)));
    }
    if let Some((found, at)) = alternative_name(context, name, STRONG) {
        return finding(found, CheckOutcome::Contradicted, Some(at));
    }
    match alternative_name(context, name, ALTERNATIVE) {
        Some((found, at)) => finding(found, CheckOutcome::NotFound, Some(at)),
        // An incomplete page may call its subject "it" or "the company".
        None if name.opens && !evidence.is_whole() => None,
        None => finding(String::new(), CheckOutcome::NotFound, None),
    }
}

/// Words in names that denote the kind of thing.
const KINDS: [&str; 40] = [
    "academy",
    "agency",
    "album",
    "army",
    "association",
    "award",
    "awards",
    "band",
    "bank",
    "book",
    "center",
    "centre",
    "church",
    "club",
    "college",
    "committee",
    "company",
    "corporation",
    "department",
    "entertainment",
    "festival",
    "film",
    "group",
    "institute",
    "island",
    "lake",
    "league",
    "museum",
    "park",
    "party",
    "pictures",
    "records",
    "river",
    "school",
    "series",
    "society",
    "studios",
    "team",
    "university",
    "war",
];

fn is_kind(word: &str) -> bool {
    KINDS.contains(&word.to_lowercase().as_str())
}

/// Whether a text contains the word capitalised, and not because it opens a sentence: "company" does not support
/// "Entertainment Company".
fn is_part_of_name(context: &CheckContext<'_>, word: &str) -> bool {
    let own: Vec<String> = words(word).into_iter().map(|own| own.stem).collect();
    let is_it = |text: &str, other: &Word| {
        is_capital(&text[other.range.clone()]) && !other.after_break && own.contains(&other.stem)
    };
    context.texts().any(|text| words(text).iter().skip(1).any(|other| is_it(text, other)))
}

fn joined(words: &[&String]) -> String {
    words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ")
}

/// A name that shares a word with the claim's and differs in a word of the claim's that no page knows. A name that the
/// claim contains too ("a sister of Miley Cyrus") has its own place.
fn conflicting_namesake(context: &CheckContext<'_>, name: &Name, known: &[&String]) -> Option<(String, usize)> {
    let is_short = |word: &String| is_initial(word) || TITLES.contains(&word.to_lowercase().as_str());
    let unknown: Vec<&String> = name.words.iter().filter(|word| !known.contains(word) && !is_short(word)).collect();
    if unknown.is_empty() {
        return None;
    }
    let claimed = names(context.claim);
    let words_of_claim = words(context.claim);
    let said = |word: &String| words_of_claim.iter().any(|own| own.lower == word.to_lowercase());
    // `Mike` may be `Michael`, and `ASSR` the name that it abbreviates.
    let alike = |others: &[&String]| {
        let first = |word: &String| word.chars().next();
        others.iter().zip(&unknown).all(|(other, own)| first(other) == first(own))
    };
    let is_other = |other: &Name| {
        let others: Vec<&String> =
            other.words.iter().filter(|word| !name.words.contains(word) && !is_short(word)).collect();
        let at_an_end = other.words.first() == name.words.first() || other.words.last() == name.words.last();
        let shares = at_an_end && other.words.len() == name.words.len();
        let is_said = claimed.iter().any(|own| own.words == other.words);
        shares && !is_said && !others.is_empty() && !alike(&others)
    };
    if unknown.iter().any(|word| is_acronym(word)) {
        return None;
    }
    let called = &context.claim[name.range.clone()];
    let is_plain = !called.contains(" of ") && !called.contains(['\'', '’']);
    // The shared word shows that the passage is relevant.
    context.passages_covering(&name.range, 0.0).find_map(|(at, aligned)| {
        let text = aligned.passage.text.as_str();
        let found = names(text);
        // "Beethoven" alone, or "she", is the person that the claim names in full; anyone who shares the name is
        // someone else.
        let is_surname = |other: &Name| is_plain && other.words.iter().eq(name.words.last());
        if name.opens && (begins_unnamed(text, said) || found.iter().any(is_surname)) {
            return None;
        }
        let other = found.into_iter().find(is_other)?;
        Some((text[other.range].to_owned(), at))
    })
}

/// A name that may stand in the place of the claim's. It does not occur in the claim, and its passage covers `least` of
/// the rest; if the claim begins with its name, the passage names its subject too.
fn alternative_name(context: &CheckContext<'_>, name: &Name, least: f64) -> Option<(String, usize)> {
    let claim = words(context.claim);
    let said = |word: &String| claim.iter().any(|own| own.lower == word.to_lowercase());
    let is_only_one_unknown = !name.opens && context.alignment.evidence.is_excerpt() && is_led_by_known(context, name);
    context.passages_covering(&name.range, least).find_map(|(at, aligned)| {
        let text = aligned.passage.text.as_str();
        if name.opens && is_unnamed(text) || is_only_one_unknown && begins_unnamed(text, said) {
            return None;
        }
        let mut others = names(text);
        others.extend(opening(text).filter(|_| name.opens));
        let open = name.opens || !is_of_subject(context.claim, name) && have_one_subject(context.claim, text);
        let placed = |other: &Name| open || are_placed_alike(context.claim, &name.range, text, &other.range);
        let fits = |other: &Name| other.opens == name.opens && !other.words.iter().any(said) && placed(other);
        let other = others.into_iter().find(fits)?;
        Some((text[other.range].to_owned(), at))
    })
}

/// Another continent in the place of the claim's.
fn other_continent(context: &CheckContext<'_>, name: &Name) -> Option<(String, usize)> {
    context.passages_covering(&name.range, STRONG).find_map(|(at, aligned)| {
        let text = aligned.passage.text.as_str();
        let placed = |other: &Name| are_placed_alike(context.claim, &name.range, text, &other.range);
        let is_other = |other: &Name| countries::is_continent(&text[other.range.clone()]) && placed(other);
        let other = names(text).into_iter().find(is_other)?;
        Some((text[other.range].to_owned(), at))
    })
}

/// Whether the pages know each word before the name, and none of them is a pronoun. Then a passage's "she" may be this
/// name.
fn is_led_by_known(context: &CheckContext<'_>, name: &Name) -> bool {
    let before = words(&context.claim[..name.range.start]);
    let is_known = |word: &Word| word.stop || context.alignment.evidence.has_same_stem(&word.lower);
    before.iter().all(|word| is_known(word) && !PRONOUNS.contains(&word.lower.as_str()))
}

/// Whether the name modifies the claim's first word: "The filming of Casablanca".
fn is_of_subject(claim: &str, name: &Name) -> bool {
    let before = words(&claim[..name.range.start]);
    before.iter().filter(|word| !word.stop).count() == 1 && before.last().is_some_and(|word| word.lower == "of")
}

/// Whether both begin with the same word, so that the passage has the claim's subject.
fn have_one_subject(claim: &str, text: &str) -> bool {
    let subject = |text: &str| words(text).into_iter().find(|word| !word.stop).map(|word| word.stem);
    subject(claim).is_some_and(|own| Some(own) == subject(text))
}

/// Prepositions that are interchangeable before a name: "born in Naples", "from Naples".
const ALIKE: [&[&str]; 2] = [&["in", "at", "from", "near", "to", "into", "on", "outside"], &["by", "with"]];

/// Whether the words before or after two ranges are the same or interchangeable.
fn are_placed_alike(claim: &str, own: &Range<usize>, text: &str, other: &Range<usize>) -> bool {
    let article = |word: &Word| matches!(word.lower.as_str(), "a" | "an" | "the");
    let before =
        |text: &str, range: &Range<usize>| words(&text[..range.start]).into_iter().rfind(|word| !article(word));
    let behind = |text: &str, range: &Range<usize>| words(&text[range.end..]).into_iter().next();
    let alike = |a: &Word, b: &Word| {
        let among = |small: &&&[&str]| small.contains(&a.lower.as_str()) && small.contains(&b.lower.as_str());
        a.stem == b.stem || ALIKE.iter().any(|small| among(&small))
    };
    let both = |a: Option<Word>, b: Option<Word>| a.zip(b).is_some_and(|(a, b)| alike(&a, &b));
    both(before(claim, own), before(text, other)) || both(behind(claim, own), behind(text, other))
}

const PRONOUNS: [&str; 9] = ["it", "he", "she", "they", "his", "her", "its", "their", "this"];

/// Whether the sentence has a pronoun before any name, or begins with "the film" although no film was `said`.
fn begins_unnamed(text: &str, said: impl Fn(&String) -> bool) -> bool {
    let first = names(text).into_iter().chain(opening(text)).map(|name| name.range.start).min();
    let named = first.unwrap_or(text.len());
    let before = words(&text[..named]);
    let pronoun = before.iter().any(|word| PRONOUNS.contains(&word.lower.as_str()));
    pronoun || before.len() > 1 && before[0].lower == "the" && !said(&before[1].lower)
}

/// Whether the sentence does not name its subject: "It was founded", "in 1990 she left".
fn is_unnamed(text: &str) -> bool {
    let all = words(text);
    let named = names(text).first().is_some_and(|name| name.opens) || opening(text).is_some();
    let article = all.first().is_some_and(|word| word.lower == "the");
    !named && (article || all.iter().any(|word| PRONOUNS.contains(&word.lower.as_str())))
}
