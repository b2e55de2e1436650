//! The trace of a run: for each stage its result, in one line and in full, and its duration.

use std::future::Future;

use serde::Serialize;

use crate::world::Clock;

mod detail;
pub use detail::Detail;
pub(crate) use detail::{ToDetail, detail};

/// A stage's result that can describe itself.
pub(crate) trait Describe {
    /// One line for a reader.
    fn note(&self) -> String;
    /// All of it, including every component of a score.
    fn detail(&self) -> Detail;
}

/// One finished stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// The stage's verb.
    pub name: &'static str,
    /// The duration in milliseconds.
    pub ms: f64,
    /// The result in one line.
    pub summary: String,
    /// The result in full.
    pub detail: Detail,
}

/// The progress of a run, as a caller receives it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// The stage's verb.
    pub stage: &'static str,
    /// Whether it begins or is done.
    pub state: ProgressState,
    /// The duration in milliseconds; 0 when it begins.
    pub ms: f64,
    /// The result in one line; empty when it begins.
    pub note: String,
}

/// The two moments of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProgressState {
    /// It begins.
    Start,
    /// It is done.
    Done,
}

/// Runs stages, measures their durations and reports their progress.
pub(crate) struct Tracer<'a, C> {
    clock: &'a C,
    watch: &'a mut dyn FnMut(Progress),
    stages: Vec<Stage>,
    began_ms: f64,
}

impl<'a, C: Clock> Tracer<'a, C> {
    pub(crate) fn new(clock: &'a C, watch: &'a mut dyn FnMut(Progress)) -> Self {
        Tracer { clock, watch, stages: Vec::new(), began_ms: clock.now_ms() }
    }

    /// Runs a synchronous stage.
    pub(crate) fn stage<T: Describe>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = self.begin(name);
        let result = work();
        self.end(name, start, &result);
        result
    }

    /// Runs an asynchronous stage.
    pub(crate) async fn wait<T: Describe>(&mut self, name: &'static str, work: impl Future<Output = T>) -> T {
        let start = self.begin(name);
        let result = work.await;
        self.end(name, start, &result);
        result
    }

    /// Runs an asynchronous stage that may fail.
    pub(crate) async fn attempt<T: Describe, E>(
        &mut self,
        name: &'static str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let start = self.begin(name);
        let result = work.await?;
        self.end(name, start, &result);
        Ok(result)
    }

    /// The stages that ran, and the milliseconds since the beginning.
    pub(crate) fn finish(self) -> (Vec<Stage>, f64) {
        let ms = self.clock.now_ms() - self.began_ms;
        (self.stages, ms)
    }

    fn begin(&mut self, name: &'static str) -> f64 {
        (self.watch)(Progress { stage: name, state: ProgressState::Start, ms: 0.0, note: String::new() });
        self.clock.now_ms()
    }

    fn end(&mut self, name: &'static str, start: f64, result: &impl Describe) {
        let ms = self.clock.now_ms() - start;
        let note = result.note();
        (self.watch)(Progress { stage: name, state: ProgressState::Done, ms, note: note.clone() });
        self.stages.push(Stage { name, ms, summary: note, detail: result.detail() });
    }
}

/// `1 page`, `2 pages`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}
