//! Abbreviations of Polish, which has no stemmer: of the languages whose words are taken as they stand it is the one with a
//! table, so only what is no word of another language stands here. See [`super::stops`] for the classes.

/// Never the end, before a number, open, closing. No word tells where a sentence begins, so nothing is open.
pub(super) const ABBREVIATIONS: &str = "\
dr prof mgr inż hab św gen płk np tzn tzw m.in ul|nr art ust poz rozdz rys godz||itp itd n.e r";
