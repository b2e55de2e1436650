//! Unpacking with the browser's own inflater, so that the wasm needs none.

use js_sys::Uint8Array;
use seealso_index::{Error, Form};
use wasm_bindgen::prelude::*;
use web_sys::{ReadableWritablePair, Response};

use super::stream::drain;
use crate::world::Fault;

#[wasm_bindgen]
extern "C" {
    type DecompressionStream;

    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<DecompressionStream, JsValue>;
}

/// The unpacked bytes of an index file. Nothing is read beyond the length that the file announces.
///
/// # Errors
/// [`Error::Corrupt`] where it unpacks to more or less, or not at all.
pub(super) async fn unpack(form: Form<'_>) -> Result<Vec<u8>, Error> {
    match form {
        Form::Raw(bytes) => Ok(bytes.to_vec()),
        Form::Deflated(packed, length) => match inflate(packed, length).await {
            Ok(raw) if raw.len() == length => Ok(raw),
            _ => {
                Err(Error::Corrupt { part: "file form", reason: "it does not unpack to what it announces".to_owned() })
            }
        },
    }
}

async fn inflate(packed: &[u8], most: usize) -> Result<Vec<u8>, Fault> {
    let refused = |_| Fault::Refused;
    let inflater = DecompressionStream::new("deflate-raw").map_err(refused)?;
    let packed = Uint8Array::from(packed);
    let body = Response::new_with_opt_js_u8_array(Some(&packed)).map_err(refused)?.body().ok_or(Fault::Refused)?;
    let pair: &ReadableWritablePair = inflater.unchecked_ref();
    drain(&body.pipe_through(pair), most, most).await
}
