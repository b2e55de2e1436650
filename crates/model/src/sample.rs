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
    /// The same seed draws the same tokens, on a device that draws by itself others than elsewhere ([`GumbelSampling`]).
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

/// How a token is drawn where the logits are. What was said of late is penalised as [`Sampling::repeat_penalty`] says; to each
/// logit `temperature` times a number is added that only depends on the seed, the position and the token; and the highest sum
/// wins. These numbers are distributed as Gumbel's, so each token wins as often as its probability says (Maddison, Tarlow and
/// Minka 2014, "A* sampling").
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GumbelSampling {
    /// As [`Sampling::temperature`].
    pub temperature: f32,
    /// Other seeds draw other tokens.
    pub seed: u32,
    /// As [`Sampling::repeat_penalty`], of the last [`RECENT`] tokens.
    pub penalty: f32,
}

/// Tokens that a [`GumbelSampling`] looks back on.
pub const RECENT: usize = 64;

impl GumbelSampling {
    /// The likeliest token is always taken.
    pub const NONE: Self = Self { temperature: 0.0, seed: 0, penalty: 1.0 };

    /// How tokens are drawn by `sampling`, where that is no more than this.
    #[must_use]
    pub fn of(sampling: &Sampling) -> Option<Self> {
        let penalises = sampling.repeat_penalty != 1.0 && sampling.repeat_penalty > 0.0;
        let is_all = sampling.is_greedy() || sampling.top_k == 0 && sampling.top_p >= 1.0;
        (is_all && (!penalises || sampling.repeat_last == RECENT)).then_some(Self {
            temperature: sampling.temperature.max(0.0),
            seed: (sampling.seed ^ sampling.seed >> 32) as u32,
            penalty: if penalises { sampling.repeat_penalty } else { 1.0 },
        })
    }

    /// What is added to a token's logit behind `position`.
    fn added(self, position: u32, token: u32) -> f32 {
        if self.temperature == 0.0 {
            return 0.0;
        }
        let hash = scramble(token ^ scramble(position ^ scramble(self.seed)));
        // Half steps of 23 bits are floats as they are, and none is 0 or 1.
        let unit = ((hash >> 9) as f32 + 0.5) / (1 << 23) as f32;
        -self.temperature * exponential(unit).ln()
    }

    /// The token drawn behind `so_far`, of equals the one with the lowest number; `None` where no logit is a number.
    #[must_use]
    pub fn draw(self, logits: &[f32], so_far: &[u32]) -> Option<u32> {
        let recent = &so_far[so_far.len().saturating_sub(RECENT)..];
        let position = (so_far.len() as u32).wrapping_sub(1);
        let penalised = |token: u32, logit: f32| match recent.contains(&token) {
            true if logit > 0.0 => logit / self.penalty,
            true => logit * self.penalty,
            false => logit,
        };
        let sums =
            (0..).zip(logits).map(|(token, &logit)| (token, penalised(token, logit) + self.added(position, token)));
        let best =
            sums.filter(|(_, sum)| !sum.is_nan()).reduce(|best, other| if other.1 > best.1 { other } else { best });
        best.map(|(token, _)| token)
    }
}

/// `-ln(1 - unit)`, a number distributed exponentially. The least of these decide, and there `1 - unit` has few bits left: by
/// its series then, in which what is left out is less than a float's last bit.
fn exponential(unit: f32) -> f32 {
    match unit < 1.0 / 64.0 {
        true => unit * (1.0 + unit * (0.5 + unit * (1.0 / 3.0 + unit * 0.25))),
        false => -(1.0 - unit).ln(),
    }
}

/// Mixes a word's bits (the permutation of O'Neill's PCG).
fn scramble(word: u32) -> u32 {
    let state = word.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    word >> 22 ^ word
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
    fn no_token_is_drawn_whatever_its_logit() {
        let chance = GumbelSampling { temperature: 1.0, seed: 1, penalty: 1.0 };
        // Hashes of ones alone among the first 24 bits, and the highest numbers of some tokens.
        let added = [(308, 64_009), (239, 47_856)].map(|(position, token)| chance.added(position, token));
        assert!(added.iter().all(|added| added.is_finite() && added.abs() < 17.0), "{added:?}");
        let most = (0..400_000).map(|token| chance.added(7, token)).fold(f32::MIN, f32::max);
        assert!((11.0..17.0).contains(&most), "{most}");
    }

    #[test]
    fn the_series_goes_on_where_the_logarithm_ends() {
        for unit in [6e-8f32, 1e-4, 0.0156, 0.0157, 0.5, 0.999_999_9] {
            let expected = -(-f64::from(unit)).ln_1p();
            assert!((f64::from(exponential(unit)) / expected - 1.0).abs() < 1e-5, "{unit}");
        }
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
    fn chance_draws_in_proportion() {
        // Logits ln 1, ln 2, ln 5: probabilities 1/8, 2/8, 5/8; at half the temperature 1/30, 4/30, 25/30.
        let logits = [0.0, 2.0f32.ln(), 5.0f32.ln()];
        for (temperature, expected) in [(1.0, [1000.0, 2000.0, 5000.0]), (0.5, [266.7, 1066.7, 6666.7])] {
            for seed in [0, 7] {
                let chance = GumbelSampling { temperature, seed, ..GumbelSampling::NONE };
                let so_far = [9; 8000];
                let drawn: Vec<u32> = (0..8000).map(|end| chance.draw(&logits, &so_far[..end]).unwrap()).collect();
                for (token, expected) in (0..).zip(expected) {
                    let count = drawn.iter().filter(|&&drawn| drawn == token).count() as f64;
                    assert!((count - expected).abs() < 150.0, "{chance:?}, token {token}: {count}");
                }
            }
        }
    }

    #[test]
    fn without_chance_the_likeliest_is_drawn() {
        for (penalty, logits, so_far, expected) in [
            (1.0, [0.5, 2.0, f32::NAN, 2.0], &[1][..], Some(1)),
            (1.5, [0.5, 2.0, f32::NAN, 2.0], &[1], Some(3)),
            (1.5, [0.5, 2.0, 1.0, 1.9], &[1, 3], Some(1)),
            (2.0, [-1.0, -1.5, -3.0, -4.0], &[0], Some(1)),
            (2.0, [f32::NAN; 4], &[0], None),
            (1.0, [f32::NAN; 4], &[], None),
        ] {
            let chance = GumbelSampling { penalty, ..GumbelSampling::NONE };
            assert_eq!(chance.draw(&logits, so_far), expected, "{penalty} {logits:?} {so_far:?}");
            let sampling = Sampling { repeat_penalty: penalty, ..Sampling::default() };
            assert_eq!(Sampler::new(sampling).draw(&logits, so_far, None), expected, "{penalty} {logits:?} {so_far:?}");
        }
        // What was said longer ago is forgotten.
        let so_far = [&[0][..], &[1; RECENT]].concat();
        assert_eq!(GumbelSampling { penalty: 9.0, ..GumbelSampling::NONE }.draw(&[2.0, 1.0], &so_far), Some(0));
    }

    #[test]
    fn chance_is_all_there_is_to_some_samplings() {
        let drawn = Sampling { temperature: 0.3, seed: 5, ..Sampling::default() };
        let chance = GumbelSampling { temperature: 0.3, seed: 5, penalty: 1.0 };
        assert_eq!(GumbelSampling::of(&drawn), Some(chance));
        assert_eq!(GumbelSampling::of(&Sampling { top_p: 0.5, ..Sampling::default() }), Some(GumbelSampling::NONE));
        let penalised = Sampling { repeat_penalty: 1.1, ..drawn };
        assert_eq!(GumbelSampling::of(&penalised), Some(GumbelSampling { penalty: 1.1, ..chance }));
        for other in [
            Sampling { top_p: 0.9, ..drawn.clone() },
            Sampling { top_k: 40, ..drawn },
            Sampling { repeat_last: 10, ..penalised },
        ] {
            assert_eq!(GumbelSampling::of(&other), None, "{other:?}");
        }
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
