//! Runs a GGUF decoder on burn.

mod error;
pub mod random;
mod vocabulary;
mod language;
pub mod sample;
pub mod mask;
mod stop;
pub mod network;
mod prefix;
mod session;
mod generate;
pub mod ops;
mod decoder;
mod load;
mod model;

pub use decoder::Decoder;
pub use error::Error;
pub use generate::{Event, Finish, Generated, Request, generate};
pub use language::Language;
pub use load::{LoadOptions, Loader, Progress, load};
pub use model::Model;
pub use session::{Prefilled, Session, SessionOptions};
pub use vocabulary::{TokenSet, Vocabulary};
