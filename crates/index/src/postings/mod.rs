//! Postings: the pages that hold a term, each with the term's counts there.
//!
//! A [postings list](list) is what the index knows of a term. Its postings are a [run] beside the term or, where
//! they are many, blocks in files of their own, which are runs too. A posting names the counts of its page by the
//! number of a [profile].

pub(crate) mod list;
pub(crate) mod name;
pub(crate) mod profile;
pub(crate) mod run;
