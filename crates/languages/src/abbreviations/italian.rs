//! Abbreviations of Italian: never the end, before a number, open, closing.

pub(super) const TABLE: &str = "\
sig sig.ra sig.na sigg dott dott.ssa prof prof.ssa ing avv arch geom rag on S es cfr ca|\
p pp pag pagg n nn art artt cap vol fig tab sez par tel|\
a.C d.C gen feb apr giu lug ago sett ott nov dic|\
ecc etc";
