//! Whole files, sound and hostile.

mod config;
mod reader;
