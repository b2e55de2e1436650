//! Packs as tools of the Model Context Protocol, for agents that run this command as their server.
//!
//! Tools read and never write. Their results have the addresses of pages and exact quotes. All text of pages is in a fence that
//! it can't close, and is called data, since a page may be written to instruct whoever reads it.

mod exchange;
mod text;
mod tool;
mod server;
#[cfg(test)]
mod tests;

pub(crate) use server::PackTools;
