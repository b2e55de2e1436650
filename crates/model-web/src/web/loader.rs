//! The loader: takes a model's file as it comes, keeps no copy of it, and gives the model.

use seealso_model::{LoadOptions, Loader, Session, SessionOptions, ops::flex::FlexHome};
use wasm_bindgen::prelude::*;

use super::error::{bad_call, coded, into_error};
use super::kernels::{Kernels, SideModule};
use super::model::{Model, State};
use super::options::Loading;

/// Takes the file piece by piece, in order.
#[wasm_bindgen]
pub struct ModelLoader {
    loader: Option<Loader>,
}

#[wasm_bindgen]
impl ModelLoader {
    /// A loader that places weights with `kernels`.
    ///
    /// # Errors
    ///
    /// Options of another form.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue, kernels: Kernels) -> Result<ModelLoader, JsValue> {
        let options: Loading = serde_wasm_bindgen::from_value(options).map_err(bad_call)?;
        let home = FlexHome::new(Box::new(SideModule::new(kernels)));
        let context = if options.context == 0 { LoadOptions::default().context } else { options.context };
        Ok(Self { loader: Some(Loader::new(Box::new(home), LoadOptions { context })) })
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    ///
    /// What is wrong with them; the loader is then of no more use.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.loader.as_mut().ok_or_else(spent)?.feed(bytes).map_err(into_error)
    }

    /// Ends the file and gives the model; the loader is spent.
    ///
    /// # Errors
    ///
    /// A file that was cut, or no memory for the cache.
    pub fn finish(&mut self) -> Result<Model, JsValue> {
        let loader = self.loader.take().ok_or_else(spent)?;
        let bytes = loader.progress().done;
        let (header, decoder) = loader.finish().map_err(into_error)?;
        let session = Session::new(decoder, SessionOptions::default());
        Ok(Model::new(State::new(&header, session).map_err(into_error)?, bytes))
    }
}

fn spent() -> JsValue {
    coded("bad-call", "the loader has given its model already")
}
