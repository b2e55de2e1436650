//! Figures over a few questions, answered and not.

use super::*;

fn observation(
    kind: &str,
    is_answerable: bool,
    facts: Option<StatedFacts>,
    passage_states_fact: &[bool],
    coverage: f64,
) -> RetrievalObservation {
    let characters = 100 * passage_states_fact.len();
    let quoted = QuotedAnswer {
        characters,
        facts,
        passage_states_fact: passage_states_fact.to_vec(),
        first_section: None,
        coverage,
    };
    RetrievalObservation {
        kind: kind.to_owned(),
        is_answerable,
        empty: passage_states_fact.is_empty(),
        quoted,
        ..RetrievalObservation::default()
    }
}

fn facts(within: [bool; 3]) -> Option<StatedFacts> {
    Some(StatedFacts { within, whole: true })
}

/// An answer that states all facts at once, one that states them late, one refused, one without facts, and two unanswerable.
fn sample() -> Vec<RetrievalObservation> {
    vec![
        observation("single", true, facts([true, true, true]), &[true, false], 0.9),
        observation("single", true, facts([false, false, true]), &[false, true, true, false], 0.5),
        observation("multi", true, Some(StatedFacts::default()), &[], 0.2),
        observation("multi", true, None, &[false], 0.25),
        observation("unanswerable", false, None, &[], 0.1),
        observation("unanswerable", false, None, &[false, false, false], 0.3),
    ]
}

#[test]
fn answers_are_measured_by_the_facts_that_they_state() {
    let figures = RetrievalFigures::of(sample().iter());
    let third = Some(1.0 / 3.0);
    assert_eq!((figures.says_at_300, figures.says_at_600), (third, third));
    assert_eq!((figures.says_at_1200, figures.says), (Some(2.0 / 3.0), Some(2.0 / 3.0)));
    // Two questions were answered and have facts; three of their six passages state a fact.
    assert_eq!((figures.lead, figures.density), (Some(0.5), Some(0.5)));
    assert_eq!(figures.answer_chars, 1000.0 / 6.0);
    assert_eq!((figures.empty_on_unanswerable, figures.empty_on_answerable), (0.5, 0.25));
}

#[test]
fn a_figure_to_which_no_question_contributes_is_none() {
    let unanswerable: Vec<RetrievalObservation> =
        sample().into_iter().filter(|observation| !observation.is_answerable).collect();
    let figures = RetrievalFigures::of(unanswerable.iter());
    assert_eq!((figures.says, figures.lead, figures.density, figures.section_mrr), (None, None, None, None));
    let json = serde_json::to_value(&figures).unwrap();
    assert!(json["says_at_600"].is_null() && json["answer_chars"] == 150.0, "{json}");
}

#[test]
fn sections_are_measured_where_places_name_them() {
    let of = |first_section: Option<usize>| RetrievalObservation {
        is_answerable: true,
        names_sections: true,
        quoted: QuotedAnswer { first_section, ..QuotedAnswer::default() },
        ..RetrievalObservation::default()
    };
    let figures = RetrievalFigures::of([of(Some(1)), of(Some(4)), of(None), sample().remove(0)].iter());
    assert_eq!(figures.section_hit_at_1, Some(1.0 / 3.0));
    assert_eq!(figures.section_hit_at_5, Some(2.0 / 3.0));
    assert_eq!(figures.section_mrr, Some(1.25 / 3.0));
}

#[test]
fn the_curve_has_what_each_bound_would_refuse() {
    let curve = curve(&sample());
    let at = |bound: f64| {
        let point = curve.iter().find(|point| point.bound == bound).unwrap();
        (point.unanswerable, point.answerable)
    };
    assert_eq!(curve.len(), 21);
    assert_eq!(at(0.0), (Some(0.0), Some(0.0)));
    assert_eq!(at(0.25), (Some(0.5), Some(0.25)));
    assert_eq!(at(0.35), (Some(1.0), Some(0.5)));
    assert_eq!(at(1.0), (Some(1.0), Some(1.0)));
}

#[test]
fn a_report_has_a_row_for_each_kind_and_language() {
    let mut german = sample().remove(0);
    german.language = Some("de".to_owned());
    let mut all = sample();
    all.push(german);
    let report = RetrievalReport::of(&all, false).as_json().unwrap();
    let rows: Vec<&String> = report["kinds"].as_object().unwrap().keys().collect();
    assert_eq!(rows, ["multi", "single", "single de", "unanswerable"]);
    assert_eq!(
        (&report["kinds"]["single"]["n"], &report["answerable"]["n"], &report["n"]),
        (&3.into(), &5.into(), &7.into())
    );
    assert!(report.get("curve").is_none());
}
