//! The score of an entry: its relevance, blended with what the entry says of itself.
//!
//! | part | weight | value from 0 to 1 |
//! |---|---|---|
//! | relevance | 0.60 | the cosine of the entry and the question |
//! | type | 0.15 | how far the entry carries over to other situations |
//! | confidence | 0.15 | how sure its holder is |
//! | freshness | 0.10 | half as much after each half-life; 1 for what does not age |
//!
//! The types' values make a framework outrank a reaction that is more similar by less than 0.15, with all else equal:
//! (1.0 − 0.4) · 0.15 / 0.60.

use seealso_pack::{Confidence, Date, EntryType, KnowledgeEntry, Stability};

/// The weights of the parts; they sum to 1.
struct Weights {
    relevance: f64,
    entry_type: f64,
    confidence: f64,
    freshness: f64,
}

const WEIGHTS: Weights = Weights { relevance: 0.60, entry_type: 0.15, confidence: 0.15, freshness: 0.10 };

/// The days after which an entry of stable knowledge is half as fresh: two years, about as long as a major version is kept up.
const STABLE_HALF_LIFE: f64 = 730.0;
/// The same of what is still evolving: half a year.
const EVOLVING_HALF_LIFE: f64 = 182.5;
/// The freshness of an entry that ages and has no date: that of one half-life.
const UNDATED: f64 = 0.5;

/// How far an entry of a type carries over: a way of deciding everywhere, a rule and a value nearly so, a decision to cases like
/// it, a reaction to little else than what it was to.
fn type_value(entry_type: EntryType) -> f64 {
    match entry_type {
        EntryType::Framework => 1.0,
        EntryType::Standard => 0.9,
        EntryType::Philosophy => 0.8,
        EntryType::Decision => 0.7,
        EntryType::Reaction => 0.4,
    }
}

fn confidence_value(confidence: Confidence) -> f64 {
    match confidence {
        Confidence::High => 1.0,
        Confidence::Medium => 0.6,
        Confidence::Low => 0.2,
    }
}

/// The freshness of an entry on the day `today`. A date that is still to come is today's.
fn freshness(stability: Stability, updated: Option<Date>, today: Date) -> f64 {
    let half_life = match stability {
        Stability::Evergreen => return 1.0,
        Stability::Stable => STABLE_HALF_LIFE,
        Stability::Evolving => EVOLVING_HALF_LIFE,
    };
    updated.map_or(UNDATED, |updated| 0.5f64.powf(today.days_since(updated).max(0) as f64 / half_life))
}

/// The score of an entry of that relevance on the day `today`, from 0 to 1.
pub(super) fn score(entry: &KnowledgeEntry, relevance: f64, today: Date) -> f64 {
    round(
        WEIGHTS.relevance * relevance
            + WEIGHTS.entry_type * type_value(entry.entry_type)
            + WEIGHTS.confidence * confidence_value(entry.confidence)
            + WEIGHTS.freshness * freshness(entry.stability, entry.updated, today),
    )
}

/// The relevance for a cosine: 0 where it is negative, or no number.
pub(super) fn relevance(cosine: f32) -> f64 {
    if cosine.is_nan() { 0.0 } else { round(f64::from(cosine).clamp(0.0, 1.0)) }
}

/// The number to four places, so that every machine compares and shows the same one. More would need exponents, which languages
/// write in different ways.
fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An entry at `entries/NAME.md` of those properties, without a pattern.
    pub(in crate::entries) fn entry(
        name: &str,
        entry_type: EntryType,
        confidence: Confidence,
        stability: Stability,
        updated: Option<&str>,
    ) -> KnowledgeEntry {
        KnowledgeEntry {
            file: format!("entries/{name}.md"),
            topic: name.to_uppercase(),
            entry_type,
            position: format!("The position on {name}."),
            reasoning: format!("The reasoning on {name}."),
            pattern: None,
            confidence,
            stability,
            updated: updated.and_then(Date::parse),
        }
    }

    fn today() -> Date {
        Date::parse("2026-07-01").unwrap()
    }

    #[test]
    fn weights_sum_to_one() {
        let Weights { relevance, entry_type, confidence, freshness } = WEIGHTS;
        assert_eq!(round(relevance + entry_type + confidence + freshness), 1.0);
    }

    #[test]
    fn a_score_is_the_weighted_sum() {
        use Confidence::{High, Low, Medium};
        use EntryType::{Decision, Framework, Philosophy, Reaction, Standard};
        use Stability::{Evergreen, Evolving, Stable};
        let check = |entry_type, confidence, stability, updated: Option<&str>, relevance: f64, expected: f64| {
            let entry = entry("a", entry_type, confidence, stability, updated);
            assert_eq!(score(&entry, relevance, today()), expected, "{entry:?}");
        };
        check(Framework, High, Evergreen, Some("2001-01-01"), 1.0, 1.0);
        check(Framework, High, Evergreen, None, 0.0, 0.4);
        check(Standard, High, Evergreen, None, 0.5, 0.685);
        check(Philosophy, Medium, Evergreen, None, 0.5, 0.61);
        check(Decision, Low, Evergreen, None, 0.5, 0.535);
        check(Reaction, Low, Evolving, None, 0.5, 0.44);
        // One and two half-lives.
        check(Framework, High, Stable, Some("2024-07-01"), 0.0, 0.35);
        check(Framework, High, Evolving, Some("2025-07-01"), 0.0, 0.325);
        // A day that is to come is today.
        check(Framework, High, Evolving, Some("2027-01-01"), 0.0, 0.4);
    }

    #[test]
    fn a_cosine_becomes_a_relevance_from_zero_to_one() {
        let check = |cosine: f32, expected: f64| assert_eq!(relevance(cosine), expected, "{cosine}");
        for (cosine, expected) in [(0.5, 0.5), (-0.2, 0.0), (1.000_01, 1.0), (0.679_999_6, 0.68), (0.1234564, 0.1235)] {
            check(cosine, expected);
        }
        check(f32::NAN, 0.0);
        check(f32::INFINITY, 1.0);
    }
}
