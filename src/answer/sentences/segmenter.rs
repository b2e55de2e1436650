//! What the cutting of sentences asks of the world: the words of a script without spaces.

/// Finds the words of a script that puts no spaces between them.
pub(crate) trait Segmenter {
    /// Where the words of `text` begin, in bytes.
    fn word_starts(&self, text: &str) -> Vec<usize>;
}
