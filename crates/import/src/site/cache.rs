//! What the files of a site were when they were last read, so that those that have not changed are not read again.
//!
//! ```text
//! cache = deflate(lines)
//! lines = key "\n" (entry "\n")*        the key says with which program and settings the files were read
//! entry = JSON of [address, hash in hex, {"Ok": page} or {"Err": reason}]
//! ```

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::listing::FileHash;
use crate::generator::GENERATORS;
use crate::page::{SitePage, Skip};
use crate::settings::Settings;

/// Raised with each change of what a file becomes when it is read.
pub(super) const READER_REVISION: u32 = 3;

/// The files that were read, as they were then.
#[derive(Debug, Default)]
pub struct PageCache {
    files: HashMap<String, (String, Result<SitePage, Skip>)>,
}

impl PageCache {
    /// Reads the bytes of a cache. Empty where they are none, or where other settings or another program read the files.
    pub fn parse(bytes: &[u8], settings: &Settings) -> PageCache {
        let mut lines = BufReader::new(ZlibDecoder::new(bytes)).lines();
        let is_fit = lines.next().and_then(Result::ok).is_some_and(|first| first == key(settings));
        let mut files = HashMap::new();
        for line in lines.map_while(Result::ok).take_while(|_| is_fit) {
            let Ok((address, hash, mut read)) = serde_json::from_str::<(String, String, Result<SitePage, Skip>)>(&line)
            else {
                return PageCache::default();
            };
            if let Ok(page) = &mut read {
                page.members = GENERATORS.members_of(&page.generator);
            }
            files.insert(address, (hash, read));
        }
        PageCache { files }
    }

    /// What the file at `address` was, if it has not changed.
    pub(super) fn take(&mut self, address: &str, hash: &FileHash) -> Option<Result<SitePage, Skip>> {
        let is_same = self.files.get(address).is_some_and(|(known, _)| *known == seealso_pack::hex(hash));
        self.files.remove(address).filter(|_| is_same).map(|(_, read)| read)
    }
}

/// Writes a cache.
pub(super) struct CacheWriter(ZlibEncoder<Vec<u8>>);

impl CacheWriter {
    pub(super) fn new(settings: &Settings) -> io::Result<CacheWriter> {
        let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
        writeln!(out, "{}", key(settings))?;
        Ok(CacheWriter(out))
    }

    pub(super) fn put(&mut self, address: &str, hash: &FileHash, read: &Result<SitePage, Skip>) -> io::Result<()> {
        // The compressor is slow with the small pieces that JSON is written in.
        let mut line = serde_json::to_vec(&(address, seealso_pack::hex(hash), read))?;
        line.push(b'\n');
        self.0.write_all(&line)
    }

    pub(super) fn close(self) -> io::Result<Vec<u8>> {
        self.0.finish()
    }
}

/// One line that tells with what the files were read.
fn key(settings: &Settings) -> String {
    format!("seealso {} {READER_REVISION} {settings:?}", env!("CARGO_PKG_VERSION")).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PageReader;

    #[test]
    fn a_page_comes_back_as_it_was_read() {
        let settings = Settings::default();
        let html = "<html lang=en><head><title>Tea - X</title><meta name=generator content=rustdoc>\
            <link rel=next href=b.html></head><body class='rustdoc'><main><section id=main-content class=content>\
            <h1>Struct tea::Tea</h1><p>A <a href=b.html#c>drink</a>.</p><section id=method.pour>\
            <h4 class=code-header>fn <a class=fn>pour</a>()</h4></section></section></main>";
        let page = PageReader::new(&settings).read("a.html", html.as_bytes());
        assert!(!page.as_ref().unwrap().members.is_empty());
        let mut writer = CacheWriter::new(&settings).unwrap();
        writer.put("a.html", &[1; 32], &page).unwrap();
        writer.put("b.html", &[2; 32], &Err(Skip::Redirect)).unwrap();
        writer.put("c.html", &[3; 32], &Err(Skip::Empty)).unwrap();
        let bytes = writer.close().unwrap();

        let mut cache = PageCache::parse(&bytes, &settings);
        assert_eq!(cache.take("a.html", &[1; 32]), Some(page));
        assert_eq!(cache.take("b.html", &[2; 32]), Some(Err(Skip::Redirect)));
        assert_eq!(cache.take("c.html", &[4; 32]), None);
        let other = Settings { split: Some(9), ..Settings::default() };
        for (bytes, settings) in [(&bytes[..], &other), (&bytes[..bytes.len() / 2], &settings), (b"", &settings)] {
            assert_eq!(PageCache::parse(bytes, settings).take("c.html", &[3; 32]), None);
        }
    }
}
