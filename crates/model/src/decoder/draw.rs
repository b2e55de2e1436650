//! Drawing token after token: a device that can goes on by itself, some passes ahead of who reads the tokens, and
//! nothing but these comes back.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;

use burn::backend::Dispatch;
use burn::tensor::Tensor;

use super::{Decoder, Layers, Tokens, device};
use crate::Error;
use crate::network::Rows;
use crate::ops::{DecoderOps as _, Drawing, Position, Recording, WeightStore};
use crate::sample::GumbelSampling;

/// Passes that a device is ahead of what was read, so that it need not wait for the way here and back.
const AHEAD: usize = 4;

/// The fewest positions that a recording is made for. Others are for twice as many, and so on.
const FEWEST: usize = 256;

/// A token on its way here.
type Read = Pin<Box<dyn Future<Output = Result<u32, String>>>>;

/// Where a device draws tokens by itself.
pub(super) struct Drawer {
    /// A pass of one token at a position before so many.
    recordings: BTreeMap<usize, Recording>,
    /// Whether the device can't record: then each pass is told anew.
    is_recording_refused: bool,
    drawing: Drawing<Dispatch>,
    /// The position that the device runs next, where it is under way.
    next: Option<usize>,
    /// What was drawn behind the passes that it has run, in order.
    reads: VecDeque<Read>,
    /// The token that was read last, its position, and by what it was drawn: what the first of the reads was drawn behind.
    last: (usize, u32, GumbelSampling),
}

impl Drawer {
    pub(super) fn new(drawing: Drawing<Dispatch>) -> Self {
        Self {
            recordings: BTreeMap::new(),
            is_recording_refused: false,
            drawing,
            next: None,
            reads: VecDeque::new(),
            last: (0, 0, GumbelSampling::NONE),
        }
    }

    /// Runs the next pass, over a cache of `capacity` positions. Gives whether it counts: what a pass wrote that could not be
    /// recorded may be held for failed.
    fn run(
        &mut self,
        layers: &Layers,
        store: &dyn WeightStore,
        position: usize,
        capacity: usize,
    ) -> Result<bool, String> {
        let most = (position + 1).next_power_of_two().max(FEWEST).min(capacity);
        if let Some(recording) = self.recordings.get(&most) {
            return recording().map(|()| true);
        }
        let drawing = &self.drawing;
        let work = || {
            let tokens = Tokens { ids: Tensor::from_dispatch(drawing.next.clone()), are_adapted: false };
            if let Some(logits) = layers.pass(Position::Placed(most), &tokens, Rows::Last) {
                let _ = Dispatch::draw(logits.into_dispatch(), drawing.clone());
            }
        };
        if self.is_recording_refused {
            work();
            return Ok(true);
        }
        match store.record(&work) {
            Some(recording) => drop(self.recordings.insert(most, recording)),
            None => self.is_recording_refused = true,
        }
        Ok(!self.is_recording_refused)
    }

    /// Waits for what is under way and forgets it. A read can't be left alone: its buffer would stay taken.
    pub(super) async fn stop(&mut self) {
        self.next = None;
        while let Some(read) = self.reads.pop_front() {
            let _ = read.await;
        }
    }
}

impl Decoder {
    /// As [`Network::draw`](crate::network::Network::draw), on a device that goes on by itself.
    pub(super) async fn draw_ahead(
        &mut self,
        before: &[u32],
        token: u32,
        chance: GumbelSampling,
    ) -> Result<u32, Error> {
        let failed = |cause| device("drawing tokens", cause);
        let (position, capacity) = (before.len(), self.shape.capacity);
        let Some(drawer) = &mut self.drawer else { return Err(Error::NoNumbers) };
        if drawer.next.is_none() || drawer.last != (position, token, chance) {
            drawer.stop().await;
            self.store.place(before, token, chance).map_err(failed)?;
            drawer.next = Some(position);
        }
        while let Some(next) = drawer.next.filter(|next| drawer.reads.len() < AHEAD && *next < capacity) {
            if !drawer.run(&self.network, &*self.store, next, capacity).map_err(failed)? {
                drawer.stop().await;
                self.store.place(before, token, chance).map_err(failed)?;
                drawer.next = Some(position);
                continue;
            }
            drawer.reads.push_back(self.store.drawn(next));
            drawer.next = Some(next + 1);
        }
        let read = drawer.reads.pop_front().ok_or_else(|| failed("nothing is under way".to_owned()))?;
        // Where nobody waits to the end, the reads that follow are those of other tokens than will be asked for.
        let next = drawer.next.take();
        let drawn = read.await.map_err(failed)?;
        drawer.next = next;
        drawer.last = (position + 1, drawn, chance);
        self.failure()?;
        if drawn as usize >= self.config.vocab {
            return Err(Error::NoNumbers);
        }
        Ok(drawn)
    }
}
