//! The words of which questions are built, one file a language: those that ask, join, lean back, command, compare, count and
//! turn. The
//! index reads them (`question_words.rs` there says what each line holds).

mod french;
mod german;
mod spanish;

/// The table of the language of that ISO 639-1 code.
pub(crate) fn of(language: &str) -> Option<&'static str> {
    match language {
        "de" => Some(german::TABLE),
        "es" => Some(spanish::TABLE),
        "fr" => Some(french::TABLE),
        _ => None,
    }
}
