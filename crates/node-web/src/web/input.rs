//! The values from JavaScript: a node as the page names it, and requests to it.

use seealso::{GenerationRequest, Prompt, Turn};
use seealso_node::{Address, Consent, Key, Limits, Settings, Terms};
use serde::Deserialize;

use super::refusal::Refusal;

/// A node as the page names it.
#[derive(Deserialize)]
pub(super) struct NodeInput {
    /// The base URL.
    base: String,
    /// The origin whose terms the reader agreed to; nothing is sent without it.
    #[serde(default)]
    agreed: String,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    key: Option<String>,
    /// The model's context in tokens, if the node does not report it.
    #[serde(default)]
    context: Option<usize>,
    /// Seconds to wait for the first word, and the most between later words.
    #[serde(default)]
    wait: Option<u32>,
}

/// The longest wait that a reader may ask for, in seconds.
const LONGEST_WAIT: u32 = 3600;

impl NodeInput {
    /// The node's settings, with the consent to ask it.
    pub(super) fn agreed(self) -> Result<(Settings, Consent), Refusal> {
        let address = Address::parse(&self.base)?;
        let terms = Terms::of(&address);
        if self.agreed != terms.origin() {
            return Err(Refusal::NoConsent(terms.origin().to_owned()));
        }
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let settings = Settings {
            model: filled(self.model).map(|name| name.trim().to_owned()),
            key: filled(self.key).map(|key| Key::new(&key)).transpose()?,
            context: self.context.filter(|&tokens| tokens > 0),
            limits: limits(self.wait),
            ..Settings::at(address)
        };
        Ok((settings, terms.agree()))
    }
}

fn limits(wait: Option<u32>) -> Limits {
    let usual = Limits::default();
    let Some(seconds) = wait.filter(|&seconds| seconds > 0) else { return usual };
    let first_ms = seconds.min(LONGEST_WAIT) * 1000;
    Limits { first_ms, idle_ms: usual.idle_ms.min(first_ms), ..usual }
}

/// A prompt.
#[derive(Deserialize)]
pub(super) struct PromptInput {
    system: String,
    #[serde(default)]
    before: Vec<TurnInput>,
    user: String,
}

#[derive(Deserialize)]
struct TurnInput {
    user: String,
    assistant: String,
}

impl From<PromptInput> for Prompt {
    fn from(PromptInput { system, before, user }: PromptInput) -> Prompt {
        let before = before.into_iter().map(|TurnInput { user, assistant }| Turn { user, assistant });
        Prompt { system, before: before.collect(), user }
    }
}

/// A request to generate text.
#[derive(Deserialize)]
pub(super) struct GenerationInput {
    #[serde(flatten)]
    prompt: PromptInput,
    max_tokens: usize,
    temperature: f32,
    seed: f64,
}

impl From<GenerationInput> for GenerationRequest {
    fn from(input: GenerationInput) -> GenerationRequest {
        let GenerationInput { prompt, max_tokens, temperature, seed } = input;
        GenerationRequest { prompt: prompt.into(), max_tokens, temperature, seed: seed as u64, shape: None }
    }
}
