//! Files that are pages by one ending or another, and what is left out: always with a finding.

use super::*;

/// Reads the pack `p` in a folder; gives its pages and its findings of code R7, as `file: severity: message`.
fn read(folder: &Folder) -> (Vec<String>, Vec<String>) {
    let pack = Pack::read(&folder.0.join("p"), "p").unwrap();
    let left_out = pack.findings.iter().filter(|finding| finding.code == "R7");
    let left_out = left_out.map(|f| format!("{}: {:?}: {}", f.file, f.severity, f.message)).collect();
    (pack.pages.into_iter().map(|page| page.file).collect(), left_out)
}

#[test]
fn markdown_is_read_whatever_its_ending() {
    let folder = Folder::new(
        "endings",
        &[
            ("p/index.md", b"# P"),
            ("p/a.md", PAGE),
            ("p/B.MD", PAGE),
            ("p/c.markdown", PAGE),
            ("p/d.Markdown", PAGE),
            ("p/e.mdx", PAGE),
            ("p/f/g.MDX", PAGE),
            ("p/h.mkd", PAGE),
            ("p/i.Rmd", PAGE),
            ("p/j.txt", PAGE),
            ("p/k.html", PAGE),
        ],
    );
    let (pages, left_out) = read(&folder);
    assert_eq!(pages, ["B.MD", "a.md", "c.markdown", "d.Markdown", "e.mdx", "f/g.MDX"]);
    let why = "Warning: its ending is none of md, markdown and mdx: left out";
    assert_eq!(left_out, [format!("h.mkd: {why}"), format!("i.Rmd: {why}")]);
}

#[test]
fn a_readme_with_front_matter_is_a_page_and_others_are_told() {
    let folder = Folder::new(
        "readme",
        &[
            ("p/index.md", b"# P"),
            ("p/README.md", b"# How to use this"),
            ("p/x.md", PAGE),
            ("p/a/README.md", PAGE),
            ("p/b/readme.markdown", b"\xef\xbb\xbf+++\ntitle = 'T'\n+++\n"),
            ("p/c/ReadMe.md", b"--- no fence"),
            ("p/LICENSE.md", b"MIT"),
            ("p/NOTICE.md", b"# Notices"),
            ("p/d/NOTICE.md", PAGE),
            ("p/d/readme.md", b"---\r\ntitle: T\r\n---\r\n"),
            ("p/d/log.md", PAGE),
            ("p/d/schema.md", PAGE),
        ],
    );
    let (pages, left_out) = read(&folder);
    assert_eq!(pages, ["a/README.md", "b/readme.markdown", "d/NOTICE.md", "d/readme.md", "d/schema.md", "x.md"]);
    let why = "Note: left out, as it has no front matter: with a title and a summary it is a page";
    assert_eq!(left_out, [format!("README.md: {why}"), format!("c/ReadMe.md: {why}")]);
}

#[test]
fn a_topic_of_a_wiki_may_be_called_log_or_schema() {
    let folder = Folder::new(
        "topics",
        &[
            ("p/manifest.yaml", b"name: p"),
            ("p/wiki/log.md", PAGE),
            ("p/wiki/schema.md", PAGE),
            ("p/wiki/concepts/log.md", PAGE),
            ("p/wiki/concepts/schema.md", PAGE),
            ("p/wiki/concepts/index.md", PAGE),
        ],
    );
    let (pages, left_out) = read(&folder);
    assert_eq!((pages, left_out), (vec!["concepts/log.md".to_string(), "concepts/schema.md".to_string()], vec![]));
}

#[test]
fn folders_too_deep_are_told() {
    let deep = format!("p/{}x.md", "a/".repeat(34));
    let folder = Folder::new("deep", &[("p/index.md", b"# P"), ("p/x.md", PAGE), (&deep, PAGE)]);
    let (pages, left_out) = read(&folder);
    assert_eq!(pages, ["x.md"]);
    assert_eq!(left_out, [format!("{}: Error: nested too deep: left out", ["a"; 33].join("/"))]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(
        "links",
        &[("p/index.md", b"# P"), ("p/a.md", PAGE), ("p/in/b.md", PAGE), ("secret.md", PAGE), ("dir/s.md", PAGE)],
    );
    for (target, link) in [
        ("../secret.md", "p/link.md"),
        ("../dir", "p/dir"),
        ("..", "p/in/circle"),
        (".", "p/self"),
        ("self-link", "p/self-link"),
        ("in", "p/inside"),
        ("/", "p/everything"),
        ("gone", "p/dangling"),
        ("gone.md", "p/dangling.md"),
        ("../dir", "p/.hidden"),
        ("../secret.md", "p/picture.png"),
        ("../secret.md", "p/schema.md"),
    ] {
        symlink(target, folder.0.join(link)).unwrap();
    }
    symlink(".", folder.0.join("circle")).unwrap();
    let (pages, mut left_out) = read(&folder);
    left_out.sort();
    assert_eq!(pages, ["a.md", "in/b.md"]);
    let (page, dir) = ("Error: a symbolic link: left out", "Warning: a symbolic link to a folder: left out");
    assert_eq!(
        left_out,
        [
            format!("dangling.md: {page}"),
            format!("dir: {dir}"),
            format!("everything: {dir}"),
            format!("in/circle: {dir}"),
            format!("inside: {dir}"),
            format!("link.md: {page}"),
            format!("schema.md: {page}"),
            format!("schema.md: {page}"),
            format!("self: {dir}"),
        ]
    );
    assert_eq!(discover(&folder.0).unwrap().len(), 2, "p and dir, and no circle");
}

#[cfg(unix)]
#[test]
fn a_wiki_that_is_a_link_is_not_followed() {
    let folder = Folder::new("wiki-link", &[("p/manifest.yaml", b"name: p"), ("dir/s.md", PAGE)]);
    std::os::unix::fs::symlink("../dir", folder.0.join("p/wiki")).unwrap();
    let (pages, left_out) = read(&folder);
    assert_eq!(pages, [] as [&str; 0]);
    assert_eq!(left_out, ["wiki: Error: a symbolic link to a folder: left out"]);
}

#[cfg(unix)]
#[test]
fn names_that_are_no_unicode_are_told() {
    use std::os::unix::ffi::OsStringExt as _;
    let folder = Folder::new("no-unicode", &[("p/index.md", b"# P"), ("p/a.md", PAGE)]);
    let name = |bytes: &[u8]| folder.0.join("p").join(std::ffi::OsString::from_vec(bytes.to_vec()));
    let made = fs::write(name(b"caf\xe9.md"), PAGE).and_then(|()| fs::create_dir(name(b"d\xff")));
    if made.is_err() {
        return seealso_test_support::skip("this file system has Unicode names alone");
    }
    let why = "Error: its name is no Unicode, so no URL could name it: left out";
    assert_eq!(
        read(&folder),
        (vec!["a.md".into()], vec![format!("caf\u{fffd}.md: {why}"), format!("d\u{fffd}: {why}")])
    );
}
