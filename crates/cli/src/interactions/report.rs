//! The report of a day: how many questions, how well they were answered, what helped, and what the packs lack.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use crate::style::{pluralize, printable};

use super::log::day_path;
use super::read::{LogRecords, read_lines};
use super::record::{FeedbackLine, InteractionLine, LogLine, Route, Thumb, Verdict};

/// How many of the slowest questions are listed.
const SLOWEST: usize = 5;

/// The report of a day.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct DailyReport {
    /// The day, in UTC.
    day: String,
    /// How many questions were asked.
    questions: usize,
    /// The questions for which entries were retrieved.
    retrieve: RetrieveCounts,
    /// The questions that were answered with sentences of pages.
    ask: AskCounts,
    /// How many thumbs pointed up.
    thumbs_up: usize,
    /// How many pointed down.
    thumbs_down: usize,
    /// The entries and pages that were returned, with what was thought of it: those with the most thumbs down first.
    entries: Vec<EntryCounts>,
    /// The slowest questions, slowest first.
    slowest: Vec<QuestionRow>,
    /// The questions that nothing answers well, in the order in which they were asked.
    gaps: Vec<QuestionRow>,
    /// What was said with feedback.
    notes: Vec<NoteRow>,
    /// How many lines of the log can't be read.
    unreadable_lines: usize,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
struct RetrieveCounts {
    questions: usize,
    strong: usize,
    weak: usize,
    none: usize,
    failed: usize,
    /// The share of strong matches, from 0 to 1; null where nothing was asked.
    strong_share: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
struct AskCounts {
    questions: usize,
    answered: usize,
    unanswered: usize,
    failed: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct EntryCounts {
    entry: String,
    returned: usize,
    up: usize,
    down: usize,
}

/// A question, as far as the log tells of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct QuestionRow {
    id: String,
    time: String,
    asker: Option<String>,
    /// The words; null where the log keeps none.
    question: Option<String>,
    verdict: Verdict,
    ms: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct NoteRow {
    interaction_id: String,
    thumb: Thumb,
    note: String,
}

impl DailyReport {
    /// The report of `day` from a log: the folder of a server, or a file that a browser saved. A day without a log has no questions.
    ///
    /// # Errors
    /// A log that can't be read.
    pub(crate) fn read(log: &Path, day: &str) -> anyhow::Result<DailyReport> {
        let is_folder = log.is_dir();
        let path = if is_folder { day_path(log, day) } else { log.to_path_buf() };
        let mut records = read_lines(&path).with_context(|| format!("reading {}", path.display()))?;
        if !is_folder {
            // A browser saves the lines of all days in one file.
            records.records.retain(|line| line.time().starts_with(day));
        }
        Ok(DailyReport::of(day, &records))
    }

    fn of(day: &str, records: &LogRecords) -> DailyReport {
        let interactions: Vec<&InteractionLine> = records.records.iter().filter_map(interaction).collect();
        let feedback: Vec<&FeedbackLine> = records.records.iter().filter_map(feedback).collect();
        let thumbs = |thumb: Thumb| feedback.iter().filter(|given| given.thumb == thumb).count();
        let mut slowest = interactions.clone();
        slowest.sort_by(|a, b| b.ms.total_cmp(&a.ms));
        let note = |given: &&FeedbackLine| {
            let note = given.note.clone()?;
            Some(NoteRow { interaction_id: given.interaction_id.to_string(), thumb: given.thumb, note })
        };
        DailyReport {
            day: day.to_owned(),
            questions: interactions.len(),
            retrieve: RetrieveCounts::of(&interactions),
            ask: AskCounts::of(&interactions),
            thumbs_up: thumbs(Thumb::Up),
            thumbs_down: thumbs(Thumb::Down),
            entries: entry_counts(&interactions, &feedback),
            slowest: slowest.iter().take(SLOWEST).map(|asked| QuestionRow::of(asked)).collect(),
            gaps: interactions
                .iter()
                .filter(|asked| asked.verdict.is_gap())
                .map(|asked| QuestionRow::of(asked))
                .collect(),
            notes: feedback.iter().filter_map(note).collect(),
            unreadable_lines: records.unreadable,
        }
    }
}

fn interaction(record: &LogLine) -> Option<&InteractionLine> {
    match record {
        LogLine::Interaction(interaction) => Some(interaction),
        LogLine::Feedback(_) => None,
    }
}

fn feedback(record: &LogLine) -> Option<&FeedbackLine> {
    match record {
        LogLine::Feedback(feedback) => Some(feedback),
        LogLine::Interaction(_) => None,
    }
}

fn count(interactions: &[&InteractionLine], verdict: Verdict) -> usize {
    interactions.iter().filter(|asked| asked.verdict == verdict).count()
}

/// How many on a route failed. Other verdicts tell the route by themselves.
fn count_failed(interactions: &[&InteractionLine], route: Route) -> usize {
    interactions.iter().filter(|asked| asked.route == route && asked.verdict == Verdict::Failed).count()
}

/// What the report says of those that failed; nothing where none did.
fn failed_text(failed: usize) -> String {
    if failed > 0 { format!(", failed {failed}") } else { String::new() }
}

impl RetrieveCounts {
    fn of(interactions: &[&InteractionLine]) -> RetrieveCounts {
        let questions = interactions.iter().filter(|asked| asked.route == Route::Retrieve).count();
        let strong = count(interactions, Verdict::Strong);
        RetrieveCounts {
            questions,
            strong,
            weak: count(interactions, Verdict::Weak),
            none: count(interactions, Verdict::None),
            failed: count_failed(interactions, Route::Retrieve),
            strong_share: (questions > 0).then(|| strong as f64 / questions as f64),
        }
    }
}

impl AskCounts {
    fn of(interactions: &[&InteractionLine]) -> AskCounts {
        AskCounts {
            questions: interactions.iter().filter(|asked| asked.route == Route::Ask).count(),
            answered: count(interactions, Verdict::Answered),
            unanswered: count(interactions, Verdict::Unanswered),
            failed: count_failed(interactions, Route::Ask),
        }
    }
}

impl QuestionRow {
    fn of(asked: &InteractionLine) -> QuestionRow {
        QuestionRow {
            id: asked.id.to_string(),
            time: asked.time.clone(),
            asker: asked.asker.clone(),
            question: asked.question.clone(),
            verdict: asked.verdict,
            ms: asked.ms,
        }
    }
}

fn entry_counts(interactions: &[&InteractionLine], feedback: &[&FeedbackLine]) -> Vec<EntryCounts> {
    let mut counts: BTreeMap<&str, EntryCounts> = BTreeMap::new();
    let named = |entry: &str| EntryCounts { entry: entry.to_owned(), returned: 0, up: 0, down: 0 };
    for entry in interactions.iter().flat_map(|asked| &asked.entries) {
        counts.entry(entry).or_insert_with(|| named(entry)).returned += 1;
    }
    for (entry, thumb) in feedback.iter().flat_map(|given| given.entries.iter().map(|entry| (entry, given.thumb))) {
        let counts = counts.entry(entry).or_insert_with(|| named(entry));
        match thumb {
            Thumb::Up => counts.up += 1,
            Thumb::Down => counts.down += 1,
        }
    }
    let mut counts: Vec<EntryCounts> = counts.into_values().collect();
    counts.sort_by_key(|entry| (std::cmp::Reverse(entry.down), std::cmp::Reverse(entry.returned)));
    counts
}

impl fmt::Display for DailyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.day, pluralize(self.questions, "question"))?;
        let RetrieveCounts { questions, strong, weak, none, failed, strong_share } = &self.retrieve;
        if let Some(share) = strong_share {
            let percent = share * 100.0;
            let failed = failed_text(*failed);
            writeln!(f, "  retrieve: {questions}; strong {strong} ({percent:.0} %), weak {weak}, none {none}{failed}")?;
        }
        if self.ask.questions > 0 {
            let AskCounts { questions, answered, unanswered, failed } = self.ask;
            let failed = failed_text(failed);
            writeln!(f, "  ask: {questions}; answered {answered}, unanswered {unanswered}{failed}")?;
        }
        writeln!(f, "  thumbs: {} up, {} down", self.thumbs_up, self.thumbs_down)?;
        for EntryCounts { entry, returned, up, down } in self.entries.iter().filter(|entry| entry.up + entry.down > 0) {
            writeln!(f, "    {}: returned {returned}, {up} up, {down} down", printable(entry))?;
        }
        for (title, lines) in [("slowest", &self.slowest), ("gaps", &self.gaps)] {
            if !lines.is_empty() {
                writeln!(f, "  {title}:")?;
            }
            lines.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        for NoteRow { interaction_id, note, .. } in &self.notes {
            writeln!(f, "  note on {interaction_id}: {}", printable(note))?;
        }
        if self.unreadable_lines > 0 {
            writeln!(f, "  {} of the log can't be read", pluralize(self.unreadable_lines, "line"))?;
        }
        Ok(())
    }
}

impl fmt::Display for QuestionRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = self.question.as_deref().unwrap_or(&self.id);
        write!(f, "{} {:.0} ms {}", self.time, self.ms, printable(asked))?;
        self.asker.as_ref().map_or(Ok(()), |asker| write!(f, " ({})", printable(asker)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    const LINES: &str = r#"{"kind":"interaction","id":"0193a1b2-0000-7000-8000-000000000001","time":"2026-11-20T08:00:00Z","route":"retrieve","asker":"ada","verdict":"strong","matches":2,"entries":["p/entries/a","p/entries/b"],"ms":12.5}
{"kind":"interaction","id":"0193a1b2-0000-7000-8000-000000000002","time":"2026-11-20T08:01:00Z","route":"retrieve","asker":"bob","question":"Why?","verdict":"none","matches":0,"entries":[],"ms":30.0}
{"kind":"feedback","interaction_id":"0193a1b2-0000-7000-8000-000000000001","time":"2026-11-20T08:02:00Z","thumb":"down","note":"out of date","entries":["p/entries/a","p/entries/b"]}
{"kind":"interaction","id":"0193a1b2-0000-7000-8000-000000000003","time":"2026-11-20T08:03:00Z","route":"ask","verdict":"answered","matches":1,"entries":["p/concepts/c"],"ms":3.0}
{"kind":"interac"#;

    fn report(lines: &str) -> DailyReport {
        static FILES: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = FILES.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("seealso-report-{}-{number}", std::process::id()));
        std::fs::write(&path, lines).unwrap();
        let report = DailyReport::read(&path, "2026-11-20").unwrap();
        std::fs::remove_file(&path).unwrap();
        report
    }

    #[test]
    fn a_file_that_a_browser_saved_has_lines_of_many_days() {
        let whole: Vec<&str> = LINES.lines().filter(|line| line.ends_with('}')).collect();
        let others = whole.join("\n").replace("2026-11-20T", "2026-11-19T");
        assert_eq!(report(&format!("{others}\n{LINES}")), report(LINES));
        assert_eq!(report(&others), report(""));
    }

    #[test]
    fn a_day_is_counted() {
        let report = serde_json::to_value(report(LINES)).unwrap();
        let counts = |key: &str| report[key].clone();
        assert_eq!(counts("questions"), 3);
        assert_eq!(
            counts("retrieve"),
            json!({ "questions": 2, "strong": 1, "weak": 0, "none": 1, "failed": 0, "strong_share": 0.5 })
        );
        assert_eq!(counts("ask"), json!({ "questions": 1, "answered": 1, "unanswered": 0, "failed": 0 }));
        assert_eq!((counts("thumbs_up"), counts("thumbs_down")), (json!(0), json!(1)));
        assert_eq!(
            counts("entries"),
            json!([
                { "entry": "p/entries/a", "returned": 1, "up": 0, "down": 1 },
                { "entry": "p/entries/b", "returned": 1, "up": 0, "down": 1 },
                { "entry": "p/concepts/c", "returned": 1, "up": 0, "down": 0 },
            ])
        );
        assert_eq!(report["slowest"][0]["ms"], 30.0);
        assert_eq!(report["gaps"].as_array().unwrap().len(), 1);
        assert_eq!(report["gaps"][0]["question"], "Why?");
        assert_eq!(report["notes"][0]["note"], "out of date");
        assert_eq!(report["unreadable_lines"], 1);
    }

    #[test]
    fn questions_that_failed_are_counted_and_are_no_gaps() {
        let lines = LINES.replace(r#""verdict":"none""#, r#""verdict":"failed","code":"busy""#);
        let report = report(&lines);
        assert_eq!((report.retrieve.none, report.retrieve.failed, report.ask.failed), (0, 1, 0));
        assert_eq!(report.gaps, []);
        let says = report.to_string();
        assert!(says.contains("retrieve: 2; strong 1 (50 %), weak 0, none 0, failed 1\n"), "{says}");
    }

    #[test]
    fn a_day_is_told() {
        let expected = "2026-11-20: 3 questions
  retrieve: 2; strong 1 (50 %), weak 0, none 1
  ask: 1; answered 1, unanswered 0
  thumbs: 0 up, 1 down
    p/entries/a: returned 1, 0 up, 1 down
    p/entries/b: returned 1, 0 up, 1 down
  slowest:
    2026-11-20T08:01:00Z 30 ms Why? (bob)
    2026-11-20T08:00:00Z 12 ms 0193a1b2-0000-7000-8000-000000000001 (ada)
    2026-11-20T08:03:00Z 3 ms 0193a1b2-0000-7000-8000-000000000003
  gaps:
    2026-11-20T08:01:00Z 30 ms Why? (bob)
  note on 0193a1b2-0000-7000-8000-000000000001: out of date
  1 line of the log can't be read
";
        assert_eq!(report(LINES).to_string(), expected);
        assert_eq!(report("").to_string(), "2026-11-20: 0 questions\n  thumbs: 0 up, 0 down\n");
    }
}
