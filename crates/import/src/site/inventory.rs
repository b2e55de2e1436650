//! `objects.inv`: the names that a site made by Sphinx or MkDocs defines, each with its place.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use crate::address::{Base, Target, resolve};

/// The file's name, in any folder of the site.
pub const INVENTORY_FILE: &str = "objects.inv";

/// A larger inventory is read to this size only, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The names of a site and where they are defined.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    pub(super) names: Vec<(String, Target)>,
}

impl Inventory {
    /// The names that are defined below a folder of the site.
    pub(super) fn below(&self, folder: &str) -> Inventory {
        let is_below = |target: &Target| target.address.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        Inventory { names: self.names.iter().filter(|(_, target)| is_below(target)).cloned().collect() }
    }

    /// Adds the names of another one.
    pub fn append(&mut self, mut other: Inventory) {
        self.names.append(&mut other.names);
    }

    /// Reads the bytes of an inventory of version 2, which lies at `address` and names what lies below its folder; what
    /// can't be read is passed over.
    pub fn parse(address: &str, bytes: &[u8]) -> Inventory {
        let base = Base::of(address);
        let mut lines = bytes.splitn(5, |&byte| byte == b'\n');
        let is_known = lines.next().is_some_and(|first| first.starts_with(b"# Sphinx inventory version 2"));
        let Some(packed) = lines.nth(3).filter(|_| is_known) else { return Inventory::default() };
        let mut text = Vec::new();
        // A damaged end leaves what came before it.
        let _ = ZlibDecoder::new(packed).take(MAX_BYTES).read_to_end(&mut text);
        Inventory { names: String::from_utf8_lossy(&text).lines().filter_map(|line| entry(&base, line)).collect() }
    }
}

/// A line: name, domain and role, priority, address (`$` at its end stands for the name), display name.
fn entry(base: &Base, line: &str) -> Option<(String, Target)> {
    // Names may hold spaces; what comes after them holds a colon between domain and role.
    let words: Vec<&str> = line.split(' ').collect();
    let role =
        words.iter().skip(1).position(|word| {
            word.split_once(':').is_some_and(|(domain, role)| !domain.is_empty() && !role.is_empty())
        })? + 1;
    let name = words[..role].join(" ");
    let kind = words[role];
    words.get(role + 1)?.parse::<i32>().ok()?;
    let address = words.get(role + 2)?;
    // Labels and documents are titles of their pages already.
    if matches!(kind, "std:label" | "std:doc" | "std:token" | "std:opcode" | "std:pdbcommand" | "std:2to3fixer") {
        return None;
    }
    let address = address.strip_suffix('$').map_or_else(|| (*address).to_owned(), |start| format!("{start}{name}"));
    let name = if kind == "std:cmdoption" { name.rsplit('.').next().unwrap_or(&name).to_owned() } else { name };
    Some((name, resolve(base, &address)?))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn names_are_read_with_their_places() {
        let text = "asyncio.gather py:function 1 library/asyncio-task.html#$ -\n\
            tea.--hot std:cmdoption 1 cli.html#cmdoption-tea-hot -\n\
            Lid size std:term -1 glossary.html#term-Lid-size -\n\
            install std:label -1 install.html#install Installing\n\
            broken\n";
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(text.as_bytes()).unwrap();
        let mut bytes =
            b"# Sphinx inventory version 2\n# Project: Tea\n# Version: 1\n# The remainder is compressed.\n".to_vec();
        bytes.extend(packer.finish().unwrap());
        let target = |address: &str, fragment: &str| Target {
            address: address.to_owned(),
            fragment: fragment.to_owned(),
            is_from_root: false,
        };
        let below = Inventory::parse("en/latest/objects.inv", &bytes);
        assert_eq!(below.names[2].1, target("en/latest/glossary.html", "term-Lid-size"));
        assert_eq!(
            Inventory::parse("objects.inv", &bytes).names,
            [
                ("asyncio.gather".to_owned(), target("library/asyncio-task.html", "asyncio.gather")),
                ("--hot".to_owned(), target("cli.html", "cmdoption-tea-hot")),
                ("Lid size".to_owned(), target("glossary.html", "term-Lid-size")),
            ]
        );
        assert_eq!(Inventory::parse("objects.inv", &bytes[..60]), Inventory::default());
        assert_eq!(Inventory::parse("objects.inv", b"# Sphinx inventory version 1\n"), Inventory::default());
    }
}
