//! The values that cross the boundary: plain structs, from which the TypeScript types are generated.

use tsify::Tsify;

use super::to_js::objects;

/// Settings of an opened library; every one may be omitted.
#[derive(Debug, Default, Tsify)]
pub(super) struct Options {
    /// The class of machine: micro, small, mid, large, xl, server-s, server-l.
    #[tsify(optional)]
    pub(super) tier: Option<String>,
    /// Milliseconds that each attempt to fetch a page may take.
    #[tsify(optional)]
    pub(super) timeout_ms: Option<u32>,
    /// Whether copies of packs may be kept in this browser; true by default.
    #[tsify(optional)]
    pub(super) cache: Option<bool>,
}

/// The contents of an opened library.
#[derive(Debug, Tsify)]
pub(super) struct Info {
    /// The packs; none if they are too many for the catalog.
    pub(super) packs: Vec<PackInfo>,
    pub(super) pack_count: usize,
    pub(super) pages: u32,
    /// Bytes of all index files together; a question reads few of them.
    pub(super) index_bytes: u64,
    /// What the site publishes beside its index: `chunks`, `vectors`, and `encoder` where a browser can run the vectors' encoder.
    pub(super) stages: Vec<String>,
    pub(super) version: String,
}

/// One pack.
#[derive(Debug, Tsify)]
pub(super) struct PackInfo {
    pub(super) path: String,
    pub(super) title: String,
    pub(super) language: String,
    pub(super) pages: u32,
    pub(super) summary: String,
}

/// The progress of a question.
#[derive(Debug, Tsify)]
pub(super) struct Progress {
    #[tsify(type = "\"decompose\" | \"search\" | \"fetch\" | \"merge\" | \"expand\" | \"assemble\" | \"answer\"")]
    pub(super) stage: &'static str,
    #[tsify(type = "\"start\" | \"done\"")]
    pub(super) state: &'static str,
    pub(super) ms: f64,
    pub(super) note: String,
}

/// A row of a result list.
#[derive(Debug, Tsify)]
pub(super) struct Hit {
    pub(super) page: String,
    pub(super) pack: String,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) score: f64,
    pub(super) url: String,
    /// Where a page of a site is to be opened there; empty for other pages.
    pub(super) site: String,
    pub(super) marks: Marks,
}

/// The ranges of the query's words: first unit and one past the last, in UTF-16 units, ascending.
#[derive(Debug, Tsify)]
pub(super) struct Marks {
    pub(super) title: Vec<(usize, usize)>,
    pub(super) summary: Vec<(usize, usize)>,
}

/// A question's answer.
#[derive(Debug, Tsify)]
pub(super) struct Answer {
    pub(super) question: String,
    #[tsify(type = "\"answered\" | \"empty\"")]
    pub(super) status: &'static str,
    /// Plain text with `[n]` citations; if nothing was found, the sentence that says so.
    pub(super) text: String,
    pub(super) sentences: Vec<Sentence>,
    pub(super) sub_queries: Vec<SubQuery>,
    pub(super) sources: Vec<Source>,
    pub(super) notices: Vec<Notice>,
    pub(super) trace: Vec<Stage>,
    pub(super) context_chars: usize,
    pub(super) ms: f64,
}

/// A quoted sentence.
#[derive(Debug, Tsify)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// `prose`, `item`, `row`, `code` or `heading`.
    pub(super) form: &'static str,
    /// The number of its source, from 1.
    pub(super) source: usize,
    pub(super) section: String,
    pub(super) anchor: String,
    /// The sub-query that it serves, from 0.
    pub(super) sub_query: usize,
    /// The passage that it belongs to, from 0.
    pub(super) passage: usize,
    /// Whether something is left out before it in its passage.
    pub(super) skips: bool,
    /// Whether it continues the paragraph or list item of the sentence before it.
    pub(super) joins: bool,
    /// Whether its list, or what it announces, continues after the passage.
    pub(super) truncated: bool,
    /// The number that the page shows before it, in a numbered list.
    pub(super) number: Option<u32>,
    /// The nesting depth of its list in the passage.
    pub(super) depth: u32,
}

/// A sub-query and the pages that it found.
#[derive(Debug, Tsify)]
pub(super) struct SubQuery {
    pub(super) text: String,
    pub(super) pages: Vec<String>,
    /// Whether a sentence answers it.
    pub(super) answered: bool,
}

/// A page that was kept.
#[derive(Debug, Tsify)]
pub(super) struct Source {
    pub(super) number: usize,
    pub(super) page: String,
    pub(super) pack: String,
    pub(super) pack_title: String,
    pub(super) file: String,
    pub(super) url: String,
    /// Where a page of a site is to be opened there; empty for other pages.
    pub(super) site: String,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) snippet: String,
    pub(super) cited: bool,
    #[tsify(type = "\"search\" | \"see-also\"")]
    pub(super) via: &'static str,
    pub(super) stale: bool,
    /// The analysis of its words: its language's English name, or "plain".
    pub(super) language: &'static str,
    /// The whole file.
    pub(super) markdown: String,
}

/// A fault that did not cost the answer.
#[derive(Debug, Tsify)]
pub(super) struct Notice {
    pub(super) code: &'static str,
    pub(super) message: String,
}

/// One stage of the run.
#[derive(Debug, Tsify)]
pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) ms: f64,
    pub(super) summary: String,
    #[tsify(type = "unknown")]
    pub(super) detail: crate::trace::Detail,
}

/// A whole page, as nodes to build a document from.
#[derive(Debug, Tsify)]
pub(super) struct RenderedPage {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) pack: String,
    pub(super) url: String,
    #[tsify(type = "PageNode[]")]
    pub(super) nodes: Vec<seealso_pack::Node>,
}

objects! {
    Info { packs, pack_count, pages, index_bytes, stages, version }
    PackInfo { path, title, language, pages, summary }
    Progress { stage, state, ms, note }
    Hit { page, pack, title, summary, score, url, site, marks }
    Marks { title, summary }
    Answer { question, status, text, sentences, sub_queries, sources, notices, trace, context_chars, ms }
    Sentence { text, form, source, section, anchor, sub_query, passage, skips, joins, truncated, number, depth }
    SubQuery { text, pages, answered }
    Source {
        number, page, pack, pack_title, file, url, site, title, summary, snippet, cited, via, stale, language, markdown,
    }
    Notice { code, message }
    Stage { name, ms, summary, detail }
    RenderedPage { id, title, pack, url, nodes }
}
