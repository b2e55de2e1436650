//! Hand-computed blocks.
