//! The functions for JavaScript, and the types of their arguments and results.

mod input;
mod model;
mod output;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use js_sys::Function;
use seealso::{Clock, DeliberationConfig, ModelError, Roles, Step};
use seealso_boundary::{bad_call, coded};
use wasm_bindgen::prelude::*;

use input::{AnswerInput, SettingsInput};
use model::{JsModel, JsModelObject};

/// Runs once, when the module is loaded.
#[wasm_bindgen(start)]
pub(crate) fn start() {
    console_error_panic_hook::set_once();
    seealso::browser::use_spelling();
}

/// Whether pages in any language of these BCP 47 tags cannot be read before `useLanguages` was called.
#[wasm_bindgen(js_name = needsLanguages)]
#[allow(unreachable_pub, reason = "what JavaScript calls must be public")]
pub fn needs_languages(tags: Vec<String>) -> bool {
    seealso::browser::needs_languages(&tags)
}

/// From now on, words of other languages are analysed by `analyse`, the function of that name of the languages' wasm.
#[wasm_bindgen(js_name = useLanguages)]
#[allow(unreachable_pub, reason = "what JavaScript calls must be public")]
pub fn use_languages(
    #[wasm_bindgen(unchecked_param_type = "(language: string, word: string) => string | undefined")] analyse: Function,
) {
    seealso::browser::use_languages(analyse);
}

/// The models of the roles, as JavaScript passes them.
#[wasm_bindgen]
extern "C" {
    /// `{ expert, critic, synthesizer }`.
    pub type Panel;
    #[wasm_bindgen(method, getter)]
    fn expert(this: &Panel) -> JsModelObject;
    #[wasm_bindgen(method, getter)]
    fn critic(this: &Panel) -> JsModelObject;
    #[wasm_bindgen(method, getter)]
    fn synthesizer(this: &Panel) -> JsModelObject;

    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now() -> f64;
}

/// Deliberates on an answer. `on_step` receives each step; if it returns `false`, the deliberation stops.
///
/// # Errors
///
/// An `Error` with a `code`: `bad-call`, `stopped`, or `model`.
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "what JavaScript calls must be public")]
pub async fn deliberate(
    asked: JsValue,
    panel: Panel,
    settings: JsValue,
    on_step: Function,
) -> Result<JsValue, JsValue> {
    let asked: AnswerInput = from_js(asked)?;
    let config = config(settings)?;
    let (answer, manifest) = asked.into_parts();
    let stopped = Rc::new(Cell::new(false));
    let of = |object: JsModelObject| JsModel::new(object, Rc::clone(&stopped));
    let (expert, critic, synthesizer) = (of(panel.expert())?, of(panel.critic())?, of(panel.synthesizer())?);
    let roles = Roles { expert: &expert, critic: &critic, synthesizer: &synthesizer };
    let mut watch = watcher(&stopped, &on_step);
    let deliberating = seealso::deliberate(&roles, &answer, &manifest, &config, &PageClock, &mut watch);
    output::deliberation(&deliberating.await.map_err(failure)?)
}

/// Answers a question from a model's own knowledge. `on_step` is as in [`deliberate`].
///
/// # Errors
///
/// Those of [`deliberate`].
#[wasm_bindgen(js_name = answerFromOwnKnowledge)]
#[allow(unreachable_pub, reason = "what JavaScript calls must be public")]
pub async fn answer_from_own_knowledge(
    question: String,
    model: JsModelObject,
    settings: JsValue,
    on_step: Function,
) -> Result<JsValue, JsValue> {
    let config = config(settings)?;
    let stopped = Rc::new(Cell::new(false));
    let model = JsModel::new(model, Rc::clone(&stopped))?;
    let mut watch = watcher(&stopped, &on_step);
    let answering = seealso::answer_from_own_knowledge(&model, &question, &config, &mut watch);
    output::own_knowledge(&answering.await.map_err(failure)?)
}

fn config(settings: JsValue) -> Result<DeliberationConfig, JsValue> {
    let settings: SettingsInput = from_js(settings)?;
    settings.config().map_err(bad_call)
}

/// Passes each step to JavaScript, which stops the work by returning `false`.
fn watcher(stopped: &Cell<bool>, on_step: &Function) -> impl FnMut(Step<'_>) -> ControlFlow<()> {
    |step| {
        let reply = output::step(step).map(|step| on_step.call1(&JsValue::UNDEFINED, &step));
        let goes_on = reply.is_none_or(|answer| answer.is_ok_and(|answer| answer.as_bool() != Some(false)));
        stopped.set(stopped.get() || !goes_on);
        if stopped.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn failure(error: ModelError) -> JsValue {
    match error {
        ModelError::Stopped => coded("stopped", "the model was stopped"),
        error => coded("model", &error.to_string()),
    }
}

/// The page's clock. Nothing here waits for time to pass.
struct PageClock;

impl Clock for PageClock {
    fn now_ms(&self) -> f64 {
        now()
    }

    async fn sleep(&self, _ms: u32) {}
}

fn from_js<T: serde::de::DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(bad_call)
}
