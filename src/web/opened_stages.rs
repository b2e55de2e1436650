//! The stages and the entries that an engine keeps open between questions.

use std::cell::RefCell;
use std::rc::Rc;

use crate::entries::stage::EntryStage;
use crate::stages::open::Stages;

/// The stages that were opened last, and whether chunks and vectors were to be among them.
pub(super) type OpenedStages = RefCell<Option<((bool, bool), Rc<Stages>)>>;

/// The entries, once a request asked for them.
pub(super) type OpenedEntries = RefCell<Option<Rc<EntryStage>>>;
