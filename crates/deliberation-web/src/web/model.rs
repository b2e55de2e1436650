//! A model that JavaScript runs: in a worker beside this one, or on a node.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use js_sys::{Array, Promise};
use seealso::{Abilities, Generation, GenerationEvent, GenerationRequest, Judge, Model, ModelError, Prompt, log_odds};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// A model object of JavaScript: `abilities()`, `write(writing, onEvent)`, `score(prompt, continuations)` and, if
    /// it judges otherwise than by these scores, `judge(prompt, answers)`.
    pub type JsModelObject;
    #[wasm_bindgen(method, catch)]
    fn abilities(this: &JsModelObject) -> Result<JsValue, JsValue>;
    /// Resolves to `{ text, reasoning?, tokens, prompt_tokens, known_tokens, cut }`.
    #[wasm_bindgen(method, catch)]
    fn write(
        this: &JsModelObject,
        writing: JsValue,
        on_event: &ScopedClosure<dyn FnMut(JsValue) -> bool>,
    ) -> Result<Promise, JsValue>;
    /// Resolves to an array of log-likelihoods.
    #[wasm_bindgen(method, catch)]
    fn score(this: &JsModelObject, prompt: JsValue, continuations: Array) -> Result<Promise, JsValue>;
    /// Resolves to a number.
    #[wasm_bindgen(method, catch)]
    fn judge(this: &JsModelObject, prompt: JsValue, answers: Array) -> Result<Promise, JsValue>;
}

/// A model behind JavaScript.
pub(super) struct JsModel {
    object: JsModelObject,
    abilities: Abilities,
    /// Whether the deliberation was stopped: then that is why the model ended, whatever it reports.
    stopped: Rc<Cell<bool>>,
}

#[derive(Deserialize)]
struct AbilitiesInput {
    name: String,
    #[serde(default)]
    context: usize,
    #[serde(default)]
    tools: bool,
    #[serde(default)]
    judge: Option<JudgeInput>,
}

#[derive(Deserialize)]
struct JudgeInput {
    auc: f64,
    supports: f64,
    rejects: f64,
}

#[derive(Serialize)]
struct RequestOutput<'w> {
    #[serde(flatten)]
    prompt: PromptOutput<'w>,
    max_tokens: usize,
    temperature: f32,
    seed: f64,
}

#[derive(Serialize)]
struct PromptOutput<'p> {
    system: &'p str,
    before: Vec<TurnOutput<'p>>,
    user: &'p str,
}

#[derive(Serialize)]
struct TurnOutput<'p> {
    user: &'p str,
    assistant: &'p str,
}

impl<'p> PromptOutput<'p> {
    fn of(prompt: &'p Prompt) -> PromptOutput<'p> {
        let before = prompt.before.iter().map(|turn| TurnOutput { user: &turn.user, assistant: &turn.assistant });
        PromptOutput { system: &prompt.system, before: before.collect(), user: &prompt.user }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GenerationInput {
    text: String,
    reasoning: String,
    tokens: usize,
    prompt_tokens: usize,
    known_tokens: usize,
    cut: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ModelEvent {
    Text(String),
    Reasoning(String),
    Read { done: usize, known: usize, total: usize },
}

impl JsModel {
    pub(super) fn new(object: JsModelObject, stopped: Rc<Cell<bool>>) -> Result<JsModel, JsValue> {
        let input: AbilitiesInput = super::from_js(object.abilities()?)?;
        let judge = input.judge.map(|judge| Judge { auc: judge.auc, supports: judge.supports, rejects: judge.rejects });
        let abilities = Abilities { name: input.name, context: input.context, judge, tools: input.tools };
        Ok(JsModel { object, abilities, stopped })
    }

    /// An exception of JavaScript as the engine's error.
    fn failure(&self, thrown: &JsValue) -> ModelError {
        let field = |name: &str| js_sys::Reflect::get(thrown, &name.into()).ok();
        let number = |name: &str| field(name).and_then(|value| value.as_f64()).unwrap_or(0.0) as usize;
        match field("code").and_then(|code| code.as_string()).as_deref() {
            _ if self.stopped.get() => ModelError::Stopped,
            Some("cancelled" | "stopped") => ModelError::Stopped,
            Some("prompt-too-long") => ModelError::TooLong { tokens: number("tokens"), room: number("room") },
            Some("cannot-score") => ModelError::CannotScore,
            _ => ModelError::Failed(field("message").and_then(|text| text.as_string()).unwrap_or_default()),
        }
    }
}

impl Model for JsModel {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(
        &self,
        writing: &GenerationRequest,
        on_event: &mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Generation, ModelError> {
        let input = RequestOutput {
            prompt: PromptOutput::of(&writing.prompt),
            max_tokens: writing.max_tokens,
            temperature: writing.temperature,
            seed: writing.seed as f64,
        };
        let mut forward = |event: JsValue| match serde_wasm_bindgen::from_value(event) {
            Ok(ModelEvent::Text(text)) => on_event(GenerationEvent::Text(&text)).is_continue(),
            Ok(ModelEvent::Reasoning(text)) => on_event(GenerationEvent::Reasoning(&text)).is_continue(),
            Ok(ModelEvent::Read { done, known, total }) => {
                on_event(GenerationEvent::Read { done, known, total }).is_continue()
            }
            Err(_) => true,
        };
        // The closure lives as long as the promise is awaited here, and JavaScript must not call it after that.
        let ended: Result<JsValue, JsValue> = {
            let scoped = ScopedClosure::<dyn FnMut(JsValue) -> bool>::borrow_mut_aborting(&mut forward);
            match self.object.write(to_js(&input), &scoped) {
                Ok(promise) => JsFuture::from(promise).await,
                Err(thrown) => Err(thrown),
            }
        };
        let written = ended.map_err(|thrown| self.failure(&thrown))?;
        if self.stopped.get() {
            return Err(ModelError::Stopped);
        }
        let written: GenerationInput =
            serde_wasm_bindgen::from_value(written).map_err(|error| ModelError::Failed(error.to_string()))?;
        Ok(Generation {
            text: written.text,
            reasoning: written.reasoning,
            tokens: written.tokens,
            prompt_tokens: written.prompt_tokens,
            known_tokens: written.known_tokens,
            cut: written.cut,
        })
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let input = to_js(&PromptOutput::of(prompt));
        let continuations = continuations.iter().map(|text| JsValue::from_str(text)).collect();
        let promise = self.object.score(input, continuations).map_err(|thrown| self.failure(&thrown))?;
        let scores = JsFuture::from(promise).await.map_err(|thrown| self.failure(&thrown))?;
        serde_wasm_bindgen::from_value(scores).map_err(|error| ModelError::Failed(error.to_string()))
    }

    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        let own = js_sys::Reflect::get(self.object.as_ref(), &"judge".into());
        if !own.is_ok_and(|own| own.is_function()) {
            return Ok(log_odds(&self.score(prompt, &answers).await?));
        }
        let input = to_js(&PromptOutput::of(prompt));
        let answers = answers.iter().map(|text| JsValue::from_str(text)).collect();
        let promise = self.object.judge(input, answers).map_err(|thrown| self.failure(&thrown))?;
        let odds = JsFuture::from(promise).await.map_err(|thrown| self.failure(&thrown))?;
        Ok(odds.as_f64().unwrap_or(f64::NAN))
    }
}

fn to_js(value: &impl Serialize) -> JsValue {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}
