//! Shortens the names of what the wasm imports from its JavaScript. wasm-bindgen's end in hashes, which no server can
//! compress, and stand in both files: together about 2 KB of the first load.

use anyhow::{Context, Result, bail};

/// The id of the section of imports (WebAssembly Core Specification, 5.5.5).
const IMPORTS: u8 = 2;
/// What precedes the first section: the magic word and the version.
const PREAMBLE: usize = 8;

/// Both files with short names, which follow the order of the imports: `a0`, `a1`, and so on.
pub(crate) fn shorten(wasm: &[u8], script: &str) -> Result<(Vec<u8>, String)> {
    let (mut out, mut script) = (wasm.get(..PREAMBLE).context("no wasm")?.to_vec(), script.to_owned());
    let mut sections = Reader(&wasm[PREAMBLE..]);
    while !sections.0.is_empty() {
        let id = sections.byte()?;
        let body = sections.block()?;
        let body = if id == IMPORTS { renamed(body, &mut script)? } else { body.to_vec() };
        out.push(id);
        put_block(&mut out, &body);
    }
    Ok((out, script))
}

fn renamed(section: &[u8], script: &mut String) -> Result<Vec<u8>> {
    let (mut reader, mut out) = (Reader(section), Vec::new());
    let count = reader.number()?;
    put(&mut out, count);
    for place in 0..count {
        put_block(&mut out, reader.block()?);
        let name = std::str::from_utf8(reader.block()?)?;
        let (key, short) = (format!(" {name}: function("), format!("a{place}"));
        if script.matches(&key).count() != 1 {
            bail!("the script does not define the import `{name}` once");
        }
        *script = script.replace(&key, &format!(" {short}: function("));
        put_block(&mut out, short.as_bytes());
        if reader.byte()? != 0 {
            bail!("the import `{name}` is no function");
        }
        out.push(0);
        put(&mut out, reader.number()?);
    }
    Ok(out)
}

fn put(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_block(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Reads the forms of a wasm file from its front.
struct Reader<'w>(&'w [u8]);

impl<'w> Reader<'w> {
    fn byte(&mut self) -> Result<u8> {
        let (&byte, rest) = self.0.split_first().context("the wasm is cut short")?;
        self.0 = rest;
        Ok(byte)
    }

    fn number(&mut self) -> Result<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 || shift > 28 {
                return Ok(number);
            }
        }
    }

    /// Bytes behind their length.
    fn block(&mut self) -> Result<&'w [u8]> {
        let length = self.number()?;
        let (block, rest) = self.0.split_at_checked(length).context("the wasm is cut short")?;
        self.0 = rest;
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn both_files_get_the_same_names() {
        let wasm = b"\0asm\x01\0\0\0\x01\x01\0\x02\x0d\x01\x01m\x07long_12\0\x05\x0a\x01\0";
        let (short, script) = shorten(wasm, "x = { long_12: function() {} };").expect("it is whole");
        assert_eq!(short, b"\0asm\x01\0\0\0\x01\x01\0\x02\x08\x01\x01m\x02a0\0\x05\x0a\x01\0");
        assert_eq!(script, "x = { a0: function() {} };");
        assert!(shorten(wasm, "x = {};").is_err(), "a name that the script lacks");
        assert!(shorten(&wasm[..20], "long_12: function()").is_err(), "cut short");
    }
}
