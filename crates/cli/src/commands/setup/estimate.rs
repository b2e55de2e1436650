//! What prefixes by a paid model would cost. Nothing is sent anywhere: this is arithmetic.

use serde::Serialize;

use super::site::Site;
use crate::style::{pluralize, say};

/// What one prefix costs, in US dollars: a thousand cost 12 at the prices that contextual retrieval was introduced with.
const DOLLARS_PER_CHUNK: f64 = 0.012;

/// The cost of prefixes by a paid model.
#[derive(Debug, Serialize)]
struct Estimate {
    pages: usize,
    /// The chunks that are searched, each of which needs a prefix.
    chunks: usize,
    usd_per_chunk: f64,
    usd: f64,
}

impl Estimate {
    fn of(pages: usize, chunks: usize) -> Estimate {
        Estimate { pages, chunks, usd_per_chunk: DOLLARS_PER_CHUNK, usd: chunks as f64 * DOLLARS_PER_CHUNK }
    }

    fn text(&self) -> String {
        format!(
            "{} of {}: about ${:.2} once, at ${} a prefix. Prefixes are made by a rule here and cost nothing; nothing was sent.",
            pluralize(self.chunks, "chunk"),
            pluralize(self.pages, "page"),
            self.usd,
            self.usd_per_chunk
        )
    }
}

/// Counts the chunks of all packs, and prints what their prefixes would cost.
pub(super) fn run(site: &Site, json: bool) -> anyhow::Result<()> {
    let (mut pages, mut chunks) = (0, 0);
    for pack in &site.packs {
        let divided = site.read_chunks(pack)?;
        pages += divided.of_pages.len();
        chunks += divided.texts();
    }
    let estimate = Estimate::of(pages, chunks);
    match json {
        true => say!("{}", serde_json::to_string_pretty(&estimate)?),
        false => say!("{}", estimate.text()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_hundred_chunks_cost_three_dollars_sixty() {
        for (pages, chunks, expected) in [
            (100, 300, "300 chunks of 100 pages: about $3.60 once, at $0.012 a prefix."),
            (1000, 1000, "1000 chunks of 1000 pages: about $12.00 once, at $0.012 a prefix."),
            (1, 1, "1 chunk of 1 page: about $0.01 once, at $0.012 a prefix."),
        ] {
            let text = Estimate::of(pages, chunks).text();
            assert!(text.starts_with(expected), "{text}");
        }
    }
}
