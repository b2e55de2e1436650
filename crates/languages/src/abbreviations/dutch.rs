//! Abbreviations of Dutch: never the end, before a number, open, closing.

pub(super) const TABLE: &str = "\
dhr mevr mw mej drs dr ir ing mr prof ds St bijv bv d.w.z m.b.t t.a.v i.v.m t.o.v resp ca excl incl vgl zgn|\
nr nrs p pp blz pag art afb fig hfst vol dl lid tel|\
e.a m.m v.Chr n.Chr Chr jan feb mrt apr jun jul aug sep sept okt nov dec|\
enz etc";
