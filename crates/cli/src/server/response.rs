//! Events of a job as responses of the protocol: streamed, or as one answer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use seealso_node::protocol::{
    ChatRequest, ChatResponse, Choice, Chunk, ChunkChoice, Delta, Fault, FaultBody, Likelihoods, Reply, Usage,
};
use serde::Serialize;

use super::job::{Refusal, StreamEvent};

/// What all chunks of one answer have in common.
#[derive(Debug, Clone)]
pub(super) struct ResponseFormat {
    id: String,
    created: u64,
    model: String,
    /// Whether the client wants the usage at the end of a stream.
    usage: bool,
    /// Whether the client wants the progress of reading the prompt.
    progress: bool,
}

/// An answer that is not streamed, collected from its events.
#[derive(Debug, Default)]
pub(super) struct CompleteAnswer {
    text: String,
    likelihoods: Option<Likelihoods>,
    cut: bool,
    usage: Usage,
}

static ANSWERS: AtomicU64 = AtomicU64::new(0);

impl ResponseFormat {
    /// The format of an answer to `request` by the model of this name.
    pub(super) fn of(model: &str, request: &ChatRequest) -> ResponseFormat {
        let created = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        ResponseFormat {
            id: format!("chatcmpl-{created}-{}", ANSWERS.fetch_add(1, Ordering::Relaxed)),
            created,
            model: model.to_owned(),
            usage: request.stream_options.is_some_and(|options| options.include_usage),
            progress: request.return_progress == Some(true),
        }
    }

    /// The bytes of an event; those of the last one end with `[DONE]`, unless the job failed.
    pub(super) fn events(&self, event: StreamEvent) -> String {
        let role = Some("assistant".to_owned());
        match event {
            StreamEvent::Started => self.delta(Delta { role, content: None }, None),
            StreamEvent::PromptRead(progress) if self.progress => {
                chunk_event(&Chunk { choices: Vec::new(), prompt_progress: Some(progress), ..self.chunk() })
            }
            StreamEvent::PromptRead(_) | StreamEvent::Likelihoods(_) => String::new(),
            StreamEvent::Text(text) => self.delta(Delta { role: None, content: Some(text) }, None),
            StreamEvent::Finished { cut, usage } => {
                let mut events = self.delta(Delta::default(), Some(finish_reason(cut)));
                if self.usage {
                    events.push_str(&chunk_event(&Chunk { choices: Vec::new(), usage: Some(usage), ..self.chunk() }));
                }
                events + "data: [DONE]\n\n"
            }
            StreamEvent::Refused(refusal) => chunk_event(&error_body(&refusal)),
        }
    }

    fn delta(&self, delta: Delta, finish_reason: Option<String>) -> String {
        chunk_event(&Chunk { choices: vec![ChunkChoice { index: 0, delta, finish_reason }], ..self.chunk() })
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
    pub(super) fn response(self, whole: CompleteAnswer) -> ChatResponse {
        let message = Reply { role: "assistant".to_owned(), content: Some(whole.text) };
        let finish_reason = Some(finish_reason(whole.cut));
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

impl CompleteAnswer {
    /// Adds an event to the answer; gives the refusal, where it is one.
    pub(super) fn add(&mut self, event: StreamEvent) -> Result<(), Refusal> {
        match event {
            StreamEvent::Started | StreamEvent::PromptRead(_) => (),
            StreamEvent::Text(text) => self.text.push_str(&text),
            StreamEvent::Likelihoods(likelihoods) => self.likelihoods = Some(likelihoods),
            StreamEvent::Finished { cut, usage } => (self.cut, self.usage) = (cut, usage),
            StreamEvent::Refused(refusal) => return Err(refusal),
        }
        Ok(())
    }
}

fn finish_reason(cut: bool) -> String {
    if cut { "length" } else { "stop" }.to_owned()
}

fn chunk_event(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them can always be written as JSON.
    serde_json::to_string(value).map_or_else(|_| String::new(), |json| format!("data: {json}\n\n"))
}

/// An error in the protocol's form.
pub(super) fn error_body(refusal: &Refusal) -> FaultBody {
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
