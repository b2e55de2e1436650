//! The network of a browser, in a page and in a worker alike.
//!
//! gloo-net builds the request and sends it; the body is read with web-sys, for gloo-net gives a whole body or the
//! browser's own stream, and no chunks of it. No cookie goes along, nor the address of the page; a redirect is not
//! followed, nor is the answer kept.

use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::Uint8Array;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, ReadableStreamDefaultReader, ReadableStreamReadResult, ReferrerPolicy, RequestCache,
    RequestCredentials, RequestRedirect,
};

use crate::transport::{Body, Header, Reply, Transport, TransportError};

/// Sends by `fetch`.
#[derive(Debug, Clone, Copy, Default)]
pub struct BrowserTransport;

impl Transport for BrowserTransport {
    type Body = BrowserBody;

    async fn get(&self, url: &str, headers: &[Header]) -> Result<Reply<BrowserBody>, TransportError> {
        send(RequestBuilder::new(url).method(Method::GET), headers, None).await
    }

    async fn post(&self, url: &str, headers: &[Header], body: String) -> Result<Reply<BrowserBody>, TransportError> {
        send(RequestBuilder::new(url).method(Method::POST), headers, Some(body)).await
    }
}

async fn send(
    builder: RequestBuilder,
    headers: &[Header],
    body: Option<String>,
) -> Result<Reply<BrowserBody>, TransportError> {
    let call = Call::begin()?;
    let mut builder = builder
        .credentials(RequestCredentials::Omit)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .redirect(RequestRedirect::Manual)
        .cache(RequestCache::NoStore)
        .abort_signal(Some(&call.0.signal()));
    for (name, value) in headers {
        builder = builder.header(name, value);
    }
    let request = match body {
        Some(body) => builder.body(body),
        None => builder.build(),
    };
    // A browser does not tell a node that is not there from one that does not let this site ask.
    let unreachable =
        |error| TransportError::transient(format!("{error}; it may not allow this site, see CORS, or not be running"));
    let response = request.map_err(TransportError::permanent)?.send().await.map_err(unreachable)?;
    let headers = response.headers().entries().collect();
    Ok(Reply { status: response.status(), headers, body: BrowserBody { reader: reader(&response)?, _call: call } })
}

/// The way to the body's chunks; none where an answer has no body.
fn reader(response: &Response) -> Result<Option<ReadableStreamDefaultReader>, TransportError> {
    let Some(stream) = response.body() else { return Ok(None) };
    stream
        .get_reader()
        .dyn_into()
        .map(Some)
        .map_err(|_| TransportError::permanent("the browser gives no stream of the answer"))
}

/// The body of an answer. Dropped, it ends the request.
#[derive(Debug)]
pub struct BrowserBody {
    reader: Option<ReadableStreamDefaultReader>,
    _call: Call,
}

impl Body for BrowserBody {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError> {
        let Some(reader) = &self.reader else { return Ok(None) };
        let step = JsFuture::from(reader.read()).await.map_err(|error| TransportError::transient(words(error)))?;
        let chunk = step.unchecked_into::<ReadableStreamReadResult>().get_value();
        // At the end there is no value.
        Ok(chunk.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec()))
    }
}

fn words(error: JsValue) -> String {
    error.unchecked_into::<js_sys::Object>().to_string().into()
}

/// A running request. Dropped, before its head has come or after, it is aborted; where it is done, that does nothing.
#[derive(Debug)]
struct Call(AbortController);

impl Call {
    fn begin() -> Result<Call, TransportError> {
        AbortController::new().map(Call).map_err(|error| TransportError::permanent(words(error)))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.abort();
    }
}
