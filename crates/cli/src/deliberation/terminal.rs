//! A deliberation on the terminal: who is at work, the final text, what was flagged, and why the quoted answer stays
//! where it does.

use std::cell::RefCell;
use std::time::Instant;

use seealso::{Answer, Deliberation, Role, Step, Verdict, Wrote};

use super::{BESIDE, Outcome};
use crate::style::{FAINT, LINK, ProgressLine, STRONG, counted, lines, plain, say};

/// Shows steps while they happen, on one line that is wiped at the end.
pub(super) struct Show {
    /// None where nothing is to be shown.
    line: Option<ProgressLine>,
    writing: RefCell<Writing>,
}

/// How fast the present role writes.
struct Writing {
    begun: Instant,
    pieces: usize,
}

impl Show {
    pub(super) fn new(quiet: bool) -> Show {
        let writing = RefCell::new(Writing { begun: Instant::now(), pieces: 0 });
        Show { line: (!quiet).then(ProgressLine::new), writing }
    }

    pub(super) fn loading(&self, done: u64, total: u64) {
        self.tell("loading the model", done, total);
    }

    pub(super) fn step(&self, step: Step<'_>) {
        match step {
            Step::Stage(_) => {}
            // A node that has said nothing yet.
            Step::Wrote(role, Wrote::Read { total: 0, .. }) => self.say(&format!("{} waits for the node", name(role))),
            Step::Wrote(_, Wrote::Text("") | Wrote::Revised(_)) => {}
            Step::Wrote(role, Wrote::Read { done, total, .. }) => {
                *self.writing.borrow_mut() = Writing { begun: Instant::now(), pieces: 0 };
                self.tell(&format!("{} reads", name(role)), done as u64, total as u64);
            }
            Step::Wrote(role, Wrote::Text(_)) => self.pace(role, "writes"),
            Step::Wrote(role, Wrote::Reasoning(_)) => self.pace(role, "reasons"),
            Step::Judging { role, done, total } => {
                self.tell(&format!("{} checks", name(role)), done as u64, total as u64);
            }
        }
    }

    fn pace(&self, role: Role, doing: &str) {
        let mut writing = self.writing.borrow_mut();
        writing.pieces += 1;
        let seconds = writing.begun.elapsed().as_secs_f64();
        self.say(&format!("{} {doing}: {:.1} tokens a second", name(role), writing.pieces as f64 / seconds.max(0.1)));
    }

    fn tell(&self, doing: &str, done: u64, total: u64) {
        self.say(&format!("{doing}: {} %", (100 * done).checked_div(total).unwrap_or(0)));
    }

    fn say(&self, text: &str) {
        if let Some(line) = &self.line {
            line.say(text);
        }
    }

    /// Says that the node failed and the local model goes on.
    pub(super) fn fallback(&self, reason: &str) {
        if self.line.is_some() {
            anstream::eprintln!("{FAINT}{} The local model goes on.{FAINT:#}", plain(reason));
        }
    }

    /// Shows what came of it.
    pub(super) fn outcome(self, outcome: &Outcome, answer: &Answer) {
        let Some(line) = self.line else { return };
        drop(line);
        match (&outcome.done, &outcome.failed) {
            (Some(done), _) => print(outcome, done, answer),
            (None, Some(reason)) => anstream::eprintln!(
                "{FAINT}The model's answer failed, and the quoted one stands: {}{FAINT:#}",
                plain(reason)
            ),
            (None, None) => anstream::eprintln!("{FAINT}The model was stopped; the quoted answer stands.{FAINT:#}"),
        }
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Expert => "the Expert",
        Role::Critic => "the Critic",
        Role::Synthesizer => "the Synthesizer",
        Role::Verifier => "the last check",
    }
}

fn print(outcome: &Outcome, done: &Deliberation, answer: &Answer) {
    match &done.kept {
        Some(reason) => anstream::eprintln!("{FAINT}The quoted answer stands: {}.{FAINT:#}", plain(reason)),
        None => {
            say!("\n{STRONG}Answer by {}, each sentence checked against the pages:{STRONG:#}\n", plain(&outcome.model));
            say!("{}\n", lines(&done.verified.text));
            unlisted(done, answer);
        }
    }
    for sentence in done.verified.sentences.iter().filter(|sentence| sentence.verdict == Verdict::CannotVerify) {
        anstream::eprintln!("{FAINT}Not verified: {}{FAINT:#}", plain(&sentence.claim.text));
    }
    for judgement in done.review.flagged().chain(&done.verified.removed) {
        let label = judgement.verdict.label().unwrap_or_default();
        anstream::eprintln!("{FAINT}Taken out, {label}: {}{FAINT:#}", plain(&judgement.claim.text));
    }
    for sentence in &done.beside {
        anstream::eprintln!("{FAINT}Taken out, {BESIDE}: {}{FAINT:#}", plain(sentence));
    }
    for part in &done.quoted {
        anstream::eprintln!("{FAINT}Quoted, since the model's own words were not borne out: {}{FAINT:#}", plain(part));
    }
    let reasoning = [&done.draft.written.reasoning, &done.synthesis.written.reasoning];
    let words: usize = reasoning.iter().map(|text| text.split_whitespace().count()).sum();
    if words > 0 {
        let words = counted(words, "word");
        anstream::eprintln!(
            "{FAINT}Reasoning, not checked and no part of the answer: {words}; --json has them.{FAINT:#}"
        );
    }
    figures(outcome, done);
}

/// Sources that only this answer cites.
fn unlisted(done: &Deliberation, answer: &Answer) {
    let mut listed: Vec<usize> = Vec::new();
    for &number in done.verified.sentences.iter().flat_map(|sentence| &sentence.claim.citations) {
        let source = number.checked_sub(1).and_then(|at| answer.sources.get(at));
        if let Some(source) = source.filter(|source| !source.cited && !listed.contains(&number)) {
            say!("{LINK}[{number}]{LINK:#} {}  {FAINT}{}{FAINT:#}", plain(&source.title), plain(&source.path));
            listed.push(number);
        }
    }
}

fn figures(outcome: &Outcome, done: &Deliberation) {
    let (draft, synthesis) = (&done.draft.written, &done.synthesis.written);
    let (read, known) = (draft.prompt_tokens + synthesis.prompt_tokens, draft.known_tokens + synthesis.known_tokens);
    let tokens = match (draft.tokens + synthesis.tokens, read) {
        (0, 0) => "The node does not count tokens".to_owned(),
        (wrote, _) => {
            let (wrote, read) = (counted(wrote, "token"), counted(read, "token"));
            format!("{wrote} written, {read} read, {known} of them known from before")
        }
    };
    let (load, seconds) = (outcome.load_seconds, done.ms / 1000.0);
    anstream::eprintln!("{FAINT}{tokens}; loaded in {load:.1} s, deliberated in {seconds:.1} s.{FAINT:#}");
}
