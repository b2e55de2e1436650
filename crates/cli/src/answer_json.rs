//! An answer as JSON, the same for `seealso ask --json` and for programs that ask a server.

use schemars::JsonSchema;
use seealso::{
    Answer, AnsweredSubQuery, CitedSentence, FetchedPage, Gate, Manifest, NearChunk, Notice, SourcePage, Stage,
    StageReport, Via, passage_text,
};
use seealso_pack::{Page, Value as FieldValue};
use serde::Serialize;
use serde_json::Value;

/// An answer: sentences of pages, word for word, each with the number of its source.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Answer")]
pub(crate) struct AnswerJson {
    /// The question as it was asked.
    question: String,
    /// `answered`, or `empty` where no page answers the question.
    status: &'static str,
    /// The whole answer as one text, with the numbers of its sources in brackets.
    text: String,
    /// The answer to each part of the question.
    parts: Vec<PartJson>,
    /// The sentences, in the order of the text.
    sentences: Vec<SentenceJson>,
    /// The parts of the question.
    sub_queries: Vec<SubQueryJson>,
    /// Every page that was kept, cited or not; a source's number is its place, from 1.
    sources: Vec<SourceJson>,
    /// What went wrong on the way without losing the answer.
    notices: Vec<NoticeJson>,
    /// The characters of the text that a model would be given.
    context_chars: usize,
    /// The steps from the question to the answer, with what each made.
    #[schemars(with = "Vec<std::collections::BTreeMap<String, serde_json::Value>>")]
    trace: Vec<Stage>,
    /// The milliseconds that it took.
    ms: f64,
    #[serde(flatten)]
    by_stages: Option<StageReportJson>,
}

/// The answer to one part of the question.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AnswerPart")]
struct PartJson {
    /// The part.
    sub_query: String,
    /// Its answer; empty where no page answers it.
    text: String,
    /// The numbers of the sources of the answer, each once.
    sources: Vec<usize>,
}

/// A sentence of a page, or another unit of it, word for word.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sentence")]
struct SentenceJson {
    /// The words of the page.
    text: String,
    /// What it is on its page: `prose`, `item`, `row`, `code` or `heading`.
    form: &'static str,
    /// The number of its source, from 1.
    source: usize,
    /// The heading that it stands under; empty before the first.
    section: String,
    /// The anchor of that heading.
    anchor: String,
    /// The part of the question that it serves, from 0.
    sub_query: usize,
    /// The number of its passage, from 0.
    passage: usize,
    /// Whether something of the page is left out before it.
    skips: bool,
    /// Whether it goes on in the paragraph or item of the sentence before it.
    joins: bool,
    /// Whether it is cut, or what it announces goes on behind it.
    truncated: bool,
    /// Its number, where it begins an item of a numbered list.
    number: Option<u32>,
    /// In how many lists of its passage it stands.
    depth: u8,
    /// The share of the weight of its part of the question that it and its title hold.
    score: f64,
}

/// A sentence of a page with the page's addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Quote")]
pub(crate) struct QuoteJson {
    /// The words of the page, exactly.
    pub(crate) text: String,
    /// The page's id.
    pub(crate) page: String,
    /// The page's title.
    pub(crate) title: String,
    /// The heading that the words stand under; empty before the first.
    pub(crate) section: String,
    /// The page's address on its site or on the web, else its path under the packs root.
    pub(crate) url: String,
}

/// A part of the question, and what it brought.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SubQuery")]
struct SubQueryJson {
    /// The words that were searched for.
    text: String,
    /// The ids of the pages that it brought, best first.
    pages: Vec<String>,
    /// Whether any sentence serves it.
    answered: bool,
    /// The largest share of its weight that any page holds, from 0 to 1.
    coverage: f64,
}

/// A page that was kept.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Source")]
struct SourceJson {
    /// Its number, from 1.
    number: usize,
    /// Its id: the pack's path and the page's file without `.md`.
    page: String,
    /// Its path under the packs root.
    path: String,
    /// Its address on its site or on the web, else its path as a relative address.
    url: String,
    /// Its title.
    title: String,
    /// One sentence on what it says.
    summary: String,
    /// Its first prose, at most 200 characters.
    snippet: String,
    /// Whether a sentence of the answer is from it.
    cited: bool,
    /// How it was found: `search`, or `see-also` where another page lists it.
    via: &'static str,
    /// Whether its file changed since the index was built.
    changed: bool,
}

/// Something that went wrong without losing the answer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Notice")]
pub(crate) struct NoticeJson {
    /// A short word for the kind.
    code: &'static str,
    /// A sentence for the reader.
    message: String,
}

/// What the stages of retrieval did; absent where the question went through none.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct StageReportJson {
    /// How the pages were found: `bm25`, `vector_search`, `vector_fallback` or `confidence_gated_fallback`.
    query_type: &'static str,
    /// What each stage found.
    stages: StagesJson,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Stages")]
struct StagesJson {
    /// The stages that had an effect, in order.
    used: Vec<&'static str>,
    /// What the gate decided; null where there is none.
    gate: Option<GateJson>,
    /// The chunk by which each source was found.
    chunks: Vec<ChunkJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Gate")]
struct GateJson {
    /// The largest similarity of any page to the question, from 0 to 1; null where none was measured.
    max_similarity: Option<f64>,
    /// The least similarity that passes; null where the site stored none.
    threshold: Option<f64>,
    /// Whether the best page by words is in a pack of which no similarities are known, so that the gate decides nothing.
    unmeasured: bool,
    /// Whether pages may be read.
    passes: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Chunk")]
struct ChunkJson {
    /// The page's id.
    page: String,
    /// The chunk's number on its page, from 0.
    chunk: u32,
    /// The title of its page and the headings above it.
    section: String,
    /// The cosine of its vector and the question's, from 0 to 1.
    similarity: Option<f64>,
    /// Its score by its words.
    bm25: Option<f64>,
    /// The share of the links of its pack's best-linked page that its page has.
    centrality: Option<f64>,
}

impl AnswerJson {
    /// The JSON of `answer`; `manifest` has the pages behind it, and `report` what the stages did.
    pub(crate) fn of(answer: &Answer, manifest: &Manifest, report: Option<&StageReport>) -> AnswerJson {
        let sources = answer.sources.iter().enumerate();
        AnswerJson {
            question: answer.question.clone(),
            status: if answer.is_empty() { "empty" } else { "answered" },
            text: answer.text(),
            parts: (0..answer.sub_queries.len()).map(|number| PartJson::of(answer, number)).collect(),
            sentences: answer.sentences.iter().map(SentenceJson::of).collect(),
            sub_queries: answer.sub_queries.iter().map(SubQueryJson::of).collect(),
            sources: sources.map(|(at, source)| SourceJson::of(at, source, manifest.pages.get(at))).collect(),
            notices: answer.notices.iter().map(NoticeJson::of).collect(),
            context_chars: answer.context_chars,
            trace: answer.trace.clone(),
            ms: answer.ms,
            by_stages: report.map(StageReportJson::of),
        }
    }

    /// The sentences, each with its page, for a reader who wants nothing else.
    pub(crate) fn quotes(&self) -> Vec<QuoteJson> {
        let quote = |sentence: &SentenceJson| {
            let source = self.sources.get(sentence.source.checked_sub(1)?)?;
            Some(QuoteJson {
                text: sentence.text.clone(),
                page: source.page.clone(),
                title: source.title.clone(),
                section: sentence.section.clone(),
                url: source.url.clone(),
            })
        };
        self.sentences.iter().filter_map(quote).collect()
    }

    /// The parts of the question that no page answers.
    pub(crate) fn unanswered(&self) -> Vec<String> {
        let open = self.sub_queries.iter().filter(|sub_query| !sub_query.answered);
        open.map(|sub_query| sub_query.text.clone()).collect()
    }

    /// What went wrong on the way, in sentences.
    pub(crate) fn notices(&self) -> Vec<String> {
        self.notices.iter().map(|notice| notice.message.clone()).collect()
    }

    /// Whether a page answers the question.
    pub(crate) fn is_answered(&self) -> bool {
        self.status == "answered"
    }

    /// The ids of the pages that are cited.
    pub(crate) fn cited_pages(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().filter(|source| source.cited).map(|source| source.page.as_str())
    }
}

impl PartJson {
    fn of(answer: &Answer, number: usize) -> PartJson {
        let own: Vec<_> = answer.passages().filter(|passage| passage[0].sub_query == number).collect();
        let mut sources: Vec<usize> = Vec::new();
        for source in own.iter().map(|passage| passage[0].source) {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        let text = own.iter().map(|passage| passage_text(passage)).collect::<Vec<_>>().join("\n\n");
        PartJson { sub_query: answer.sub_queries[number].text.clone(), text, sources }
    }
}

impl SentenceJson {
    fn of(sentence: &CitedSentence) -> SentenceJson {
        let layout = sentence.layout;
        SentenceJson {
            text: sentence.text.clone(),
            form: sentence.form.name(),
            source: sentence.source,
            section: sentence.section.clone(),
            anchor: sentence.anchor.clone(),
            sub_query: sentence.sub_query,
            passage: sentence.passage,
            skips: layout.skips,
            joins: layout.joins,
            truncated: layout.truncated,
            number: layout.number,
            depth: layout.depth,
            score: sentence.score,
        }
    }
}

impl SubQueryJson {
    fn of(sub_query: &AnsweredSubQuery) -> SubQueryJson {
        SubQueryJson {
            text: sub_query.text.clone(),
            pages: sub_query.pages.clone(),
            answered: sub_query.answered,
            coverage: sub_query.coverage,
        }
    }
}

impl SourceJson {
    fn of(at: usize, source: &SourcePage, page: Option<&FetchedPage>) -> SourceJson {
        SourceJson {
            number: at + 1,
            page: source.page.clone(),
            path: source.path.clone(),
            url: url(source, page),
            title: source.title.clone(),
            summary: source.summary.clone(),
            snippet: source.snippet.clone(),
            cited: source.cited,
            via: if source.via == Via::Search { "search" } else { "see-also" },
            changed: source.stale,
        }
    }
}

impl NoticeJson {
    fn of(notice: &Notice) -> NoticeJson {
        NoticeJson { code: notice.code, message: notice.message.clone() }
    }
}

impl StageReportJson {
    /// The JSON of what the stages did.
    pub(crate) fn of(report: &StageReport) -> StageReportJson {
        let gate = |gate: Gate| GateJson {
            max_similarity: gate.max_similarity,
            threshold: gate.threshold,
            unmeasured: gate.unmeasured,
            passes: gate.passes,
        };
        let chunk = |chunk: &NearChunk| ChunkJson {
            page: chunk.id.clone(),
            chunk: chunk.chunk,
            section: chunk.section.clone(),
            similarity: chunk.similarity,
            bm25: chunk.bm25,
            centrality: chunk.centrality,
        };
        StageReportJson {
            query_type: report.query_type.name(),
            stages: StagesJson {
                used: report.used.clone(),
                gate: report.gate.map(gate),
                chunks: report.chunks.iter().map(chunk).collect(),
            },
        }
    }
}

/// Adds what the stages did to the object of an answer.
pub(crate) fn add_report(value: &mut Value, report: Option<&StageReport>) {
    let report = report.map(|report| serde_json::to_value(StageReportJson::of(report)));
    if let (Value::Object(object), Some(Ok(Value::Object(added)))) = (value, report) {
        object.extend(added);
    }
}

/// The address of a page: that on its site, if it lies on one; else the `url` of its front matter, if that is a web address;
/// else its path under the packs root as a relative address.
fn url(source: &SourcePage, page: Option<&FetchedPage>) -> String {
    if !source.site_url.is_empty() {
        return source.site_url.clone();
    }
    let is_web_address = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    // The page of an answer was read without its front matter, for which the index stands in.
    let fields = page.map(|page| Page::parse(&page.page.file, &page.text).0.fields).unwrap_or_default();
    let mut urls = fields.iter().filter_map(|(key, value)| match value {
        FieldValue::Text(url) if key == "url" => Some(url.as_str()),
        _ => None,
    });
    urls.find(is_web_address).map_or_else(|| encode_path(&source.path), str::to_owned)
}

/// Percent-encodes every byte of a path that has a meaning in addresses, and every one that may not occur there.
pub(crate) fn encode_path(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => url.push(byte as char),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::encode_path;

    #[test]
    fn paths_are_encoded_as_addresses() {
        assert_eq!(encode_path("tea/wiki/a-b_c.md"), "tea/wiki/a-b_c.md");
        assert_eq!(encode_path("tea/50 % grün?#.md"), "tea/50%20%25%20gr%C3%BCn%3F%23.md");
    }
}
