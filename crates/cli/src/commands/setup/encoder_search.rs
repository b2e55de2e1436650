//! The encoder that a setup uses: the one that is named, or that the packs were set up with. It is never fetched.

use std::path::Path;

use serde::Serialize;

use crate::encoder::{EncoderFiles, EncoderPlace};
use crate::unusable_model::UnusableModel;

/// An encoder of texts.
#[derive(Debug, Serialize)]
pub(super) struct Encoder {
    /// Its name.
    pub(super) id: String,
    #[serde(skip)]
    pub(super) files: EncoderFiles,
    /// Whether only the last setup names it.
    #[serde(skip)]
    pub(super) is_noted: bool,
}

/// The result of looking for an encoder.
#[derive(Debug)]
pub(super) struct EncoderSearch {
    /// The encoder, where one is there.
    pub(super) encoder: Option<Encoder>,
    /// What is wrong with the one of the last setup, where it is not there any more.
    pub(super) fault: Option<String>,
}

impl EncoderSearch {
    /// Looks for the encoder of the packs under `root`.
    ///
    /// # Errors
    /// [`UnusableModel`], where `named` or the variable names a place that holds no encoder.
    pub(super) fn run(named: Option<&Path>, root: &Path) -> Result<EncoderSearch, UnusableModel> {
        let Some(place) = EncoderPlace::choose(named, root) else {
            return Ok(EncoderSearch { encoder: None, fault: None });
        };
        match place.files() {
            Ok(files) => {
                let encoder = Encoder { id: files.name.clone(), files, is_noted: place.is_noted };
                Ok(EncoderSearch { encoder: Some(encoder), fault: None })
            }
            Err(error) if place.is_noted => Ok(EncoderSearch { encoder: None, fault: Some(error.to_string()) }),
            Err(error) => Err(error),
        }
    }
}
