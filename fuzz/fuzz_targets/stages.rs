//! Any bytes as a stages file: what is accepted names no path outside the packs root, and comes back when written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_pack::{Coverage, StageRecord, StagesFile, is_safe_path};

fuzz_target!(|data: &[u8]| match StagesFile::parse(data) {
    Ok(file) => check(&file),
    Err(error) => assert!(!error.to_string().is_empty()),
});

fn check(file: &StagesFile) {
    for stage in &file.stages {
        for path in stage.packs.keys().chain([&stage.root.path]) {
            assert!(is_safe_path(path), "{path:?}");
            assert!(!path.split(['/', '\\']).any(|step| matches!(step, ".." | "." | "")), "{path:?}");
        }
        for (path, fingerprint) in &stage.packs {
            assert_eq!(stage.coverage(path, fingerprint), Coverage::Current);
        }
        assert!(stage.threshold.is_none_or(|threshold| (-1.0..=1.0).contains(&threshold)));
    }
    let names = file.names();
    assert!(names.is_sorted() && names.iter().all(|name| file.stage(name).is_some()));
    let again = StagesFile::parse(file.to_json().as_bytes()).expect("a file that was read can be written and read");
    assert_eq!(StagesFile::new(rounded(&again)), StagesFile::new(rounded(file)));
}

/// The stages with their thresholds rounded: a fraction of many digits is read to within its last one.
fn rounded(file: &StagesFile) -> Vec<StageRecord> {
    let round = |stage: &StageRecord| StageRecord {
        threshold: stage.threshold.map(|threshold| (threshold * 1e9).round() / 1e9 + 0.0),
        ..stage.clone()
    };
    file.stages.iter().map(round).collect()
}
