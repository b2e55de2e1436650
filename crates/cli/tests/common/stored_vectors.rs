//! Vectors of the packs tea and bread that no encoder made, for tests of a command without models.

use seealso_pack::{Catalog, EncoderFileEnding, StageModel, StageRecord, StageWriter};
use seealso_vectors::{ChunkName, Int8Table, Layout, NewPack, NewSet, Space, VERSION, quantise, write};

use super::Sandbox;

/// Publishes a vector of two numbers for the one chunk of each page, with this threshold; where `publishes_encoder` says so, a
/// file of an encoder beside them.
pub fn publish_vectors(sandbox: &Sandbox, threshold: Option<f64>, publishes_encoder: bool) {
    let root = sandbox.path("packs");
    let space = Space { model: "stored".into(), sha256: [7; 32], scheme: "mean-256".into(), dimensions: 2 };
    let pack = |path: &str, pages: [&str; 2]| {
        let chunks = pages.map(|page| ChunkName { file: format!("concepts/{page}.md"), number: 0 }).to_vec();
        NewPack { path: path.into(), chunks }
    };
    let packs = vec![pack("bread", ["crust", "sourdough"]), pack("tea", ["black-tea", "green-tea"])];
    let mut vectors = Int8Table::new(2);
    [[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]]
        .iter()
        .for_each(|vector| vectors.push(quantise(vector).unwrap().view()));
    let mut stage = StageWriter::begin(&root).unwrap();
    let written = write(&NewSet { space, packs, vectors }, Layout::default(), &mut |_, _| Ok(())).unwrap();
    let files = match publishes_encoder {
        true => vec![stage.put_encoder_file(b"{}", EncoderFileEnding::Json).unwrap()],
        false => Vec::new(),
    };
    let catalog = Catalog::parse(sandbox.read("packs/catalog.json").as_bytes()).unwrap();
    let record = StageRecord {
        name: "vectors".into(),
        version: VERSION.into(),
        root: stage.put_file(&written.root).unwrap(),
        model: Some(StageModel {
            id: "stored".into(),
            sha256: "07".repeat(32),
            dimensions: 2,
            scheme: "mean-256".into(),
            files,
        }),
        threshold,
        packs: catalog.packs.iter().map(|pack| (pack.path.clone(), pack.fingerprint.clone())).collect(),
    };
    stage.publish(record).unwrap();
}
