//! `reasoning`: separates a model's reasoning from its answer, wherever the model runs.
//!
//! Servers that know a model's marks send its reasoning separately ([`GenerationEvent::Reasoning`]). Others, and a
//! local model, leave it in the text between marks, of which one or both may be missing. Reasoning is shown as such,
//! and is never checked or quoted.

mod marks;
mod code;
mod splitter;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::model::{Generation, GenerationEvent, GenerationRequest, Model, ModelError, OnEvent};
use splitter::{Parts, Splitter};

/// [`Model::write`], with the reasoning in the model's text separated in the events and in the result.
///
/// # Errors
/// The model's.
pub(crate) async fn write<M: Model>(
    model: &M,
    writing: &GenerationRequest,
    on_event: OnEvent<'_>,
) -> Result<Generation, ModelError> {
    let mut splitter = Splitter::default();
    let mut flow = ControlFlow::Continue(());
    let mut apart = |event: GenerationEvent<'_>| {
        let mut pass_on = |event: GenerationEvent<'_>| flow = if flow.is_break() { flow } else { on_event(event) };
        match event {
            GenerationEvent::Text(piece) if !piece.is_empty() => splitter.push(piece, &mut pass_on),
            other => pass_on(other),
        }
        flow
    };
    let mut written = model.write(writing, &mut apart).await?;
    let mut pass_on = |event: GenerationEvent<'_>| flow = if flow.is_break() { flow } else { on_event(event) };
    splitter.complete(&written.text);
    let Parts { text, reasoning, .. } = splitter.end(&mut pass_on);
    if text != written.text {
        let between = if written.reasoning.is_empty() || reasoning.is_empty() { "" } else { "\n\n" };
        written.reasoning = written.reasoning + between + reasoning.trim_end();
        text.trim().clone_into(&mut written.text);
    }
    Ok(written)
}
