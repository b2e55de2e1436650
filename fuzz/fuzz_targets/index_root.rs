//! Any bytes as the root of an index: opening it and asking it everything ends in answers or errors, soon. Bytes that
//! begin as an index does are a whole root file; all others are a root's unpacked bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_index::{Form, root_form};

mod support;

fuzz_target!(|data: &[u8]| {
    let raw = match data.starts_with(b"seealso\0") {
        true => root_form(data).and_then(Form::unpack).unwrap_or_default(),
        false => data.to_vec(),
    };
    support::Files { root: raw, ..support::sound().clone() }.ask("nero");
});
