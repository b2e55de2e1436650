//! What a model tells, in the protocol's words.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use seealso_node::protocol::{
    ChatRequest, ChatResponse, Choice, Chunk, ChunkChoice, Delta, Fault, FaultBody, Likelihoods, Reply, Usage,
};
use serde::Serialize;

use super::job::{Refusal, Told};

/// What all words of one answer have in common.
#[derive(Debug, Clone)]
pub(super) struct Wording {
    id: String,
    created: u64,
    model: String,
    /// Whether the client wants to know what it took, in a stream.
    usage: bool,
    /// Whether the client wants to know how far the prompt is read.
    progress: bool,
}

/// What came of a job that is not streamed.
#[derive(Debug, Default)]
pub(super) struct Whole {
    text: String,
    likelihoods: Option<Likelihoods>,
    cut: bool,
    usage: Usage,
}

static ANSWERS: AtomicU64 = AtomicU64::new(0);

impl Wording {
    /// The words for an answer to `request` by the model of this name.
    pub(super) fn of(model: &str, request: &ChatRequest) -> Wording {
        let created = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Wording {
            id: format!("chatcmpl-{created}-{}", ANSWERS.fetch_add(1, Ordering::Relaxed)),
            created,
            model: model.to_owned(),
            usage: request.stream_options.is_some_and(|options| options.include_usage),
            progress: request.return_progress == Some(true),
        }
    }

    /// The events of what was told, as bytes; the last of them ends with `[DONE]`, unless it failed.
    pub(super) fn events(&self, told: Told) -> String {
        let role = Some("assistant".to_owned());
        match told {
            Told::Begun => self.delta(Delta { role, content: None }, None),
            Told::Read(progress) if self.progress => {
                event(&Chunk { choices: Vec::new(), prompt_progress: Some(progress), ..self.chunk() })
            }
            Told::Read(_) | Told::Weighed(_) => String::new(),
            Told::Text(text) => self.delta(Delta { role: None, content: Some(text) }, None),
            Told::Ended(cut, usage) => {
                let mut events = self.delta(Delta::default(), Some(finish(cut)));
                if self.usage {
                    events.push_str(&event(&Chunk { choices: Vec::new(), usage: Some(usage), ..self.chunk() }));
                }
                events + "data: [DONE]\n\n"
            }
            Told::Refused(refusal) => event(&fault(&refusal)),
        }
    }

    fn delta(&self, delta: Delta, finish_reason: Option<String>) -> String {
        event(&Chunk { choices: vec![ChunkChoice { index: 0, delta, finish_reason }], ..self.chunk() })
    }

    fn chunk(&self) -> Chunk {
        Chunk {
            id: self.id.clone(),
            object: "chat.completion.chunk".to_owned(),
            created: self.created,
            model: self.model.clone(),
            ..Chunk::default()
        }
    }

    /// The answer that is not streamed.
    pub(super) fn response(self, whole: Whole) -> ChatResponse {
        let message = Reply { role: "assistant".to_owned(), content: Some(whole.text) };
        let finish_reason = Some(finish(whole.cut));
        ChatResponse {
            id: self.id,
            object: "chat.completion".to_owned(),
            created: self.created,
            model: self.model,
            choices: vec![Choice { index: 0, message, finish_reason, logprobs: whole.likelihoods }],
            usage: Some(whole.usage),
        }
    }
}

impl Whole {
    /// Takes what was told; gives why it can't be done, where it can't.
    pub(super) fn take(&mut self, told: Told) -> Result<(), Refusal> {
        match told {
            Told::Begun | Told::Read(_) => (),
            Told::Text(text) => self.text.push_str(&text),
            Told::Weighed(likelihoods) => self.likelihoods = Some(likelihoods),
            Told::Ended(cut, usage) => (self.cut, self.usage) = (cut, usage),
            Told::Refused(refusal) => return Err(refusal),
        }
        Ok(())
    }
}

fn finish(cut: bool) -> String {
    if cut { "length" } else { "stop" }.to_owned()
}

fn event(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them are always JSON.
    serde_json::to_string(value).map_or_else(|_| String::new(), |json| format!("data: {json}\n\n"))
}

/// An error in the protocol's form.
pub(super) fn fault(refusal: &Refusal) -> FaultBody {
    let error = match refusal {
        Refusal::TooLong { tokens, wanted, context } => Fault {
            message: format!(
                "the prompt has {tokens} tokens and up to {wanted} are to follow, but the context holds {context}; send \
                 less text, ask for a shorter answer, or start the node with a longer --context"
            ),
            kind: "invalid_request_error".to_owned(),
            code: "context_length_exceeded".into(),
            n_prompt_tokens: Some(*tokens),
            n_ctx: Some(*context),
        },
        Refusal::Failed(reason) => Fault {
            message: format!("the model failed: {reason}"),
            kind: "server_error".to_owned(),
            code: "model_failed".into(),
            ..Fault::default()
        },
    };
    FaultBody { error }
}
