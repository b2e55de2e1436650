//! `tokens MODEL.gguf plain|special < TEXTS`: the ids of each text, one line a text. Texts are separated by zero bytes.
//!
//! `reference/compare.py` runs it to compare the ids with those of another tokenizer.
#![allow(clippy::print_stdout, reason = "a command line tool talks to its user")]

use std::error::Error;
use std::io::Read;

use seealso_gguf::{Header, HeaderProgress, Special, Tokenizer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which model file?")?;
    let special = match arguments.next().as_deref() {
        Some("special") => Special::Parse,
        _ => Special::Plain,
    };
    let tokenizer = Tokenizer::from_header(&read_header(&path)?)?;
    let mut texts = Vec::new();
    std::io::stdin().read_to_end(&mut texts)?;
    for text in texts.split(|&byte| byte == 0) {
        let ids = tokenizer.encode(&String::from_utf8_lossy(text), special);
        println!("{ids:?}");
    }
    Ok(())
}

fn read_header(path: &str) -> Result<Header, Box<dyn Error>> {
    let (mut file, mut bytes, mut wanted) = (std::fs::File::open(path)?, Vec::new(), 1 << 20);
    loop {
        let before = bytes.len();
        std::io::copy(&mut (&mut file).take((wanted - before) as u64), &mut bytes)?;
        match Header::parse(&bytes)? {
            HeaderProgress::Done(header, _) => return Ok(header),
            HeaderProgress::NeedMore { .. } if bytes.len() == before => return Err("the file is cut short".into()),
            HeaderProgress::NeedMore { at_least } => wanted = at_least.max(2 * wanted),
        }
    }
}
