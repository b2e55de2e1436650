//! The model: generates, scores, and tells what it is. One call at a time has it.

use std::cell::RefCell;

use js_sys::Function;
use seealso_boundary::{bad_call, coded};
use seealso_gguf::{Header, Special};
use seealso_model::network::Network;
use seealso_model::{Decoder, Error, Event, Finish, GenerationResult, Language, PrefillProgress, Request, Session};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use super::error::into_error;
use super::listener::Listener;
use super::options::{Candidate, GenerationOptions, Info, Outcome, ProbeInput, Prompt};
use super::prompt;

/// A loaded model, with what its tokens mean.
pub(super) struct State {
    session: Session<Decoder>,
    language: Language,
}

impl State {
    pub(super) fn new(header: &Header, session: Session<Decoder>) -> Result<Self, Error> {
        Ok(Self { session, language: Language::from_header(header)? })
    }

    async fn generate(
        &mut self,
        prompt: &[u32],
        options: &GenerationOptions,
        listener: &mut Listener,
    ) -> Result<GenerationResult, Error> {
        if let Some(name) = &options.prefix {
            let watch = &mut async |step: PrefillProgress| listener.prefill(step).await;
            self.session.remember(name, prompt, watch).await?;
        }
        let mask = options.mask();
        let request = Request {
            prompt,
            begun: &options.begun,
            max_tokens: options.max_tokens,
            sampling: options.sampling(),
            stops: &options.stop,
            mask: mask.as_deref(),
        };
        let watch = &mut async |event: Event<'_>| listener.on_event(event).await;
        seealso_model::generate(&mut self.session, &self.language, &request, watch).await
    }
}

/// A model that is ready.
#[wasm_bindgen]
pub struct Model {
    /// Empty while a call has it.
    state: RefCell<Option<State>>,
    info: Info,
}

impl Model {
    pub(super) fn new(state: State, bytes: u64) -> Self {
        let decoder = state.session.network();
        let config = decoder.config();
        let info = Info {
            architecture: config.architecture.name(),
            context: decoder.context(),
            vocabulary: config.vocab,
            layers: config.layers,
            bytes,
            cache_bytes: decoder.cache_bytes(),
        };
        Self { state: RefCell::new(Some(state)), info }
    }

    fn take_state(&self) -> Result<StateGuard<'_>, JsValue> {
        let state = self.state.borrow_mut().take();
        let state =
            state.ok_or_else(|| coded("bad-call", "the model is at work; its calls come one after the other"))?;
        Ok(StateGuard { model: self, state: Some(state) })
    }
}

/// The state while a call has it.
struct StateGuard<'a> {
    model: &'a Model,
    state: Option<State>,
}

impl StateGuard<'_> {
    fn state(&mut self) -> &mut State {
        self.state.as_mut().expect("it is there until this is dropped")
    }
}

impl Drop for StateGuard<'_> {
    fn drop(&mut self) {
        *self.model.state.borrow_mut() = self.state.take();
    }
}

#[wasm_bindgen]
impl Model {
    /// What it is.
    ///
    /// # Errors
    ///
    /// None that are known.
    pub fn info(&self) -> Result<JsValue, JsValue> {
        to_js(&self.info)
    }

    /// Generates; `on_event` receives each step and says whether to go on.
    ///
    /// # Errors
    ///
    /// Arguments of another form, a prompt that is too long, kernels that fail; and what `on_event` throws.
    pub async fn generate(&self, prompt: JsValue, options: JsValue, on_event: Function) -> Result<JsValue, JsValue> {
        let (prompt, options): (Prompt, GenerationOptions) = (from_js(prompt)?, from_js(options)?);
        let mut held = self.take_state()?;
        let tokens = prompt::tokens(&held.state().language, &prompt)?;
        let mut listener = Listener::new(on_event);
        let generated = held.state().generate(&tokens, &options, &mut listener).await;
        listener.outcome()?;
        let generated = generated.map_err(into_error)?;
        let (prefill_ms, decode_ms) = listener.times();
        to_js(&Outcome {
            reason: reason(generated.finish),
            prompt_tokens: tokens.len(),
            reused_tokens: listener.reused(),
            tokens: generated.tokens.len(),
            ids: generated.tokens,
            prefill_ms,
            decode_ms,
        })
    }

    /// The log-likelihood of each continuation after the prompt, in nats. `on_event` receives the progress of reading the prompt.
    ///
    /// # Errors
    ///
    /// As of `generate`; and where it was stopped.
    pub async fn score(
        &self,
        prompt: JsValue,
        continuations: Vec<String>,
        on_event: Function,
    ) -> Result<Vec<f64>, JsValue> {
        let prompt: Prompt = from_js(prompt)?;
        let mut held = self.take_state()?;
        let State { session, language } = held.state();
        let tokens = prompt::tokens(language, &prompt)?;
        let encode = |text: &String| language.tokenizer.encode(text, Special::Plain);
        let continuations: Vec<Vec<u32>> = continuations.iter().map(encode).collect();
        let mut listener = Listener::new(on_event);
        let watch = &mut async |step: PrefillProgress| listener.prefill(step).await;
        let scores = session.score_watched(&tokens, &continuations, watch).await;
        listener.outcome()?;
        scores.map_err(into_error)?.ok_or_else(|| coded("cancelled", "scoring was stopped"))
    }

    /// What the model has in mind after the prompt, as a probe `{ layers, read, weights, units, bias, adapters }` gives it: see
    /// [`Probe`](seealso_model::Probe). `units` has two numbers for each of its units, what is added to its sum and what it
    /// counts. With `adapters` it is of the prompt's last turn alone. `on_event` receives the progress of reading the prompt.
    ///
    /// # Errors
    ///
    /// As of `score`; and where the probe was made for another model, or a unit lacks a number.
    pub async fn judge(&self, prompt: JsValue, probe: JsValue, on_event: Function) -> Result<f64, JsValue> {
        let probe: ProbeInput = from_js(probe)?;
        let probe = probe.probe().ok_or_else(|| coded("bad-call", "each unit of a probe has two numbers"))?;
        let prompt: Prompt = from_js(prompt)?;
        let mut held = self.take_state()?;
        let State { session, language } = held.state();
        let tokens = match probe.adapters {
            Some(_) => prompt::last_turn(language, &prompt)?,
            None => prompt::tokens(language, &prompt)?,
        };
        let mut listener = Listener::new(on_event);
        let watch = &mut async |step: PrefillProgress| listener.prefill(step).await;
        let judged = probe.read(session, &tokens, watch).await;
        listener.outcome()?;
        judged.map_err(into_error)?.ok_or_else(|| coded("cancelled", "judging was stopped"))
    }

    /// The likeliest tokens after a prompt, with their logits: for checks against known answers.
    ///
    /// # Errors
    ///
    /// As of `generate`.
    pub async fn candidates(&self, prompt: JsValue, count: usize) -> Result<JsValue, JsValue> {
        let prompt: Prompt = from_js(prompt)?;
        let mut held = self.take_state()?;
        let State { session, language } = held.state();
        let tokens = prompt::tokens(language, &prompt)?;
        let logits = session.prefill(&tokens, &mut async |_| std::ops::ControlFlow::Continue(())).await;
        let logits = logits.map_err(into_error)?.unwrap_or_default();
        let numbered = (0..).zip(logits).map(|(token, logit)| Candidate { token, logit });
        let mut candidates: Vec<Candidate> = numbered.collect();
        candidates.sort_unstable_by(|a, b| b.logit.total_cmp(&a.logit));
        candidates.truncate(count);
        to_js(&candidates)
    }

    /// The bytes of this wasm's memory: what is computed with, and no weights.
    pub fn memory_bytes(&self) -> f64 {
        seealso_boundary::memory_bytes()
    }

    /// Names of the kept beginnings of prompts, with their lengths in tokens; empty while a call runs.
    ///
    /// # Errors
    ///
    /// None that are known.
    pub fn prefixes(&self) -> Result<JsValue, JsValue> {
        let state = self.state.borrow();
        let kept = state.as_ref().map(|state| state.session.prefixes().collect::<Vec<_>>());
        to_js(&kept.unwrap_or_default())
    }

    /// Lets go of what is kept under a name.
    ///
    /// # Errors
    ///
    /// While another call has the model.
    pub fn forget(&self, name: &str) -> Result<bool, JsValue> {
        Ok(self.take_state()?.state().session.forget(name))
    }
}

fn reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Ended => "end",
        Finish::StopString => "stop",
        Finish::MaxTokens | Finish::ContextFull => "length",
        Finish::Stopped => "aborted",
    }
}

fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(bad_call)
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    serde_wasm_bindgen::to_value(value).map_err(bad_call)
}
