//! The dialect of a node: the changes that its requests were found to need.
//!
//! A refused request is changed and sent again ([`change`](crate::change)). The changes that worked are remembered.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use crate::change::Change;
use crate::error::Error;
use crate::protocol::ChatRequest;
use crate::request::RequestFailure;

/// The most changes of one request: a server that refuses everything is not asked for ever.
const MOST_CHANGES: usize = 10;

/// The changes that a node was found to need. Clones share them, so a caller that keeps one for the same node and model
/// need not find them out again.
#[derive(Debug, Clone, Default)]
pub struct Dialect(Rc<RefCell<Vec<Change>>>);

impl Dialect {
    /// An attempt to have `request` answered, beginning with the known changes.
    pub(crate) fn attempt(&self, request: &ChatRequest) -> Attempt<'_> {
        // Converted by way of text, so that numbers keep the digits that they are written with.
        let text = serde_json::to_string(request).unwrap_or_default();
        let order = serde_json::from_str(&text).unwrap_or_default();
        Attempt { dialect: self, order, changes: self.0.borrow().clone() }
    }
}

/// A request with its changes.
pub(crate) struct Attempt<'d> {
    dialect: &'d Dialect,
    order: Value,
    changes: Vec<Change>,
}

impl Attempt<'_> {
    /// The request body to send.
    pub(crate) fn order(&self) -> Value {
        let mut order = self.order.clone();
        self.changes.iter().for_each(|change| change.apply(&mut order));
        order
    }

    /// Prepares another attempt after a failure, if it suggests a change.
    pub(crate) fn change(&mut self, failed: RequestFailure) -> Result<(), Error> {
        match failed.change.filter(|change| !self.changes.contains(change)) {
            Some(change) if self.changes.len() < MOST_CHANGES => {
                self.changes.push(change);
                Ok(())
            }
            _ => Err(failed.error),
        }
    }

    /// Remembers the changes, which worked.
    pub(crate) fn remember(self) {
        *self.dialect.0.borrow_mut() = self.changes;
    }
}
