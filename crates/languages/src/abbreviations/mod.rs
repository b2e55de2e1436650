//! Abbreviations, as a cutter of sentences needs them: one file a language.
//!
//! A table holds words without their last full stop, apart by spaces, in four classes, apart by `|`. They say what ends a
//! sentence behind the word: nothing ("Dr."); a word, since it stands before numbers ("S. 12"); a word that has its capital
//! from the sentence that it begins ("usw. Die"); any capital ("etc."). Words in small letters stand for themselves with a
//! capital too, but for those of one letter; parts that are written with spaces are written together ("z.B"). A fifth field
//! that says `ordinals` is of a language that writes a full stop behind them ("3. Oktober").

mod dutch;
mod french;
mod german;
mod italian;
mod portuguese;
mod russian;
mod spanish;

/// The table of the language with that ISO 639-1 code; `None` where it has none.
pub fn abbreviations(language: &str) -> Option<&'static str> {
    Some(match language {
        "de" => german::TABLE,
        "es" => spanish::TABLE,
        "fr" => french::TABLE,
        "it" => italian::TABLE,
        "nl" => dutch::TABLE,
        "pt" => portuguese::TABLE,
        "ru" => russian::TABLE,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_their_fields_and_no_word_twice() {
        for code in ["de", "es", "fr", "it", "nl", "pt", "ru"] {
            let fields: Vec<&str> = abbreviations(code).unwrap().split('|').collect();
            assert!((4..=5).contains(&fields.len()), "{code}");
            assert!(fields.get(4).is_none_or(|flag| *flag == "ordinals"), "{code}");
            let words: Vec<&str> =
                fields[..4].iter().flat_map(|class| class.split(' ')).filter(|w| !w.is_empty()).collect();
            for (at, word) in words.iter().enumerate() {
                assert!(!words[..at].contains(word) && !word.ends_with('.'), "{code}: {word}");
            }
        }
        assert_eq!(abbreviations("xx"), None);
    }
}
