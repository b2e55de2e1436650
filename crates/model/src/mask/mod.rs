//! Masks: what a model may say next, when its answer must have a given form.
//!
//! A mask is a small automaton over bytes. A token is allowed where all its bytes are; since tokens may join or split
//! whatever they like (`"],`, ` [1`, half a character), nothing here thinks in tokens.

mod citations;
mod json;
mod words;

pub use citations::Citations;
pub use json::{NamedStrings, StringArray};
pub use words::OneOf;

use crate::vocabulary::{TokenSet, Vocabulary};

/// What may come next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedTokens {
    /// The tokens of text that may follow; never one that ends the answer.
    pub tokens: TokenSet,
    /// Whether the answer may end here.
    pub may_end: bool,
}

impl AllowedTokens {
    /// Whether nothing can follow but the end.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.may_end && self.tokens.is_empty()
    }
}

/// Narrows what a model may say.
pub trait Mask {
    /// What may follow `so_far`, all the bytes said since the prompt. What the mask itself would not have allowed may
    /// stand in `so_far`; then nothing may follow, and the answer may end.
    fn allowed(&self, so_far: &[u8], vocabulary: &Vocabulary) -> AllowedTokens;

    /// Whether all of `piece` may follow: for one token, far less work than [`Mask::allowed`].
    fn may_follow(&self, so_far: &[u8], piece: &[u8]) -> bool;

    /// Whether the answer may end after `so_far`.
    fn may_end(&self, so_far: &[u8]) -> bool;
}

/// A deterministic automaton over bytes; every [`Automaton`] is a [`Mask`].
trait Automaton {
    /// Where the automaton stands; small, since it is copied for every token that is tried.
    type State: Clone;
    /// Before the first byte.
    fn start(&self) -> Self::State;
    /// After one more byte, or `None` where that byte can't come.
    fn step(&self, state: &Self::State, byte: u8) -> Option<Self::State>;
    /// Whether the text may end here.
    fn is_end(&self, state: &Self::State) -> bool;

    /// After all of `bytes`.
    fn run(&self, bytes: &[u8]) -> Option<Self::State> {
        bytes.iter().try_fold(self.start(), |state, &byte| self.step(&state, byte))
    }
}

impl<A: Automaton> Mask for A {
    fn allowed(&self, so_far: &[u8], vocabulary: &Vocabulary) -> AllowedTokens {
        let Some(state) = self.run(so_far) else {
            return AllowedTokens { tokens: TokenSet::empty(vocabulary.len()), may_end: true };
        };
        let accepted = |piece: &[u8]| {
            let mut at = state.clone();
            piece.iter().take_while(|&&byte| self.step(&at, byte).map(|next| at = next).is_some()).count()
        };
        let mut tokens = vocabulary.filter(accepted);
        vocabulary.ends().iter().for_each(|&end| tokens.remove(end));
        AllowedTokens { tokens, may_end: self.is_end(&state) }
    }

    fn may_follow(&self, so_far: &[u8], piece: &[u8]) -> bool {
        let after = |state: A::State| piece.iter().try_fold(state, |state, &byte| self.step(&state, byte));
        self.run(so_far).and_then(after).is_some()
    }

    fn may_end(&self, so_far: &[u8]) -> bool {
        self.run(so_far).is_none_or(|state| self.is_end(&state))
    }
}

#[cfg(test)]
mod tests;
