//! Placeholder while the command is being written.
fn main() {}
