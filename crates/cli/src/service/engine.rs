//! The trait of what answers requests on a thread: the packs, or a script in tests.

use seealso::{EntryRequest, EntryResponse};

use crate::answer_json::AnswerJson;

use super::fault::ServiceFault;
use super::reply::{PageReply, SearchReply};
use super::request::{AskRequest, PageRequest, SearchRequest};

/// What answers requests, one after the other. No method changes what it knows: packs are read, never written.
#[allow(async_fn_in_trait)]
pub(crate) trait Engine {
    /// The pages with the words of a query.
    async fn search(&self, request: &SearchRequest) -> Result<SearchReply, ServiceFault>;
    /// A page.
    async fn read_page(&self, request: &PageRequest) -> Result<PageReply, ServiceFault>;
    /// The answer to a question.
    async fn ask(&self, request: &AskRequest) -> Result<AnswerJson, ServiceFault>;
    /// The entries nearest to a question; `id` is that of the interaction.
    async fn retrieve(&self, request: &EntryRequest, id: &str) -> Result<EntryResponse, ServiceFault>;
}
