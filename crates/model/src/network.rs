//! What generation needs of a decoder: the seam between text going out and tensors going in.

use crate::Error;
use crate::adapters::Adapters;
use crate::sample::GumbelSampling;

/// Which rows' logits a forward pass gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// None: the pass only fills the cache.
    None,
    /// The last token's.
    Last,
    /// Every token's.
    All,
}

/// A kept beginning of a cache, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot(pub u32);

/// A causal language model with a cache of the positions it has seen.
#[allow(async_fn_in_trait, reason = "driven on one thread: in the browser futures are not `Send`")]
pub trait Network {
    /// How many positions the cache has.
    fn context(&self) -> usize;

    /// How many logits a row has.
    fn vocabulary_size(&self) -> usize;

    /// The tokens of a prompt that one pass should have, where the network knows better than
    /// [`SessionOptions::chunk`](crate::SessionOptions::chunk).
    fn chunk(&self) -> Option<usize> {
        None
    }

    /// Takes up adapters, in place of those that it had. Tokens with the bit [`ADAPTED`](crate::adapters::ADAPTED) are read
    /// through them. Gives whether it had not these before: then what a cache holds of such tokens is of no use.
    ///
    /// # Errors
    ///
    /// Where they are for another model.
    fn adapt(&mut self, adapters: &Adapters) -> Result<bool, Error>;

    /// Runs `tokens` at the positions from `position` on, over what the cache holds before `position`; what it held
    /// from there on is lost.
    ///
    /// # Shapes
    ///
    /// Gives `rows × vocabulary_size` logits, row by row: none, one or `tokens.len()` rows.
    ///
    /// # Errors
    ///
    /// Where the positions don't fit, a token does not exist, or the device fails. The cache then holds nothing more
    /// than before `position`.
    async fn forward(&mut self, position: usize, tokens: &[u32], rows: Rows) -> Result<Vec<f32>, Error>;

    /// Whether [`Network::draw`] is faster than choosing from the logits.
    fn draws_ahead(&self) -> bool {
        false
    }

    /// Runs `token` behind the tokens that the cache holds, `before`, and gives the one that is drawn by `chance` after it. A
    /// network that draws ahead is some passes further where tokens are asked for one behind the other: what its cache holds
    /// behind `token` is lost.
    ///
    /// # Errors
    ///
    /// As [`Network::forward`]; and where no logit is a number.
    async fn draw(&mut self, before: &[u32], token: u32, chance: GumbelSampling) -> Result<u32, Error> {
        let logits = self.forward(before.len(), &[token], Rows::Last).await?;
        chance.draw(&logits, &[before, &[token]].concat()).ok_or(Error::NoNumbers)
    }

    /// Ends what [`Network::draw`] does ahead.
    async fn stop_drawing(&mut self) {}

    /// Runs `token` at `position`, over what the cache holds before it, through the first `layers` layers alone, and
    /// gives what stands behind them: `[width]` numbers, before any norm. The cache then holds nothing from `position` on.
    ///
    /// # Errors
    ///
    /// Where the position does not fit, the token or that many layers don't exist, or the device fails.
    async fn state(&mut self, position: usize, token: u32, layers: usize) -> Result<Vec<f32>, Error>;

    /// The bytes that a snapshot of `length` positions takes.
    fn snapshot_bytes(&self, length: usize) -> usize;

    /// Keeps the cache's first `length` positions apart.
    ///
    /// # Errors
    ///
    /// Where memory for them is not to be had.
    fn keep(&mut self, length: usize) -> Result<Snapshot, Error>;

    /// Puts the first `length` kept positions back to the cache's beginning.
    ///
    /// # Errors
    ///
    /// Where there is no such snapshot, or it is shorter.
    fn restore(&mut self, snapshot: Snapshot, length: usize) -> Result<(), Error>;

    /// Frees a snapshot; one that does not exist is ignored.
    fn drop_snapshot(&mut self, snapshot: Snapshot);
}
