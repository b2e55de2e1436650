//! Whether two quotations say the same, so that the second would repeat the first.

use seealso_index::{Analysis, Token};

/// Two texts say the same from this share of the smaller one's words on.
const LEAST_SHARED: f64 = 0.6;

/// Whether two texts say the same: they share most of their words, and neither has a number or code that the other lacks.
pub(super) fn say_the_same(a: &str, b: &str, analysis: Analysis) -> bool {
    let [a_words, b_words] = [a, b].map(|text| distinct_terms(analysis.tokens(text)));
    let (smaller, larger) = if a_words.len() <= b_words.len() { (&a_words, &b_words) } else { (&b_words, &a_words) };
    let shared = smaller.iter().filter(|word| larger.contains(word)).count();
    if shared as f64 <= LEAST_SHARED * smaller.len().max(1) as f64 {
        return false;
    }
    let (a_facts, b_facts) = (facts(a, &a_words), facts(b, &b_words));
    a_facts.iter().all(|fact| b_facts.contains(fact)) || b_facts.iter().all(|fact| a_facts.contains(fact))
}

/// The words of a text that have digits, and its code.
fn facts<'t>(text: &'t str, words: &'t [String]) -> Vec<&'t str> {
    let has_digit = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
    words.iter().map(String::as_str).filter(has_digit).chain(text.split('`').skip(1).step_by(2)).collect()
}

/// The terms of `tokens`, each once.
fn distinct_terms(tokens: Vec<Token>) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if !words.contains(&token.term) {
            words.push(token.term);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_or_code_is_no_repetition() {
        let check = |a: &str, b: &str, expected: bool| {
            assert_eq!(say_the_same(a, b, Analysis::English), expected, "{a} {b}");
            assert_eq!(say_the_same(b, a, Analysis::English), expected, "{b} {a}");
        };
        check("The hall holds forty guests.", "The hall holds forty guests at tables.", true);
        check("The hall holds 40 guests.", "The hall holds 90 guests.", false);
        check("Run `up` to start it.", "Run `down` to start it.", false);
        check("The hall is large.", "Beets are stored in straw.", false);
    }
}
