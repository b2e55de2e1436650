//! From logits to a token: penalty, mask, temperature, top-k, top-p, draw. Knows neither burn nor text.

use crate::random::Random;
use crate::vocabulary::TokenSet;

/// How tokens are chosen. The default is greedy.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    /// Logits are divided by it; 0 takes the likeliest token (greedy).
    pub temperature: f32,
    /// Only the k likeliest tokens may be drawn; 0 means all.
    pub top_k: usize,
    /// Only the likeliest tokens whose probabilities first reach this sum may be drawn (Holtzman et al. 2020,
    /// "The curious case of neural text degeneration"); 1 means all.
    pub top_p: f32,
    /// Above 1, tokens among the last `repeat_last` lose: their positive logits are divided by it, their negative
    /// ones multiplied (Keskar et al. 2019, "CTRL").
    pub repeat_penalty: f32,
    /// How many of the last tokens the penalty looks at.
    pub repeat_last: usize,
    /// The same seed draws the same tokens.
    pub seed: u64,
}

impl Sampling {
    /// Whether the likeliest token is always taken.
    #[must_use]
    pub fn is_greedy(&self) -> bool {
        self.temperature <= 0.0
    }
}

impl Default for Sampling {
    fn default() -> Self {
        Self { temperature: 0.0, top_k: 0, top_p: 1.0, repeat_penalty: 1.0, repeat_last: 64, seed: 0 }
    }
}

/// Draws one token after the other.
#[derive(Debug, Clone)]
pub struct Sampler {
    sampling: Sampling,
    random: Random,
    /// Candidates of the present draw, `(token, logit)`; kept between draws to save the allocation.
    candidates: Vec<(u32, f32)>,
}

impl Sampler {
    /// A sampler at the beginning of its seed's sequence.
    #[must_use]
    pub fn new(sampling: Sampling) -> Self {
        let random = Random::new(sampling.seed);
        Self { sampling, random, candidates: Vec::new() }
    }

    /// Draws a token. `logits` is indexed by token id; `so_far` are the tokens before it, prompt included; `allowed`
    /// narrows the choice. `None` where nothing may be drawn: no logit is a number, or the mask allows none.
    pub fn draw(&mut self, logits: &[f32], so_far: &[u32], allowed: Option<&TokenSet>) -> Option<u32> {
        let usable = |token: u32, logit: f32| !logit.is_nan() && allowed.is_none_or(|set| set.contains(token));
        self.candidates.clear();
        let numbered = logits.iter().enumerate().map(|(token, &logit)| (token as u32, logit));
        self.candidates.extend(numbered.filter(|&(token, logit)| usable(token, logit)));
        self.penalise(so_far);
        if self.sampling.is_greedy() {
            return self.likeliest();
        }
        self.keep_top_k();
        self.drop_hopeless();
        self.candidates.sort_unstable_by(by_logit);
        self.pick()
    }

    fn penalise(&mut self, so_far: &[u32]) {
        let penalty = self.sampling.repeat_penalty;
        if penalty == 1.0 || penalty <= 0.0 {
            return;
        }
        let mut recent = so_far[so_far.len().saturating_sub(self.sampling.repeat_last)..].to_vec();
        recent.sort_unstable();
        for (token, logit) in &mut self.candidates {
            if recent.binary_search(token).is_ok() {
                *logit = if *logit > 0.0 { *logit / penalty } else { *logit * penalty };
            }
        }
    }

    /// The highest logit; of equals the lowest id, as llama.cpp and the reference implementations take it.
    fn likeliest(&self) -> Option<u32> {
        self.candidates.iter().copied().min_by(by_logit).map(|(token, _)| token)
    }

    fn keep_top_k(&mut self) {
        let k = self.sampling.top_k;
        if k > 0 && k < self.candidates.len() {
            self.candidates.select_nth_unstable_by(k - 1, by_logit);
            self.candidates.truncate(k);
        }
    }

    /// Drops what is e^30 times less likely than the likeliest: all of it together would not be drawn once in a
    /// million answers, and sorting it takes longer than all the rest.
    fn drop_hopeless(&mut self) {
        let highest = self.candidates.iter().map(|&(_, logit)| logit).fold(f32::NEG_INFINITY, f32::max);
        let least = highest - 30.0 * self.sampling.temperature;
        self.candidates.retain(|&(_, logit)| logit >= least);
    }

    /// Draws from the candidates, which stand likeliest first, cut where `top_p` is reached.
    fn pick(&mut self) -> Option<u32> {
        let highest = self.candidates.first()?.1;
        let weight = |logit: f32| f64::from((logit - highest) / self.sampling.temperature).exp();
        let total: f64 = self.candidates.iter().map(|&(_, logit)| weight(logit)).sum();
        let mut kept = 0.0;
        let mut count = 0;
        for &(_, logit) in &self.candidates {
            kept += weight(logit);
            count += 1;
            if kept >= f64::from(self.sampling.top_p) * total {
                break;
            }
        }
        let mut left = self.random.unit() * kept;
        for &(token, logit) in &self.candidates[..count] {
            left -= weight(logit);
            if left < 0.0 {
                return Some(token);
            }
        }
        Some(self.candidates[count - 1].0)
    }
}

/// Highest logit first, then lowest id.
fn by_logit(a: &(u32, f32), b: &(u32, f32)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// The natural logarithm of the probability of `token` under `logits`, in f64 with the maximum taken out first.
/// Minus infinity for a token that does not exist.
#[must_use]
pub fn log_probability(logits: &[f32], token: u32) -> f64 {
    let Some(&logit) = logits.get(token as usize) else { return f64::NEG_INFINITY };
    let highest = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = logits.iter().map(|&l| (f64::from(l) - highest).exp()).sum();
    f64::from(logit) - highest - sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(sampling: Sampling, logits: &[f32], count: usize) -> Vec<u32> {
        let mut sampler = Sampler::new(sampling);
        (0..count).map(|_| sampler.draw(logits, &[], None).unwrap()).collect()
    }

    #[test]
    fn greedy_takes_the_highest_and_of_equals_the_first() {
        assert_eq!(draws(Sampling::default(), &[0.5, 2.0, 2.0, -1.0], 2), [1, 1]);
    }

    #[test]
    fn a_mask_narrows_the_choice() {
        let mut set = TokenSet::empty(3);
        let mut sampler = Sampler::new(Sampling::default());
        assert_eq!(sampler.draw(&[1.0, 2.0, 3.0], &[], Some(&set)), None);
        set.insert(0);
        assert_eq!(sampler.draw(&[1.0, 2.0, 3.0], &[], Some(&set)), Some(0));
    }

    #[test]
    fn numbers_that_are_none_are_never_drawn() {
        let mut sampler = Sampler::new(Sampling { temperature: 1.0, ..Sampling::default() });
        assert_eq!(sampler.draw(&[f32::NAN, 1.0], &[], None), Some(1));
        assert_eq!(sampler.draw(&[f32::NAN], &[], None), None);
        assert_eq!(sampler.draw(&[], &[], None), None);
    }

    #[test]
    fn the_penalty_turns_from_what_was_said() {
        let sampling = Sampling { repeat_penalty: 2.0, repeat_last: 1, ..Sampling::default() };
        let mut sampler = Sampler::new(sampling);
        assert_eq!(sampler.draw(&[3.0, 2.0], &[0], None), Some(1));
        assert_eq!(sampler.draw(&[3.0, 2.0], &[0, 1], None), Some(0));
        assert_eq!(sampler.draw(&[-1.0, -1.5], &[0], None), Some(1));
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        let sampling = |seed| Sampling { temperature: 1.0, seed, ..Sampling::default() };
        let logits: Vec<f32> = (0..50).map(|i| (i % 7) as f32 * 0.3).collect();
        assert_eq!(draws(sampling(5), &logits, 20), draws(sampling(5), &logits, 20));
        assert_ne!(draws(sampling(5), &logits, 20), draws(sampling(6), &logits, 20));
    }

    #[test]
    fn draws_in_proportion() {
        // Logits ln 1, ln 2, ln 5: probabilities 1/8, 2/8, 5/8.
        let logits = [0.0, 2.0f32.ln(), 5.0f32.ln()];
        let drawn = draws(Sampling { temperature: 1.0, ..Sampling::default() }, &logits, 8000);
        for (token, expected) in [(0, 1000.0), (1, 2000.0), (2, 5000.0)] {
            let count = drawn.iter().filter(|&&t| t == token).count() as f64;
            assert!((count - expected).abs() < 150.0, "token {token}: {count}");
        }
    }

    #[test]
    fn top_k_and_top_p_cut_the_tail() {
        let logits = [0.0, 2.0f32.ln(), 5.0f32.ln()];
        let only = |sampling: Sampling| {
            let mut drawn = draws(sampling, &logits, 500);
            drawn.sort_unstable();
            drawn.dedup();
            drawn
        };
        let base = Sampling { temperature: 1.0, ..Sampling::default() };
        assert_eq!(only(Sampling { top_k: 2, ..base }), [1, 2]);
        assert_eq!(only(Sampling { top_k: 1, ..base }), [2]);
        assert_eq!(only(Sampling { top_p: 0.6, ..base }), [2]);
        assert_eq!(only(Sampling { top_p: 0.7, ..base }), [1, 2]);
        assert_eq!(only(Sampling { top_p: 0.0, ..base }), [2]);
    }

    #[test]
    fn log_probabilities_sum_to_one() {
        let logits = [1000.0, 999.0, 0.0];
        let sum: f64 = (0..3).map(|t| log_probability(&logits, t).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert!((log_probability(&logits, 1) - log_probability(&logits, 0) + 1.0).abs() < 1e-9);
        assert_eq!(log_probability(&logits, 3), f64::NEG_INFINITY);
    }
}
