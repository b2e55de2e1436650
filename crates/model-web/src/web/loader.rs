//! The loader: takes a model's file as it comes, keeps no copy of it, and gives the model.

use seealso_boundary::{bad_call, coded};
use seealso_model::{LoadOptions, Loader, Session, SessionOptions, ops::gpu};
use wasm_bindgen::prelude::*;

use super::error::into_error;
use super::kernels::Kernels;
use super::model::{Model, State};
use super::options::LoaderSettings;
use super::place::store;

/// Takes the file piece by piece, in order.
#[wasm_bindgen]
pub struct ModelLoader {
    loader: Option<Loader>,
    on_gpu: bool,
}

#[wasm_bindgen]
impl ModelLoader {
    /// A loader that places weights with `kernels`, or without any on the GPU that was opened.
    ///
    /// # Errors
    ///
    /// Options of another form; a GPU that was not opened.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue, kernels: Option<Kernels>) -> Result<ModelLoader, JsValue> {
        let options: LoaderSettings = serde_wasm_bindgen::from_value(options).map_err(bad_call)?;
        let on_gpu = kernels.is_none();
        let context = if options.context == 0 { LoadOptions::default().context } else { options.context };
        Ok(Self { loader: Some(Loader::new(store(kernels)?, LoadOptions { context })), on_gpu })
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    ///
    /// What is wrong with them; the loader is then of no more use.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.loader.as_mut().ok_or_else(spent)?.feed(bytes).map_err(into_error)
    }

    /// Ends the file and gives the model; the loader is spent. On the GPU the model is tried first: every kernel that
    /// it uses must give known answers.
    ///
    /// # Errors
    ///
    /// A file that was cut, no memory for the cache, a GPU that computes wrongly.
    pub async fn finish(&mut self) -> Result<Model, JsValue> {
        let loader = self.loader.take().ok_or_else(spent)?;
        let bytes = loader.progress().done;
        let (header, mut decoder) = loader.finish().map_err(into_error)?;
        if self.on_gpu {
            gpu::prove(&mut decoder).await.map_err(into_error)?;
        }
        let session = Session::new(decoder, SessionOptions::default());
        Ok(Model::new(State::new(&header, session).map_err(into_error)?, bytes))
    }
}

fn spent() -> JsValue {
    coded("bad-call", "the loader has given its model already")
}
