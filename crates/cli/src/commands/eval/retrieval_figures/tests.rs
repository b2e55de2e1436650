//! What a few questions, answered and not, come to in numbers.

use super::*;

fn seen(kind: &str, is_answerable: bool, says: Option<Says>, telling: &[bool], coverage: f64) -> Seen {
    let characters = 100 * telling.len();
    let quoted = Quoted { characters, says, telling: telling.to_vec(), first_section: None, coverage };
    Seen { kind: kind.to_owned(), is_answerable, empty: telling.is_empty(), quoted, ..Seen::default() }
}

fn says(within: [bool; 3]) -> Option<Says> {
    Some(Says { within, whole: true })
}

/// One answer that says it all at once, one that says it late, one refused, one with nothing to say, and two unanswerable.
fn sample() -> Vec<Seen> {
    vec![
        seen("single", true, says([true, true, true]), &[true, false], 0.9),
        seen("single", true, says([false, false, true]), &[false, true, true, false], 0.5),
        seen("multi", true, Some(Says::default()), &[], 0.2),
        seen("multi", true, None, &[false], 0.25),
        seen("unanswerable", false, None, &[], 0.1),
        seen("unanswerable", false, None, &[false, false, false], 0.3),
    ]
}

#[test]
fn answers_are_measured_by_what_they_say() {
    let numbers = Numbers::of(sample().iter());
    let third = Some(1.0 / 3.0);
    assert_eq!((numbers.says_at_300, numbers.says_at_600), (third, third));
    assert_eq!((numbers.says_at_1200, numbers.says), (Some(2.0 / 3.0), Some(2.0 / 3.0)));
    // Of the two that were answered and have something to say; three of their six passages say some of it.
    assert_eq!((numbers.lead, numbers.density), (Some(0.5), Some(0.5)));
    assert_eq!(numbers.answer_chars, 1000.0 / 6.0);
    assert_eq!((numbers.empty_on_unanswerable, numbers.empty_on_answerable), (0.5, 0.25));
}

#[test]
fn what_no_question_has_a_part_in_is_no_number() {
    let unanswerable: Vec<Seen> = sample().into_iter().filter(|seen| !seen.is_answerable).collect();
    let numbers = Numbers::of(unanswerable.iter());
    assert_eq!((numbers.says, numbers.lead, numbers.density, numbers.section_mrr), (None, None, None, None));
    let json = serde_json::to_value(&numbers).unwrap();
    assert!(json["says_at_600"].is_null() && json["answer_chars"] == 150.0, "{json}");
}

#[test]
fn sections_are_measured_where_places_name_them() {
    let of = |first_section: Option<usize>| Seen {
        is_answerable: true,
        names_sections: true,
        quoted: Quoted { first_section, ..Quoted::default() },
        ..Seen::default()
    };
    let numbers = Numbers::of([of(Some(1)), of(Some(4)), of(None), sample().remove(0)].iter());
    assert_eq!(numbers.section_hit_at_1, Some(1.0 / 3.0));
    assert_eq!(numbers.section_hit_at_5, Some(2.0 / 3.0));
    assert_eq!(numbers.section_mrr, Some(1.25 / 3.0));
}

#[test]
fn the_curve_tells_what_each_bound_would_refuse() {
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
    let report = Report::of(&all, false).as_json().unwrap();
    let rows: Vec<&String> = report["kinds"].as_object().unwrap().keys().collect();
    assert_eq!(rows, ["multi", "single", "single de", "unanswerable"]);
    assert_eq!(
        (&report["kinds"]["single"]["n"], &report["answerable"]["n"], &report["n"]),
        (&3.into(), &5.into(), &7.into())
    );
    assert!(report.get("curve").is_none());
}
