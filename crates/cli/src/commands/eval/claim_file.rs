//! Files of claims: JSON Lines with id, claim, evidence and label, or with two sentences and two claims.
//!
//! A file has two halves. Bounds are fixed on one of them, and all figures are reported of the other.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

/// One line of a claim file.
#[derive(Debug, Clone, Deserialize)]
pub struct ClaimLine {
    /// Its name in the file.
    pub id: String,
    /// The sentence that is checked.
    pub claim: String,
    /// The text that it is checked against.
    pub evidence: String,
    /// One of the labels that figures know, such as `supported`.
    pub label: String,
    /// The lines of the evidence that prove the claim; given where the evidence is a whole page.
    #[serde(default)]
    support: Option<serde_json::Value>,
}

/// All labels, from the least supported to the most.
pub(super) const LABELS: [&str; 4] = [CONTRADICTED, UNSUPPORTED, PARTLY, SUPPORTED];
pub(super) const CONTRADICTED: &str = "contradicted";
pub(super) const UNSUPPORTED: &str = "unsupported";
pub(super) const PARTLY: &str = "partially_supported";
/// The label of a claim that its evidence supports.
pub(super) const SUPPORTED: &str = "supported";

impl ClaimLine {
    /// Whether bounds are fixed on it. The claim is hashed, not the line's id, so that a claim with several passages is in one
    /// half with all of them.
    pub fn is_for_tuning(&self) -> bool {
        hash(self.claim.as_bytes()) & 1 == 0
    }

    /// Whether the evidence is a whole page.
    pub fn is_whole(&self) -> bool {
        self.support.is_some()
    }

    /// Whether the evidence supports all of the claim.
    pub fn is_supported(&self) -> bool {
        self.label == SUPPORTED
    }

    /// Refuses a line without a claim or evidence, and one whose label figures do not know.
    fn check(&self) -> anyhow::Result<()> {
        ensure!(!self.claim.trim().is_empty(), "the claim is empty");
        ensure!(!self.evidence.trim().is_empty(), "the evidence is empty");
        let known = LABELS.contains(&self.label.as_str());
        ensure!(known, "the label {:?} is none of {}", self.label, LABELS.join(", "));
        Ok(())
    }
}

/// Refuses claims of which no bound can be fixed on one half, or nothing be reported of the other. Gives a warning where the
/// reported half lacks claims of one kind.
pub(super) fn check_halves(lines: &[ClaimLine]) -> anyhow::Result<Option<String>> {
    let (tuning, reported): (Vec<&ClaimLine>, Vec<&ClaimLine>) = lines.iter().partition(|line| line.is_for_tuning());
    if let Some(what) = missing_kind(&tuning) {
        bail!(
            "the half of the claims that bounds are fixed on has no {what}; a hash of a claim's text says in which half it is"
        );
    }
    ensure!(!reported.is_empty(), "all claims are in the half that bounds are fixed on, and none is left to report");
    Ok(missing_kind(&reported)
        .map(|what| format!("the half of the claims that is reported has no {what}, so it has no AUC")))
}

/// The kind of claims that a half has none of.
fn missing_kind(half: &[&ClaimLine]) -> Option<&'static str> {
    let supported = half.iter().filter(|line| line.is_supported()).count();
    match (supported, half.len() - supported) {
        (0, 0) => Some("claim"),
        (0, _) => Some("supported claim"),
        (_, 0) => Some("claim other than supported ones"),
        _ => None,
    }
}

/// The claims of a file, with the spaces of tokenized texts removed.
///
/// # Errors
/// A file that can't be read, a line that is no claim, and a file without claims.
pub fn read_claims(file: &Path) -> anyhow::Result<Vec<ClaimLine>> {
    Ok(parse_lines(file, claims)?.concat())
}

/// Each line of a file, parsed by `parse`.
fn parse_lines<T>(file: &Path, parse: fn(&str) -> anyhow::Result<T>) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(at, line)| parse(line).with_context(|| format!("{}, line {}", file.display(), at + 1)));
    let parsed: Vec<T> = parsed.collect::<anyhow::Result<_>>()?;
    ensure!(!parsed.is_empty(), "{} holds no claim", file.display());
    Ok(parsed)
}

/// The claims of one line: one, or the four of a pair.
fn claims(written: &str) -> anyhow::Result<Vec<ClaimLine>> {
    if written.contains("\"sentences\"") {
        return Ok(pair(written)?.lines);
    }
    let line: ClaimLine = serde_json::from_str(written)?;
    let line = ClaimLine { claim: join_tokens(&line.claim), evidence: join_tokens(&line.evidence), ..line };
    line.check()?;
    Ok(vec![line])
}

/// Two sentences and two claims, as the four lines that they make.
#[derive(Debug, Clone)]
pub struct ClaimPair {
    /// Each sentence with each claim.
    pub lines: Vec<ClaimLine>,
    /// A number of the pair, by which the four lines stay together.
    pub group: u64,
}

/// The pairs of a file: each sentence with each claim, of which it supports the one at its place.
///
/// # Errors
/// As [`read_claims`].
pub fn read_pairs(file: &Path) -> anyhow::Result<Vec<ClaimPair>> {
    parse_lines(file, pair)
}

fn pair(written: &str) -> anyhow::Result<ClaimPair> {
    #[derive(Deserialize)]
    struct Written {
        sentences: [String; 2],
        claims: [String; 2],
    }
    let Written { sentences, claims } = serde_json::from_str(written)?;
    let four = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(sentence, claim)| ClaimLine {
        id: String::new(),
        claim: claims[claim].clone(),
        evidence: sentences[sentence].clone(),
        label: if sentence == claim { SUPPORTED } else { CONTRADICTED }.to_owned(),
        support: None,
    });
    four.iter().try_for_each(ClaimLine::check)?;
    Ok(ClaimPair { lines: four.to_vec(), group: hash(written.as_bytes()) })
}

/// Text that was cut into tokens, as FEVER's is, joined again.
fn join_tokens(text: &str) -> String {
    const JOINS: [(&str, &str); 16] = [
        ("-LRB- ", "("),
        (" -RRB-", ")"),
        ("-LRB-", "("),
        ("-RRB-", ")"),
        ("-LSB- ", "["),
        (" -RSB-", "]"),
        (" .", "."),
        (" ,", ","),
        (" ;", ";"),
        (" :", ":"),
        (" ?", "?"),
        (" !", "!"),
        (" 's", "'s"),
        (" n't", "n't"),
        (" -- ", "–"),
        (" %", "%"),
    ];
    JOINS.iter().fold(join_quotes(text), |text, (cut, whole)| text.replace(cut, whole))
}

/// Joins quotation marks, which tokenized texts write as two signs with spaces on both sides, to their words: the first opens,
/// the next closes.
fn join_quotes(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut open = false;
    for word in text.split(' ') {
        let is_mark = matches!(word, "``" | "''");
        let joins = whole.is_empty() || open && (is_mark || whole.ends_with('"'));
        if !joins {
            whole.push(' ');
        }
        open ^= is_mark;
        whole.push_str(if is_mark { "\"" } else { word });
    }
    whole
}

/// FNV-1a, of 64 bits: the same on every machine and in every version.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_joined_to_text() {
        let check = |text: &str, expected: &str| assert_eq!(join_tokens(text), expected);
        check("It was n't Mary 's -LRB- 1980 -- 81 -RRB- , or was it ?", "It wasn't Mary's (1980–81), or was it?");
        check("`` Tea `` is , 5 % .", "\"Tea\" is, 5%.");
        check("Nothing to join.", "Nothing to join.");
    }

    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_pair_is_four_claims() {
        let written = r#"{"sentences": ["It is red.", "It is blue."], "claims": ["Tea is red.", "Tea is blue."]}"#;
        let pair = pair(written).unwrap();
        let found: Vec<(&str, &str, bool)> =
            pair.lines.iter().map(|line| (&*line.evidence, &*line.claim, line.is_supported())).collect();
        let expected = [
            ("It is red.", "Tea is red.", true),
            ("It is red.", "Tea is blue.", false),
            ("It is blue.", "Tea is red.", false),
            ("It is blue.", "Tea is blue.", true),
        ];
        assert_eq!(found, expected);
        assert_eq!(claims(written).unwrap().len(), 4);
        let one = claims(r#"{"id": "1", "claim": "Tea .", "evidence": "Tea .", "label": "supported"}"#).unwrap();
        assert_eq!((one.len(), &*one[0].claim), (1, "Tea."));
        let error = super::pair(&written.replace(", \"It is blue.\"", "")).unwrap_err();
        assert!(error.to_string().contains("length 2"), "{error}");
    }

    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_line_that_cannot_be_judged_is_refused() {
        let check = |claim: &str, evidence: &str, label: &str, expected: &str| {
            let written = serde_json::json!({ "id": "1", "claim": claim, "evidence": evidence, "label": label });
            assert_eq!(claims(&written.to_string()).unwrap_err().to_string(), expected);
        };
        let known = "contradicted, unsupported, partially_supported, supported";
        check("Tea.", "Tea.", "SUPPORTED", &format!("the label \"SUPPORTED\" is none of {known}"));
        check("Tea.", "Tea.", "REFUTES", &format!("the label \"REFUTES\" is none of {known}"));
        check(" ", "Tea.", "supported", "the claim is empty");
        check("Tea.", "", "supported", "the evidence is empty");
        let written = r#"{"sentences": ["It is red.", ""], "claims": ["Tea is red.", "Tea is blue."]}"#;
        assert_eq!(claims(written).unwrap_err().to_string(), "the evidence is empty");
    }

    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_half_needs_claims_of_both_kinds() {
        // "a" and "c" hash to even numbers, "b" and "d" to odd ones.
        let line = |claim: &str, label: &str| {
            let written = serde_json::json!({ "id": "", "claim": claim, "evidence": "Tea.", "label": label });
            claims(&written.to_string()).unwrap().remove(0)
        };
        let check = |claims: &[(&str, &str)], expected: Result<Option<&str>, &str>| {
            let lines: Vec<ClaimLine> = claims.iter().map(|(claim, label)| line(claim, label)).collect();
            let checked = check_halves(&lines).map_err(|error| error.to_string());
            let expected = expected.map(|warning| warning.map(str::to_owned)).map_err(str::to_owned);
            assert_eq!(checked, expected, "{claims:?}");
        };
        let tuned = [("a", "supported"), ("c", "contradicted")];
        let with = |claims: &[(&'static str, &'static str)]| [&tuned[..], claims].concat();
        check(&with(&[("b", "supported"), ("d", "unsupported")]), Ok(None));
        let warned = "the half of the claims that is reported has no supported claim, so it has no AUC";
        check(&with(&[("b", "contradicted")]), Ok(Some(warned)));
        let warned = "the half of the claims that is reported has no claim other than supported ones, so it has no AUC";
        check(&with(&[("b", "supported")]), Ok(Some(warned)));
        let why = "a hash of a claim's text says in which half it is";
        let fixed = "the half of the claims that bounds are fixed on has no";
        check(&[("a", "supported")], Err(&format!("{fixed} claim other than supported ones; {why}")));
        check(&[("a", "unsupported")], Err(&format!("{fixed} supported claim; {why}")));
        check(&[("b", "supported")], Err(&format!("{fixed} claim; {why}")));
        let none = "all claims are in the half that bounds are fixed on, and none is left to report";
        check(&tuned, Err(none));
    }

    #[test]
    fn the_hash_is_fnv() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
