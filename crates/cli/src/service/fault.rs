//! Why a request to the service got no reply.

use std::fmt;

use seealso::EntryFault;

/// Why a request got no reply. It fails that request alone; the service goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ServiceFault {
    /// A value of the request is out of bounds.
    InvalidRequest(String),
    /// No pack has a page of this name.
    UnknownPage(String),
    /// A page that the index knows can't be read.
    PageLost(String),
    /// The index can't be queried.
    Index(String),
    /// No entries can be retrieved.
    Entries(EntryFault),
    /// The queue is full.
    Busy,
    /// No reply came within this many seconds.
    TimedOut(u64),
    /// The thread that worked on it ended.
    Stopped,
}

impl ServiceFault {
    /// The kind as a short word, for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            ServiceFault::InvalidRequest(_) => "invalid_request",
            ServiceFault::UnknownPage(_) => "page_not_found",
            ServiceFault::PageLost(_) => "page_unreadable",
            ServiceFault::Index(_) => "index_unreadable",
            ServiceFault::Entries(fault) => entry_code(fault),
            ServiceFault::Busy => "busy",
            ServiceFault::TimedOut(_) => "timed_out",
            ServiceFault::Stopped => "internal_error",
        }
    }
}

/// The code of a fault of entries, in the spelling of the others.
fn entry_code(fault: &EntryFault) -> &'static str {
    match fault {
        EntryFault::NotProvided => "entries_not_provided",
        EntryFault::Unreadable { .. } => "entries_unreadable",
        EntryFault::NoVectors => "no_vectors",
        EntryFault::NoEncoder { .. } => "no_encoder",
        EntryFault::OtherModel { .. } => "other_encoder",
        EntryFault::EncoderFailed { .. } => "encoder_failed",
        _ => "entries_unusable",
    }
}

impl fmt::Display for ServiceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServiceFault::InvalidRequest(why) => f.write_str(why),
            ServiceFault::UnknownPage(name) => {
                write!(f, "no pack here has a page \"{name}\"; search for it, and use the `page` of a result")
            }
            ServiceFault::PageLost(why) | ServiceFault::Index(why) => f.write_str(why),
            ServiceFault::Entries(fault) => fault.fmt(f),
            ServiceFault::Busy => f.write_str("too many requests wait already; ask again in a second"),
            ServiceFault::TimedOut(seconds) => {
                write!(f, "no reply within {seconds} s; ask again, or ask a shorter question")
            }
            ServiceFault::Stopped => {
                f.write_str("the thread that worked on this request ended; ask again, and look at the server's log")
            }
        }
    }
}

impl std::error::Error for ServiceFault {}
