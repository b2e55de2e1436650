//! A model ready to answer: its language, and a session of its decoder.

use std::io::Read;
use std::ops::ControlFlow;

use seealso_gguf::Header;

use crate::Error;
use crate::decoder::Decoder;
use crate::generate::{Event, GenerationResult, Request, generate};
use crate::language::Language;
use crate::load::{LoadOptions, Progress, load};
use crate::ops::WeightStore;
use crate::session::{Session, SessionOptions};

/// A decoder with the language it speaks.
#[derive(Debug)]
pub struct Model {
    /// Text to tokens and back.
    pub language: Language,
    /// The decoder and what its cache holds.
    pub session: Session<Decoder>,
}

impl Model {
    /// Loads a model from a stream; see [`load`].
    ///
    /// # Errors
    ///
    /// Those of [`load`], and a tokenizer that is not known.
    pub fn load(
        stream: impl Read,
        store: Box<dyn WeightStore>,
        options: LoadOptions,
        session: SessionOptions,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, Error> {
        let (header, decoder) = load(stream, store, options, progress)?;
        Self::new(&header, decoder, session)
    }

    /// Puts together what a [`Loader`](crate::Loader) gave.
    ///
    /// # Errors
    ///
    /// A tokenizer that is not known.
    pub fn new(header: &Header, decoder: Decoder, session: SessionOptions) -> Result<Self, Error> {
        Ok(Self { language: Language::from_header(header)?, session: Session::new(decoder, session) })
    }

    /// Generates an answer; see [`generate`].
    ///
    /// # Errors
    ///
    /// Those of [`generate`].
    pub async fn generate(
        &mut self,
        request: &Request<'_>,
        watch: &mut impl AsyncFnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<GenerationResult, Error> {
        generate(&mut self.session, &self.language, request, watch).await
    }
}
