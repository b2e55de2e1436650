//! `reasoning`: a model's reasoning is kept apart from its answer, wherever the model runs.
//!
//! Servers that know a model's marks send its reasoning apart ([`Wrote::Reasoning`]). Others, and a local model, leave it in the
//! text between marks, of which one or both may be missing. Reasoning is shown as such, and is never checked or quoted.

mod marks;
mod code;
mod splitter;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::model::{Hear, Model, ModelError, Writing, Written, Wrote};
use splitter::Splitter;

/// [`Model::write`], with the reasoning in the model's text told and given apart.
///
/// # Errors
/// The model's.
pub(crate) async fn write<M: Model>(model: &M, writing: &Writing, hear: Hear<'_>) -> Result<Written, ModelError> {
    let mut splitter = Splitter::default();
    let mut flow = ControlFlow::Continue(());
    let mut apart = |wrote: Wrote<'_>| {
        let mut tell = |wrote: Wrote<'_>| flow = if flow.is_break() { flow } else { hear(wrote) };
        match wrote {
            Wrote::Text(piece) if !piece.is_empty() => splitter.push(piece, &mut tell),
            other => tell(other),
        }
        flow
    };
    let written = model.write(writing, &mut apart).await?;
    splitter.end(&mut |wrote| flow = if flow.is_break() { flow } else { hear(wrote) });
    Ok(apart_of(written))
}

/// What was written, with the reasoning that stands in its text beside the one that came apart.
fn apart_of(mut written: Written) -> Written {
    let mut splitter = Splitter::default();
    splitter.push(&written.text, &mut |_| ());
    splitter.end(&mut |_| ());
    if splitter.text != written.text {
        let more = splitter.reasoning.trim_end();
        let between = if written.reasoning.is_empty() || more.is_empty() { "" } else { "\n\n" };
        written.reasoning = format!("{}{between}{more}", written.reasoning);
        written.text = splitter.text.trim().to_owned();
    }
    written
}
