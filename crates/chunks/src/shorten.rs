//! A text is cut at a word.

/// At most `most` characters of a text, cut at a word where one ends in the second half, with an ellipsis.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let end = text.char_indices().nth(most.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    let word = text[..end].rfind(' ').filter(|space| *space > end / 2).unwrap_or(end);
    let kept = text[..word].trim_end();
    if most == 0 { String::new() } else { format!("{kept}…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_a_word_that_ends_in_its_second_half() {
        for (text, most, expected) in [
            ("Pour water on it.", 17, "Pour water on it."),
            ("Pour water on it.", 16, "Pour water on…"),
            ("Pour water on it.", 14, "Pour water…"),
            ("A kettleful", 8, "A kettl…"),
            ("字字字字", 3, "字字…"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ] {
            assert_eq!(shorten(text, most), expected, "{text} {most}");
        }
    }
}
