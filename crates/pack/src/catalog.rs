//! `catalog.json`: what a site publishes beside its packs, and where the index lies.
//!
//! It is the first file that a reader fetches, so it is the first that may be an error page, cut short, of another
//! version, or hostile: [`Catalog::parse`] checks every path in it before anybody joins it to a URL.

use std::fmt;

use serde::{Deserialize, Serialize};

use json::Value;

mod json;

/// The version of the catalog's format that this crate writes and reads.
pub const CATALOG_VERSION: u32 = 2;
/// What the `format` key says.
const FORMAT: &str = "seealso-catalog";
/// What the `generator` key says.
pub(crate) const GENERATOR: &str = concat!("seealso ", env!("CARGO_PKG_VERSION"));
/// A catalog larger than this many bytes is refused.
pub const CATALOG_MAX_BYTES: usize = 16 << 20;
/// The name of the file, under the packs root.
pub const CATALOG_FILE: &str = "catalog.json";

/// The packs of a site and the files of their index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Catalog {
    format: String,
    /// Version of this format.
    pub version: u32,
    /// The program that wrote it, with its version.
    pub generator: String,
    /// How many packs there are.
    pub pack_count: usize,
    /// The packs, in the order of the index; none where they are too many, and stand in a file of their own.
    pub packs: Vec<CatalogPack>,
    /// The file that lists the packs, where they are too many for the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packs_file: Option<FileRef>,
    /// The paths of packs that are searched only where a filter names them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archived: Vec<String>,
    /// The index.
    pub index: IndexRef,
    /// Which optional stages this site has data for.
    pub stages: Vec<String>,
    /// The file that says where the stages' data is, and of which packs it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages_file: Option<FileRef>,
}

/// One pack as the catalog lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CatalogPack {
    /// Its folder under the packs root, such as `history/roman-emperors`.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// BCP 47 tag of the language its pages are written in.
    pub language: String,
    /// The folder inside the pack that page files are relative to: `wiki`, or nothing.
    pub page_root: String,
    /// How many pages it has.
    pub pages: u32,
    /// Two or three sentences on what it covers.
    pub summary: String,
    /// SHA-256, in hex, over the names and bytes of its files: what tells a later build that nothing changed.
    pub fingerprint: String,
    /// Whether it is searched only where a filter names it. The catalog lists the paths of such packs.
    #[serde(skip)]
    pub archived: bool,
}

/// A file beside the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRef {
    /// Its path under the packs root; the name holds its hash, so it may be cached for ever.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hex.
    pub sha256: String,
}

/// Where the index is, and how large.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexRef {
    /// The root file; the others lie beside it, under the names that it gives them.
    #[serde(flatten)]
    pub root: FileRef,
    /// How many other files there are.
    pub files: u64,
    /// The bytes of all files together.
    pub total_bytes: u64,
    /// How many terms of its body a page may have in the index.
    pub body_terms: u64,
    /// The root's bytes in base64 (RFC 4648), where it has other files beside it: then it saves a round trip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inline: Option<String>,
}

/// More packs than these stand in a file of their own.
pub(crate) const MOST_PACKS_INLINE: usize = 100;

/// Why a catalog can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogError {
    /// The file is a web page: a server's answer for a file that is not there.
    Html,
    /// It is no JSON, or JSON of another shape.
    Malformed {
        /// What the JSON reader said.
        reason: String,
    },
    /// It is a catalog of a version that this reader doesn't know.
    Version {
        /// The version in the file.
        found: u64,
    },
    /// It is too large to be one.
    TooLarge {
        /// Its size in bytes.
        bytes: usize,
    },
    /// A path in it leaves the packs root, or is no path.
    UnsafePath {
        /// The path as written.
        path: String,
    },
}

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CatalogError::Html => write!(
                f,
                "catalog.json is an HTML page, not a catalog: the server has no such file; run `seealso build` and upload catalog.json and index/"
            ),
            CatalogError::Malformed { reason } => {
                write!(f, "catalog.json can't be read ({reason}); build it again with `seealso build`")
            }
            CatalogError::Version { found } => write!(
                f,
                "catalog.json has format version {found}, this reader knows version {CATALOG_VERSION}; rebuild it with `seealso build`"
            ),
            CatalogError::TooLarge { bytes } => {
                write!(
                    f,
                    "catalog.json has {bytes} bytes, more than the {CATALOG_MAX_BYTES} allowed; build it again with `seealso build`"
                )
            }
            CatalogError::UnsafePath { path } => {
                write!(
                    f,
                    "catalog.json names the path \"{path}\", which does not lie under the packs root; build it again with `seealso build`"
                )
            }
        }
    }
}

impl std::error::Error for CatalogError {}

impl Catalog {
    /// A catalog of `packs`, whose index is `index`.
    pub fn new(packs: Vec<CatalogPack>, index: IndexRef) -> Catalog {
        let archived = packs.iter().filter(|pack| pack.archived).map(|pack| pack.path.clone()).collect();
        Catalog {
            format: FORMAT.into(),
            version: CATALOG_VERSION,
            generator: GENERATOR.into(),
            pack_count: packs.len(),
            packs,
            packs_file: None,
            archived,
            index,
            stages: Vec::new(),
            stages_file: None,
        }
    }

    /// Reads and checks the bytes of a catalog.
    ///
    /// # Errors
    /// A [`CatalogError`] that says what the bytes are instead.
    pub fn parse(bytes: &[u8]) -> Result<Catalog, CatalogError> {
        if bytes.len() > CATALOG_MAX_BYTES {
            return Err(CatalogError::TooLarge { bytes: bytes.len() });
        }
        let malformed = |reason: String| CatalogError::Malformed { reason };
        let text = std::str::from_utf8(bytes).map_err(|e| malformed(e.to_string()))?;
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('<') {
            return Err(CatalogError::Html);
        }
        let value = Value::read(text).map_err(malformed)?;
        let top = Fields { value: &value, place: "catalog" };
        let format = top.text("format")?;
        if format != FORMAT {
            return Err(malformed(format!("its format is \"{format}\", not \"{FORMAT}\"")));
        }
        let version = top.number("version")?;
        if version != u64::from(CATALOG_VERSION) {
            return Err(CatalogError::Version { found: version });
        }
        let mut catalog = Catalog {
            format,
            version: CATALOG_VERSION,
            generator: top.text("generator")?,
            pack_count: usize::try_from(top.number("pack_count")?).unwrap_or(usize::MAX),
            packs: top.list("packs", "pack", CatalogPack::read)?,
            packs_file: top.file("packs_file")?,
            index: IndexRef::read(&top.inner("index", "index").ok_or_else(|| top.wrong("index", "object"))?)?,
            archived: top.texts("archived"),
            stages: top.texts("stages"),
            stages_file: top.file("stages_file")?,
        };
        for pack in &mut catalog.packs {
            pack.archived = catalog.archived.contains(&pack.path);
        }
        catalog.check_paths()?;
        Ok(catalog)
    }

    /// Reads the packs of a [`Catalog::packs_file`].
    ///
    /// # Errors
    /// A [`CatalogError`] that says what the bytes are instead.
    pub fn parse_packs(bytes: &[u8]) -> Result<Vec<CatalogPack>, CatalogError> {
        let malformed = |reason: String| CatalogError::Malformed { reason };
        let text = std::str::from_utf8(bytes).map_err(|e| malformed(e.to_string()))?;
        let value = Value::read(text).map_err(malformed)?;
        let items = value.as_list().ok_or_else(|| malformed("the packs are no list".to_owned()))?;
        let packs = items.iter().map(|value| CatalogPack::read(&Fields { value, place: "pack" }));
        let packs = packs.collect::<Result<Vec<CatalogPack>, CatalogError>>()?;
        check_paths(pack_paths(&packs))?;
        Ok(packs)
    }

    fn check_paths(&self) -> Result<(), CatalogError> {
        let files = self.packs_file.iter().chain(&self.stages_file).chain([&self.index.root]).map(|file| &file.path);
        check_paths(pack_paths(&self.packs).chain(files))
    }

    /// The catalog as JSON text, with a line end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a catalog holds only strings and numbers");
        text.push('\n');
        text
    }
}

fn pack_paths(packs: &[CatalogPack]) -> impl Iterator<Item = &String> {
    let roots = packs.iter().map(|pack| &pack.page_root).filter(|root| !root.is_empty());
    packs.iter().map(|pack| &pack.path).chain(roots)
}

fn check_paths<'p>(mut paths: impl Iterator<Item = &'p String>) -> Result<(), CatalogError> {
    match paths.find(|path| !is_safe_path(path)) {
        Some(path) => Err(CatalogError::UnsafePath { path: path.clone() }),
        None => Ok(()),
    }
}

/// What can be told of a catalog whatever its version: enough to find what its build left.
pub(crate) struct AnyCatalog {
    pub(crate) version: u64,
    /// The path of the index's root.
    pub(crate) root: Option<String>,
}

impl AnyCatalog {
    /// Reads the bytes of a catalog; none where they are none, or damaged.
    pub(crate) fn read(bytes: &[u8]) -> Option<AnyCatalog> {
        let value = Value::read(std::str::from_utf8(bytes).ok()?).ok()?;
        let version = value.get("version").as_number().filter(|_| value.get("format").as_text() == Some(FORMAT))?;
        let index = value.get("index");
        // Version 1 has a list of files, of which the first is the root.
        let root = index.as_list().and_then(<[Value]>::first).unwrap_or(index).get("path").as_text();
        Some(AnyCatalog { version, root: root.filter(|root| is_safe_path(root)).map(str::to_owned) })
    }

    /// Whether the bytes are no JSON at all.
    pub(crate) fn is_damaged(bytes: &[u8]) -> bool {
        std::str::from_utf8(bytes).ok().is_none_or(|text| Value::read(text).is_err())
    }

    pub(crate) fn is_of_this_version(&self) -> bool {
        self.version == u64::from(CATALOG_VERSION)
    }
}

/// A JSON object whose keys are read one by one, so that an error can name the one that is missing.
struct Fields<'v> {
    value: &'v Value,
    place: &'static str,
}

impl Fields<'_> {
    fn wrong(&self, key: &str, expected: &str) -> CatalogError {
        CatalogError::Malformed { reason: format!("a {} has no {expected} \"{key}\"", self.place) }
    }

    fn text(&self, key: &str) -> Result<String, CatalogError> {
        self.value.get(key).as_text().map(str::to_owned).ok_or_else(|| self.wrong(key, "text"))
    }

    fn number(&self, key: &str) -> Result<u64, CatalogError> {
        self.value.get(key).as_number().ok_or_else(|| self.wrong(key, "number"))
    }

    fn list<T>(
        &self,
        key: &str,
        place: &'static str,
        read: fn(&Fields<'_>) -> Result<T, CatalogError>,
    ) -> Result<Vec<T>, CatalogError> {
        let items = self.value.get(key).as_list().ok_or_else(|| self.wrong(key, "list"))?;
        items.iter().map(|value| read(&Fields { value, place })).collect()
    }

    /// An object that may be missing.
    fn inner(&self, key: &str, place: &'static str) -> Option<Fields<'_>> {
        let value = self.value.get(key);
        value.is_object().then_some(Fields { value, place })
    }

    /// A file that may be missing.
    fn file(&self, key: &'static str) -> Result<Option<FileRef>, CatalogError> {
        self.inner(key, key).map(|fields| FileRef::read(&fields)).transpose()
    }

    /// The texts of a list that may be missing.
    fn texts(&self, key: &str) -> Vec<String> {
        let items = self.value.get(key).as_list().unwrap_or_default();
        items.iter().filter_map(Value::as_text).map(str::to_owned).collect()
    }
}

impl FileRef {
    fn read(fields: &Fields<'_>) -> Result<FileRef, CatalogError> {
        Ok(FileRef { path: fields.text("path")?, bytes: fields.number("bytes")?, sha256: fields.text("sha256")? })
    }
}

impl IndexRef {
    fn read(fields: &Fields<'_>) -> Result<IndexRef, CatalogError> {
        Ok(IndexRef {
            root: FileRef::read(fields)?,
            files: fields.number("files")?,
            total_bytes: fields.number("total_bytes")?,
            body_terms: fields.number("body_terms")?,
            inline: fields.value.get("inline").as_text().map(str::to_owned),
        })
    }

    /// The path of an index file of that name.
    pub fn path_of(&self, name: &str) -> String {
        let folder = self.root.path.rfind('/').map_or("", |slash| &self.root.path[..=slash]);
        format!("{folder}{name}")
    }
}

/// The bytes that a text in base64 stands for (RFC 4648, section 4); none where it is no such text.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut waiting, mut bits) = (0u32, 0);
    for c in text.trim_end_matches('=').bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        waiting = waiting << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((waiting >> bits) as u8);
            waiting &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

/// `bytes` in base64 (RFC 4648, section 4).
pub fn to_base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let value = three.iter().fold(0u32, |value, &byte| value << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let digit = DIGITS[(value >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

impl CatalogPack {
    fn read(fields: &Fields<'_>) -> Result<CatalogPack, CatalogError> {
        Ok(CatalogPack {
            path: fields.text("path")?,
            title: fields.text("title")?,
            language: fields.text("language")?,
            page_root: fields.text("page_root")?,
            pages: u32::try_from(fields.number("pages")?).map_err(|_| fields.wrong("pages", "32-bit number"))?,
            summary: fields.text("summary")?,
            fingerprint: fields.text("fingerprint")?,
            archived: false,
        })
    }

    /// The path of one of its page files under the packs root.
    pub fn page_path(&self, file: &str) -> String {
        match self.page_root.as_str() {
            "" => format!("{}/{file}", self.path),
            root => format!("{}/{root}/{file}", self.path),
        }
    }
}

/// Whether `path` stays under the folder it is joined to, as a file path and as a URL alike.
pub fn is_safe_path(path: &str) -> bool {
    !path.is_empty()
        && path.len() <= 1024
        && !path.contains(['\\', ':', '?', '#', '%'])
        && !path.chars().any(char::is_control)
        && path.split('/').all(|step| !step.is_empty() && step != "." && step != "..")
}

#[cfg(test)]
mod tests;
