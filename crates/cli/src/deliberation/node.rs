//! Has the model behind a node work.

use seealso::{Model as _, ModelError};

use super::{ModelResult, ModelTask, TerminalView, work_with};
use crate::node_client::ConsentedNode;

/// Has the node's model work. The failure of a node is part of the result and no error, since another model, or the
/// quoted answer, stands in.
pub(super) async fn run(task: &ModelTask<'_>, node: ConsentedNode, view: &TerminalView) -> ModelResult {
    let address = node.address().to_owned();
    let outcome = |model: String, done, failed: Option<String>| ModelResult {
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
    match work_with(&model, task, view).await {
        Ok(done) => outcome(name, Some(done), None),
        Err(ModelError::Stopped) => outcome(name, None, None),
        Err(error) => outcome(name, None, Some(error.to_string())),
    }
}
