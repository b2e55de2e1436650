//! Whole files, sound and hostile; and the real ones, where they are at hand.

use std::fs::File;
use std::io::Read;

use seealso_test_support::real_file;

use crate::{Header, HeaderProgress};

mod config;
mod reader;

/// The header of a real model, or why there is none.
pub(crate) fn real_header(file: &str) -> Result<Header, String> {
    let mut bytes = Vec::new();
    File::open(real_file(file)?).unwrap().take(16 << 20).read_to_end(&mut bytes).unwrap();
    match Header::parse(&bytes).unwrap() {
        HeaderProgress::Done(header, _) => Ok(header),
        HeaderProgress::NeedMore { at_least } => panic!("the header of {file} has at least {at_least} bytes"),
    }
}
