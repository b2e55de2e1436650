//! How numbers are fitted to claims whose truth is known: by a linear function, a logistic one, or a perceptron.

pub(crate) mod logistic;
pub(crate) mod perceptron;
pub(crate) mod ridge;
