//! Asking by stages: what the class has besides in the wasm that a question loads which uses them.
//!
//! The encoder is JavaScript's business. It is handed over with each question, as an object that turns texts into vectors.

use std::rc::Rc;

use futures_util::future::Either;
use js_sys::{Array, Float32Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::class::{SeeAlso, read_list, value};
use super::convert::to_error;
use super::to_js::{Object, ToJs};
use crate::embedder::{EmbedError, Embedder};
use crate::mode::Mode;
use crate::model::NoModel;
use crate::retrieve::overview::ByOverview;
use crate::stages::cross_encoder::NoPairScorer;
use crate::stages::fault::StageFault;
use crate::stages::finder::ByStages;
use crate::stages::model_space::space_of;
use crate::stages::near::NearChunk;
use crate::stages::open::{Stages, stage_model};
use crate::stages::options::{StageOptions, UnknownSwitch};
use crate::stages::report::StageReport;
use crate::trace::{Describe as _, Detail, detail};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How a question is asked; every one may be left out. */
export interface StageAsking {
    /** "quick" reads the overview of each pack, "deep" twice as many pages as "standard". */
    mode?: "quick" | "standard" | "deep";
    /** The stages that are used: "chunks", "vectors", "graph", or "all" for those that the site has. */
    stages?: string[];
    /** What of them is left out all the same, and of the enhancers: "rerank", "gate", … */
    off?: string[];
    /** What encodes the question. */
    embedder?: Embedder;
}

/** A sentence encoder. */
export interface Embedder {
    /** The id of its vector space, as `encoder` gives it. */
    space: string;
    /** A vector of length 1 for each text: in an array each, or one after another. */
    embed(texts: string[]): Promise<Float32Array[] | Float32Array>;
}

/** The encoder of the stored vectors. */
export interface EncoderInfo {
    name: string;
    space: string;
    scheme: string;
    /** `config.json`, `tokenizer.json` and `model.safetensors`. */
    files: { url: string; bytes: number; sha256: string }[];
}
"#;

#[wasm_bindgen]
extern "C" {
    /// An object of JavaScript that encodes texts.
    pub type JsEmbedder;
    #[wasm_bindgen(method, catch)]
    fn embed(this: &JsEmbedder, texts: Vec<String>) -> Result<Promise, JsValue>;
}

#[wasm_bindgen]
impl SeeAlso {
    /// Answers a question like `ask`, in a mode and by the stages that `how` names. The answer says in `query_type` how pages were
    /// found, and in `stages` what was used.
    #[wasm_bindgen(js_name = askByStages, unchecked_return_type = "Answer & { query_type?: string; stages?: unknown }")]
    pub async fn ask_by_stages(
        &self,
        question: String,
        #[wasm_bindgen(unchecked_param_type = "(progress: Progress) => void")] on_progress: Function,
        #[wasm_bindgen(unchecked_param_type = "Filter | undefined")] filter: JsValue,
        #[wasm_bindgen(unchecked_param_type = "StageAsking")] how: JsValue,
    ) -> Result<JsValue, JsValue> {
        let mode = read_mode(&how)?;
        let options = read_options(&how)?.in_mode(mode);
        let stages = match mode {
            Mode::Quick => Rc::default(),
            _ => self.open_stages(&options).await,
        };
        let embedder = PageEmbedder::of(&value(&how, "embedder"));
        let mut report = StageReport::default();
        let finder = match mode {
            Mode::Quick => Either::Left(ByOverview),
            _ => Either::Right(ByStages {
                stages: &stages,
                options: &options,
                embedder: embedder.as_ref(),
                pair_scorer: None::<&NoPairScorer>,
                writer: None::<&NoModel>,
                report: &mut report,
            }),
        };
        let answer = self.ask_by(finder, &question, &on_progress, &filter, mode).await?;
        let answer: Object = answer.unchecked_into();
        if mode != Mode::Quick {
            answer.set("query_type", report.query_type.name().to_js());
            answer.set("stages", report_detail(&report).to_js());
        }
        Ok(answer.into())
    }

    /// The encoder of the site's vectors; null where a browser can't run it, since the site publishes no files of it.
    #[wasm_bindgen(unchecked_return_type = "EncoderInfo | null")]
    pub async fn encoder(&self) -> Result<JsValue, JsValue> {
        let model = stage_model(&self.library).await.map_err(|fault| to_error(fault.code(), &fault.to_string()))?;
        let Some(model) = model.filter(|model| !model.files.is_empty()) else { return Ok(JsValue::NULL) };
        let space = space_of(&model).ok_or_else(|| to_error("stage-unreadable", "the encoder's hash is none"))?;
        let files = Array::new();
        for file in &model.files {
            let object = Object::new();
            object.set("url", self.library.source.url(&file.path).to_js());
            object.set("bytes", file.bytes.to_js());
            object.set("sha256", file.sha256.to_js());
            files.push(&object);
        }
        let encoder = Object::new();
        encoder.set("name", model.id.to_js());
        encoder.set("space", space.id().to_js());
        encoder.set("scheme", model.scheme.to_js());
        encoder.set("files", files.into());
        Ok(encoder.into())
    }
}

impl SeeAlso {
    /// The stages that are switched on. They are opened once, unless a file of them did not come.
    async fn open_stages(&self, options: &StageOptions) -> Rc<Stages> {
        let wanted = (options.chunks, options.vectors || options.rerank);
        if let Some((known, stages)) = &*self.opened_stages.borrow()
            && *known == wanted
        {
            return Rc::clone(stages);
        }
        let stages = Rc::new(Stages::open(&self.library, options).await);
        let is_lost = stages.faults().iter().any(|fault| matches!(fault, StageFault::Unreadable { .. }));
        if !is_lost {
            self.opened_stages.replace(Some((wanted, Rc::clone(&stages))));
        }
        stages
    }
}

fn read_mode(how: &JsValue) -> Result<Mode, JsValue> {
    let Some(name) = value(how, "mode").as_string() else { return Ok(Mode::Standard) };
    Mode::named(&name).ok_or_else(|| to_error("options", &format!("there is no mode \"{name}\"")))
}

fn read_options(how: &JsValue) -> Result<StageOptions, JsValue> {
    let unknown = |error: UnknownSwitch| to_error("options", &error.to_string());
    let mut options = StageOptions::of_stages(&read_list(how, "stages")?).map_err(unknown)?;
    for name in read_list(how, "off")? {
        options.set(&name, false).map_err(unknown)?;
    }
    Ok(options)
}

/// The encoder of a page.
pub(super) struct PageEmbedder {
    space: String,
    object: JsEmbedder,
}

impl PageEmbedder {
    /// The encoder, where one was handed over.
    pub(super) fn of(given: &JsValue) -> Option<PageEmbedder> {
        let space = value(given, "space").as_string()?;
        Some(PageEmbedder { space, object: given.clone().unchecked_into() })
    }
}

impl Embedder for PageEmbedder {
    fn space(&self) -> &str {
        &self.space
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let count = texts.len();
        let failed = |thrown: JsValue| {
            let reason = value(&thrown, "message").as_string().unwrap_or_default();
            EmbedError { reason: reason.trim_end_matches('.').to_owned() }
        };
        let promise = self.object.embed(texts).map_err(failed)?;
        Ok(vectors_of(&JsFuture::from(promise).await.map_err(failed)?, count))
    }
}

/// The vectors of `count` texts, in an array each or one after another. What is neither gives none, which the engine refuses.
fn vectors_of(given: &JsValue, count: usize) -> Vec<Vec<f32>> {
    match given.dyn_ref::<Float32Array>() {
        Some(flat) => {
            let flat = flat.to_vec();
            flat.chunks((flat.len() / count.max(1)).max(1)).map(<[f32]>::to_vec).collect()
        }
        None => {
            let list = given.dyn_ref::<Array>().map(Array::iter);
            list.into_iter().flatten().map(|one| one.dyn_ref().map(Float32Array::to_vec).unwrap_or_default()).collect()
        }
    }
}

/// What the stages did, as the command's JSON has it.
fn report_detail(report: &StageReport) -> Detail {
    let chunks: Vec<Detail> = report.chunks.iter().map(chunk_detail).collect();
    let gate = report.gate.map_or(Detail::Number(None), |gate| gate.detail());
    detail!({ "used": report.used.clone(), "gate": gate, "chunks": chunks })
}

fn chunk_detail(chunk: &NearChunk) -> Detail {
    let number = |number: Option<f64>| number.unwrap_or(f64::NAN);
    detail!({
        "page": chunk.id, "chunk": chunk.chunk, "section": chunk.section, "similarity": number(chunk.similarity),
        "bm25": number(chunk.bm25), "centrality": number(chunk.centrality),
    })
}
