//! Whole files, sound and hostile.

mod reader;
