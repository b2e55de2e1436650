//! Runs a GGUF decoder on burn.

mod error;
pub mod random;
mod vocabulary;
pub mod sample;
pub mod mask;
mod stop;
mod text;
pub mod network;
mod prefix;
mod session;
mod generate;

pub use error::Error;
pub use vocabulary::{TokenSet, Vocabulary};
pub use session::{Prefilled, Session, SessionOptions};
pub use generate::{Event, Finish, Generated, Request, generate};
