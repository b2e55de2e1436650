//! The stages that an engine keeps open between questions.

use std::cell::RefCell;
use std::rc::Rc;

use crate::stages::open::Stages;

/// The stages that were opened last, and whether chunks and vectors were to be among them.
pub(super) type OpenedStages = RefCell<Option<((bool, bool), Rc<Stages>)>>;
