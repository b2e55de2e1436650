//! The local model's boundary: what a browser's worker loads when a model is wanted.

use seealso_model as _;
