//! The body of a streamed answer: the events of a job, as they come.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use http_body::{Body, Frame};
use tokio::sync::mpsc::UnboundedReceiver;

use super::job::StreamEvent;
use super::response::ResponseFormat;

/// A stream of events. When it is dropped, as when the client leaves, the model stops.
pub(super) struct EventBody {
    /// The event that came before the body was made.
    pub(super) first: Option<StreamEvent>,
    /// The events after it.
    pub(super) events: UnboundedReceiver<StreamEvent>,
    pub(super) format: ResponseFormat,
}

impl Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            let event = match self.first.take() {
                Some(first) => Some(first),
                None => ready!(self.events.poll_recv(context)),
            };
            let Some(event) = event else { return Poll::Ready(None) };
            let bytes = self.format.events(event);
            // A frame without bytes would end the body.
            if !bytes.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(Bytes::from(bytes)))));
            }
        }
    }
}
