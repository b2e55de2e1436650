//! The pages that are most like a page by their words: what a page that is linked with no other is read on with.
//!
//! A page is a vector of its words, each weighed by how often it stands there and how few pages hold it; likeness is the
//! cosine of two vectors (Salton, Wong and Yang, <https://doi.org/10.1145/361219.361220>).

use std::collections::HashMap;

/// A page is related with at most so many others.
const MOST_RELATED: usize = 5;

/// So much of a text is looked at, in bytes.
const SAMPLE_BYTES: usize = 4_000;

/// A word of the title counts as so many of the text.
const TITLE_WEIGHT: f64 = 4.0;

/// The heaviest words of a page stand for it.
const MOST_WORDS: usize = 32;

/// Less alike pages are not related.
const LEAST_LIKENESS: f64 = 0.05;

/// A word on more than this share of the pages tells nothing: one in four.
const COMMON_SHARE: usize = 4;

/// A word on more pages than these is not followed, so that a site of any size takes time in proportion to its pages.
const MOST_PLACES: usize = 500;

/// The pages of a site as vectors of words.
pub(super) struct Related {
    /// The words of each page with their weights, of which the squares sum to 1.
    pages: Vec<Vec<(usize, f64)>>,
    /// The pages that hold each word, with its weight there.
    places: Vec<Vec<(usize, f64)>>,
}

impl Related {
    /// Compares texts, each with its title.
    pub(super) fn of<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> Related {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut counts: Vec<Vec<(usize, f64)>> = Vec::new();
        for (title, text) in texts {
            let mut own: HashMap<usize, f64> = HashMap::new();
            let text = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
            let weighed = words(title).map(|word| (word, TITLE_WEIGHT)).chain(words(text).map(|word| (word, 1.0)));
            for (word, weight) in weighed {
                let next = numbers.len();
                *own.entry(*numbers.entry(word).or_insert(next)).or_default() += weight;
            }
            let mut own: Vec<(usize, f64)> = own.into_iter().collect();
            own.sort_unstable_by_key(|(word, _)| *word);
            counts.push(own);
        }
        let mut held = vec![0usize; numbers.len()];
        counts.iter().flatten().for_each(|(word, _)| held[*word] += 1);
        let all = counts.len();
        let pages: Vec<Vec<(usize, f64)>> = counts.into_iter().map(|own| vector(own, &held, all)).collect();
        let mut places = vec![Vec::new(); numbers.len()];
        for (page, own) in pages.iter().enumerate() {
            own.iter().for_each(|&(word, weight)| places[word].push((page, weight)));
        }
        Related { pages, places }
    }

    /// The pages that are most like one, of those that are `wanted`; the most alike first.
    pub(super) fn to(&self, page: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut likeness: Vec<(usize, f64)> = Vec::new();
        for &(word, weight) in &self.pages[page] {
            likeness.extend(self.places[word].iter().map(|&(other, its)| (other, weight * its)));
        }
        likeness.sort_by_key(|(other, _)| *other);
        let sums = likeness.chunk_by(|one, next| one.0 == next.0);
        let sums = sums.map(|same| (same[0].0, same.iter().map(|(_, part)| part).sum::<f64>()));
        let mut found: Vec<(usize, f64)> =
            sums.filter(|&(other, likeness)| other != page && likeness >= LEAST_LIKENESS && wanted(other)).collect();
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.into_iter().take(MOST_RELATED).map(|(other, _)| other).collect()
    }
}

/// The heaviest words of a page with these counts, where so many of all pages hold each word.
fn vector(mut own: Vec<(usize, f64)>, held: &[usize], pages: usize) -> Vec<(usize, f64)> {
    for (word, weight) in &mut own {
        let held = held[*word];
        let is_common = held > 2 && held * COMMON_SHARE > pages || held > MOST_PLACES;
        *weight = if is_common { 0.0 } else { weight.ln_1p() * (pages as f64 / held as f64).ln() };
    }
    own.retain(|(_, weight)| *weight > 0.0);
    own.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    own.truncate(MOST_WORDS);
    let length = own.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
    own.iter_mut().for_each(|(_, weight)| *weight /= length);
    own.sort_unstable_by_key(|(word, _)| *word);
    own
}

/// Words in small letters. Of a script without spaces each two letters side by side are one.
fn words(text: &str) -> impl Iterator<Item = String> {
    let is_word = |part: &&str| part.chars().count() > 2 || part.chars().any(is_unspaced);
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(is_word).flat_map(|part| {
        let lower = part.to_lowercase();
        let letters: Vec<char> = lower.chars().collect();
        match letters.iter().any(|&c| is_unspaced(c)) {
            true => letters.windows(2).map(String::from_iter).collect(),
            false => vec![lower],
        }
    })
}

fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_topic_are_related() {
        for (texts, expected) in [
            (
                [
                    ("Green tea", "The leaves of tea are dried and steeped in hot water."),
                    ("Bread", "Flour and water become dough, which is baked in an oven."),
                    ("Teapots", "A teapot holds tea while its leaves are steeped."),
                    ("Ovens", "An oven bakes dough, and its heat dries fruit."),
                    ("Trains", "A train runs on rails between stations."),
                ],
                [vec![2], vec![3], vec![0], vec![1], vec![]],
            ),
            (
                [
                    ("緑茶", "茶葉を乾かしてから湯で淹れる。"),
                    ("電車", "電車は駅の間の線路を走る。"),
                    ("急須", "急須は茶葉を湯で淹れる道具。"),
                    ("線路", "線路は電車の道である。"),
                    ("Q", ""),
                ],
                [vec![2], vec![3], vec![0], vec![1], vec![]],
            ),
        ] {
            let related = Related::of(texts.into_iter());
            let found: Vec<Vec<usize>> = (0..5).map(|page| related.to(page, |_| true)).collect();
            assert_eq!(found, expected);
            assert_eq!(related.to(0, |page| page != 2), Vec::<usize>::new());
        }
    }
}
