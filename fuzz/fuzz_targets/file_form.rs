//! Any bytes as a file of an index as it comes: it is unpacked to what it announces and no more, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_index::{Form, root_form};

/// No file grows by more when it is unpacked.
const MOST_GROWTH: usize = 64;

fuzz_target!(|data: &[u8]| {
    if let Ok(raw) = Form::of(data).and_then(Form::unpack) {
        assert!(raw.len() <= data.len() * MOST_GROWTH);
    }
    let _ = root_form(data).and_then(Form::unpack);
});
