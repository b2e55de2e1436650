//! Abbreviations of English, which texts in other languages have too; see [`super::stops`] for the classes.

/// Never the end, before a number, open, closing.
pub(super) const ABBREVIATIONS: &str = "\
dr mr mrs ms messrs prof Mt Ft Hon Rev Gov Sen Gen Col Capt Cmdr Lt Sgt Maj e.g i.e cf vs v viz\
|no nos p pp n fig figs eq eqs sec secs sect ch chap chaps vol vols art arts para app ref refs op ex approx ca c ver tab tel est \
Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun\
|st jr sr Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec inc co corp ltd bros al ed eds Ave Blvd Rd dept Dept\
|etc";
