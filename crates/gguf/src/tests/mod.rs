//! Whole files, sound and hostile; and the real ones, where they are at hand.

use std::fs::File;
use std::io::Read;

use crate::testing::real_file;
use crate::{Header, Parsed};

mod config;
mod reader;

/// The header of a real model, where there are any.
pub(crate) fn real_header(file: &str) -> Option<Header> {
    let mut bytes = Vec::new();
    File::open(real_file(file)?).unwrap().take(16 << 20).read_to_end(&mut bytes).unwrap();
    match Header::parse(&bytes).unwrap() {
        Parsed::Done(header, _) => Some(header),
        Parsed::NeedMore { at_least } => panic!("the header of {file} has at least {at_least} bytes"),
    }
}
