//! The log of interactions: what was asked of a server and what came of it, and the feedback on it; for a daily report.
//!
//! It is a folder of files, one a day, to which lines of JSON are added. It holds no words of questions unless the server's keeper
//! wants them. A server that can't write it goes on, and says so.

mod record;
mod log;
mod read;
mod report;

pub(crate) use log::{InteractionLog, LogFault, default_folder};
pub(crate) use record::{FeedbackLine, InteractionLine, LogLine, Route, Thumb, Verdict};
pub(crate) use report::DailyReport;
