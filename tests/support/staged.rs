//! Packs in memory with the stages that a site can publish: chunks, and vectors by an encoder that knows a few topics.

use std::cell::RefCell;

use futures_executor::block_on;
use seealso::{EmbedError, Embedder, MemorySource};
use seealso_chunks::{CHUNKS_VERSION, Chunk, ChunkKind, ChunkSizes, chunks, index_pack};
use seealso_pack::{CATALOG_FILE, Catalog, FileRef, Pack, StageModel, StageRecord, StagesFile, hex};
use seealso_vectors::{ChunkName, Int8Table, Layout, NewPack, NewSet, Space, quantise, write};
use sha2::{Digest, Sha256};

/// An encoder by topics: a text's vector says how often it has words of each topic. A last number, the same for every text, keeps
/// texts without any topic from having no direction.
pub struct TopicEncoder {
    id: String,
    topics: Vec<Vec<&'static str>>,
    source: Vec<&'static str>,
    /// Every text that it received.
    pub asked: RefCell<Vec<String>>,
}

impl TopicEncoder {
    /// An encoder of that name; each topic is words that mean the same, with spaces between.
    pub fn new(name: &str, topics: &[&'static str]) -> TopicEncoder {
        let source = topics.to_vec();
        let topics: Vec<Vec<&str>> = topics.iter().map(|topic| topic.split(' ').collect()).collect();
        let id = space(name, topics.len() + 1).id();
        TopicEncoder { id, topics, source, asked: RefCell::default() }
    }

    /// The topics, as [`TopicEncoder::new`] takes them.
    pub fn topics(&self) -> Vec<&'static str> {
        self.source.clone()
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let text = text.to_lowercase();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let count = |topic: &Vec<&str>| words.iter().filter(|word| topic.contains(word)).count() as f32;
        let vector: Vec<f32> = self.topics.iter().map(count).chain([0.1]).collect();
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        vector.into_iter().map(|number| number / length).collect()
    }
}

impl Embedder for TopicEncoder {
    fn space(&self) -> &str {
        &self.id
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.asked.borrow_mut().extend(texts.iter().map(|text| (*text).to_owned()));
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

/// An encoder of the same space that always fails.
pub struct BrokenEncoder(pub String);

impl Embedder for BrokenEncoder {
    fn space(&self) -> &str {
        &self.0
    }

    async fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Err(EmbedError { reason: "its worker was ended".to_owned() })
    }
}

fn space(model: &str, dimensions: usize) -> Space {
    Space { model: model.to_owned(), sha256: [7; 32], scheme: "topics".to_owned(), dimensions }
}

/// How the stages of a site are made.
pub struct Staging<'e> {
    /// The encoder; without one there are no vectors.
    pub encoder: Option<&'e TopicEncoder>,
    /// The least similarity of a page that has to do with a question.
    pub threshold: Option<f64>,
    /// How large chunks are.
    pub sizes: ChunkSizes,
    /// How vectors are divided into files.
    pub layout: Layout,
    /// The paths of packs that have no vectors.
    pub without_vectors: Vec<&'static str>,
    /// The paths of packs whose pages are newer than their vectors.
    pub outdated_vectors: Vec<&'static str>,
}

impl<'e> Staging<'e> {
    /// Chunks of a few sentences, and their vectors by `encoder` in one file.
    pub fn with(encoder: &'e TopicEncoder) -> Staging<'e> {
        let sizes = ChunkSizes { target: 200, overlap: 0, ..ChunkSizes::default() };
        Staging {
            encoder: Some(encoder),
            threshold: None,
            sizes,
            layout: Layout::default(),
            without_vectors: Vec::new(),
            outdated_vectors: Vec::new(),
        }
    }

    /// Adds the stages of `packs` to `source`, which has their pages and their index.
    pub fn add(&self, mut source: MemorySource, packs: &[Pack]) -> MemorySource {
        let mut catalog = Catalog::parse(source.file(CATALOG_FILE).unwrap()).unwrap();
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        let of_packs: Vec<Vec<Vec<Chunk>>> =
            packs.iter().map(|pack| pack.pages.iter().map(|page| chunks(page, &self.sizes)).collect()).collect();
        let fingerprints = catalog.packs.iter().map(|pack| (pack.path.clone(), pack.fingerprint.clone()));
        let record = |name: &str, version: u32, root: FileRef| StageRecord {
            name: name.to_owned(),
            version,
            root,
            model: None,
            threshold: None,
            packs: fingerprints.clone().collect(),
        };
        let new_packs: Vec<_> = packs.iter().zip(&of_packs).map(|(pack, chunks)| index_pack(pack, chunks)).collect();
        let index = seealso_index::write(&new_packs).unwrap();
        let mut records = vec![record("chunks", CHUNKS_VERSION, file_ref("index/chunks.idx", &index))];
        files.push(("index/chunks.idx".to_owned(), index));
        if let Some(encoder) = self.encoder {
            let root = self.write_vectors(encoder, packs, &of_packs, &mut files);
            let reference = file_ref("index/vectors.vec", &root);
            files.push(("index/vectors.vec".to_owned(), root));
            let dimensions = encoder.topics.len() as u32 + 1;
            let model = StageModel {
                id: encoder.id.clone(),
                sha256: hex(&[7; 32]),
                dimensions,
                scheme: "topics".into(),
                files: Vec::new(),
            };
            let vectors = record("vectors", u32::from(seealso_vectors::VERSION), reference);
            let mut vectors = StageRecord { model: Some(model), threshold: self.threshold, ..vectors };
            for path in &self.outdated_vectors {
                vectors.packs.insert((*path).to_owned(), "yesterday".to_owned());
            }
            records.push(vectors);
        }
        let stages = StagesFile::new(records);
        let text = stages.to_json().into_bytes();
        catalog.stages = stages.names();
        catalog.stages_file = Some(file_ref("index/stages.json", &text));
        files.push(("index/stages.json".to_owned(), text));
        *source.file(CATALOG_FILE).unwrap() = catalog.to_json().into_bytes();
        source.with_files(files)
    }

    fn write_vectors(
        &self,
        encoder: &TopicEncoder,
        packs: &[Pack],
        of_packs: &[Vec<Vec<Chunk>>],
        files: &mut Vec<(String, Vec<u8>)>,
    ) -> Vec<u8> {
        let dimensions = encoder.topics.len() + 1;
        let mut vectors = Int8Table::new(dimensions);
        let mut named = Vec::new();
        for (pack, of_pages) in packs.iter().zip(of_packs) {
            let mut names = Vec::new();
            let has_vector =
                |chunk: &&Chunk| chunk.kind == ChunkKind::Text && !self.without_vectors.contains(&pack.path.as_str());
            for chunk in of_pages.iter().flatten().filter(has_vector) {
                let vector = block_on(encoder.embed(&[&chunk.contextualized_text])).unwrap().remove(0);
                vectors.push(quantise(&vector).unwrap().view());
                names.push(ChunkName { file: chunk.page_file.clone(), number: chunk.number as u32 });
            }
            named.push(NewPack { path: pack.path.clone(), chunks: names });
        }
        encoder.asked.borrow_mut().clear();
        let name = encoder.id.split('@').next().unwrap();
        let set = NewSet { space: space(name, dimensions), packs: named, vectors };
        let mut sink = |hash: &seealso_vectors::Hash, bytes: &[u8]| {
            files.push((format!("index/{}", seealso_vectors::file_name(hash)), bytes.to_vec()));
            Ok(())
        };
        write(&set, self.layout, &mut sink).unwrap().root
    }
}

fn file_ref(path: &str, bytes: &[u8]) -> FileRef {
    FileRef { path: path.to_owned(), bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
}
