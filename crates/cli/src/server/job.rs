//! A job for the model: a request that was found to be in order.

use seealso_gguf::{Message, Speaker};
use seealso_model::sample::Sampling;
use seealso_node::protocol::{self, ChatRequest, Likelihoods, Stops, TOP_LOGPROBS, Usage};
use tokio::sync::mpsc::UnboundedSender;

/// What the model is to do.
#[derive(Debug)]
pub(crate) struct Job {
    /// The conversation.
    pub(crate) messages: Vec<Message>,
    /// What to do with it.
    pub(crate) task: Task,
    /// How tokens are chosen.
    pub(crate) sampling: Sampling,
    /// Who wants it.
    pub(crate) told: UnboundedSender<Told>,
}

/// What to do with a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// Write so many tokens at most, or as many as the context holds, until one of these texts comes.
    Write(Option<usize>, Vec<String>),
    /// Write one token, and tell so many that were likeliest in its place.
    Weigh(usize),
}

/// What the model tells of a job.
#[derive(Debug)]
pub(crate) enum Told {
    /// It can't be done.
    Refused(Refusal),
    /// The prompt is in order.
    Begun,
    /// The prompt is read so far.
    Read(protocol::Progress),
    /// The text goes on.
    Text(String),
    /// The first token's likelihoods.
    Weighed(Likelihoods),
    /// It is done. Whether it was cut, and what it took.
    Ended(bool, Usage),
}

/// Why a job can't be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The prompt's tokens and those wanted are more than the context's.
    TooLong { tokens: usize, wanted: usize, context: usize },
    /// The model failed.
    Failed(String),
}

/// The most texts that may end an answer.
const STOPS: usize = 16;

impl Job {
    /// The job that `request` asks for.
    ///
    /// # Errors
    ///
    /// What is wrong with the request.
    pub(crate) fn of(request: ChatRequest, told: UnboundedSender<Told>) -> Result<Job, String> {
        if request.n.is_some_and(|n| n != 1) {
            return Err("`n` must be 1: this node gives one answer".to_owned());
        }
        let messages = request.messages.iter().map(message).collect::<Result<Vec<_>, _>>()?;
        if messages.is_empty() {
            return Err("`messages` is empty".to_owned());
        }
        Ok(Job { messages, task: task(&request)?, sampling: sampling(&request)?, told })
    }
}

fn message(message: &protocol::Message) -> Result<Message, String> {
    let speaker = match message.role.as_str() {
        "system" | "developer" => Speaker::System,
        "user" => Speaker::User,
        "assistant" => Speaker::Assistant,
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
            0..=STOPS => Ok(Task::Write(most, stops)),
            more => Err(format!("`stop` has {more} texts; {STOPS} are allowed")),
        };
    }
    let top = request.top_logprobs.unwrap_or(0);
    match () {
        () if top > TOP_LOGPROBS => Err(format!("`top_logprobs` is {top}; {TOP_LOGPROBS} are allowed")),
        () if most != Some(1) || request.stream => {
            Err("`logprobs` are given for the first token alone; ask with `max_tokens` 1, and not as a stream"
                .to_owned())
        }
        () => Ok(Task::Weigh(top as usize)),
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
    let seed = request.seed.map_or_else(of_the_moment, i64::cast_unsigned);
    Ok(Sampling { temperature, top_p, seed, ..Sampling::default() })
}

fn of_the_moment() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_held_to_what_is_there() {
        let check = |body: &str, expected: Result<Task, &str>| {
            let request: ChatRequest = serde_json::from_str(body).unwrap();
            let job = Job::of(request, tokio::sync::mpsc::unbounded_channel().0);
            assert_eq!(job.map(|job| job.task), expected.map_err(str::to_owned), "{body}");
        };
        let user = r#""messages": [{"role": "user", "content": "x"}]"#;
        check(&format!("{{{user}}}"), Ok(Task::Write(None, vec![])));
        check(
            &format!(r#"{{{user}, "max_completion_tokens": 9, "stop": ["a", "b"], "n": 1}}"#),
            Ok(Task::Write(Some(9), vec!["a".to_owned(), "b".to_owned()])),
        );
        check(&format!(r#"{{{user}, "logprobs": true, "top_logprobs": 20, "max_tokens": 1}}"#), Ok(Task::Weigh(20)));
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
