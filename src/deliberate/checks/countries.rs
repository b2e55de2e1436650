//! Countries and their adjectives where the words do not begin alike (Spain and Spanish, the United States and
//! American); parts of the world; and a few other words with two spellings.

use super::CheckContext;

/// Each country's names and adjectives, as written.
const COUNTRIES: [&[&str]; 26] = [
    &["United States", "United States of America", "America", "American", "Americans", "USA", "U.S.", "US", "U.S.A."],
    &["United Kingdom", "Britain", "Great Britain", "British", "UK", "U.K."],
    &["Soviet Union", "Soviet", "Soviets", "USSR", "U.S.S.R."],
    &["Netherlands", "Holland", "Dutch"],
    &["Czech Republic", "Czechia", "Czech", "Czechs"],
    &["Philippines", "Filipino", "Filipinos", "Philippine"],
    &["China", "Chinese"],
    &["Denmark", "Danish", "Danes"],
    &["England", "English"],
    &["Finland", "Finnish", "Finns"],
    &["France", "French"],
    &["Germany", "German", "Germans"],
    &["Greece", "Greek", "Greeks"],
    &["Iceland", "Icelandic"],
    &["Ireland", "Irish"],
    &["Norway", "Norwegian", "Norwegians"],
    &["Poland", "Polish", "Poles"],
    &["Portugal", "Portuguese"],
    &["Scotland", "Scottish", "Scots"],
    &["Spain", "Spanish", "Spaniards"],
    &["Sweden", "Swedish", "Swedes"],
    &["Switzerland", "Swiss"],
    &["Thailand", "Thai", "Thais"],
    &["Turkey", "Turkish", "Turks"],
    &["Wales", "Welsh"],
    &["TV", "T.V.", "television", "Television"],
];

/// Parts of the world that do not overlap.
const CONTINENTS: [&str; 7] = ["Africa", "Antarctica", "Asia", "Europe", "North America", "Oceania", "South America"];
/// Other regions, which lie in one or several of these.
const REGIONS: [&str; 10] = [
    "Latin America",
    "Central America",
    "Caribbean",
    "Scandinavia",
    "Balkans",
    "Middle East",
    "Far East",
    "Arctic",
    "Northern Hemisphere",
    "Southern Hemisphere",
];
/// Words before a continent's name that denote a part of it.
const SIDES: [&str; 5] = ["Northern", "Southern", "Eastern", "Western", "Central"];

/// Whether the name is that of a part of the world: which countries lie in it is not known here.
pub(super) fn is_region(name: &str) -> bool {
    let of = |side: &&str| name.strip_prefix(*side).is_some_and(|rest| is_continent(rest.trim_start()));
    REGIONS.contains(&name) || is_continent(name) || SIDES.iter().any(of)
}

/// Whether the name is that of a continent.
pub(super) fn is_continent(name: &str) -> bool {
    CONTINENTS.contains(&name)
}

/// The names and adjectives of the country of `name`; empty if it belongs to none. The last full stop of "U.S." may be
/// missing.
fn also_called(name: &str) -> &'static [&'static str] {
    let is_name = |form: &&str| *form == name || form.strip_suffix('.') == Some(name);
    COUNTRIES.iter().find(|country| country.iter().any(is_name)).copied().unwrap_or_default()
}

/// Words before a country's name that make it another place.
const PARTS: [&str; 10] =
    ["North", "South", "East", "West", "Central", "Latin", "New", "Northern", "Southern", "Captain"];
/// Words after a country's name that do so.
const OTHERS: [&str; 5] = ["Columbia", "Samoa", "Virgin Islands", "Guiana", "Polynesia"];

/// What a text calls the country of the claim's name or adjective.
pub(super) fn other_name(context: &CheckContext<'_>, claimed: &str) -> Option<String> {
    let forms = also_called(claimed.trim_end_matches("'s").trim_end_matches("’s"));
    // "South America", "New South Wales", "British Columbia" and "Bank of America" are other names, and "US$5" is none.
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '$' && c != '-');
    let is_apart = |before: &str, behind: &str| {
        let mut back = before.trim_end().rsplit(|c: char| !c.is_alphanumeric());
        let (last, second) = (back.next().unwrap_or_default(), back.next().unwrap_or_default());
        let is_part = PARTS.contains(&last) || last == "of" && second.starts_with(char::is_uppercase);
        let goes_on = behind.strip_prefix(' ').is_some_and(|next| OTHERS.iter().any(|other| next.starts_with(other)));
        is_edge(before.chars().next_back()) && is_edge(behind.chars().next()) && !goes_on && !is_part
    };
    let stands_in = |text: &str, form: &str| {
        let mut places = text.match_indices(form);
        places.any(|(at, _)| is_apart(&text[..at], &text[at + form.len()..]))
    };
    if forms.is_empty() {
        return None;
    }
    context.texts().find_map(|text| forms.iter().find(|form| stands_in(text, form))).map(|form| (*form).to_owned())
}
