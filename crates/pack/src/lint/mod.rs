//! The lints of a pack: what its author should mend.
//!
//! | codes | about |
//! |---|---|
//! | C1 | the files and sections that a pack and its pages should have |
//! | C2 | front matter fields that are missing |
//! | C3 | `index.md` and the pages there are, both ways |
//! | C4, C4b | links that lead nowhere, to either of two pages or one way only; sources that are missing, raw documents that nothing names |
//! | C5 | tags that differ only in spelling |
//! | C11 | pages and slugs out of place |
//! | E1, E2, E3, E4 | entries: their fields and sections, the names of patterns and successors, private pages, patterns |
//! | M1, M2 | the manifest's fields; its summary's length |
//! | S1, S2, S3, S5 | prompt injection, destructive commands, suspicious URLs, invisible characters |
//! | Q1, Q2, Q3, Q4 | thin pages, placeholders, template text, summaries that differ from the index's |
//! | R1–R9 | what the readers came across: no (R1) or unclosed (R2) front matter, byte order mark (R3), carriage returns (R4), a summary that is a list (R5) or missing (R6), files that are left out or hard to read (R7), odd front matter (R8), broken index rows (R9) |
//!
//! An Open Knowledge pack has no manifest, no fixed sections and an index.md that is prose, so C1, C3, C4's "one way",
//! C4b, C11, M1, M2 and Q4 are not asked of it.

mod files;
mod fields;
mod links;
mod safety;
mod quality;
mod entries;
#[cfg(test)]
mod tests;

use crate::finding::Finding;
use crate::pack::Pack;

/// Checks a pack; the findings of its readers are among the result, which is sorted by file and line.
pub fn lint(pack: &Pack) -> Vec<Finding> {
    let mut findings = pack.findings.clone();
    files::check(pack, &mut findings);
    fields::check(pack, &mut findings);
    links::check(pack, &mut findings);
    safety::check(pack, &mut findings);
    quality::check(pack, &mut findings);
    entries::check(pack, &mut findings);
    findings.sort();
    findings.dedup();
    findings
}
