//! A draft on the terminal: a heading that says whose it is, the text as it comes, and what is to be said of it after.

use seealso::Answer;

use super::{Brief, Draft, End, Step, write};
use crate::style::{FAINT, LINK, ProgressLine, STRONG, counted, plain, say, stream};

/// Prints the draft of `brief` as it comes, and after it the sources that only the draft cites.
///
/// # Errors
///
/// Those of [`write()`].
pub(crate) async fn show(brief: &Brief<'_>, answer: &Answer) -> anyhow::Result<Draft> {
    let mut progress = Some(ProgressLine::new());
    let mut watch = |step: Step<'_>| match step {
        Step::Text(text) => {
            // Its end wipes the line on which the text begins.
            progress = None;
            stream(text);
        }
        Step::Begins(name) => {
            progress = None;
            say!(
                "\n{STRONG}Draft by {}{STRONG:#}, in its own words, not checked against the pages yet:\n",
                plain(name)
            );
            progress = Some(ProgressLine::new());
        }
        Step::Loading(done, total) => tell(progress.as_ref(), "loading the model", done, total),
        Step::Reading(done, total) => tell(progress.as_ref(), "reading the sources", done as u64, total as u64),
    };
    let draft = write(brief, &mut watch).await?;
    drop(progress);
    say!("\n");
    for &number in draft.citations().0.iter().filter(|&&number| !is_listed(answer, number)) {
        if let Some(source) = answer.sources.get(number - 1) {
            say!("{LINK}[{number}]{LINK:#} {}  {FAINT}{}{FAINT:#}", plain(&source.title), plain(&source.path));
        }
    }
    remark(&draft);
    Ok(draft)
}

fn tell(progress: Option<&ProgressLine>, doing: &str, done: u64, total: u64) {
    if let Some(line) = progress {
        let percent = (100 * done).checked_div(total).unwrap_or(0);
        line.say(&format!("{doing}: {percent} %"));
    }
}

/// Whether the quoted answer has listed the source already.
fn is_listed(answer: &Answer, number: usize) -> bool {
    number.checked_sub(1).and_then(|at| answer.sources.get(at)).is_some_and(|source| source.cited)
}

/// What the reader should know of how the draft came to be.
fn remark(draft: &Draft) {
    match draft.end {
        End::Done => (),
        End::Tokens => {
            let tokens = counted(draft.tokens, "token");
            anstream::eprintln!("{FAINT}The draft was ended after {tokens}; --tokens sets how many.{FAINT:#}");
        }
        End::Stopped => anstream::eprintln!("{FAINT}The draft was stopped.{FAINT:#}"),
    }
    for number in draft.citations().1 {
        anstream::eprintln!("{FAINT}The draft cites [{number}], but the model was given no such source.{FAINT:#}");
    }
    let [load, prompt, _] = draft.seconds;
    anstream::eprintln!(
        "{FAINT}{}, {:.1} a second; loaded in {load:.1} s, read {} in {prompt:.1} s.{FAINT:#}",
        counted(draft.tokens, "token"),
        draft.speed(),
        counted(draft.prompt_tokens, "token"),
    );
}
