//! Output folders in which systems, version controls and authors left something, and names that are hard to list.

use super::{Folder, refused};

#[test]
fn what_programs_leave_in_the_output_stands_in_no_ones_way() {
    let folder = Folder::new("litter");
    folder.pack("tea", "Green tea");
    folder.publish("site");
    for (number, left) in [
        ".DS_Store",
        "tea/.DS_Store",
        "tea/wiki/._page.md",
        "index/Thumbs.db",
        "Desktop.ini",
        "tea/Icon\r",
        "tea/@eaDir/page.md@SynoEAStream",
        "__MACOSX/tea/._x",
        ".directory",
    ]
    .into_iter()
    .enumerate()
    {
        folder.write(&format!("site/{left}"), "left");
        folder.pack("tea", &format!("Tea {number}"));
        assert!(folder.publish("site").changed, "{left:?}");
        assert!(!folder.0.join("site").join(left).exists(), "{left:?} goes with the folder that was replaced");
    }
    // In a pack it is no part of it.
    folder.write("packs/tea/Thumbs.db", "left");
    folder.write("packs/tea/wiki/desktop.ini", "left");
    assert!(!folder.publish("site").changed);
}

#[test]
fn a_version_control_of_the_output_is_kept() {
    let folder = Folder::new("git");
    folder.pack("tea", "Green tea");
    folder.publish("site");
    folder.write("site/.git/HEAD", "ref: refs/heads/pages");
    folder.pack("tea", "Black tea");
    assert!(folder.publish("site").changed);
    folder.rows("a\tA\tx\n", 1).unwrap();
    assert_eq!(std::fs::read_to_string(folder.0.join("site/.git/HEAD")).unwrap(), "ref: refs/heads/pages");
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "packs, site and rows: {left:?}");
    // Of a folder within, it is somebody's.
    folder.write("site/rows/.git/HEAD", "mine");
    refused(&folder, "site", "rows/.git/HEAD");
}

#[cfg(unix)]
#[test]
fn files_of_any_name_are_copied_and_replaced() {
    let folder = Folder::new("any-name");
    for name in ["two\nlines.png", "end\r", "back\\slash.png", "\\n.png", "tab\t.md", "new\nline.md", "100% #1?.txt"] {
        folder.write(&format!("packs/tea/wiki/{name}"), "bytes");
    }
    for title in ["Green tea", "Black tea", "White tea"] {
        folder.pack("tea", title);
        assert!(folder.publish("site").changed, "{title}");
        assert!(folder.0.join("site/tea/wiki/two\nlines.png").exists());
    }
    folder.write("site/tea/wiki/lines.png", "mine");
    folder.pack("tea", "Red tea");
    refused(&folder, "site", "tea/wiki/lines.png");
}
