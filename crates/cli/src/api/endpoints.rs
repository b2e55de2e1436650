//! The endpoints: each reads its request, asks the service, and notes what came of it.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::http::{json, read_json};
use crate::interactions::{FeedbackLine, InteractionLine, LogLine, Route, Verdict};
use crate::service::{
    AskRequest, MAX_QUESTION_CHARS, PageRequest, RetrieveRequest, SearchRequest, ServiceFault, check_length,
};
use crate::utc;

use super::error::ApiError;
use super::exchange::{AskReply, FeedbackReply, FeedbackRequest, PacksReply};
use super::health::HealthReply;
use super::openapi;
use super::request_log::LoggedQuestion;
use super::state::ApiState;

/// The most bytes of a request: a question of the longest kind, each character escaped.
pub(super) const REQUEST_BYTES: usize = 64 << 10;

type Shared = State<Arc<ApiState>>;

async fn body<T: DeserializeOwned>(request: Request) -> Result<T, ApiError> {
    Ok(read_json(request, REQUEST_BYTES).await?)
}

/// A question that is being answered: what the log will say of it.
struct Question {
    id: Uuid,
    time: String,
    route: Route,
    asker: Option<String>,
    text: String,
    start: Instant,
}

impl Question {
    fn new(route: Route, text: &str, asker: Option<&str>) -> Question {
        let asker = asker.map(str::to_owned);
        Question { id: Uuid::now_v7(), time: utc::now(), route, asker, text: text.to_owned(), start: Instant::now() }
    }

    /// Logs what came of it.
    async fn finish(self, state: &ApiState, verdict: Verdict, entries: Vec<String>, response: Response) -> Response {
        self.log(state, verdict, None, entries, response).await
    }

    /// Logs that it failed.
    async fn fail(self, state: &ApiState, fault: ServiceFault) -> Response {
        let code = fault.code().to_owned();
        self.log(state, Verdict::Failed, Some(code), Vec::new(), ApiError::from(fault).into_response()).await
    }

    /// Logs the interaction, and adds the question to the response for the request log, where questions are logged.
    async fn log(
        self,
        state: &ApiState,
        verdict: Verdict,
        code: Option<String>,
        entries: Vec<String>,
        mut response: Response,
    ) -> Response {
        let question = state.logs_questions.then_some(self.text);
        if let Some(question) = question.clone() {
            response.extensions_mut().insert(LoggedQuestion(question));
        }
        let interaction = InteractionLine {
            id: self.id,
            time: self.time,
            route: self.route,
            asker: self.asker,
            question,
            verdict,
            code,
            matches: entries.len(),
            entries,
            ms: (self.start.elapsed().as_secs_f64() * 1e6).round() / 1e3,
        };
        state.log_interaction(LogLine::Interaction(interaction), verdict).await;
        response
    }
}

/// The entries nearest to a question.
pub(super) async fn retrieve(State(state): Shared, request: Request) -> Result<Response, ApiError> {
    let request = body::<RetrieveRequest>(request).await?.check()?;
    let question = Question::new(Route::Retrieve, request.question(), Some(request.asker()));
    let reply = match state.service.retrieve(request, question.id).await {
        Ok(reply) => reply,
        Err(fault) => return Ok(question.fail(&state, fault).await),
    };
    let verdict = match (reply.strong_match, reply.matches_found) {
        (true, _) => Verdict::Strong,
        (false, 0) => Verdict::None,
        (false, _) => Verdict::Weak,
    };
    let response = json(StatusCode::OK, &reply);
    let entries = reply.entries.into_iter().map(|entry| entry.page).collect();
    Ok(question.finish(&state, verdict, entries, response).await)
}

/// The answer to a question.
pub(super) async fn ask(State(state): Shared, request: Request) -> Result<Response, ApiError> {
    let request = body::<AskRequest>(request).await?.check()?;
    let question = Question::new(Route::Ask, &request.question, None);
    let answer = match state.service.ask(request).await {
        Ok(answer) => answer,
        Err(fault) => return Ok(question.fail(&state, fault).await),
    };
    let verdict = if answer.is_answered() { Verdict::Answered } else { Verdict::Unanswered };
    let entries = answer.cited_pages().map(str::to_owned).collect();
    let response = json(StatusCode::OK, &AskReply { interaction_id: question.id, answer });
    Ok(question.finish(&state, verdict, entries, response).await)
}

/// The pages with the words of a query.
pub(super) async fn search(State(state): Shared, request: Request) -> Result<Response, ApiError> {
    let request: SearchRequest = body(request).await?;
    Ok(json(StatusCode::OK, &state.service.search(request).await?))
}

/// The packs.
pub(super) async fn packs(State(state): Shared) -> Response {
    json(StatusCode::OK, &PacksReply { packs: state.overview.get().packs })
}

/// A page as it was authored. Only pages of the index are served, and no other files of the packs.
pub(super) async fn page(State(state): Shared, Path(page): Path<String>) -> Result<Response, ApiError> {
    let page = state.service.read_page(PageRequest { page }).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
    ];
    Ok((headers, page.text).into_response())
}

/// Notes whether an interaction helped.
pub(super) async fn feedback(State(state): Shared, request: Request) -> Result<Response, ApiError> {
    let FeedbackRequest { interaction_id, thumb, note } = body(request).await?;
    check_length("note", note.as_deref().unwrap_or_default(), MAX_QUESTION_CHARS)?;
    let log = state.log.clone().ok_or_else(|| {
        let text =
            "this server logs no interactions, so it keeps no feedback; its keeper can start it without --no-log";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "log_off", text)
    })?;
    let permit = Arc::clone(&state.log_search).acquire_owned().await;
    let written = tokio::task::spawn_blocking(move || {
        // Until the file is read, also where the client left meanwhile.
        let _permit = permit;
        let Some(interaction) = log.find(interaction_id)? else { return Ok(false) };
        let (time, entries) = (utc::now(), interaction.entries);
        log.write(&LogLine::Feedback(FeedbackLine { interaction_id, time, thumb, note, entries }))?;
        Ok::<bool, ApiError>(true)
    });
    let written = written.await.map_err(|error| {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", format!("the log failed: {error}"))
    })?;
    match written {
        Ok(true) => Ok(json(StatusCode::OK, &FeedbackReply { interaction_id, thumb })),
        Ok(false) => {
            let text = format!("the log has no interaction {interaction_id}; send the `interaction_id` of a response");
            Err(ApiError::new(StatusCode::NOT_FOUND, "interaction_not_found", text))
        }
        Err(error) => {
            state.metrics.count_log_fault();
            tracing::error!(error = error.message, "feedback was not logged");
            Err(error)
        }
    }
}

/// What is served, and what can't be done at the moment.
pub(super) async fn health(State(state): Shared, headers: HeaderMap) -> Response {
    let in_short = state.token.as_ref().is_some_and(|token| !token.is_in(&headers));
    let (overview, waiting) = (state.overview.get(), state.service.waiting());
    json(StatusCode::OK, &HealthReply::of(overview, state.log.as_deref(), waiting, in_short))
}

/// Counts and times for Prometheus.
pub(super) async fn metrics(State(state): Shared) -> Result<Response, ApiError> {
    match state.shows_metrics {
        true => Ok(state.metrics.response(state.service.waiting())),
        false => {
            let text = "this server shows no counts; its keeper can start it with --metrics";
            Err(ApiError::new(StatusCode::NOT_FOUND, "metrics_off", text))
        }
    }
}

/// The description of the API.
pub(super) async fn open_api() -> Response {
    json(StatusCode::OK, &openapi::document())
}
