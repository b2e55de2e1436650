//! Writes the tiny model of random weights that browser tests load: `tiny FILE`.

use std::error::Error;

use seealso_gguf::testing::TinyModel;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: tiny FILE")?;
    Ok(std::fs::write(path, TinyModel::of_browser_tests().write()?)?)
}
