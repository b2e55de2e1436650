//! One of a few words, and nothing else.

use super::Automaton;

/// Allows exactly one of the given texts, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneOf {
    words: Vec<Vec<u8>>,
}

impl OneOf {
    /// From the texts; where an answer may begin with a space or a capital, give those forms too.
    pub fn new<S: AsRef<[u8]>>(words: impl IntoIterator<Item = S>) -> Self {
        Self { words: words.into_iter().map(|word| word.as_ref().to_vec()).collect() }
    }
}

impl Automaton for OneOf {
    /// What was said so far: short, since it begins one of the words.
    type State = Vec<u8>;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn step(&self, state: &Vec<u8>, byte: u8) -> Option<Vec<u8>> {
        let mut said = state.clone();
        said.push(byte);
        self.words.iter().any(|word| word.starts_with(&said)).then_some(said)
    }

    fn is_end(&self, state: &Vec<u8>) -> bool {
        self.words.contains(state)
    }
}
