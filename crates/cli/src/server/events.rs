//! The body of a streamed answer: what the model tells, as it tells it.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use http_body::{Body, Frame};
use tokio::sync::mpsc::UnboundedReceiver;

use super::job::Told;
use super::response::Wording;

/// Events, one after the other. Dropped, as when the client leaves, it lets the model stop.
pub(super) struct EventBody {
    /// What was told before the body was made.
    pub(super) first: Option<Told>,
    /// What is told after it.
    pub(super) told: UnboundedReceiver<Told>,
    pub(super) wording: Wording,
}

impl Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            let told = match self.first.take() {
                Some(first) => Some(first),
                None => ready!(self.told.poll_recv(context)),
            };
            let Some(told) = told else { return Poll::Ready(None) };
            let events = self.wording.events(told);
            // A frame without bytes would say that the body has ended.
            if !events.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(Bytes::from(events)))));
            }
        }
    }
}
