//! Jobs: requests that were checked, for the model's thread.

use seealso_gguf::{ChatRole, Message};
use seealso_model::sample::Sampling;
use seealso_node::protocol::{self, ChatRequest, Likelihoods, Stops, TOP_LOGPROBS, Usage};
use tokio::sync::mpsc::UnboundedSender;

/// A request that was checked.
#[derive(Debug)]
pub(crate) struct Job {
    /// The conversation.
    pub(crate) messages: Vec<Message>,
    /// What to do with the conversation.
    pub(crate) task: Task,
    /// How tokens are chosen.
    pub(crate) sampling: Sampling,
    /// The channel to the client.
    pub(crate) events: UnboundedSender<StreamEvent>,
}

/// What to do with a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// Generate a number of tokens at most, or as many as the context holds, until one of these texts comes.
    Generate(Option<usize>, Vec<String>),
    /// Generate one token, and list a number of the likeliest in its place.
    TopTokens(usize),
}

/// An event of a job, from the model's thread to the client.
#[derive(Debug)]
pub(crate) enum StreamEvent {
    /// The job can't be done.
    Refused(Refusal),
    /// The prompt fits the context, and is read next.
    Started,
    /// How much of the prompt has been read.
    PromptRead(protocol::Progress),
    /// The next piece of the text.
    Text(String),
    /// The likelihoods of the first token.
    Likelihoods(Likelihoods),
    /// The job is done. `cut` says whether a limit ended the text.
    Finished { cut: bool, usage: Usage },
}

/// Why a job can't be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The tokens of the prompt and those wanted exceed the context.
    TooLong { tokens: usize, wanted: usize, context: usize },
    /// The model failed.
    Failed(String),
}

/// The most texts of `stop`.
const MAX_STOPS: usize = 16;

impl Job {
    /// Checks `request`, and makes a job of it.
    ///
    /// # Errors
    ///
    /// What is wrong with the request.
    pub(crate) fn of(request: ChatRequest, events: UnboundedSender<StreamEvent>) -> Result<Job, String> {
        if request.n.is_some_and(|n| n != 1) {
            return Err("`n` must be 1: this node gives one answer".to_owned());
        }
        let messages = request.messages.iter().map(message).collect::<Result<Vec<_>, _>>()?;
        if messages.is_empty() {
            return Err("`messages` is empty".to_owned());
        }
        Ok(Job { messages, task: task(&request)?, sampling: sampling(&request)?, events })
    }
}

fn message(message: &protocol::Message) -> Result<Message, String> {
    let speaker = match message.role.as_str() {
        "system" | "developer" => ChatRole::System,
        "user" => ChatRole::User,
        "assistant" => ChatRole::Assistant,
        other => return Err(format!("a message's `role` is \"{other}\"; there are system, user and assistant")),
    };
    let content = message.content.text().ok_or("a message's `content` has parts that are no text")?;
    Ok(Message { speaker, content })
}

fn task(request: &ChatRequest) -> Result<Task, String> {
    let most = request.most_tokens();
    if most == Some(0) {
        return Err("`max_tokens` must be 1 or more".to_owned());
    }
    if request.logprobs != Some(true) {
        let stops = request.stop.clone().map(Stops::into_texts).unwrap_or_default();
        return match stops.len() {
            0..=MAX_STOPS => Ok(Task::Generate(most, stops)),
            more => Err(format!("`stop` has {more} texts; {MAX_STOPS} are allowed")),
        };
    }
    let top = request.top_logprobs.unwrap_or(0);
    match () {
        () if top > TOP_LOGPROBS => Err(format!("`top_logprobs` is {top}; {TOP_LOGPROBS} are allowed")),
        () if most != Some(1) || request.stream => {
            Err("`logprobs` are given for the first token alone; ask with `max_tokens` 1, and not as a stream"
                .to_owned())
        }
        () => Ok(Task::TopTokens(top as usize)),
    }
}

fn sampling(request: &ChatRequest) -> Result<Sampling, String> {
    let temperature = request.temperature.unwrap_or(1.0);
    if !(0.0..=2.0).contains(&temperature) {
        return Err(format!("`temperature` is {temperature}; it goes from 0 to 2"));
    }
    let top_p = request.top_p.unwrap_or(1.0);
    if !(0.0..=1.0).contains(&top_p) {
        return Err(format!("`top_p` is {top_p}; it goes from 0 to 1"));
    }
    // Two requests without a seed should not draw the same.
    let seed = request.seed.map_or_else(seed_of_the_clock, i64::cast_unsigned);
    Ok(Sampling { temperature, top_p, seed, ..Sampling::default() })
}

fn seed_of_the_clock() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_the_node_cannot_serve_are_refused() {
        let check = |body: &str, expected: Result<Task, &str>| {
            let request: ChatRequest = serde_json::from_str(body).unwrap();
            let job = Job::of(request, tokio::sync::mpsc::unbounded_channel().0);
            assert_eq!(job.map(|job| job.task), expected.map_err(str::to_owned), "{body}");
        };
        let user = r#""messages": [{"role": "user", "content": "x"}]"#;
        check(&format!("{{{user}}}"), Ok(Task::Generate(None, vec![])));
        check(
            &format!(r#"{{{user}, "max_completion_tokens": 9, "stop": ["a", "b"], "n": 1}}"#),
            Ok(Task::Generate(Some(9), vec!["a".to_owned(), "b".to_owned()])),
        );
        check(
            &format!(r#"{{{user}, "logprobs": true, "top_logprobs": 20, "max_tokens": 1}}"#),
            Ok(Task::TopTokens(20)),
        );
        for (more, says) in [
            (r#""n": 2"#, "`n` must be 1: this node gives one answer"),
            (r#""max_tokens": 0"#, "`max_tokens` must be 1 or more"),
            (r#""temperature": -1"#, "`temperature` is -1; it goes from 0 to 2"),
            (r#""top_p": 1.5"#, "`top_p` is 1.5; it goes from 0 to 1"),
            (r#""logprobs": true, "top_logprobs": 21, "max_tokens": 1"#, "`top_logprobs` is 21; 20 are allowed"),
            (
                r#""logprobs": true, "max_tokens": 2"#,
                "`logprobs` are given for the first token alone; ask with `max_tokens` 1, and not as a stream",
            ),
        ] {
            check(&format!("{{{user}, {more}}}"), Err(says));
        }
        check("{}", Err("`messages` is empty"));
        check(
            r#"{"messages": [{"role": "tool", "content": "x"}]}"#,
            Err("a message's `role` is \"tool\"; there are system, user and assistant"),
        );
        check(
            r#"{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}"#,
            Err("a message's `content` has parts that are no text"),
        );
    }
}
