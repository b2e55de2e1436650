//! A session: the tokens whose keys and values stand in the cache, so that a prompt that begins like the last one,
//! or like a kept one, is not prefilled again; and the scoring of continuations over it.

use std::ops::ControlFlow;

use crate::Error;
use crate::adapters::{ADAPTED, Adapters};
use crate::network::{Network, Rows};
use crate::prefix::{Prefixes, common};
use crate::sample::{GumbelSampling, log_probability};

/// How a session works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionOptions {
    /// The most tokens that one pass runs, unless [the network](Network::chunk) says otherwise: between passes a caller can stop.
    pub chunk: usize,
    /// The most bytes that kept prefixes may take together.
    pub prefix_bytes: usize,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { chunk: 128, prefix_bytes: 64 << 20 }
    }
}

/// How far a prefill is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrefillProgress {
    /// The prompt's tokens in the cache, those that were there already included.
    pub done: usize,
    /// Of these, the tokens that were there already.
    pub reused: usize,
    /// The prompt's tokens.
    pub total: usize,
}

/// A network with what its cache holds.
#[derive(Debug)]
pub struct Session<N: Network> {
    pub(crate) network: N,
    options: SessionOptions,
    /// The tokens at the cache's positions, from its beginning.
    tokens: Vec<u32>,
    prefixes: Prefixes,
}

/// Rows whose logits are taken in one pass while scoring: with a vocabulary of 150,000 tokens, ten megabytes.
const SCORED_ROWS: usize = 16;

impl<N: Network> Session<N> {
    /// Over a network whose cache is empty.
    pub fn new(network: N, options: SessionOptions) -> Self {
        let options = SessionOptions { chunk: options.chunk.max(1), ..options };
        Self { network, options, tokens: Vec::new(), prefixes: Prefixes::new(options.prefix_bytes) }
    }

    /// The network.
    pub fn network(&self) -> &N {
        &self.network
    }

    /// The tokens in the cache.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Names of the kept prefixes and their lengths in tokens, least recently used first.
    pub fn prefixes(&self) -> impl Iterator<Item = (&str, usize)> {
        self.prefixes.list()
    }

    /// The bytes that the kept prefixes take.
    pub fn prefix_bytes(&self) -> usize {
        self.prefixes.bytes()
    }

    /// Prefills `tokens` and keeps their cache under `name`, for prompts that begin with them. `watch` sees each step
    /// and may stop it. Gives whether they are kept: not where it was stopped, where they alone exceed the bound, or where
    /// the device has no room for them. An answer does not depend on it.
    ///
    /// # Errors
    ///
    /// As [`Session::prefill`].
    pub async fn remember(
        &mut self,
        name: &str,
        tokens: &[u32],
        watch: &mut impl AsyncFnMut(PrefillProgress) -> ControlFlow<()>,
    ) -> Result<bool, Error> {
        let reused = self.reuse(tokens, tokens.len())?;
        if self.run(tokens, reused, Rows::None, watch).await?.is_none() {
            return Ok(false);
        }
        Ok(self.prefixes.keep(&mut self.network, name, tokens).unwrap_or(false))
    }

    /// Frees what is kept under `name`; gives whether there was something.
    pub fn forget(&mut self, name: &str) -> bool {
        self.prefixes.forget(&mut self.network, name)
    }

    /// Takes up adapters for tokens with the bit [`ADAPTED`]. What the cache, or a kept prefix, holds of such tokens by others goes.
    ///
    /// # Errors
    ///
    /// Those of [`Network::adapt`].
    pub fn adapt(&mut self, adapters: &Adapters) -> Result<(), Error> {
        if self.network.adapt(adapters)? {
            self.tokens.truncate(self.tokens.iter().take_while(|token| *token & ADAPTED == 0).count());
            self.prefixes.forget_adapted(&mut self.network);
        }
        Ok(())
    }

    /// Brings the cache to hold `prompt`, and gives the logits of what comes after it; `None` where `watch` stopped it.
    ///
    /// # Errors
    ///
    /// An empty prompt, one longer than the context, a token that does not exist, a device that fails. What was
    /// prefilled before stays in the cache and is not done again.
    pub async fn prefill(
        &mut self,
        prompt: &[u32],
        watch: &mut impl AsyncFnMut(PrefillProgress) -> ControlFlow<()>,
    ) -> Result<Option<Vec<f32>>, Error> {
        // The last token is always run, for its logits.
        let most = prompt.len().checked_sub(1).ok_or(Error::EmptyPrompt)?;
        let reused = self.reuse(prompt, most)?;
        self.run(prompt, reused, Rows::Last, watch).await
    }

    /// Runs one more token, and gives the logits of what comes after it.
    ///
    /// # Errors
    ///
    /// As [`Session::prefill`].
    pub async fn step(&mut self, token: u32) -> Result<Vec<f32>, Error> {
        self.forward(&[token], Rows::Last).await
    }

    /// Runs one more token, and gives the one that is drawn by `chance` after it: as [`Session::step`], but the network may go
    /// on with that one already. Other calls wait until it has done so.
    ///
    /// # Errors
    ///
    /// As [`Session::prefill`]; and where no logit is a number.
    pub async fn draw(&mut self, token: u32, chance: GumbelSampling) -> Result<u32, Error> {
        let (needed, context) = (self.tokens.len() + 1, self.network.context());
        if needed > context {
            return Err(Error::TooLong { needed, context });
        }
        let drawn = self.network.draw(&self.tokens, token, chance).await?;
        self.tokens.push(token);
        Ok(drawn)
    }

    /// Runs the last token again, for the logits of what comes after it.
    ///
    /// # Errors
    ///
    /// As [`Session::prefill`].
    pub async fn step_again(&mut self) -> Result<Vec<f32>, Error> {
        let token = self.tokens.pop().ok_or(Error::EmptyPrompt)?;
        self.forward(&[token], Rows::Last).await
    }

    /// Ends what [`Session::draw`] has the network do ahead.
    pub async fn stop_drawing(&mut self) {
        self.network.stop_drawing().await;
    }

    /// The natural logarithm of the probability of each continuation after `prompt`, which is prefilled once. An
    /// empty continuation is certain: 0.
    ///
    /// # Errors
    ///
    /// As [`Session::prefill`].
    pub async fn score(&mut self, prompt: &[u32], continuations: &[Vec<u32>]) -> Result<Vec<f64>, Error> {
        let scores = self.score_watched(prompt, continuations, &mut async |_| ControlFlow::Continue(())).await?;
        Ok(scores.unwrap_or_default())
    }

    /// [`Session::score`], while `watch` sees the prefill, and then each continuation before it is run, as a prompt
    /// that is whole. `None` where it stopped.
    ///
    /// # Errors
    ///
    /// As [`Session::prefill`].
    pub async fn score_watched(
        &mut self,
        prompt: &[u32],
        continuations: &[Vec<u32>],
        watch: &mut impl AsyncFnMut(PrefillProgress) -> ControlFlow<()>,
    ) -> Result<Option<Vec<f64>>, Error> {
        let Some(next) = self.prefill(prompt, watch).await? else { return Ok(None) };
        let whole = PrefillProgress { done: prompt.len(), reused: prompt.len(), total: prompt.len() };
        let mut scores = Vec::with_capacity(continuations.len());
        for continuation in continuations {
            if watch(whole).await.is_break() {
                return Ok(None);
            }
            let first = continuation.first().map_or(0.0, |&token| log_probability(&next, token));
            let rest = self.score_rest(continuation).await;
            self.tokens.truncate(prompt.len());
            scores.push(first + rest?);
        }
        Ok(Some(scores))
    }

    /// What stands behind the first `layers` layers after the prompt's last token: the `[width]` numbers of which a probe
    /// ([`Probe`](crate::Probe)) takes one set or several. `None` where `watch` stopped it.
    ///
    /// # Errors
    ///
    /// As [`Session::prefill`]; and where there are not that many layers.
    pub async fn state(
        &mut self,
        prompt: &[u32],
        layers: usize,
        watch: &mut impl AsyncFnMut(PrefillProgress) -> ControlFlow<()>,
    ) -> Result<Option<Vec<f32>>, Error> {
        let (&last, before) = prompt.split_last().ok_or(Error::EmptyPrompt)?;
        let context = self.network.context();
        if prompt.len() > context {
            return Err(Error::TooLong { needed: prompt.len(), context });
        }
        let reused = self.reuse(before, before.len())?;
        if self.run(before, reused, Rows::None, watch).await?.is_none() {
            return Ok(None);
        }
        self.network.state(before.len(), last, layers).await.map(Some)
    }

    /// The logarithm of the probability of a continuation's second and later tokens, after what is in the cache.
    async fn score_rest(&mut self, continuation: &[u32]) -> Result<f64, Error> {
        let size = self.network.vocabulary_size();
        let mut sum = 0.0;
        let given = &continuation[..continuation.len().saturating_sub(1)];
        for (index, chunk) in given.chunks(SCORED_ROWS).enumerate() {
            let logits = self.forward(chunk, Rows::All).await?;
            let wanted = &continuation[index * SCORED_ROWS + 1..];
            sum += logits.chunks(size).zip(wanted).map(|(row, &token)| log_probability(row, token)).sum::<f64>();
        }
        Ok(sum)
    }

    /// Leaves in the cache what it, or a kept prefix, has of `prompt`'s beginning, `most` tokens at most.
    fn reuse(&mut self, prompt: &[u32], most: usize) -> Result<usize, Error> {
        let context = self.network.context();
        if prompt.len() > context {
            return Err(Error::TooLong { needed: prompt.len(), context });
        }
        let have = common(&self.tokens, prompt).min(most);
        self.tokens.truncate(have);
        let length =
            self.prefixes.restore(&mut self.network, prompt, have, most).inspect_err(|_| self.tokens.clear())?;
        self.tokens.extend(&prompt[have..length]);
        Ok(length)
    }

    /// Runs what of `prompt` is not yet in the cache, by chunks; `rows` are the last one's.
    async fn run(
        &mut self,
        prompt: &[u32],
        reused: usize,
        rows: Rows,
        watch: &mut impl AsyncFnMut(PrefillProgress) -> ControlFlow<()>,
    ) -> Result<Option<Vec<f32>>, Error> {
        let mut logits = Vec::new();
        let total = prompt.len();
        let chunk = self.network.chunk().unwrap_or(self.options.chunk).max(1);
        loop {
            let done = self.tokens.len();
            if watch(PrefillProgress { done, reused, total }).await.is_break() {
                return Ok(None);
            }
            if done == total {
                return Ok(Some(logits));
            }
            let end = total.min(done + chunk);
            logits = self.forward(&prompt[done..end], if end == total { rows } else { Rows::None }).await?;
        }
    }

    async fn forward(&mut self, tokens: &[u32], rows: Rows) -> Result<Vec<f32>, Error> {
        let (position, context) = (self.tokens.len(), self.network.context());
        if position + tokens.len() > context {
            return Err(Error::TooLong { needed: position + tokens.len(), context });
        }
        let logits = self.network.forward(position, tokens, rows).await?;
        self.tokens.extend_from_slice(tokens);
        Ok(logits)
    }
}
