//! `complete`: removes off-topic sentences from a checked text, and quotes what it lacks.
//!
//! A sentence is off-topic if it shares no content word with the question, its page's name shares none either, and no
//! sentence of that page was quoted. A sentence with no word of its own only repeats the question. A part of the
//! question without a supported sentence gets the sentences that were quoted for it, provided that the model answers
//! another part; a part that no page answers is named. Quoted sentences of the other parts that the text leaves out are
//! appended ([`missing_quotes`](super::missing_quotes)).

use std::collections::BTreeSet;
use std::ops::Range;

use seealso_index::Analysis;

use crate::answer::text::{begins_item, fenced, marker};
use crate::answer::{Answer, CitedSentence, Form};
use crate::deliberate::claims::Claim;
use crate::deliberate::claims::strip_markdown::blocks;
use crate::deliberate::evidence::Passage;
use crate::deliberate::language::language;
use crate::deliberate::missing_quotes::missing_quotes;
use crate::deliberate::verdict::{Judgement, Verdict};
use crate::deliberate::verify::VerifiedText;
use crate::retrieve::assemble::Manifest;
use crate::trace::{Describe, Detail, counted, detail};

/// The text that may be shown to the reader.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Completion {
    /// The text, with a verdict for each sentence.
    pub(crate) verified: VerifiedText,
    /// The numbers of the parts of the question that only quoted sentences answer.
    pub(crate) quoted: Vec<usize>,
    /// Sentences that were removed because they add nothing to the question.
    pub(crate) off_topic: Vec<String>,
    /// How many of the sentences, at the end, are quotations.
    pub(crate) quotations: usize,
}

/// Completes `verified` for the question of `answer`.
pub(crate) fn complete(answer: &Answer, manifest: &Manifest, verified: VerifiedText) -> Completion {
    let mut off_topic = Vec::new();
    let mut verified = without_off_topic(answer, manifest, verified, &mut off_topic);
    let is_served = |number: usize, verified: &VerifiedText| serves(answer, &verified.supported(), number);
    let answered: Vec<usize> = (0..answer.sub_queries.len()).filter(|&at| answer.sub_queries[at].answered).collect();
    let lacking: Vec<usize> = answered.iter().copied().filter(|&number| !is_served(number, &verified)).collect();
    let (mut quoted, mut quotations) = (Vec::new(), 0);
    if !verified.supported().is_empty() && lacking.len() < answered.len() {
        let missing = missing_quotes(answer, manifest, &verified, &lacking);
        for &number in &answered {
            let of_part: Vec<&CitedSentence> = missing.iter().copied().filter(|one| one.sub_query == number).collect();
            let before = verified.sentences.len();
            quote(&of_part, &mut verified);
            quotations += verified.sentences.len() - before;
        }
        quoted = lacking;
        for part in answer.sub_queries.iter().filter(|part| !part.answered) {
            verified.text += &format!("\n\n{}: {}.", unanswered_notice(&answer.question), part.text);
        }
    }
    Completion { verified, quoted, off_topic, quotations }
}

/// The notice for a part that no page answers, in the language of `question` if that is known.
fn unanswered_notice(question: &str) -> &'static str {
    match language(question) {
        Some("de") => "Die gelesenen Seiten beantworten diesen Teil nicht",
        Some("fr") => "Les pages lues ne répondent pas à cette partie",
        Some("es") => "Las páginas leídas no responden a esta parte",
        Some("it") => "Le pagine lette non rispondono a questa parte",
        Some("pt") => "As páginas lidas não respondem a esta parte",
        Some("nl") => "De gelezen pagina's beantwoorden dit deel niet",
        Some("zh") => "所读页面没有回答这一部分",
        Some("ja") => "読んだページはこの部分に答えていません",
        _ => "The pages that were read do not answer this part",
    }
}

/// Whether a supported sentence rests on a page that sub-query `number` brought or is quoted for.
pub(crate) fn serves(answer: &Answer, supported: &[&Judgement], number: usize) -> bool {
    let brought = &answer.sub_queries[number].pages;
    let quoted =
        |source: usize| answer.sentences.iter().any(|quote| quote.sub_query == number && quote.source == source);
    let of = |source: usize| answer.sources.get(source - 1).is_some_and(|page| brought.contains(&page.page));
    let source = |judgement: &&Judgement| judgement.passage.as_ref().map(|passage| passage.source);
    supported.iter().filter_map(source).any(|source| of(source) || quoted(source))
}

/// Removes the sentences that are off-topic or repeat the question, and announcements with nothing after them.
fn without_off_topic(
    answer: &Answer,
    manifest: &Manifest,
    verified: VerifiedText,
    off_topic: &mut Vec<String>,
) -> VerifiedText {
    let analysis = manifest.pages.first().map_or(Analysis::English, |page| page.analysis);
    let question_content = content_terms(analysis, &answer.question);
    let question_terms = terms(analysis, &answer.question);
    let is_open = is_open_question(&answer.question);
    let is_off_topic = |judgement: &Judgement| {
        let source = judgement.passage.as_ref().map(|passage| passage.source);
        let quoted = source.is_some_and(|source| answer.sentences.iter().any(|quote| quote.source == source));
        let page = source.and_then(|source| manifest.pages.get(source - 1)).map(|page| &page.page);
        let named = page.is_some_and(|page| {
            let names = std::iter::once(&page.title).chain(&page.aliases);
            names.into_iter().any(|name| !content_terms(analysis, name).is_disjoint(&question_content))
        });
        let own_terms = content_terms(analysis, &judgement.claim.text);
        // "Two kinds", "yes" and "in October" answer a question although they have few content words.
        let repeats_question = is_open && terms(analysis, &judgement.claim.text).is_subset(&question_terms);
        repeats_question || !quoted && !named && own_terms.is_disjoint(&question_content)
    };
    let (mut kept, mut from) = (String::with_capacity(verified.text.len()), 0);
    let mut sentences = Vec::new();
    for mut judgement in verified.sentences {
        let range = judgement.claim.range.clone();
        kept += &verified.text[from..range.start];
        from = range.end;
        if !question_content.is_empty() && is_off_topic(&judgement) {
            off_topic.push(judgement.claim.text);
            continue;
        }
        let start = kept.len();
        kept += &verified.text[range];
        judgement.claim.range = start..kept.len();
        sentences.push(judgement);
    }
    kept += &verified.text[from..];
    without_announcements(VerifiedText { text: kept, sentences, ..verified })
}

/// Question words, which ask for something that the question does not contain.
const QUESTION_WORDS: [&str; 58] = [
    "how", "what", "when", "where", "which", "who", "whom", "whose", "why", "wie", "was", "wann", "wo", "wer", "wen",
    "wem", "warum", "weshalb", "wieso", "welche", "welcher", "welches", "welchen", "wohin", "woher", "comment", "quel",
    "quelle", "quels", "quelles", "quand", "où", "qui", "pourquoi", "combien", "cómo", "qué", "cuándo", "dónde",
    "quién", "cuál", "cuáles", "cuánto", "cuántos", "cuánta", "cuántas", "come", "quando", "dove", "chi", "perché",
    "quale", "quali", "como", "qual", "quais", "onde", "quem",
];
/// Question words of Chinese and Japanese.
const UNSPACED_QUESTION_WORDS: [&str; 15] =
    ["什么", "什麼", "如何", "怎么", "怎麼", "哪", "谁", "誰", "为什么", "多少", "何", "どう", "いつ", "どこ", "なぜ"];
/// Words before an alternative. An answer that chooses between named alternatives adds no words.
const CHOICES: [&str; 4] = ["or", "oder", "ou", "oppure"];

/// Words that begin a part of a question that is answered by yes or no.
const YES_NO_OPENERS: [&str; 17] = [
    "do", "does", "did", "is", "are", "was", "were", "can", "could", "has", "have", "had", "should", "will", "would",
    "may", "must",
];

/// Whether every part of the question asks for something that it does not contain. "Does tea contain caffeine?" is
/// answered by its own words.
fn is_open_question(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let asks = words.iter().any(|word| QUESTION_WORDS.contains(word))
        || UNSPACED_QUESTION_WORDS.iter().any(|word| lower.contains(word));
    let asks = asks && !words.first().is_some_and(|first| YES_NO_OPENERS.contains(first));
    let chooses = words.iter().any(|word| CHOICES.contains(word));
    let goes_on = words.windows(2).any(|pair| pair[0] == "and" && YES_NO_OPENERS.contains(&pair[1]));
    asks && !chooses && !goes_on
}

/// The content words of a text.
fn content_terms(analysis: Analysis, text: &str) -> BTreeSet<String> {
    analysis.tokens(text).into_iter().filter(|token| !token.weak).map(|token| token.term).collect()
}

/// All words of a text.
fn terms(analysis: Analysis, text: &str) -> BTreeSet<String> {
    analysis.tokens(text).into_iter().map(|token| token.term).collect()
}

/// Removes lines that announce something which is no longer there, and markers of items whose text was removed.
fn without_announcements(verified: VerifiedText) -> VerifiedText {
    let VerifiedText { text, mut sentences, removed, failed } = verified;
    let lines: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line))
        })
        .collect();
    let code = blocks(&text);
    let is_code = |start: usize| code.iter().any(|block| block.range.contains(&start));
    let says = |&(start, line): &(usize, &str)| {
        sentences
            .iter()
            .any(|one: &Judgement| one.claim.range.start < start + line.len() && start < one.claim.range.end)
    };
    let mut kept = String::with_capacity(text.len());
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let bare = line.1.trim();
        let next = lines[at + 1..].iter().find(|(_, next)| !next.trim().is_empty());
        let announces = bare.ends_with(':') && !next.is_some_and(|next| says(next) || is_code(next.0));
        let empty = !bare.is_empty() && !bare.contains(char::is_alphabetic) && !bare.starts_with('|');
        if is_code(line.0) || says(line) || !(announces || empty) {
            moved.push((line.0, kept.len()));
            kept += line.1;
        }
    }
    let place = |at: usize| {
        let from = moved.iter().rev().find(|(start, _)| *start <= at).copied().unwrap_or((0, 0));
        at - from.0 + from.1
    };
    let end = kept.trim_end().len();
    for sentence in &mut sentences {
        let range = &sentence.claim.range;
        let length = range.len();
        let start = place(range.start);
        sentence.claim.range = start..(start + length).min(end);
    }
    kept.truncate(end);
    VerifiedText { text: kept, sentences, removed, failed }
}

/// Appends quoted sentences as a paragraph: items and rows as a list, code as a block. Passages with items, rows or
/// code are separated from the others.
fn quote(quotes: &[&CitedSentence], verified: &mut VerifiedText) {
    verified.text.truncate(verified.text.trim_end().len());
    let mut before = None;
    for passage in quotes.chunk_by(|a, b| a.passage == b.passage) {
        let is_prose = passage.iter().all(|quote| quote.form == Form::Prose);
        before = before.filter(|before| is_prose && *before == Form::Prose);
        for quote in passage {
            verified.text += separator(before, quote);
            if begins_item(quote) && passage.len() > 1 {
                verified.text += &marker(quote);
            }
            before = Some(quote.form);
            let start = verified.text.len();
            if quote.form == Form::Code {
                // Code is not checked word by word: it is quoted as it is.
                verified.text += &fenced(&quote.text);
                if passage.len() == 1 {
                    verified.text += &format!("\n\n[{}]", quote.source);
                }
                continue;
            }
            verified.text += &with_citation(quote);
            verified.sentences.push(judgement(quote, start..verified.text.len()));
        }
    }
}

/// The separator between a quotation of the form `before` and `quote`.
fn separator(before: Option<Form>, quote: &CitedSentence) -> &'static str {
    match (before, quote.form) {
        (None | Some(Form::Code), _) | (_, Form::Code) => "\n\n",
        _ if begins_item(quote) => "\n",
        (Some(Form::Item | Form::Row), Form::Prose) => "\n\n",
        _ => " ",
    }
}

/// A verbatim quotation needs no check.
fn judgement(quote: &CitedSentence, range: Range<usize>) -> Judgement {
    let passage = Passage {
        source: quote.source,
        section: quote.section.clone(),
        anchor: quote.anchor.clone(),
        text: quote.text.clone(),
    };
    let claim = Claim { text: quote.text.clone(), citations: vec![quote.source], range };
    Judgement { claim, verdict: Verdict::Supported, passage: Some(passage), checks: Vec::new(), log_odds: None }
}

fn with_citation(quote: &CitedSentence) -> String {
    let body = quote.text.trim_end_matches(['.', '!', '。', '！']);
    format!("{body} [{}]{}", quote.source, &quote.text[body.len()..])
}

impl Describe for Completion {
    fn note(&self) -> String {
        match self.quotations {
            0 => counted(self.verified.sentences.len(), "sentence"),
            count => format!("{}, {count} quoted", counted(self.verified.sentences.len(), "sentence")),
        }
    }

    fn detail(&self) -> Detail {
        let quoted: Vec<Detail> = self.quoted.iter().map(|&part| detail!({ "part": part })).collect();
        let off_topic: Vec<Detail> = self.off_topic.iter().map(|text| detail!({ "text": text.as_str() })).collect();
        detail!({ "text": self.verified.text, "quoted": quoted, "beside": off_topic })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deliberate::claims::claims;

    #[test]
    fn what_announces_nothing_goes() {
        let check = |text: &str, expected: &str| {
            let sentences = claims(text).into_iter().map(|claim| Judgement {
                claim,
                verdict: Verdict::Supported,
                passage: None,
                checks: Vec::new(),
                log_odds: None,
            });
            let verified = VerifiedText {
                text: text.to_owned(),
                sentences: sentences.collect(),
                removed: Vec::new(),
                failed: None,
            };
            let done = without_announcements(verified);
            assert_eq!(done.text, expected);
            for sentence in done.sentences {
                let place = &done.text[sentence.claim.range.clone()];
                assert!(place.contains(&sentence.claim.text), "{place:?}");
            }
        };
        check("The answer is:\n\nTea is very hot.", "The answer is:\n\nTea is very hot.");
        check("Tea is very hot.\n\nThe answer is:\n", "Tea is very hot.");
        check("The original sentence was:\n\n2.\n\nTea is very hot.", "\n\nTea is very hot.");
        check("The source does not specify it.", "The source does not specify it.");
    }

    #[test]
    fn a_question_that_asks_whether_is_answered_by_its_own_words() {
        let check = |question: &str, open: bool| assert_eq!(is_open_question(question), open, "{question}");
        check("How is green tea steeped?", true);
        check("Wie lange zieht grüner Tee?", true);
        check("Does green tea contain caffeine?", false);
        check("How is tea steeped, and does it contain caffeine?", false);
        check("Which is hotter, tea or coffee?", false);
        check("Was ist heißer, Tee oder Kaffee?", false);
        check("green tea", false);
        check("In which heat is tea steeped?", true);
        check("绿茶怎么冲泡？", true);
    }

    #[test]
    fn what_is_unanswered_is_said_in_the_language_of_the_question() {
        assert_eq!(
            unanswered_notice("Wie wird der grüne Tee aufgegossen?"),
            "Die gelesenen Seiten beantworten diesen Teil nicht"
        );
        assert_eq!(unanswered_notice("绿茶怎么冲泡？"), "所读页面没有回答这一部分");
        assert_eq!(unanswered_notice("green tea"), "The pages that were read do not answer this part");
    }

    #[test]
    fn a_short_answer_is_more_than_the_question() {
        let repeats_question = |question: &str, sentence: &str| {
            let (question_content, own_terms) =
                (terms(Analysis::English, question), terms(Analysis::English, sentence));
            own_terms.is_subset(&question_content)
        };
        assert!(repeats_question("How is green tea steeped?", "Green tea is steeped."));
        assert!(!repeats_question("Does green tea contain caffeine?", "Yes, green tea contains caffeine."));
        assert!(!repeats_question("How many kinds of tea are there?", "There are two kinds of tea."));
        assert!(!repeats_question("When is the tea festival?", "The tea festival is in October."));
    }
}
