//! Golden ids over a tiny vocabulary.
