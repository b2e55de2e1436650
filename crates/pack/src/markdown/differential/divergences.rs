//! Where the reader of markdown and the oracle differ, and why that is meant.

use super::{Scan, oracle, read, scan_with, scanned};

/// Ours and theirs, each as its text blocks and links: what is meant to differ is read here.
#[test]
fn where_they_differ() {
    let lines = |body: &str, scan: Scan| scanned(body, scan).trim().to_string();
    for (body, ours, theirs) in [
        // An escaped bracket at the very start keeps what follows from being a wikilink, as it does elsewhere.
        ("\\[[a]]", "Paragraph \"[[a]]\" in line 1", "Paragraph \"a\" in line 1\nWiki \"a\" \"a\" \"\" in line 1"),
        // Entities beyond the ten known ones are text.
        ("&eacute;", "Paragraph \"&eacute;\" in line 1", "Paragraph \"é\" in line 1"),
        // A run of `~~` pairs whatever single `~` stand between.
        ("~~d~ ~e~~", "Paragraph \"d~ ~e\" in line 1", "Paragraph \"~~d~ ~e~~\" in line 1"),
        // A mark four columns in is part of the paragraph, also where a tab makes the columns.
        ("> a\n\t> b", "Quote \"a > b\" in line 1", "Quote \"a b\" in line 1"),
        // A heading's closing marks may stand behind a tab.
        ("# a\t#", "1 \"a\" at 0\nHeading \"a\" in line 1", "1 \"a #\" at 0\nHeading \"a #\" in line 1"),
        // Dashes of one column stand together.
        ("|a\n|- -", "Paragraph \"|a |- -\" in line 1", ""),
        // A paragraph's last line may be a table's head however far it is indented.
        (
            "a\n    |b|\n|-|\n|c|",
            "Paragraph \"a\" in line 1\nTableRow \"c\" in line 4",
            "Paragraph \"a |b| |-| |c|\" in line 1",
        ),
        // A code span over two lines loses the second one's indentation.
        ("`a\n  b`", "Paragraph \"`a b`\" in line 1", "Paragraph \"`a b`\" in line 1"),
    ] {
        assert_eq!(lines(body, scan_with(body, read)), ours, "{body:?}");
        assert_eq!(lines(body, scan_with(body, oracle::read)), theirs, "{body:?}, the oracle");
    }
}
