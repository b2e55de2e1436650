//! Normal forms and small letters, which the browser knows.

use js_sys::JsString;
use seealso_index::Spelling;

/// Spells `text` as the browser does.
pub(super) fn spell(text: &str, spelling: Spelling) -> String {
    match spelling {
        Spelling::Apart => JsString::from(text).normalize("NFKD").to_lower_case().normalize("NFKD").into(),
        Spelling::Together => JsString::from(text).normalize("NFC").into(),
        Spelling::Small => text.chars().map(small).collect(),
    }
}

fn small(c: char) -> String {
    if c.is_ascii() { c.to_ascii_lowercase().into() } else { JsString::from(c.to_string()).to_lower_case().into() }
}
