//! Writes the tiny model of random weights that browser tests load: `tiny FILE [CONTEXT]`, the context in tokens.

use std::error::Error;

use seealso_gguf::testing::TinyModel;

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: tiny FILE [CONTEXT]";
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or(usage)?;
    let mut model = TinyModel::of_browser_tests();
    if let Some(context) = arguments.next() {
        model.context = context.parse().map_err(|error| format!("{usage}: {context} is no number: {error}"))?;
    }
    Ok(std::fs::write(path, model.write()?)?)
}
