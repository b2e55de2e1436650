//! Whole files, sound and hostile; and the real ones, where they are at hand.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use crate::{Header, Parsed};

mod config;
mod reader;

/// The header of a real model, where the variable `SEEALSO_MODELS` names a folder that holds it.
pub(crate) fn real_header(file: &str) -> Option<Header> {
    let path = PathBuf::from(std::env::var_os("SEEALSO_MODELS")?).join(file);
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(16 << 20).read_to_end(&mut bytes).unwrap();
    match Header::parse(&bytes).unwrap() {
        Parsed::Done(header, _) => Some(header),
        Parsed::NeedMore { at_least } => panic!("the header of {file} has at least {at_least} bytes"),
    }
}
