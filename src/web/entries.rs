//! Entries in the browser: the same path, and JSON of the same shape, as in the command. They are asked in the wasm of stages alone.

use std::rc::Rc;

use seealso_pack::Date;
use wasm_bindgen::prelude::*;

use super::class::{SeeAlso, value};
use super::convert::to_error;
use super::stages::PageEmbedder;
use crate::entries::fault::EntryFault;
use crate::entries::request::EntryRequest;
use crate::entries::retrieve::{Interaction, retrieve_entries};
use crate::entries::stage::EntryStage;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A question to the entries of a site. */
export interface EntryRequest {
    question: string;
    /** Who asks. */
    asker: string;
    /** How many entries are found at most: from 1 to 20, by default 5. */
    top_n?: number;
}

/** What the engine cannot know by itself. */
export interface Interaction {
    /** An id that no other interaction has, such as `crypto.randomUUID()`. */
    id: string;
    /** The day, as `2026-01-31`. */
    today: string;
}

/** The entries and patterns for a question. */
export interface EntryResponse {
    query: string;
    matches_found: number;
    strong_match: boolean;
    interaction_id: string;
    entries: {
        topic: string; type: "framework" | "standard" | "philosophy" | "decision" | "reaction"; position: string;
        reasoning: string; reasoning_pattern: string | null; confidence: "high" | "medium" | "low";
        stability: "evergreen" | "stable" | "evolving"; updated: string | null; relevance_score: number; score: number;
        page: string; path: string;
    }[];
    reasoning_patterns: {
        slug: string; description: string; template: string; variants: { context: string; text: string }[]; page: string;
    }[];
    threshold: number | null;
    notices: { code: string; message: string }[];
}
"#;

#[wasm_bindgen]
impl SeeAlso {
    /// Finds the entries and patterns for a request, as `seealso entries --json` prints them. `embedder` encodes the question.
    #[wasm_bindgen(js_name = retrieveEntries, unchecked_return_type = "EntryResponse")]
    pub async fn retrieve_entries(
        &self,
        #[wasm_bindgen(unchecked_param_type = "EntryRequest")] request: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Embedder | undefined")] embedder: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Interaction")] interaction: JsValue,
    ) -> Result<JsValue, JsValue> {
        let text = |of: &JsValue, key: &str| value(of, key).as_string().unwrap_or_default();
        // A number that is none becomes 0, and 0 the least that is allowed.
        let top_n = value(&request, "top_n").as_f64().map(|count| count as i64);
        let request = EntryRequest::new(&text(&request, "question"), &text(&request, "asker"), top_n)
            .map_err(|error| to_error("options", &error.to_string()))?;
        let today = text(&interaction, "today");
        let no_date = || to_error("options", &format!("\"{today}\" is no date such as 2026-01-31"));
        let interaction =
            Interaction { id: &text(&interaction, "id"), today: Date::parse(&today).ok_or_else(no_date)? };
        let embedder = PageEmbedder::of(&embedder);
        let failed = |fault: EntryFault| to_error(fault.code(), &fault.to_string());
        let stage = self.open_entries().await.map_err(failed)?;
        let response = retrieve_entries(&stage, embedder.as_ref(), &request, &interaction).await.map_err(failed)?;
        let json = serde_json::to_string(&response).map_err(|error| to_error("bug", &error.to_string()))?;
        js_sys::JSON::parse(&json)
    }
}

impl SeeAlso {
    /// The entries of the site. They are opened once, unless that failed.
    async fn open_entries(&self) -> Result<Rc<EntryStage>, EntryFault> {
        if let Some(stage) = &*self.opened_entries.borrow() {
            return Ok(Rc::clone(stage));
        }
        let stage = Rc::new(EntryStage::open(&self.library).await?);
        self.opened_entries.replace(Some(Rc::clone(&stage)));
        Ok(stage)
    }
}
