//! Medians, percentiles, the measures of a ranking, and the memory of this process.

use std::fs;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// Milliseconds over questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    pub(crate) p50_ms: f64,
    pub(crate) p95_ms: f64,
}

impl Times {
    /// Of each question's rounds, of which the median counts.
    pub(crate) fn of(questions: Vec<Vec<f64>>) -> Times {
        let medians: Vec<f64> = questions.into_iter().map(|rounds| percentile(rounds, 0.5)).collect();
        Times { p50_ms: percentile(medians.clone(), 0.5), p95_ms: percentile(medians, 0.95) }
    }
}

/// The smallest value that at least `share` of the values do not exceed; 0 of none.
pub(crate) fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (share * values.len() as f64).ceil() as usize;
    values.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// The share of `places` that `holds` accepts.
pub(crate) fn share(places: &[Option<usize>], holds: impl Fn(&Option<usize>) -> bool) -> f64 {
    places.iter().filter(|place| holds(place)).count() as f64 / places.len().max(1) as f64
}

/// The mean of one over the first gold row's place; nothing for a question without one.
pub(crate) fn mrr(places: &[Option<usize>]) -> f64 {
    places.iter().flatten().map(|&place| 1.0 / place as f64).sum::<f64>() / places.len().max(1) as f64
}

/// The most memory that this process ever held, in megabytes.
pub(crate) fn peak_rss_mb() -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status").context("memory is read from /proc, which Linux has")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("/proc tells no peak")?;
    let kib: f64 = peak.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_medians_of_medians() {
        let times = Times::of(vec![vec![3.0, 1.0, 2.0], vec![9.0, 8.0, 7.0], vec![5.0, 5.0, 5.0]]);
        assert_eq!(times, Times { p50_ms: 5.0, p95_ms: 8.0 });
    }

    #[test]
    fn measures_of_a_ranking() {
        let places = [Some(1), Some(4), None, Some(2)];
        assert!((mrr(&places) - 0.4375).abs() < 1e-12);
        assert!((share(&places, |place| place.is_some_and(|place| place <= 2)) - 0.5).abs() < 1e-12);
        assert_eq!(mrr(&[]), 0.0);
    }
}
