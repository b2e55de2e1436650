//! The listener to progress: a function of JavaScript, awaited at each event, so that its answer can stop the model and
//! messages come in meanwhile.

use std::ops::ControlFlow;

use js_sys::{Function, Object, Promise, Reflect};
use seealso_model::{Event, PrefillProgress};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    pub(super) fn now() -> f64;
}

/// A listener, with the times of its events.
pub(super) struct Listener {
    function: Function,
    begun: f64,
    /// The token whose text comes next.
    drawn: Option<u32>,
    /// When the prompt was read.
    prefilled: Option<f64>,
    /// How many of the prompt's tokens were there before anything was done.
    reused: Option<usize>,
    /// What it threw.
    failure: Option<JsValue>,
}

impl Listener {
    pub(super) fn new(function: Function) -> Self {
        Self { function, begun: now(), drawn: None, prefilled: None, reused: None, failure: None }
    }

    /// Milliseconds of reading the prompt, and of all that came after.
    pub(super) fn times(&self) -> (f64, f64) {
        let end = now();
        let prefilled = self.prefilled.unwrap_or(end);
        (prefilled - self.begun, end - prefilled)
    }

    /// How many of the prompt's tokens did not have to be read: what a first pass, which keeps a beginning, has read is
    /// there for the second, and cost as much.
    pub(super) fn reused(&self) -> usize {
        self.reused.unwrap_or(0)
    }

    /// What the function threw, if it did.
    ///
    /// # Errors
    ///
    /// That.
    pub(super) fn outcome(&mut self) -> Result<(), JsValue> {
        self.failure.take().map_or(Ok(()), Err)
    }

    pub(super) async fn on_event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::PrefillProgress(step) => self.prefill(step).await,
            Event::Drawn(token) => {
                self.drawn = Some(token);
                ControlFlow::Continue(())
            }
            Event::Text(text) => {
                let id = self.drawn.take().map_or(JsValue::UNDEFINED, JsValue::from);
                self.send(&[("token", text.into()), ("id", id)]).await
            }
        }
    }

    pub(super) async fn prefill(&mut self, step: PrefillProgress) -> ControlFlow<()> {
        self.reused.get_or_insert(step.reused);
        if step.done == step.total {
            self.prefilled = Some(now());
        }
        let progress = object(&[("done", step.done.into()), ("total", step.total.into())]);
        self.send(&[("prefill", progress)]).await
    }

    async fn send(&mut self, event: &[(&str, JsValue)]) -> ControlFlow<()> {
        match self.ask(&object(event)).await {
            Ok(answer) if answer.is_truthy() => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(thrown) => {
                self.failure = Some(thrown);
                ControlFlow::Break(())
            }
        }
    }

    async fn ask(&self, event: &JsValue) -> Result<JsValue, JsValue> {
        let answer = self.function.call1(&JsValue::UNDEFINED, event)?;
        JsFuture::from(Promise::resolve(&answer)).await
    }
}

fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in entries {
        // An object just made takes a property.
        let _ = Reflect::set(&object, &(*key).into(), value);
    }
    object.into()
}
