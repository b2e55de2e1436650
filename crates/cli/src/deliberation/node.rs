//! A model behind a node deliberates.

use seealso::{Model as _, ModelError};

use super::{Brief, Outcome, Show, with};
use crate::node_client::Agreed;

/// Lets the node's model deliberate. A node that fails is no error: another model, or the quoted answer, stands in.
pub(super) async fn run(brief: &Brief<'_>, node: Agreed, show: &Show) -> Outcome {
    let address = node.address().to_owned();
    let outcome =
        |model: String, done, failed: Option<String>| Outcome { model, done, failed, threads: 0, load_seconds: 0.0 };
    let model = match node.connect().await {
        Ok(model) => model,
        Err(error) => return outcome(address, None, Some(error.to_string())),
    };
    let name = format!("{} at {address}", model.abilities().name);
    match with(&model, brief, show).await {
        Ok(done) => outcome(name, Some(done), None),
        Err(ModelError::Stopped) => outcome(name, None, None),
        Err(error) => outcome(name, None, Some(error.to_string())),
    }
}
