//! Conversions from the engine's types to those that cross the boundary.

use wasm_bindgen::JsValue;

use super::source::HttpSource;
use super::types;
use crate::answer::Answer;
use crate::library::IndexFault;
use crate::retrieve::assemble::Manifest;
use crate::retrieve::fetch::{FetchedPage, Via};
use crate::trace::{self, ProgressState};

/// An `Error` with a `code` for scripts.
pub(super) fn to_error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    let _ = js_sys::Reflect::set(&error, &JsValue::from_str("code"), &JsValue::from_str(code));
    error.into()
}

/// The error of a query of the index. A lost file may be fetched by the next query.
pub(super) fn fault(fault: &IndexFault) -> JsValue {
    let code = match fault {
        IndexFault::Damaged(_) => "bad-index",
        IndexFault::Lost(_) => "index-lost",
    };
    to_error(code, &fault.to_string())
}

pub(super) fn progress(step: trace::Progress) -> types::Progress {
    let state = match step.state {
        ProgressState::Start => "start",
        ProgressState::Done => "done",
    };
    types::Progress { stage: step.stage, state, ms: step.ms, note: step.note }
}

pub(super) fn answer(answer: Answer, manifest: Manifest, source: &HttpSource) -> types::Answer {
    let status = if answer.is_empty() { "empty" } else { "answered" };
    let text = answer.text();
    types::Answer {
        status,
        text,
        sentences: answer.sentences.into_iter().map(sentence).collect(),
        sub_queries: answer.sub_queries.into_iter().map(sub_query).collect(),
        sources: sources(answer.sources, manifest, source),
        notices: answer.notices.into_iter().map(|n| types::Notice { code: n.code, message: n.message }).collect(),
        trace: answer.trace.into_iter().map(stage).collect(),
        context_chars: answer.context_chars,
        ms: answer.ms,
        question: answer.question,
    }
}

fn sub_query(part: crate::answer::AnsweredSubQuery) -> types::SubQuery {
    types::SubQuery { text: part.text, pages: part.pages, answered: part.answered }
}

fn sentence(cited: crate::answer::CitedSentence) -> types::Sentence {
    types::Sentence {
        text: cited.text,
        form: cited.form.name(),
        source: cited.source,
        section: cited.section,
        anchor: cited.anchor,
        sub_query: cited.sub_query,
        passage: cited.passage,
        skips: cited.layout.skips,
        joins: cited.layout.joins,
        truncated: cited.layout.truncated,
        number: cited.layout.number,
        depth: cited.layout.depth.into(),
    }
}

fn sources(sources: Vec<crate::answer::SourcePage>, manifest: Manifest, source: &HttpSource) -> Vec<types::Source> {
    let pages = sources.into_iter().zip(manifest.pages).enumerate();
    pages.map(|(at, (page, read))| source_page(at + 1, page, read, source)).collect()
}

fn source_page(
    number: usize,
    page: crate::answer::SourcePage,
    read: FetchedPage,
    source: &HttpSource,
) -> types::Source {
    types::Source {
        number,
        language: read.analysis.name(),
        markdown: read.text,
        url: source.url(&page.path),
        site: source.site_url(page.site_url),
        page: page.page,
        pack: page.pack,
        pack_title: page.pack_title,
        file: page.file,
        title: page.title,
        summary: page.summary,
        snippet: page.snippet,
        cited: page.cited,
        via: match page.via {
            Via::Search => "search",
            Via::SeeAlso => "see-also",
        },
        stale: page.stale,
    }
}

fn stage(stage: trace::Stage) -> types::Stage {
    types::Stage { name: stage.name, ms: stage.ms, summary: stage.summary, detail: stage.detail }
}
