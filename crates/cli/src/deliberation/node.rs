//! Deliberates with the model behind a node.

use seealso::{Model as _, ModelError};

use super::{DeliberationResult, DeliberationTask, TerminalView, deliberate_with};
use crate::node_client::ConsentedNode;

/// Deliberates with the node's model. The failure of a node is part of the result and no error, since another model, or the
/// quoted answer, stands in.
pub(super) async fn run(task: &DeliberationTask<'_>, node: ConsentedNode, view: &TerminalView) -> DeliberationResult {
    let address = node.address().to_owned();
    let outcome = |model: String, done, failed: Option<String>| DeliberationResult {
        model,
        done,
        failed,
        threads: 0,
        load_seconds: 0.0,
    };
    let model = match node.connect().await {
        Ok(model) => model,
        Err(error) => return outcome(address, None, Some(error.to_string())),
    };
    let name = format!("{} at {address}", model.abilities().name);
    match deliberate_with(&model, task, view).await {
        Ok(done) => outcome(name, Some(done), None),
        Err(ModelError::Stopped) => outcome(name, None, None),
        Err(error) => outcome(name, None, Some(error.to_string())),
    }
}
