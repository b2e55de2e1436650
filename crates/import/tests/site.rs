//! A small site on disk, read whole and made into packs.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::PathBuf;

use seealso_import::{Inventory, Settings, Skip, packs, read_site};

/// A folder with these files, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn of(name: &str, files: &[(&str, &str)]) -> Folder {
        let folder = Folder(std::env::temp_dir().join(format!("seealso-import-{name}-{}", std::process::id())));
        let _ = fs::remove_dir_all(&folder.0);
        for (path, text) in files {
            let path = folder.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn page(lang: &str, title: &str, body: &str) -> String {
    format!(
        "<html lang={lang}><head><title>{title} - Kitchen</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"
    )
}

#[test]
fn a_site_becomes_packs_whose_pages_know_their_place() {
    let long = "<p>All that is known of it, at length and with care.</p>".repeat(100);
    let tea = page(
        "en",
        "Tea",
        &format!(
            "<p>Tea is a drink that is made of leaves and hot water.</p><h2 id=green>Green tea</h2>{long}<h2 id='black%20tea'>Black tea</h2>{long}\
                  <p>See <a href='pots.html#lid'>lids</a>, <a href='../index.html'>home</a> and <a href='https://example.org/'>more</a>.</p>"
        ),
    );
    let pots = page(
        "en",
        "Pots",
        "<p>A pot is where tea is brewed and kept warm.</p><h2 id=lid><code>pot --lid</code></h2><p>It closes the pot.</p>",
    );
    let tee = page(
        "de",
        "Tee",
        "<p>Tee ist ein Getränk aus Blättern und heißem Wasser, und es wird nicht kalt getrunken.</p>",
    );
    let folder = Folder::of(
        "packs",
        &[
            (
                "index.html",
                &page(
                    "en",
                    "Home",
                    "<p>What is drunk in the kitchen, and how it is made there.</p><a href='guide/tea.html'>Tea</a>",
                ),
            ),
            ("guide/tea.html", &tea),
            ("guide/pots.html", &pots),
            ("de/tee.html", &tee),
            ("search.html", &page("en", "Search", "<p>Search here.</p>")),
            ("old.html", "<meta http-equiv=refresh content='0; url=index.html'>"),
            ("hidden.html", "<meta name=robots content=noindex><p>Not to be found."),
            ("seealso/en/x.html", "<p>Not read.</p>"),
            (".git/x.html", "<p>Not read.</p>"),
        ],
    );
    let settings = Settings::default();
    let site = read_site(&folder.0, &settings, &|_, _| {}).unwrap();
    let skipped: Vec<(&str, Skip)> = site.skipped.iter().map(|(address, skip)| (address.as_str(), *skip)).collect();
    assert_eq!(
        skipped,
        [
            ("hidden.html", Skip::NoIndex),
            ("old.html", Skip::Redirect),
            ("search.html", Skip::Apparatus),
            ("seealso/en/x.html", Skip::OutputFolder),
        ]
    );
    let packs = packs(&site, &Inventory::default(), &settings, "../");
    let files = |at: usize| packs[at].pages.keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(packs.iter().map(|pack| pack.path.as_str()).collect::<Vec<_>>(), ["de", "en"]);
    assert_eq!(files(0), ["de/tee.html.md"]);
    assert_eq!(
        files(1),
        [
            "guide/pots.html.md",
            "guide/tea.html.md",
            "guide/tea.html~~black~2520tea.md",
            "guide/tea.html~~green.md",
            "index.html.md"
        ]
    );
    assert_eq!(
        packs[1].manifest,
        "name: en\ntitle: \"Kitchen\"\nversion: 1.0.0\nlanguage: en\nsite: \"../\"\nsummary: \"The pages of the site Kitchen.\"\n"
    );
    assert_eq!(
        packs[1].pages["guide/pots.html.md"],
        "---\ntitle: Pots\naliases:\n  - pot\nsummary: A pot is where tea is brewed and kept warm.\n---\n\n# Pots\n\n\
         A pot is where tea is brewed and kept warm.\n\n## `pot --lid` {#lid}\n\nIt closes the pot.\n\n"
    );
    let black = &packs[1].pages["guide/tea.html~~black~2520tea.md"];
    assert!(black.starts_with("---\ntitle: \"Tea: Black tea\"\n"), "{black}");
    assert!(black.contains("\n# Black tea {#black%20tea}\n"), "{black}");
    let see_also =
        "# See Also\n\n- [[/guide/pots.html.md|Pots]]\n- [[/index.html.md|Home]]\n- [[/guide/tea.html.md|Tea]]\n";
    assert!(black.ends_with(see_also), "{black}");
}

#[test]
fn a_page_without_links_is_read_on_with_those_most_like_it() {
    let folder = Folder::of(
        "related",
        &[
            ("tea.html", &page("en", "Green tea", "<p>The leaves of tea are dried and steeped in hot water.</p>")),
            ("pots.html", &page("en", "Teapots", "<p>A teapot holds tea while its leaves are steeped.</p>")),
            (
                "bread.html",
                &page("en", "Bread", "<p>Dough is baked.</p><a href=ovens.html>Ovens</a><p>In an oven, that is.</p>"),
            ),
            ("ovens.html", &page("en", "Ovens", "<p>An oven bakes dough, and its heat dries fruit.</p>")),
            (
                "tee.html",
                &page(
                    "de",
                    "Tee",
                    "<p>Die Blätter und das Wasser, nicht der Topf, machen den Tee zu dem, was er ist, und die Kanne mit.</p>",
                ),
            ),
        ],
    );
    let settings = Settings::default();
    let site = read_site(&folder.0, &settings, &|_, _| {}).unwrap();
    let packs = packs(&site, &Inventory::default(), &settings, "../");
    let english = &packs.iter().find(|pack| pack.path == "en").unwrap().pages;
    let tea = &english["tea.html.md"];
    assert!(tea.contains("\nsee_also: derived\n"), "{tea}");
    assert!(tea.ends_with(
        "# See Also\n\n*The site links this page with no other; these are the most like it by their words.*\n\n- [[/pots.html.md|Teapots]]\n"
    ), "{tea}");
    assert!(english["bread.html.md"].ends_with("# See Also\n\n- [[/ovens.html.md|Ovens]]\n"));
    let german = &packs.iter().find(|pack| pack.path == "de").unwrap().pages["tee.html.md"];
    assert!(!german.contains("See Also"), "{german}");
}

#[test]
fn hostile_and_broken_files_lose_nothing_else() {
    let deep = format!("<p>Deep down there is text.{}<p>and below", "<div>".repeat(10_000));
    let many: Vec<(String, String)> = (0..5_000)
        .map(|n| {
            (format!("many/p{n}.html"), format!("<title>One title</title><p>Page number {n} says something else."))
        })
        .collect();
    let mut files = vec![
        ("deep.html", deep.as_str()),
        ("untitled.html", "<p>No title at all, but text enough to be a page of its own."),
        ("empty.html", ""),
        ("ids.html", "<h1 id=a>One</h1><p>x<h2 id=a>Two</h2><p>y"),
        ("out.html", "<h1>Out</h1><p>See <a href='../../../etc/passwd'>this</a> and <a href='//x.org'>that</a>."),
        ("wrong.html", "<meta charset=utf-16><p>Not what it says."),
    ];
    files.extend(many.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let folder = Folder::of("hostile", &files);
    fs::write(folder.0.join("latin.html"), b"<p>Stra\xdfe in K\xf6ln und anderswo").unwrap();
    let site = read_site(&folder.0, &Settings::default(), &|_, _| {}).unwrap();
    assert_eq!(site.skipped.keys().map(String::as_str).collect::<Vec<_>>(), ["empty.html"]);
    assert_eq!(site.pages.len(), 5_006);
    let body = |address: &str| {
        let page = site.pages.iter().find(|page| page.address == address).unwrap();
        page.sections.iter().map(|section| section.body.clone()).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(body("deep.html"), "Deep down there is text.\n\nand below");
    assert_eq!(body("latin.html"), "Straße in Köln und anderswo");
    let titles: Vec<&str> =
        site.pages.iter().filter(|page| !page.address.starts_with("many/")).map(|page| page.title.as_str()).collect();
    assert_eq!(titles, ["Deep", "One", "Latin", "Out", "Untitled", "Wrong"]);
    let packs = packs(&site, &Inventory::default(), &Settings::default(), "../");
    assert_eq!((packs.len(), packs[0].pages.len()), (1, 5_006));
    // The first place of an id that stands twice is the one that browsers open.
    let doubled: Vec<&String> = packs[0].pages.keys().filter(|file| file.starts_with("ids.html")).collect();
    assert_eq!(doubled, ["ids.html.md"]);
    let out = packs[0].pages["out.html.md"].split("# See Also").next().unwrap();
    assert!(!out.contains("[[/"), "{out}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_named() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let text = "<h1>Tea</h1><p>A page with text enough to be one of its own.";
    let folder = Folder::of("unreadable", &[("a.html", text), ("locked.html", "<p>x"), ("locked/b.html", "<p>x")]);
    let path = |name: &str| folder.0.join(name);
    symlink(".", path("loop")).unwrap();
    symlink("self.html", path("self.html")).unwrap();
    symlink("gone.html", path("broken.html")).unwrap();
    symlink("a.html", path("link.html")).unwrap();
    fs::write(folder.0.join(std::ffi::OsStr::from_bytes(b"la\xfftin.html")), text).unwrap();
    let deep = "x/".repeat(70);
    fs::create_dir_all(path(&deep)).unwrap();
    fs::write(path(&format!("{deep}deep.html")), text).unwrap();
    let is_root =
        fs::read("/proc/self/status").is_ok_and(|status| String::from_utf8_lossy(&status).contains("Uid:\t0"));
    for (name, mode) in [("locked.html", 0o000), ("locked", 0o000)] {
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let site = read_site(&folder.0, &Settings::default(), &|_, _| {}).unwrap();
    fs::set_permissions(path("locked"), fs::Permissions::from_mode(0o700)).unwrap();
    let skipped: Vec<(&str, &str)> =
        site.skipped.iter().map(|(address, skip)| (address.as_str(), skip.code())).collect();
    let too_deep = format!("{}/", "x/".repeat(65).trim_end_matches('/'));
    let mut expected = vec![
        ("broken.html", "unreadable"),
        ("la\u{fffd}tin.html", "unreadable"),
        ("link.html", "duplicate"),
        ("self.html", "unreadable"),
        (too_deep.as_str(), "too-large"),
    ];
    if is_root {
        // Root can read what is locked for others.
        assert!(skipped.iter().filter(|(address, _)| !address.starts_with("locked")).eq(&expected), "{skipped:?}");
    } else {
        expected.extend([("locked.html", "unreadable"), ("locked/", "unreadable")]);
        expected.sort_unstable();
        assert_eq!(skipped, expected);
    }
    assert_eq!(site.pages[0].address, "a.html");
}

/// Few tags in much text, so that it is read soon by an unoptimised program too.
#[test]
fn fifty_megabytes_of_html_are_read() {
    let image = format!("<img alt='A pot' src='data:image/png;base64,{}'>", "QUJD".repeat(5_000_000));
    let words = format!("<p>{}</p>", "tea ".repeat(2_500_000));
    let hidden = format!("<script>{}</script>", "y".repeat(20_000_000));
    let html = format!("<h1 id=a>Tea</h1>{image}{words}{hidden}<h2 id=b>Last</h2><p>The end of the page.</p>");
    assert!(html.len() >= 50_000_000);
    let folder = Folder::of("fifty", &[("a.html", &html)]);
    let site = read_site(&folder.0, &Settings::default(), &|_, _| {}).unwrap();
    let sections: Vec<(&str, usize)> =
        site.pages[0].sections.iter().map(|section| (section.id.as_str(), section.body.len())).collect();
    assert_eq!(sections, [("a", 10_000_006), ("b", 20)]);
}

#[test]
fn frames_and_bases_are_known() {
    let text = "<p>Text enough for a page of its own.</p>";
    let folder = Folder::of(
        "frames",
        &[
            ("index.html", "<frameset cols='20%,80%'><frame src=a.html><noframes>No frames.</noframes></frameset>"),
            ("a.html", &format!("<base href=deep/><h1>A</h1>{text}<a href=b.html#c>B</a>")),
            ("deep/b.html", &format!("<h1>B</h1>{text}<p>And more, which tells it from the other.</p>")),
        ],
    );
    let site = read_site(&folder.0, &Settings::default(), &|_, _| {}).unwrap();
    assert_eq!(site.skipped.into_iter().collect::<Vec<_>>(), [("index.html".to_owned(), Skip::Frames)]);
    let link = &site.pages[0].sections[0].links[0];
    assert_eq!((link.address.as_str(), link.fragment.as_str(), link.is_from_root), ("deep/b.html", "c", false));
}

#[test]
fn pages_with_the_content_of_the_settings_need_no_mark() {
    let text =
        |what: &str| format!("<div class=prose><p>All that is known of {what}, at length and with care.</p></div>");
    let folder = Folder::of(
        "marks",
        &[
            ("configured.html", &format!("<h1>A</h1>{}", text("tea"))),
            ("marked.html", "<h1>B</h1><div data-pagefind-body><p>Marked text about coffee and its beans.</p></div>"),
            ("neither.html", "<main><h1>C</h1><p>Text about neither of them, with no mark at all.</p></main>"),
        ],
    );
    let settings = Settings::parse("content = '.prose'").unwrap();
    let site = read_site(&folder.0, &settings, &|_, _| {}).unwrap();
    assert_eq!(site.skipped.into_iter().collect::<Vec<_>>(), [("neither.html".to_owned(), Skip::Unmarked)]);
}

#[test]
fn names_of_files_may_hold_the_ending_of_packs_and_be_long() {
    let long = format!("{}.html", "n".repeat(245));
    let deep = format!("{}x.html", "deep-folder/".repeat(40));
    let body = |title: &str| {
        format!("<p>All that is known of {title}, at length and with care, and then more.</p>").repeat(50)
    };
    let two = |title: &str| format!("<h1>{title}</h1>{0}<h2>Part of {title}</h2>{0}", body(title));
    let far = format!("{}far.html", "so-far-below-that-no-pack-can-hold-it/".repeat(25));
    let folder = Folder::of(
        "names",
        &[
            ("notes.md/read.me.md.html", &two("Notes")),
            (&long, &two("Long")),
            (&deep, &two("Deep")),
            (&far, &two("Far")),
        ],
    );
    let settings = Settings::default();
    let site = read_site(&folder.0, &settings, &|_, _| {}).unwrap();
    assert_eq!(
        site.skipped.iter().map(|(address, skip)| (address.as_str(), *skip)).collect::<Vec<_>>(),
        [(far.as_str(), Skip::TooLong)]
    );
    let packs = packs(&site, &Inventory::default(), &settings, "../");
    let files: Vec<&str> = packs[0].pages.keys().map(String::as_str).collect();
    let (start, rest) = ("n".repeat(181), "n".repeat(64));
    assert_eq!(
        files,
        [
            &format!("{deep}.md"),
            &format!("{deep}~~~~1.md"),
            &format!("{start}~/{rest}.html.md"),
            &format!("{start}~/{rest}.html~~~~1.md"),
            "notes.md/read.me.md.html.md",
            "notes.md/read.me.md.html~~~~1.md",
        ]
    );
}

#[test]
fn a_page_of_six_megabytes_is_read() {
    let row = "<tr><td>a cell<td><b>bold</b> &amp; <a href=x.html>link</a>";
    let html = format!("<h1 id=a>Rows</h1><table>{}</table>", row.repeat(6_000_000 / row.len()));
    let folder = Folder::of("large", &[("a.html", &html)]);
    let site = read_site(&folder.0, &Settings::default(), &|_, _| {}).unwrap();
    assert_eq!((site.pages.len(), site.pages[0].sections.len()), (1, 1));
}
