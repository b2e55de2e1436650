//! Logits as the protocol has them: the likeliest tokens, with the logarithms of their probabilities.

use seealso_model::Vocabulary;
use seealso_node::protocol::{Likelihoods, TokenLikelihood};

/// The likelihood of the token that was chosen, and of the `top` likeliest in its place.
pub(super) fn likelihoods(logits: &[f32], chosen: u32, top: usize, vocabulary: &Vocabulary) -> Likelihoods {
    let highest = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let total = logits.iter().map(|&logit| (f64::from(logit) - highest).exp()).sum::<f64>().ln() + highest;
    let likelihood = |token: u32| {
        let bytes = vocabulary.bytes_of(token).to_vec();
        let logit = logits.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
        TokenLikelihood {
            token: String::from_utf8_lossy(&bytes).into_owned(),
            // JSON has no infinity; nothing is less likely than this.
            logprob: (f64::from(logit) - total).max(-9999.0),
            bytes: Some(bytes),
            top_logprobs: Vec::new(),
        }
    };
    let mut likeliest: Vec<u32> = (0..logits.len() as u32).collect();
    let by_logit = |&a: &u32, &b: &u32| logits[b as usize].total_cmp(&logits[a as usize]).then(a.cmp(&b));
    if top < likeliest.len() {
        likeliest.select_nth_unstable_by(top, by_logit);
        likeliest.truncate(top);
    }
    likeliest.sort_unstable_by(by_logit);
    let top_logprobs = likeliest.into_iter().map(likelihood).collect();
    Likelihoods { content: vec![TokenLikelihood { top_logprobs, ..likelihood(chosen) }] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_come_first() {
        let vocabulary = Vocabulary::new(["Yes", "No", "", "\u{fffd}x"], &[]);
        // Probabilities 4/8, 1/8, 1/8, 2/8.
        let logits = [4.0f32.ln(), 0.0, 0.0, 2.0f32.ln()];
        let first_token = likelihoods(&logits, 1, 3, &vocabulary);
        let [first] = first_token.content.as_slice() else { panic!("{first_token:?}") };
        assert_eq!((first.token.as_str(), first.bytes.as_deref()), ("No", Some(&b"No"[..])));
        assert!((first.logprob - 0.125f64.ln()).abs() < 1e-6);
        let top: Vec<_> =
            first.top_logprobs.iter().map(|t| (t.token.as_str(), (t.logprob.exp() * 8.0).round())).collect();
        assert_eq!(top, [("Yes", 4.0), ("\u{fffd}x", 2.0), ("No", 1.0)]);
        assert_eq!(likelihoods(&logits, 0, 0, &vocabulary).content[0].top_logprobs, []);
        assert_eq!(likelihoods(&logits, 0, 9, &vocabulary).content[0].top_logprobs.len(), 4);
    }
}
