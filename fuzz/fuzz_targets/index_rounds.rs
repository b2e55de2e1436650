//! A list of changes to the files of a sound index, and then a query: what comes in rounds is hostile here and there.
//!
//! A change is a byte that says its kind, and its operands: 0 replaces a file (one byte, which) by a length (two bytes,
//! little endian) and so many bytes; 1 ends the list, the rest is the query; all else changes a byte of a file (one
//! byte), at a place (two bytes), by a mask (one byte). File 0 is the root.
#![no_main]

use libfuzzer_sys::fuzz_target;
use support::{Files, take};

mod support;

fuzz_target!(|data: &[u8]| {
    let (files, query) = changed(data);
    files.ask(&query);
});

fn changed(mut data: &[u8]) -> (Files, String) {
    let mut files = support::sound().clone();
    while let Some(&[kind, file]) = take(&mut data, 2).and_then(|two| two.first_chunk()) {
        if kind == 1 {
            break;
        }
        let operand = take(&mut data, 2).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])));
        let count = files.others.len() + 1;
        let bytes = match usize::from(file) % count {
            0 => &mut files.root,
            place => files.others.values_mut().nth(place - 1).expect("so many there are"),
        };
        if kind == 0 {
            *bytes = take(&mut data, operand).unwrap_or_default().to_vec();
        } else if !bytes.is_empty() {
            let at = operand % bytes.len();
            bytes[at] ^= take(&mut data, 1).map_or(0, |mask| mask[0]);
        }
    }
    (files, String::from_utf8_lossy(&data[..data.len().min(256)]).into_owned())
}
