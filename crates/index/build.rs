//! Makes the table of combining marks that `src/analysis/fold.rs` reads: for each range the gap before it and its length, as
//! varints.

use std::fs;
use std::path::Path;

use unicode_normalization::char::is_combining_mark;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let (mut out, mut changed, mut marks) = (Vec::new(), 0, false);
    for c in '\0'..=char::MAX {
        if is_combining_mark(c) != marks {
            put(&mut out, u32::from(c) - changed);
            (changed, marks) = (u32::from(c), !marks);
        }
    }
    let path = Path::new(&std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("marks.bin");
    fs::write(path, out).expect("OUT_DIR can be written");
}

fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
