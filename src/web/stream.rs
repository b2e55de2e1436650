//! Reading a stream of the browser to its end.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStream, ReadableStreamDefaultReader, ReadableStreamReadResult};

use crate::world::Fault;

/// All bytes of a stream, with room for `expected` of them; reading stops as soon as they exceed `max_bytes`.
pub(super) async fn drain(stream: &ReadableStream, max_bytes: usize, expected: usize) -> Result<Vec<u8>, Fault> {
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::with_capacity(expected);
    loop {
        let step = JsFuture::from(reader.read()).await.map_err(unreachable)?;
        let chunk = step.unchecked_into::<ReadableStreamReadResult>().get_value();
        if chunk.is_undefined() {
            return Ok(bytes);
        }
        let chunk: Uint8Array = chunk.unchecked_into();
        if chunk.length() as usize > max_bytes - bytes.len() {
            return Err(Fault::TooLarge(max_bytes));
        }
        bytes.append(&mut chunk.to_vec());
    }
}

/// What the browser failed with while it fetched or read.
pub(super) fn unreachable(error: JsValue) -> Fault {
    Fault::Unreachable(error.unchecked_into::<js_sys::Object>().to_string().into())
}
