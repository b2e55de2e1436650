//! The report: every engine's numbers, the ratios to seealso's, as JSON and as a table for people.

use std::collections::BTreeMap;
use std::fs;
use std::thread::available_parallelism;

use serde::Serialize;

use crate::data::PreparedData;
use crate::ours;
use crate::task::{QuestionFigures, BuildFigures, Figures};

/// All that was measured.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    prepared: PreparedData,
    pub(crate) engines: BTreeMap<String, EngineReport>,
    /// Each peer's numbers over seealso's: above 1, the peer's is the larger one.
    ratios: BTreeMap<String, BTreeMap<&'static str, f64>>,
    machine: Machine,
}

/// One engine's numbers.
#[derive(Serialize)]
pub(crate) struct EngineReport {
    #[serde(flatten)]
    built: BuildFigures,
    #[serde(flatten)]
    asked: QuestionFigures,
}

/// What the numbers were taken on.
#[derive(Serialize)]
struct Machine {
    cpu: String,
    cores: usize,
    load_average: String,
}

impl EngineReport {
    pub(crate) fn new(built: BuildFigures, asked: QuestionFigures) -> Self {
        EngineReport { built, asked }
    }

    /// All lines of the table, for a watcher.
    pub(crate) fn lines(&self, name: &str) -> String {
        self.build_line(name) + &self.question_lines(name)
    }

    fn build_line(&self, name: &str) -> String {
        let EngineReport { built, asked } = self;
        let megabytes = built.index_bytes as f64 / 1e6;
        format!(
            "| {name} | {:.1} | {:.0} | {megabytes:.1} | {:.1} | {:.0} |\n",
            built.build_s, built.build_peak_rss_mb, asked.open_ms, asked.ask_peak_rss_mb
        )
    }

    fn question_lines(&self, name: &str) -> String {
        row(name, "as asked", &self.asked.as_asked) + &row(name, "content words", &self.asked.content_words)
    }

    /// The numbers that are compared, by name.
    fn numbers(&self) -> [(&'static str, f64); 13] {
        let (asked, content) = (&self.asked.as_asked, &self.asked.content_words);
        [
            ("build_s", self.built.build_s),
            ("build_peak_rss_mb", self.built.build_peak_rss_mb),
            ("index_bytes", self.built.index_bytes as f64),
            ("as_asked.rank.p50_ms", asked.rank.p50_ms),
            ("as_asked.rank.p95_ms", asked.rank.p95_ms),
            ("as_asked.list.p50_ms", asked.list.p50_ms),
            ("as_asked.mrr", asked.mrr),
            ("as_asked.hit_at_5", asked.hit_at_5),
            ("content_words.rank.p50_ms", content.rank.p50_ms),
            ("content_words.rank.p95_ms", content.rank.p95_ms),
            ("content_words.list.p50_ms", content.list.p50_ms),
            ("content_words.mrr", content.mrr),
            ("content_words.hit_at_5", content.hit_at_5),
        ]
    }
}

impl Report {
    pub(crate) fn new(prepared: PreparedData) -> Self {
        Report { prepared, engines: BTreeMap::new(), ratios: BTreeMap::new(), machine: Machine::this() }
    }

    /// Fills in the ratios, where seealso was measured.
    pub(crate) fn compare(&mut self) {
        let Some(own) = self.engines.get(ours::NAME).map(EngineReport::numbers) else { return };
        for (name, peer) in self.engines.iter().filter(|(name, _)| *name != ours::NAME) {
            let over = |(own, peer): (&(&'static str, f64), (&'static str, f64))| (own.0, rounded(peer.1 / own.1));
            let ratios = own.iter().zip(peer.numbers()).filter(|(own, _)| own.1 > 0.0).map(over).collect();
            self.ratios.insert(name.clone(), ratios);
        }
    }

    /// Two Markdown tables: the builds, and the questions in both forms.
    pub(crate) fn table(&self) -> String {
        let mut text = format!("{} rows, {} questions\n\n", self.prepared.rows, self.prepared.questions);
        text += "| engine | build s | build peak MB | index MB | open ms | asking peak MB |\n|---|---:|---:|---:|---:|---:|\n";
        for (name, engine) in &self.engines {
            text += &engine.build_line(name);
        }
        text += "\n| engine, form | timed | rank p50 ms | p95 ms | list p50 ms | p95 ms | hit@1 | hit@5 | MRR |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
        for (name, engine) in &self.engines {
            text += &engine.question_lines(name);
        }
        let Machine { cpu, cores, load_average } = &self.machine;
        text + &format!("\n{cpu}, {cores} cores, load average {load_average} at the start.\n")
    }
}

fn row(name: &str, form: &str, figures: &Figures) -> String {
    let Figures { timed, rank, list, hit_at_1, hit_at_5, mrr } = figures;
    format!(
        "| {name}, {form} | {timed} | {:.3} | {:.3} | {:.3} | {:.3} | {hit_at_1:.3} | {hit_at_5:.3} | {mrr:.3} |\n",
        rank.p50_ms, rank.p95_ms, list.p50_ms, list.p95_ms
    )
}

/// Three digits after the point.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl Machine {
    fn this() -> Self {
        let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpus.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Machine {
            cpu: model.trim_start_matches([' ', '\t', ':']).to_owned(),
            cores: available_parallelism().map_or(0, usize::from),
            load_average: load.split(' ').next().unwrap_or("unknown").to_owned(),
        }
    }
}
