//! The engine of a service over packs: the opened library and stages, which are opened again where the packs were built anew.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use seealso::{
    AskError, AskOptions, Config, EntryFault, EntryRequest, EntryResponse, EntryStage, Fault, Filter, IndexFault,
    Interaction, NoModel, PackSource as _,
};
use seealso_index::{Bm25, PageNo};
use seealso_pack::{CatalogPack, Date, Page};

use crate::answer_json::AnswerJson;
use crate::commands::FilterArguments;
use crate::pack_root::{CatalogState, PackRoot, ServedLibrary, list_packs};
use crate::search_rows::{ResultRow, find};
use crate::stages::{StageArguments, StageSession};
use crate::utc;

use super::engine::Engine;
use super::fault::ServiceFault;
use super::overview::{Overview, SharedOverview};
use super::reply::{PageReply, SearchReply};
use super::request::{AskRequest, PageRequest, SearchRequest};

/// The folder of pages inside a pack, which a page's id leaves out.
const PAGE_FOLDER: &str = "/wiki/";

/// After how long packs that could not be opened are tried again, though they were not built since.
const RETRY_TIME: Duration = Duration::from_secs(30);

/// What an engine opens, and how it asks.
pub(super) struct EngineSettings {
    pub(super) root: PackRoot,
    pub(super) config: Config,
    pub(super) filter: FilterArguments,
    pub(super) stages: StageArguments,
    /// Where it says what it opened.
    pub(super) overview: SharedOverview,
}

/// The packs of one state of the catalog.
struct OpenedPacks {
    library: ServedLibrary,
    filter: Filter,
    stages: StageSession,
    /// The entries, or why there are none to retrieve.
    entries: Result<EntryStage, EntryFault>,
    packs: Vec<CatalogPack>,
    state: Option<CatalogState>,
}

/// The engine of one thread.
pub(super) struct PackEngine {
    settings: Arc<EngineSettings>,
    opened: RefCell<Rc<OpenedPacks>>,
    /// The state that could not be opened, and when that was tried.
    failed: Cell<Option<(CatalogState, Instant)>>,
}

impl PackEngine {
    /// Opens the packs.
    ///
    /// # Errors
    /// Packs that can't be opened, a filter for packs that are not there, an encoder that is named and can't be used.
    pub(super) async fn open(settings: Arc<EngineSettings>) -> anyhow::Result<PackEngine> {
        let opened = RefCell::new(Rc::new(OpenedPacks::open(&settings).await?));
        Ok(PackEngine { settings, opened, failed: Cell::new(None) })
    }

    /// The packs as they were built last. Where the newest can't be opened, those before stay, and the overview tells of the fault.
    async fn packs(&self) -> Rc<OpenedPacks> {
        let opened = Rc::clone(&self.opened.borrow());
        let Some(state) = self.settings.root.catalog_state().filter(|state| Some(*state) != opened.state) else {
            return opened;
        };
        if self.failed.get().is_some_and(|(failed, time)| failed == state && time.elapsed() < RETRY_TIME) {
            return opened;
        }
        match OpenedPacks::open(&self.settings).await {
            Ok(newer) => {
                tracing::info!("the packs were built anew, and are opened again");
                *self.opened.borrow_mut() = Rc::new(newer);
            }
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "the packs were built anew, and can't be opened");
                self.settings.overview.add_fault(format!("the packs were built anew, and can't be opened: {error}"));
                self.failed.set(Some((state, Instant::now())));
            }
        }
        Rc::clone(&self.opened.borrow())
    }
}

impl OpenedPacks {
    async fn open(settings: &EngineSettings) -> anyhow::Result<OpenedPacks> {
        let state = settings.root.catalog_state();
        let library = settings.root.open(settings.config.clone()).await?;
        let filter = settings.filter.resolve(&library).await?;
        let mut stages = settings.stages.open_from(&library, settings.root.folder()).await?;
        let mut entries = EntryStage::open(&library).await;
        if let Ok(entries) = &mut entries {
            keep_passing(&library, &filter, entries).await?;
        }
        if entries.as_ref().is_ok_and(|entries| entries.space().is_some()) {
            stages.load_encoder(&settings.stages, settings.root.folder())?;
        }
        let packs = list_packs(&library).await?;
        let opened = OpenedPacks { library, filter, stages, entries, packs, state };
        settings.overview.set(opened.overview());
        Ok(opened)
    }

    fn overview(&self) -> Overview {
        let admitted = self.packs.iter().filter(|pack| self.filter.admits_pack(&pack.path, &pack.language));
        let packs: Vec<CatalogPack> = admitted.cloned().collect();
        Overview {
            stages: self.stages.stages.names().map(str::to_owned).collect(),
            encoder: self.stages.has_encoder(),
            entries: self.entries.as_ref().map_or(0, EntryStage::len),
            faults: self.faults(),
            ..Overview::of(self.library.catalog(), &packs)
        }
    }

    /// What of the packs can't be used. Packs without entries are whole.
    fn faults(&self) -> Vec<String> {
        let entries = self.entries.as_ref().err().filter(|fault| **fault != EntryFault::NotProvided);
        let of_stages = self.stages.stages.faults().iter().map(ToString::to_string);
        of_stages.chain(entries.map(ToString::to_string)).collect()
    }

    /// The page of this id, or of this path under the packs root.
    async fn read_page(&self, name: &str) -> Result<PageReply, ServiceFault> {
        let unknown = || ServiceFault::UnknownPage(name.to_owned());
        let name = name.trim_matches('/');
        let mut found = self.library.find_page(name).await.map_err(index_fault)?;
        if found.is_none() && name.contains(PAGE_FOLDER) {
            found = self.library.find_page(&name.replacen(PAGE_FOLDER, "/", 1)).await.map_err(index_fault)?;
        }
        let number = found.ok_or_else(unknown)?;
        if !passes(&self.library, &self.filter, number).await.map_err(index_fault)? {
            return Err(unknown());
        }
        let described = self.library.resolve(|index| {
            let entry = index.page(number)?;
            Ok((index.pack(entry.pack)?, entry))
        });
        let (pack, entry) = described.await.map_err(index_fault)?;
        let request = self.library.page_request(&pack, &entry);
        let file = self.library.source.fetch(&request).await.map_err(|error| match error.fault {
            Fault::NotFound => unknown(),
            _ => ServiceFault::PageLost(error.to_string()),
        })?;
        let page = seealso::page_id(&pack.path, &entry.file);
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        // The next build leaves it out.
        if file.changed && Page::parse(&entry.file, &text).0.is_private() {
            return Err(unknown());
        }
        Ok(PageReply { page, path: request.path, title: entry.title, text, changed: file.changed })
    }
}

impl Engine for PackEngine {
    async fn search(&self, request: &SearchRequest) -> Result<SearchReply, ServiceFault> {
        let packs = self.packs().await;
        let found = find(&packs.library, &request.query, &packs.filter, request.limit()).await.map_err(index_fault)?;
        let results = found.into_iter().map(|page| ResultRow::of(&packs.packs, page)).collect();
        Ok(SearchReply { query: request.query.clone(), results })
    }

    async fn read_page(&self, request: &PageRequest) -> Result<PageReply, ServiceFault> {
        self.packs().await.read_page(&request.page).await
    }

    async fn ask(&self, request: &AskRequest) -> Result<AnswerJson, ServiceFault> {
        let packs = self.packs().await;
        let options = AskOptions { filter: Some(packs.filter.clone()), ..AskOptions::default() };
        let answered = packs.stages.ask(&packs.library, &request.question, options, None::<&NoModel>).await;
        let (answer, manifest) = answered.map_err(|error| match error {
            AskError::EmptyQuestion => ServiceFault::InvalidRequest(error.to_string()),
            other => ServiceFault::Index(other.to_string()),
        })?;
        Ok(AnswerJson::of(&answer, &manifest, packs.stages.report().as_ref()))
    }

    async fn retrieve(&self, request: &EntryRequest, id: &str) -> Result<EntryResponse, ServiceFault> {
        let packs = self.packs().await;
        let entries = packs.entries.as_ref().map_err(|fault| ServiceFault::Entries(fault.clone()))?;
        let interaction = Interaction { id, today: today() };
        packs.stages.retrieve_entries(entries, request, &interaction).await.map_err(ServiceFault::Entries)
    }
}

/// Whether a page passes. Without a filter every page does, also one of an archived pack, which no search finds.
async fn passes(library: &ServedLibrary, filter: &Filter, page: PageNo) -> Result<bool, IndexFault> {
    if filter.is_empty() {
        return Ok(true);
    }
    let passing = library.resolve(|index| index.searcher(&Bm25::default()).pages_passing(Some(filter), vec![page]));
    passing.await.map(|pages| !pages.is_empty())
}

/// Keeps the entries and patterns whose pages pass.
async fn keep_passing(library: &ServedLibrary, filter: &Filter, entries: &mut EntryStage) -> Result<(), IndexFault> {
    if filter.is_empty() {
        return Ok(());
    }
    let mut kept = Vec::new();
    for id in entries.all_pages() {
        if let Some(page) = library.find_page(id).await?
            && passes(library, filter, page).await?
        {
            kept.push(id.to_owned());
        }
    }
    entries.keep_pages(&kept);
    Ok(())
}

/// Today in UTC.
fn today() -> Date {
    Date::parse(&utc::today()).expect("the clock gives a real day")
}

fn index_fault(error: IndexFault) -> ServiceFault {
    ServiceFault::Index(error.to_string())
}
