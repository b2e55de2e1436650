//! Lands and what is of them, where the words do not begin alike, Spain and Spanish, the United States and American; and a few
//! other words with two spellings.

/// Each land's names and the words for what is of it, as they are written.
const LANDS: [&[&str]; 26] = [
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

/// What else the land is called that `name` is, or is of; nothing where it is none. The last full stop of "U.S." may lack.
pub(super) fn also_called(name: &str) -> &'static [&'static str] {
    let is_name = |form: &&str| *form == name || form.strip_suffix('.') == Some(name);
    LANDS.iter().find(|land| land.iter().any(is_name)).copied().unwrap_or_default()
}
