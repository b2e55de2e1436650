//! Stop strings in streamed text: what might be the beginning of one is held back until it is clear.

/// Watches a stream of text for strings that end it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopStrings {
    strings: Vec<String>,
    /// Text that was not given out, since a stop string may begin in it.
    held: String,
}

impl StopStrings {
    /// Watches for any of `strings`; empty ones are left out.
    #[must_use]
    pub(crate) fn new(strings: &[String]) -> Self {
        Self { strings: strings.iter().filter(|s| !s.is_empty()).cloned().collect(), held: String::new() }
    }

    /// Takes more text. Gives what can be shown, and whether a stop string came: then the text is what stood before
    /// it, and the stream is over.
    pub(crate) fn push(&mut self, text: &str) -> (String, bool) {
        self.held.push_str(text);
        if let Some(at) = self.strings.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            self.held.truncate(at);
            return (std::mem::take(&mut self.held), true);
        }
        let keep = self.strings.iter().map(|stop| overlap(&self.held, stop)).max().unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - keep);
        (std::mem::replace(&mut self.held, rest), false)
    }

    /// What was held back, when the stream ends by itself.
    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// The length of the longest end of `text` with which `stop` begins.
fn overlap(text: &str, stop: &str) -> usize {
    let longest = text.len().min(stop.len());
    (1..=longest).rev().find(|&n| text.as_bytes().ends_with(&stop.as_bytes()[..n])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stops: &[&str], pieces: &[&str], shown: &[&str], stopped: bool, rest: &str) {
        let mut watch = StopStrings::new(&stops.iter().map(|s| s.to_string()).collect::<Vec<_>>());
        let mut last = false;
        for (piece, expected) in pieces.iter().zip(shown) {
            let (text, stop) = watch.push(piece);
            assert_eq!(text, *expected, "after {piece:?}");
            last = stop;
        }
        assert_eq!((last, watch.finish().as_str()), (stopped, rest));
    }

    #[test]
    fn shows_text_and_holds_what_may_be_a_stop() {
        check(&[], &["abc", "d"], &["abc", "d"], false, "");
        check(&["STOP"], &["ab S", "TO", "x", "S"], &["ab ", "", "STOx", ""], false, "S");
        check(&["STOP"], &["ab ST", "OPcd"], &["ab ", ""], true, "");
        check(&["\n\n"], &["a\n", "b\n", "\n"], &["a", "\nb", ""], true, "");
        check(&["bc", "abcd"], &["xab", "c"], &["x", "a"], true, "");
        check(&["é"], &["aé!"], &["a"], true, "");
        check(&[""], &["a"], &["a"], false, "");
    }
}
