//! Abstentions: sentences that state only that the sources do not say something.
//!
//! An abstention makes no claim, so no page needs to support it. A claim may hide beside one: "Nero burned Rome, the
//! source does not say how". So everything beside the abstaining clause must be too short to state a fact.

use super::finite_verbs::{has_verb, words_of};
use crate::deliberate::language::is_unspaced;

/// Abstentions in the languages that models write best: names for the sources, and phrases for what they do not do.
/// English has its own, stricter rule.
const ABSTENTIONS: [(&[&str], &[&str]); 6] = [
    (
        &["quelle", "quellen"],
        &[
            "gibt nicht an",
            "geben nicht an",
            "nennt nicht",
            "nennen nicht",
            "nicht angegeben",
            "nicht genannt",
            "enthält keine",
            "enthalten keine",
            "geht nicht hervor",
        ],
    ),
    (
        &["source", "sources"],
        &[
            "ne précise pas",
            "ne précisent pas",
            "ne mentionne pas",
            "ne mentionnent pas",
            "ne spécifie pas",
            "n'indique pas",
        ],
    ),
    (
        &["fuente", "fuentes"],
        &["no especifica", "no especifican", "no menciona", "no mencionan", "no indica", "no indican"],
    ),
    (&["fonte", "fonti"], &["non specifica", "non specificano", "non menziona", "non menzionano", "non indica"]),
    (&["fonte", "fontes"], &["não especifica", "não especificam", "não menciona", "não mencionam", "não indica"]),
    (&["来源", "资料", "來源"], &["没有说明", "未说明", "没有提到", "未提及", "沒有說明", "没有指明", "未指明"]),
];

/// English names for the sources, and verbs for what they may fail to do.
const SOURCES: [&str; 9] =
    ["source", "sources", "page", "pages", "text", "passage", "passages", "document", "documents"];
const TELLING_VERBS: [&str; 15] = [
    "specify", "mention", "say", "state", "provide", "give", "contain", "include", "tell", "address", "discuss",
    "indicate", "explain", "describe", "cover",
];
const TOLD_PARTICIPLES: [&str; 9] =
    ["specified", "mentioned", "stated", "provided", "given", "addressed", "discussed", "indicated", "covered"];

/// More words than these before the name of the sources are a statement of their own.
const MOST_BEFORE: usize = 6;
/// The name of the sources stands at most this many words after the participle: "given in any of the sources".
const MOST_BETWEEN: usize = 4;
/// The same limit if the missing thing is named first: "there is no mention of the price of tea in the sources".
const MOST_BEHIND: usize = 10;
/// Words that introduce a contrasting statement, in the languages of [`ABSTENTIONS`].
const CONTRASTS: [&str; 16] = [
    "but", "though", "although", "yet", "while", "whereas", "however", "because", "aber", "doch", "sondern", "mais",
    "pero", "ma", "mas", "sino",
];
/// Words that join two statements.
const CONJUNCTIONS: [&str; 7] = [" and ", " und ", " et ", " y ", " e ", " which ", " who "];
/// Words that introduce an indirect question: "whether it rained in 1999".
const INDIRECT_QUESTION_WORDS: [&str; 26] = [
    "whether", "if", "when", "where", "how", "why", "who", "which", "what", "that", "ob", "wann", "wie", "wo", "warum",
    "wer", "dass", "si", "se", "qui", "que", "quand", "comment", "pourquoi", "cuándo", "quando",
];
/// Words that introduce an opening phrase: "For rice, the source does not say".
const OPENERS: [&str; 22] = [
    "for",
    "in",
    "on",
    "at",
    "as",
    "of",
    "with",
    "about",
    "regarding",
    "concerning",
    "according",
    "from",
    "beyond",
    "also",
    "für",
    "zu",
    "im",
    "laut",
    "pour",
    "para",
    "per",
    "sobre",
];
/// Words before a noun: "the width".
const ARTICLES: [&str; 34] = [
    "the", "a", "an", "its", "their", "his", "her", "any", "other", "der", "die", "das", "den", "dem", "ein", "eine",
    "einen", "le", "la", "les", "un", "une", "el", "los", "las", "il", "lo", "gli", "i", "o", "os", "as", "um", "uma",
];
/// The [`ARTICLES`] that are not English words.
const FOREIGN_ARTICLES: [&str; 22] = [
    "der", "das", "den", "dem", "ein", "eine", "einen", "le", "la", "les", "un", "une", "el", "los", "las", "il", "lo",
    "gli", "os", "um", "uma", "und",
];
/// The most words of an opening phrase, and of a noun phrase.
const MOST_OPENING: usize = 4;
const MOST_NOUN_PHRASE: usize = 6;
/// Chinese and Japanese question words, and words that show that they do not ask.
const QUESTION_WORDS: [&str; 10] = ["谁", "誰", "什么", "什麼", "如何", "是否", "为何", "为什么", "哪", "何时"];
const NO_QUESTION_WORDS: [&str; 3] = ["无论", "任何", "都"];
/// In those scripts, a noun phrase of more characters may state something by itself, and an opening phrase has at most
/// this many.
const MOST_UNSPACED: usize = 4;
const MOST_OPENING_UNSPACED: usize = 8;
/// A contrast word with fewer words before or after it introduces no statement: "However, the source does not say".
const LEAST_AROUND_CONTRAST: usize = 2;

/// Whether `sentence` states that the sources do not say something, and nothing else.
pub(crate) fn is_abstention(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    is_abstaining(&lower) && !has_other_statement(&lower)
}

fn is_abstaining(lower: &str) -> bool {
    is_english_abstention(lower) || is_uncertainty(lower) || is_foreign_abstention(lower)
}

/// Whether an abstaining sentence has another part that may make a claim. The parts beside the abstaining clause may be
/// an indirect question, an opening phrase or a noun phrase; anything else counts as a statement.
fn has_other_statement(lower: &str) -> bool {
    if lower.contains(['；', ';', '但']) || has_contrast(lower) {
        return true;
    }
    let split_clauses = split_clauses(lower);
    let silent = split_clauses.iter().position(|part| is_abstaining(part) || is_abstaining_unspaced(part));
    let Some(silent) = silent else { return true };
    let asks = abstains_from_question(split_clauses[silent]);
    let is_harmless = |(at, part): (usize, &&str)| match () {
        () if is_abstaining(part) || is_abstaining_unspaced(part) => starts_with_abstention(part),
        () if at < silent => is_opening(part) || is_noun_phrase(part),
        () => is_noun_phrase(part) || asks && is_indirect_question(part) || is_inability(part),
    };
    !split_clauses.iter().enumerate().all(is_harmless)
}

/// Whether the clause abstains from a question, or its object is still to come. Clauses that are not English count as
/// such.
fn abstains_from_question(part: &str) -> bool {
    let plain = expand_contractions(part);
    let words = words_of(&plain);
    let tells = words.iter().rposition(|word| TELLING_VERBS.contains(word));
    tells.is_none_or(|at| {
        at + 1 == words.len() || words[at + 1..].iter().any(|word| INDIRECT_QUESTION_WORDS.contains(word))
    })
}

/// Whether a clause is an indirect question: "whether it rained in 1999".
fn is_indirect_question(part: &str) -> bool {
    let first = words_of(part).first().copied().unwrap_or_default();
    let asks = QUESTION_WORDS.iter().any(|word| part.contains(word))
        && !NO_QUESTION_WORDS.iter().any(|word| part.contains(word));
    INDIRECT_QUESTION_WORDS.contains(&first) || asks
}

/// "So I cannot say how it is steeped".
fn is_inability(part: &str) -> bool {
    let part = part.trim_start().trim_start_matches("so ");
    ["i cannot ", "i can't ", "i can not ", "it cannot be said", "it can't be said"]
        .iter()
        .any(|helpless| part.starts_with(helpless))
}

fn is_unspaced_text(part: &str) -> bool {
    part.contains(is_unspaced)
}

/// Whether a clause in a script without spaces abstains by itself, if another clause names the sources.
fn is_abstaining_unspaced(part: &str) -> bool {
    is_unspaced_text(part) && ABSTENTIONS.iter().any(|(_, silent)| silent.iter().any(|phrase| part.contains(phrase)))
}

/// Whether a clause before the abstaining one opens the sentence: "for rice".
fn is_opening(part: &str) -> bool {
    let words = words_of(part);
    let length = part.trim().chars().count();
    let is_led =
        words.first().is_some_and(|first| OPENERS.contains(first)) && words.len() <= MOST_OPENING && !has_verb(&words);
    let names_sources = words.iter().any(|word| SOURCES.contains(word)) && starts_with_abstention(part);
    is_led
        || names_sources
        || is_unspaced_text(part) && part.trim().starts_with(['根', '在', '据']) && length <= MOST_OPENING_UNSPACED
}

/// Whether a clause is a noun phrase with no room for a statement: "the width", "type of pigments".
fn is_noun_phrase(part: &str) -> bool {
    let all = words_of(part);
    let words = match all.split_first() {
        Some((&("or" | "nor" | "oder" | "ou"), rest)) => rest,
        _ => &all[..],
    };
    let unspaced = part.chars().filter(|c| is_unspaced(*c)).count();
    match words.len() {
        _ if part.contains(|c: char| c.is_ascii_digit()) => false,
        _ if unspaced > 0 => unspaced <= MOST_UNSPACED,
        0 | 1 => true,
        // Verb forms of other languages are not known here.
        count if !is_english(words) => ARTICLES.contains(&words[0]) && count <= 3,
        count => count <= MOST_NOUN_PHRASE && !has_verb(words),
    }
}

/// Whether `words` contain no letter or article of another language.
fn is_english(words: &[&str]) -> bool {
    words.iter().all(|word| word.is_ascii()) && !words.iter().any(|word| FOREIGN_ARTICLES.contains(word))
}

/// Words that may stand before the name of the sources if it is the subject: "However, in the given text the source".
const BEFORE_SOURCES: [&str; 30] = [
    "the",
    "a",
    "any",
    "this",
    "that",
    "these",
    "those",
    "no",
    "none",
    "neither",
    "given",
    "provided",
    "available",
    "cited",
    "read",
    "above",
    "of",
    "in",
    "both",
    "two",
    "other",
    "all",
    "however",
    "so",
    "also",
    "unfortunately",
    "based",
    "on",
    "retrieved",
    "quoted",
];
/// Words before the missing thing: "there is no mention".
const BEFORE_NOTHING: [&str; 10] = ["there", "is", "are", "was", "were", "it", "has", "have", "been", "be"];

/// Whether nothing is stated in an abstaining clause before the abstention itself. "Nero burned Rome for reasons the
/// source does not say" states something, and so does "Tea cures cancer with no mention of the dose in the sources".
fn starts_with_abstention(part: &str) -> bool {
    let plain = expand_contractions(part);
    let words = words_of(&plain);
    let is_led = |before: &[&str]| {
        before.first().is_some_and(|first| OPENERS.contains(first)) && before.len() <= MOST_OPENING + 1
    };
    if is_unspaced_text(part) || is_german_abstention(part) {
        return true;
    }
    if !is_english_abstention(part) && is_foreign_abstention(part) {
        let is_source = |word: &&str| ABSTENTIONS.iter().any(|(sources, _)| sources.contains(word));
        return words.iter().position(is_source).is_none_or(|at| at <= MOST_OPENING);
    }
    if is_active(part) || !is_passive(part) {
        let Some(at) = words.iter().position(|word| SOURCES.contains(word)) else { return true };
        let is_plain = |word: &&str| BEFORE_SOURCES.contains(word) || word.bytes().all(|byte| byte.is_ascii_digit());
        return words[..at].iter().all(is_plain) || is_led(&words[..at]) && !has_verb(&words[..at]);
    }
    let at = words.iter().position(|word| matches!(*word, "not" | "no" | "unclear")).unwrap_or(0);
    let before = &words[..at];
    let length = before.iter().rposition(|word| !BEFORE_NOTHING.contains(word)).map_or(0, |last| last + 1);
    let named = &before[..length];
    let is_bare = named.len() <= MOST_NOUN_PHRASE
        && !has_verb(named)
        && !named.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
    is_bare && named.last().is_none_or(|last| *last != "with")
}

/// Marks after which a new clause begins.
const CLAUSE_MARKS: [char; 4] = [':', '：', '—', '–'];

/// The clauses between commas, colons and words such as "and". "Who" and "which" after a verb of telling introduce an
/// indirect question, so they separate nothing.
fn split_clauses(lower: &str) -> Vec<&str> {
    let clauses = lower.split(|c: char| CLAUSE_MARKS.contains(&c) || matches!(c, ',' | '，'));
    let is_asked =
        |clause: &str, at: usize| words_of(&clause[..at]).last().is_some_and(|word| TELLING_VERBS.contains(word));
    let mut split_clauses = Vec::new();
    for mut clause in clauses.filter(|clause| clause.contains(char::is_alphanumeric)) {
        let next = |clause: &str| {
            let found = CONJUNCTIONS.iter().filter_map(|join| clause.find(join).map(|at| (at, join.len())));
            found.filter(|(at, _)| !is_asked(clause, *at)).min()
        };
        while let Some((at, length)) = next(clause) {
            split_clauses.push(&clause[..at]);
            clause = &clause[at + length..];
        }
        split_clauses.push(clause);
    }
    split_clauses
}

/// Whether a contrast word introduces another statement.
fn has_contrast(lower: &str) -> bool {
    let words = words_of(lower);
    let inside = |at: usize| at >= LEAST_AROUND_CONTRAST && at + LEAST_AROUND_CONTRAST < words.len();
    words.iter().enumerate().any(|(at, word)| CONTRASTS.contains(word) && inside(at))
}

/// Whether the writer states not to know: "I am not sure about the price", but not "I don't know a healthier drink".
fn is_uncertainty(lower: &str) -> bool {
    const UNSURE: [&str; 6] =
        ["i am not sure", "i'm not sure", "i am not certain", "i do not know", "i don't know", "i am unsure"];
    const OF: [&str; 10] = ["about", "of", "whether", "what", "which", "who", "when", "where", "how", "if"];
    let rest = UNSURE.iter().find_map(|phrase| lower.trim_start().strip_prefix(phrase));
    rest.is_some_and(|rest| words_of(rest).first().is_none_or(|next| OF.contains(next)))
}

/// Whether it abstains in another language. The pronoun for what was asked is removed first: "ne le précise pas".
fn is_foreign_abstention(lower: &str) -> bool {
    const PRONOUNS: [(&str, &str); 12] = [
        ("ne le ", "ne "),
        ("ne la ", "ne "),
        ("ne les ", "ne "),
        ("ne l'", "ne "),
        ("no lo ", "no "),
        ("no la ", "no "),
        ("non lo ", "non "),
        ("non la ", "non "),
        ("não o ", "não "),
        ("não a ", "não "),
        (" es nicht", " nicht"),
        (" das nicht", " nicht"),
    ];
    let plain = PRONOUNS.iter().fold(lower.to_owned(), |text, (from, to)| text.replace(from, to));
    let is_said = |(sources, silent): &(&[&str], &[&str])| {
        sources.iter().any(|source| plain.contains(source)) && silent.iter().any(|phrase| plain.contains(phrase))
    };
    ABSTENTIONS.iter().any(is_said) || is_german_abstention(lower)
}

/// "Die Quelle gibt den Preis nicht an", "in den Quellen steht kein Preis", "dazu gibt es in den Quellen keine Angaben".
fn is_german_abstention(lower: &str) -> bool {
    const TELLING_VERBS: [&str; 14] = [
        "gibt",
        "geben",
        "nennt",
        "nennen",
        "sagt",
        "sagen",
        "erwähnt",
        "erwähnen",
        "enthält",
        "enthalten",
        "macht",
        "machen",
        "steht",
        "stehen",
    ];
    const NOT: [&str; 6] = ["nicht", "kein", "keine", "keinen", "keinerlei", "nichts"];
    const CONTRASTS: [&str; 6] = ["als", "wenn", "weil", "außer", "indem", "denn"];
    let words = words_of(lower);
    let is_source = |word: &&str| matches!(*word, "quelle" | "quellen");
    let tells = |at: usize| words.get(at).is_some_and(|word| TELLING_VERBS.contains(word));
    let source = words.iter().take(3).position(is_source);
    let is_subject = source.is_some_and(|at| tells(at + 1))
        && matches!(words.first(), Some(&"die" | &"der" | &"in" | &"den" | &"quelle" | &"quellen"));
    let is_fronted = matches!(words.first(), Some(&"leider" | &"dazu" | &"hierzu" | &"darüber"))
        && tells(1)
        && words.iter().any(is_source);
    (is_subject || is_fronted)
        && words.iter().any(|word| NOT.contains(word))
        && !words.iter().any(|word| CONTRASTS.contains(word))
}

/// "The source does not say", "no page mentions", "there is no mention in the sources".
fn is_english_abstention(lower: &str) -> bool {
    is_active(lower) || is_passive(lower)
}

fn expand_contractions(lower: &str) -> String {
    lower.replace("n't", " not")
}

/// Whether the sources are the subject that does not say it.
fn is_active(lower: &str) -> bool {
    let plain = expand_contractions(lower);
    let words = words_of(&plain);
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_not = |at: usize| {
        let before = &words[..at];
        let subject =
            before.iter().rposition(|word| !matches!(*word, "do" | "does" | "did" | "is" | "are") && !is_number(word));
        let is_source = |at: usize| SOURCES.contains(&before[at]) && at <= MOST_BEFORE;
        subject.is_some_and(is_source)
    };
    let tells =
        |at: usize| words.get(at).is_some_and(|word| TELLING_VERBS.contains(&word.strip_suffix('s').unwrap_or(word)));
    // "No source says", "none of the pages mentions".
    let is_none = |at: usize| {
        let source = (at + 1..words.len().min(at + 4)).find(|&at| SOURCES.contains(&words[at]));
        source.is_some_and(|source| (source + 1..words.len().min(source + 3)).any(tells))
    };
    words.iter().enumerate().any(|(at, word)| match *word {
        "not" => at > 0 && is_not(at) && tells(at + 1),
        "silent" => at > 0 && is_not(at),
        "no" | "none" | "neither" => at <= 1 && is_none(at),
        _ => false,
    })
}

/// Whether it is not said, in the passive.
fn is_passive(lower: &str) -> bool {
    let plain = expand_contractions(lower);
    let words = words_of(&plain);
    let behind = |at: usize, most: usize| words.iter().skip(at).take(most).any(|word| SOURCES.contains(word));
    words.iter().enumerate().any(|(at, word)| {
        let next = |step: usize| words.get(at + step).copied().unwrap_or_default();
        match *word {
            "not" if at > 0 => {
                let is_participle = TOLD_PARTICIPLES.contains(&next(1)) && behind(at + 2, MOST_BETWEEN);
                // "The heading is not in the text" may speak of some other text.
                let absent = matches!(next(1), "in" | "found" | "clear");
                let absent =
                    absent && words.last().is_some_and(|last| matches!(*last, "source" | "sources" | "passages"));
                is_participle || absent
            }
            "no" => matches!(next(1), "mention" | "information" | "indication" | "word") && behind(at + 2, MOST_BEHIND),
            "unclear" => behind(at + 1, MOST_BETWEEN),
            _ => false,
        }
    })
}
