//! Open Knowledge bundles as their specification shows them, and vaults of notes.

use super::*;

const CONCEPT: &[u8] = b"---\ntype: BigQuery Table\ntitle: Orders\ndescription: One row an order.\n---\n\n# Schema\n";

/// Checks what a bundle in the folder `acme_retail` with this index.md says of itself.
#[track_caller]
fn check(index: &str, title: &str, summary: &str) {
    let folder =
        Folder::new("says", &[("acme_retail/index.md", index.as_bytes()), ("acme_retail/tables/orders.md", CONCEPT)]);
    let [(dir, path)] = &discover(&folder.0.join("acme_retail")).unwrap()[..] else { panic!("one bundle") };
    let pack = Pack::read(dir, path).unwrap();
    assert_eq!((pack.title(), pack.summary()), (title, summary), "{index}");
}

#[test]
fn a_heading_of_a_list_is_no_title() {
    let list = "* [tables](tables/index.md) - BigQuery tables that the bundle grounds against.\n";
    for heading in ["Subdirectories", "Metric", "BigQuery Table", "Contents", "Verzeichnisse", "目录"] {
        check(&format!("# {heading}\n\n{list}"), "acme_retail", "");
    }
    check(
        &format!("---\nokf_version: \"0.2\"\n---\n\n# Subdirectories\n\n{list}\n# More\n\n{list}"),
        "acme_retail",
        "",
    );
    check("# Files\n\n| file | what |\n|---|---|\n| [orders](tables/orders.md) | Orders |\n", "acme_retail", "");
    check(list, "acme_retail", "");
    check("", "acme_retail", "");
}

#[test]
fn a_heading_above_prose_is_the_title() {
    let list = "\n# Tables\n\n* [orders](tables/orders.md) - Orders.\n";
    check(&format!("# Acme Retail\n\nAll about the shop.\n{list}"), "Acme Retail", "All about the shop.");
    check(&format!("# Acme Retail\n\n> All about the shop.\n{list}"), "Acme Retail", "All about the shop.");
    check(&format!("# Tables\n{list}\nThis bundle is for teaching.\n"), "acme_retail", "This bundle is for teaching.");
    let front = "---\ntitle: Acme\ndescription: The shop.\n---\n";
    check(&format!("{front}{list}"), "Acme", "The shop.");
    check("---\ntitle: Tables\n---\n\n# Subdirectories\n\n* [a](tables/orders.md)\n", "Tables", "");
}

#[test]
fn a_bundle_needs_no_index() {
    let check = |name: &str, files: &[(&str, &[u8])], expected: &[&str], outside: &[&str]| {
        let folder = Folder::new(name, files);
        let found = discover_all(&folder.0.join("root")).unwrap();
        let paths: Vec<&str> = found.packs.iter().map(|(_, path)| path.as_str()).collect();
        assert_eq!(
            (paths, found.outside),
            (expected.to_vec(), outside.iter().map(|file| file.to_string()).collect()),
            "{name}"
        );
        for (dir, path) in found.packs {
            Pack::read(&dir, &path).unwrap();
        }
    };
    let (wiki, topic) = (("root/w/manifest.yaml", &b"name: w"[..]), ("root/w/wiki/concepts/x.md", PAGE));
    check("flat", &[("root/orders.md", CONCEPT)], &["root"], &[]);
    check("below", &[("root/tables/orders.md", CONCEPT), ("root/metrics/sales.md", CONCEPT)], &["root"], &[]);
    check("untyped", &[("root/a.md", PAGE), ("root/b/c.md", b"prose")], &["root"], &[]);
    check("mdx", &[("root/a.mdx", PAGE)], &["root"], &[]);
    // Lists below make a folder no pack where pages above them say that the bundle begins there.
    let listed = [("root/overview.md", CONCEPT), ("root/tables/index.md", b"# T"), ("root/tables/orders.md", CONCEPT)];
    check("lists-below", &listed, &["root"], &[]);
    check("beside-a-wiki", &[("root/b/tables/orders.md", CONCEPT), wiki, topic], &["b", "w"], &[]);
    check(
        "typed-beside-a-wiki",
        &[("root/b/orders.md", CONCEPT), ("root/about.md", PAGE), wiki, topic],
        &["b", "w"],
        &["about.md"],
    );
    let notes = [
        ("root/.obsidian/app.json", &b"{}"[..]),
        ("root/a.md", PAGE),
        ("root/p/index.md", PAGE),
        ("root/p/b.md", PAGE),
    ];
    check("vault", &notes, &["root"], &[]);
    check("no-vault", &notes[1..], &["p"], &["a.md"]);
    check("no-pages", &[("root/README.md", b"# Us"), ("root/a.txt", b"text")], &[], &[]);
}
