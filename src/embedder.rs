//! `Embedder`: the trait of a sentence encoder, which turns texts into vectors that lie near each other where the texts mean
//! much the same. Where it runs (this process, a worker) is hidden behind it.

use std::fmt;

/// Why no vectors came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedError {
    /// What failed, where, and what to do.
    pub reason: String,
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for EmbedError {}

/// Texts to unit vectors. Like the other traits of the engine it is async without a `Send` bound.
#[allow(async_fn_in_trait)]
pub trait Embedder {
    /// The id of its vector space: two vectors are comparable where their spaces are equal, and only there.
    fn space(&self) -> &str;

    /// One vector for each text, in the order of the texts, each of length 1.
    ///
    /// # Errors
    /// [`EmbedError`]; then there are no vectors, not even of some texts.
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// The type of an encoder where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEmbedder {}

impl Embedder for NoEmbedder {
    fn space(&self) -> &str {
        match *self {}
    }

    async fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        match *self {}
    }
}

/// The vectors of `texts`, checked: as many as there are texts, all of `dimensions` finite numbers.
///
/// # Errors
/// [`EmbedError`].
pub(crate) async fn embed_checked<E: Embedder>(
    embedder: &E,
    texts: &[&str],
    dimensions: usize,
) -> Result<Vec<Vec<f32>>, EmbedError> {
    let vectors = embedder.embed(texts).await?;
    let is_whole = |vector: &Vec<f32>| vector.len() == dimensions && vector.iter().all(|number| number.is_finite());
    match vectors.len() == texts.len() && vectors.iter().all(is_whole) {
        true => Ok(vectors),
        false => Err(EmbedError {
            reason: format!(
                "the encoder of {} returned other vectors than one of {dimensions} numbers for each text; load it anew",
                embedder.space()
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::*;
    use crate::memory::ScriptedEmbedder;

    #[test]
    fn vectors_are_as_many_and_as_long_as_expected() {
        let embedder =
            ScriptedEmbedder::new("letters", &[("a", &[1.0, 0.0]), ("b", &[0.0, 1.0]), ("c", &[f32::NAN, 0.0])]);
        let check = |texts: &[&str], dimensions: usize, expected: Result<Vec<Vec<f32>>, &str>| {
            let vectors = block_on(embed_checked(&embedder, texts, dimensions));
            assert_eq!(vectors.map_err(|error| error.reason), expected.map_err(str::to_owned), "{texts:?}");
        };
        check(&["b", "a"], 2, Ok(vec![vec![0.0, 1.0], vec![1.0, 0.0]]));
        let other = "the encoder of letters returned other vectors than one of 3 numbers for each text; load it anew";
        check(&["a"], 3, Err(other));
        let other = "the encoder of letters returned other vectors than one of 2 numbers for each text; load it anew";
        check(&["a", "c"], 2, Err(other));
        check(&["unknown"], 2, Err("the script has no vector for \"unknown\""));
    }
}
