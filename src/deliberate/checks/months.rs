//! Names of months.

/// January to December in lower case, in the languages whose dates are read.
const MONTHS: [&str; 12] = [
    "january jan januar jänner janvier enero gennaio janeiro januari",
    "february feb februar février febrero febbraio fevereiro februari",
    "march mar märz mars marzo março maart",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug août agosto augustus",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober octobre octubre ottobre outubro okt",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre diciembre dicembre dezembro",
];

/// The number of the month that `word` names, from 1.
pub(super) fn month(word: &str) -> Option<u32> {
    let lower = word.to_lowercase();
    let named = |names: &&str| !lower.is_empty() && names.split(' ').any(|name| name == lower);
    MONTHS.iter().position(named).map(|at| at as u32 + 1)
}

/// Whether the word by itself may mean something other than a month.
pub(super) fn is_ambiguous(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(
        lower.as_str(),
        "may" | "march" | "mar" | "mars" | "mai" | "mei" | "marzo" | "maart" | "jan" | "sep" | "dec"
    ) || !word.starts_with(char::is_uppercase)
}
