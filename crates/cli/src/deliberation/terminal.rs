//! A model's work on the terminal: the role at work, then the final text with the claims that were flagged, or why the quoted answer
//! stays; or the answer from the model's own knowledge, under its label.

use std::cell::RefCell;
use std::time::Instant;

use seealso::{Answer, Deliberation, Generation, GenerationEvent, OwnKnowledge, Role, Step, Verdict};

use super::json::OWN_KNOWLEDGE;
use super::{ADDS_NOTHING, ModelResult, Product, Work};
use crate::style::{FAINT, LINK, ProgressLine, STRONG, pluralize, printable, printable_lines, say};

/// Shows steps as they happen, on one line that is cleared at the end, and then the result.
pub(super) struct TerminalView {
    /// None where nothing is to be shown.
    line: Option<ProgressLine>,
    pace: RefCell<Pace>,
}

/// The pace of the role that writes.
struct Pace {
    begun: Instant,
    pieces: usize,
}

impl TerminalView {
    pub(super) fn new(quiet: bool) -> TerminalView {
        let pace = RefCell::new(Pace { begun: Instant::now(), pieces: 0 });
        TerminalView { line: (!quiet).then(ProgressLine::on_stderr), pace }
    }

    pub(super) fn loading(&self, done: u64, total: u64) {
        self.percent("loading the model", done, total);
    }

    pub(super) fn step(&self, step: Step<'_>) {
        match step {
            Step::Stage(_) => {}
            // A node that has sent nothing yet.
            Step::Generation(role, GenerationEvent::Read { total: 0, .. }) => {
                self.show(&format!("{} waits for the node", name(role)));
            }
            Step::Generation(_, GenerationEvent::Text("") | GenerationEvent::Revised(_)) => {}
            Step::Generation(role, GenerationEvent::Read { done, total, .. }) => {
                *self.pace.borrow_mut() = Pace { begun: Instant::now(), pieces: 0 };
                self.percent(&format!("{} reads", name(role)), done as u64, total as u64);
            }
            Step::Generation(role, GenerationEvent::Text(_)) => self.show_pace(role, "writes"),
            Step::Generation(role, GenerationEvent::Reasoning(_)) => self.show_pace(role, "reasons"),
            Step::Judging { role, done, total } => {
                self.percent(&format!("{} checks", name(role)), done as u64, total as u64);
            }
        }
    }

    fn show_pace(&self, role: Role, doing: &str) {
        let mut pace = self.pace.borrow_mut();
        pace.pieces += 1;
        let seconds = pace.begun.elapsed().as_secs_f64();
        self.show(&format!("{} {doing}: {:.1} tokens a second", name(role), pace.pieces as f64 / seconds.max(0.1)));
    }

    fn percent(&self, doing: &str, done: u64, total: u64) {
        self.show(&format!("{doing}: {} %", (100 * done).checked_div(total).unwrap_or(0)));
    }

    fn show(&self, text: &str) {
        if let Some(line) = &self.line {
            line.show(text);
        }
    }

    /// Shows that the node failed and the local model continues.
    pub(super) fn fallback(&self, reason: &str) {
        if self.line.is_some() {
            anstream::eprintln!("{FAINT}{} The local model goes on.{FAINT:#}", printable(reason));
        }
    }

    /// Shows the result.
    pub(super) fn outcome(self, result: &ModelResult, work: Work<'_>) {
        let Some(line) = self.line else { return };
        drop(line);
        match (&result.done, &result.failed, work) {
            (Some(Product::Deliberation(done)), _, Work::Deliberation { answer, .. }) => print(result, done, answer),
            (Some(Product::OwnKnowledge(answer)), ..) => print_own_knowledge(result, answer),
            (_, Some(reason), _) => anstream::eprintln!(
                "{FAINT}The model's answer failed, and {}: {}{FAINT:#}",
                work.what_stands(),
                printable(reason)
            ),
            (_, None, Work::Deliberation { .. }) => {
                anstream::eprintln!("{FAINT}The model was stopped; the quoted answer stands.{FAINT:#}");
            }
            (_, None, Work::OwnKnowledge { .. }) => anstream::eprintln!("{FAINT}The model was stopped.{FAINT:#}"),
        }
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Expert => "the Expert",
        Role::Critic => "the Critic",
        Role::Synthesizer => "the Synthesizer",
        Role::Verifier => "the last check",
        Role::OwnKnowledge => "the model",
    }
}

fn print(result: &ModelResult, done: &Deliberation, answer: &Answer) {
    match &done.kept {
        Some(reason) => anstream::eprintln!("{FAINT}The quoted answer stands: {}.{FAINT:#}", printable(reason)),
        None => {
            say!(
                "\n{STRONG}Answer by {}, each sentence checked against the pages:{STRONG:#}\n",
                printable(&result.model)
            );
            say!("{}\n", printable_lines(&done.verified.text));
            print_new_sources(done, answer);
        }
    }
    for sentence in done.verified.sentences.iter().filter(|sentence| sentence.verdict == Verdict::CannotVerify) {
        anstream::eprintln!("{FAINT}Not verified: {}{FAINT:#}", printable(&sentence.claim.text));
    }
    for judgement in done.review.flagged().chain(&done.verified.removed) {
        let label = judgement.verdict.label().unwrap_or_default();
        anstream::eprintln!("{FAINT}Taken out, {label}: {}{FAINT:#}", printable(&judgement.claim.text));
    }
    for sentence in &done.off_topic {
        anstream::eprintln!("{FAINT}Taken out, {ADDS_NOTHING}: {}{FAINT:#}", printable(sentence));
    }
    for part in &done.quoted {
        anstream::eprintln!(
            "{FAINT}Quoted, since the model's own words were not supported: {}{FAINT:#}",
            printable(part)
        );
    }
    let written = [&done.draft.written, &done.synthesis.written];
    print_reasoning(&written);
    let (load, seconds) = (result.load_seconds, done.ms / 1000.0);
    anstream::eprintln!("{FAINT}{}; loaded in {load:.1} s, deliberated in {seconds:.1} s.{FAINT:#}", tokens(&written));
}

/// Prints an answer that rests on no page. Its label goes where the text goes, also into a file.
fn print_own_knowledge(result: &ModelResult, answer: &OwnKnowledge) {
    say!("\n{STRONG}{OWN_KNOWLEDGE}{STRONG:#}\n");
    say!("{}\n", printable_lines(&answer.text));
    let written = [&answer.written];
    print_reasoning(&written);
    let (model, load) = (printable(&result.model), result.load_seconds);
    anstream::eprintln!(
        "{FAINT}Written by {model}, and not checked. {}; loaded in {load:.1} s.{FAINT:#}",
        tokens(&written)
    );
}

/// Tells how much reasoning there was.
fn print_reasoning(written: &[&Generation]) {
    let words: usize = written.iter().map(|written| written.reasoning.split_whitespace().count()).sum();
    if words > 0 {
        let words = pluralize(words, "word");
        anstream::eprintln!(
            "{FAINT}Reasoning, not checked and no part of the answer: {words}; --json has them.{FAINT:#}"
        );
    }
}

/// Lists the sources that this answer cites and the quoted one does not.
fn print_new_sources(done: &Deliberation, answer: &Answer) {
    let mut listed: Vec<usize> = Vec::new();
    for &number in done.verified.sentences.iter().flat_map(|sentence| &sentence.claim.citations) {
        let source = number.checked_sub(1).and_then(|at| answer.sources.get(at));
        if let Some(source) = source.filter(|source| !source.cited && !listed.contains(&number)) {
            say!("{LINK}[{number}]{LINK:#} {}  {FAINT}{}{FAINT:#}", printable(&source.title), printable(&source.path));
            listed.push(number);
        }
    }
}

/// How many tokens were written and read.
fn tokens(written: &[&Generation]) -> String {
    let sum = |count: fn(&Generation) -> usize| written.iter().map(|written| count(written)).sum::<usize>();
    match (sum(|written| written.tokens), sum(|written| written.prompt_tokens)) {
        (0, 0) => "The node does not count tokens".to_owned(),
        (wrote, read) => {
            let (wrote, read, known) =
                (pluralize(wrote, "token"), pluralize(read, "token"), sum(|written| written.known_tokens));
            format!("{wrote} written, {read} read, {known} of them known from before")
        }
    }
}
