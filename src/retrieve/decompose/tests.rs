//! Tables of questions.
