//! The log-likelihoods of one-word continuations, from those of an answer's first token.

use crate::protocol::{Likelihoods, TokenLikelihood};

/// The log-likelihood, in nats, of each continuation; `None` if the answer gives that of none: it has no likelihoods,
/// or each continuation is more than one token to this model.
///
/// A token matches a continuation as it is, or with a space before it, as some tokenizers write it. A continuation that
/// is not among the likeliest tokens gets its upper bound: the least of theirs, or what they leave over.
pub(crate) fn of_continuations(likelihoods: &Likelihoods, continuations: &[&str]) -> Option<Vec<f64>> {
    let first = likelihoods.content.first()?;
    let candidates: Vec<&TokenLikelihood> = match first.top_logprobs.is_empty() {
        true => vec![first],
        false => first.top_logprobs.iter().collect(),
    };
    let known: Vec<Option<f64>> = continuations.iter().map(|text| likelihood(&candidates, text)).collect();
    let least = candidates.iter().map(|token| token.logprob).fold(0.0, f64::min);
    let left = 1.0 - candidates.iter().map(|token| token.logprob.exp()).sum::<f64>();
    let most = if left > 0.0 { least.min(left.ln()) } else { least };
    known.iter().any(Option::is_some).then(|| known.into_iter().map(|known| known.unwrap_or(most)).collect())
}

fn likelihood(candidates: &[&TokenLikelihood], text: &str) -> Option<f64> {
    if text.is_empty() {
        return Some(0.0);
    }
    let as_is = candidates.iter().find(|token| token.token == text);
    let spaced = || candidates.iter().find(|token| token.token.strip_prefix([' ', '▁', 'Ġ']) == Some(text));
    as_is.or_else(spaced).map(|token| token.logprob)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likelihoods(tokens: &[(&str, f64)]) -> Likelihoods {
        let token = |&(token, logprob): &(&str, f64)| TokenLikelihood {
            token: token.to_owned(),
            logprob,
            ..TokenLikelihood::default()
        };
        let mut first = token(&tokens[0]);
        first.top_logprobs = tokens.iter().map(token).collect();
        Likelihoods { content: vec![first] }
    }

    #[test]
    fn words_are_found_among_the_likeliest() {
        let check = |tokens: &[(&str, f64)], expected: Option<[f64; 2]>| {
            assert_eq!(of_continuations(&likelihoods(tokens), &["Yes", "No"]), expected.map(Vec::from), "{tokens:?}");
        };
        check(&[("Yes", -0.5), ("No", -1.0)], Some([-0.5, -1.0]));
        check(&[(" No", -0.25), ("▁Yes", -2.0)], Some([-2.0, -0.25]));
        check(&[("The", -0.5), (" Yes", -1.0), ("Yes", -3.0), ("No", -4.0)], Some([-3.0, -4.0]));
        // At most as likely as the least likely that is told …
        check(&[("Yes", -0.5), ("The", -3.0)], Some([-0.5, -3.0]));
        // … or as what is left.
        check(&[("Yes", 0.875_f64.ln())], Some([0.875_f64.ln(), 0.125_f64.ln()]));
        check(&[("yes", -0.5), ("Ye", -1.0)], None);
    }

    #[test]
    fn an_empty_continuation_is_certain() {
        assert_eq!(of_continuations(&likelihoods(&[("a", -1.0)]), &[""]), Some(vec![0.0]));
    }

    #[test]
    fn without_likelihoods_there_is_no_score() {
        assert_eq!(of_continuations(&Likelihoods::default(), &["Yes"]), None);
    }
}
