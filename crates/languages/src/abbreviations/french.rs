//! Abbreviations of French: never the end, before a number, open, closing.

pub(super) const TABLE: &str = "\
M MM Mme Mmes Mlle Mlles Mgr Dr Pr Me St Ste cf c.-à-d p.ex ex env av apr|\
p pp n no nos vol chap art fig réf al éd tél|\
janv févr avr juil sept oct nov déc J.-C apr.J.-C R.-U É.-U|etc";
