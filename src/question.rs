//! A question: the text that a reader typed, normalised.

/// A question without control characters and outer space, cut to the limit, and never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    text: String,
    cut: bool,
}

impl Question {
    /// Normalises what was typed; `None` if it has nothing but white space and control characters.
    pub fn new(typed: &str, max_chars: usize) -> Option<Question> {
        let plain: String = typed.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let spaced = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        let text: String = spaced.chars().take(max_chars).collect();
        let cut = text.len() < spaced.len();
        (!text.is_empty()).then_some(Question { text, cut })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it was longer than allowed.
    pub fn was_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_made_fit() {
        let text = |typed: &str| Question::new(typed, 10).map(|question| (question.text.clone(), question.cut));
        assert_eq!(text("  a\n\tb\u{0} "), Some(("a b".into(), false)));
        assert_eq!(text("größer als 10 Zeichen"), Some(("größer als".into(), true)));
        assert_eq!(text(" \n"), None);
    }
}
