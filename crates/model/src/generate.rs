//! The loop of an answer: prefill, then token by token, out as text, until something ends it.

use std::ops::ControlFlow;

use crate::Error;
use seealso_gguf::Detokenizer;

use crate::language::Language;
use crate::mask::Mask;
use crate::network::Network;
use crate::sample::{GumbelSampling, Sampler, Sampling};
use crate::session::{PrefillProgress, Session};
use crate::stop::StopStrings;

/// What to generate.
#[derive(Default)]
pub struct Request<'a> {
    /// The tokens to continue.
    pub prompt: &'a [u32],
    /// The answer's first tokens, where they are known: of an answer that another device began, and that goes on here.
    /// They count as generated, and their text is not told again.
    pub begun: &'a [u32],
    /// The most tokens to generate; the context's end is a bound too.
    pub max_tokens: usize,
    /// How tokens are chosen.
    pub sampling: Sampling,
    /// Texts that end the answer, and are not part of it.
    pub stops: &'a [String],
    /// What form the answer must have.
    pub mask: Option<&'a dyn Mask>,
}

/// What happens while an answer is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// A part of the prompt is in the cache; first told before the first pass.
    PrefillProgress(PrefillProgress),
    /// This token was drawn; its text, if there is any to show, comes next.
    Drawn(u32),
    /// The answer goes on: whole characters, empty where a token only began one or may begin a stop string. One event
    /// a token.
    Text(&'a str),
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The model said a token that ends it, or nothing else was left to say.
    Ended,
    /// A stop string came.
    StopString,
    /// `max_tokens` came.
    MaxTokens,
    /// The context is full.
    ContextFull,
    /// The caller stopped it.
    Stopped,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerationResult {
    /// The text, as it was streamed.
    pub text: String,
    /// The tokens drawn, without the one that ended it.
    pub tokens: Vec<u32>,
    /// Why it ended.
    pub finish: Finish,
    /// How many of the prompt's tokens were in the cache already.
    pub reused: usize,
}

/// Generates an answer. `watch` sees each event before the next token is asked for, and may stop: since it is awaited, a slow
/// reader slows the model, and a browser's worker can read its messages meanwhile. A device that draws by itself is some passes
/// ahead ([`Network::draw`]).
///
/// # Errors
///
/// The session's (see [`Session::prefill`]), [`Error::NothingAllowed`] where a mask leaves no way on, and
/// [`Error::NoNumbers`] where the network gives no logits that are numbers.
pub async fn generate<N: Network>(
    session: &mut Session<N>,
    language: &Language,
    request: &Request<'_>,
    watch: &mut impl AsyncFnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<GenerationResult, Error> {
    let mut reused = 0;
    let prefilled = async |step: PrefillProgress| {
        reused = step.reused;
        watch(Event::PrefillProgress(step)).await
    };
    let prompt = [request.prompt, request.begun].concat();
    let logits = session.prefill(&prompt, &mut { prefilled }).await?;
    let mut answer = Answer::new(language, request);
    request.begun.iter().for_each(|&token| drop(answer.take(token)));
    let finish = match logits {
        Some(logits) => {
            let finish = answer.run(session, Next::Logits(logits), watch).await;
            session.stop_drawing().await;
            finish?
        }
        None => Finish::Stopped,
    };
    Ok(GenerationResult { text: answer.text, tokens: answer.tokens, finish, reused })
}

/// What comes after the last token.
enum Next {
    /// The logits of all tokens.
    Logits(Vec<f32>),
    /// The token that the network drew, and may have gone on with.
    Drawn(u32),
}

/// An answer in the making.
struct Answer<'a> {
    language: &'a Language,
    request: &'a Request<'a>,
    sampler: Sampler,
    stops: StopStrings,
    detokenizer: Detokenizer,
    /// What was drawn.
    tokens: Vec<u32>,
    /// The bytes of what was drawn, for the mask.
    bytes: Vec<u8>,
    /// What was shown.
    text: String,
}

impl<'a> Answer<'a> {
    fn new(language: &'a Language, request: &'a Request<'a>) -> Self {
        Self {
            language,
            request,
            sampler: Sampler::new(request.sampling.clone()),
            stops: StopStrings::new(request.stops),
            detokenizer: Detokenizer::new(),
            tokens: Vec::new(),
            bytes: Vec::new(),
            text: String::new(),
        }
    }

    async fn run<N: Network>(
        &mut self,
        session: &mut Session<N>,
        mut next: Next,
        watch: &mut impl AsyncFnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Finish, Error> {
        loop {
            if self.tokens.len() >= self.request.max_tokens {
                return self.close(Finish::MaxTokens, watch).await;
            }
            let Some(token) = self.choose_next(session, next).await? else {
                return self.close(Finish::Ended, watch).await;
            };
            let (shown, stopped) = self.take(token);
            let mut flow = watch(Event::Drawn(token)).await;
            if flow.is_continue() {
                flow = watch(Event::Text(&shown)).await;
            }
            if stopped {
                return Ok(Finish::StopString);
            }
            if flow.is_break() {
                return Ok(Finish::Stopped);
            }
            if session.tokens().len() >= session.network().context() {
                return self.close(Finish::ContextFull, watch).await;
            }
            // What comes after the last token is not wanted.
            if self.tokens.len() >= self.request.max_tokens {
                return self.close(Finish::MaxTokens, watch).await;
            }
            next = match GumbelSampling::of(&self.request.sampling).filter(|_| session.network().draws_ahead()) {
                Some(chance) => Next::Drawn(session.draw(token, chance).await?),
                None => Next::Logits(session.step(token).await?),
            };
        }
    }

    /// The next token; `None` where the answer ends. A token that the mask allows is drawn as often as among the allowed ones
    /// alone; where it refuses one, another is drawn among them.
    async fn choose_next<N: Network>(&mut self, session: &mut Session<N>, next: Next) -> Result<Option<u32>, Error> {
        let logits = match next {
            Next::Logits(logits) => logits,
            Next::Drawn(token) if self.request.mask.is_none_or(|mask| self.allows(mask, token)) => {
                return Ok((!self.ends().contains(&token)).then_some(token));
            }
            Next::Drawn(_) => session.step_again().await?,
        };
        self.choose(session.tokens(), &logits)
    }

    /// The next token; `None` where the answer ends.
    fn choose(&mut self, so_far: &[u32], logits: &[f32]) -> Result<Option<u32>, Error> {
        let token = match self.request.mask {
            None => self.sampler.draw(logits, so_far, None),
            Some(mask) => match self.choose_freely(mask, so_far, logits) {
                Some(token) => Some(token),
                None => {
                    let mut allowed = mask.allowed(&self.bytes, &self.language.vocabulary);
                    if allowed.is_finished() {
                        return Ok(None);
                    }
                    if allowed.may_end {
                        self.ends().iter().for_each(|&end| allowed.tokens.insert(end));
                    }
                    self.sampler.draw(logits, so_far, Some(&allowed.tokens))
                }
            },
        };
        let token = token.ok_or_else(|| self.stuck(logits))?;
        Ok((!self.ends().contains(&token)).then_some(token))
    }

    /// The greedy choice without the mask, where the mask allows it: then no other token need be looked at.
    fn choose_freely(&mut self, mask: &dyn Mask, so_far: &[u32], logits: &[f32]) -> Option<u32> {
        if !self.request.sampling.is_greedy() {
            return None;
        }
        let token = self.sampler.draw(logits, so_far, None)?;
        self.allows(mask, token).then_some(token)
    }

    /// Whether the mask allows a token.
    fn allows(&self, mask: &dyn Mask, token: u32) -> bool {
        let piece = self.language.vocabulary.bytes_of(token);
        match self.ends().contains(&token) {
            true => mask.may_end(&self.bytes),
            false => !piece.is_empty() && mask.may_follow(&self.bytes, piece),
        }
    }

    fn ends(&self) -> &'a [u32] {
        self.language.vocabulary.ends()
    }

    fn stuck(&self, logits: &[f32]) -> Error {
        if self.request.mask.is_none() || logits.iter().all(|logit| logit.is_nan()) {
            return Error::NoNumbers;
        }
        Error::NothingAllowed { so_far: String::from_utf8_lossy(&self.bytes).into_owned() }
    }

    /// Takes a token into the answer; gives the text to show, and whether a stop string came.
    fn take(&mut self, token: u32) -> (String, bool) {
        self.tokens.push(token);
        self.bytes.extend_from_slice(self.language.vocabulary.bytes_of(token));
        let (shown, stopped) = self.stops.push(&self.detokenizer.push(&self.language.tokenizer, token));
        self.text.push_str(&shown);
        (shown, stopped)
    }

    /// Shows what was held back, and ends; a stop string that only now becomes visible still counts.
    async fn close(
        &mut self,
        finish: Finish,
        watch: &mut impl AsyncFnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Finish, Error> {
        let (mut shown, stopped) = self.stops.push(&self.detokenizer.finish());
        shown.push_str(&self.stops.finish());
        self.text.push_str(&shown);
        if !shown.is_empty() {
            let _ = watch(Event::Text(&shown)).await;
        }
        Ok(if stopped { Finish::StopString } else { finish })
    }
}

#[cfg(test)]
mod tests;
