//! Tags of languages.

/// A language tag in its usual letters, `pt-BR` of `PT_br`; none for what has not the shape of one: a language of two or three
/// letters, and parts of up to eight letters and digits behind it (BCP 47, section 2.1).
pub(crate) fn language_tag(text: &str) -> Option<String> {
    let text = text.trim().replace('_', "-");
    let is_part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let language = text.split('-').next().unwrap_or_default();
    let is_language = (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_language || text.len() > 35 || !text.split('-').all(is_part) {
        return None;
    }
    let usual = |(at, part): (usize, &str)| match (at, part.len()) {
        (1.., 2) => part.to_ascii_uppercase(),
        (1.., 4) if part.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            part[..1].to_ascii_uppercase() + &part[1..].to_ascii_lowercase()
        }
        _ => part.to_ascii_lowercase(),
    };
    Some(text.split('-').enumerate().map(usual).collect::<Vec<_>>().join("-"))
}

#[cfg(test)]
mod tests {
    use super::language_tag;

    #[test]
    fn tags_have_the_shape_of_tags() {
        for (text, expected) in [
            ("de", Some("de")),
            ("PT_br", Some("pt-BR")),
            ("zh-hant-tw", Some("zh-Hant-TW")),
            ("en-x-a", Some("en-x-a")),
            (" sr-Latn ", Some("sr-Latn")),
            ("", None),
            ("e", None),
            ("english", None),
            ("xx/../../../evil", None),
            ("de-..", None),
            ("de-", None),
            ("dé", None),
            ("de-abcdefghi", None),
            ("de-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd", None),
        ] {
            assert_eq!(language_tag(text).as_deref(), expected, "{text}");
        }
    }
}
