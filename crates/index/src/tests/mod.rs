//! Whole-index tests: what is written comes back, ranks as it should, and no bytes make the reader panic.

mod equal;
mod exhaustive;
mod forms;
mod lazy_topk;
mod hostile;
mod random;
mod real;
mod searching;
mod stop_words;
mod support;
mod writing;
