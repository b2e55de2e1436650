//! Any bytes as the files of a sentence encoder: safetensors in pieces, and `tokenizer.json`, both of which end in answers or errors.
//! The first byte says which: 0 is the tokenizer, any other the size of the pieces in which weights come.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_model::Error;
use seealso_model::encoder::WordPiece;
use seealso_model::encoder::safetensors::{Reader, Sink, TensorInfo};

fuzz_target!(|data: &[u8]| match data.split_first() {
    None => {}
    Some((0, file)) => check_tokenizer(file),
    Some((&size, file)) => check_weights(file, usize::from(size)),
});

/// Larger tensors are passed over: memory is reserved for what the sink wants, whatever has come of it.
const WANTED_BYTES: usize = 1 << 20;

/// Counts what comes.
#[derive(Default)]
struct Counts {
    announced: Vec<TensorInfo>,
    taken: Vec<(String, usize)>,
}

impl Sink for Counts {
    fn begin(&mut self, tensors: &[TensorInfo]) -> Result<(), Error> {
        assert!(self.announced.is_empty(), "it begins once");
        self.announced = tensors.to_vec();
        Ok(())
    }

    fn wants(&mut self, tensor: &TensorInfo) -> bool {
        tensor.bytes <= WANTED_BYTES
    }

    fn tensor(&mut self, tensor: &TensorInfo, values: Vec<f32>) -> Result<(), Error> {
        assert_eq!(values.len(), tensor.shape.iter().product::<usize>(), "{}", tensor.name);
        self.taken.push((tensor.name.clone(), values.len()));
        Ok(())
    }
}

fn check_weights(file: &[u8], size: usize) {
    let whole = read(file, file.len().max(1));
    let pieces = read(file, size);
    // A file means the same, however it comes.
    assert_eq!(whole.is_ok(), pieces.is_ok());
    let (Ok(whole), Ok(pieces)) = (whole, pieces) else { return };
    assert_eq!(whole.taken, pieces.taken);
    let wanted = whole.announced.iter().filter(|tensor| tensor.bytes <= WANTED_BYTES);
    assert_eq!(wanted.count(), whole.taken.len());
}

fn read(file: &[u8], size: usize) -> Result<Counts, Error> {
    let (mut reader, mut counts) = (Reader::new(), Counts::default());
    for piece in file.chunks(size) {
        reader.feed(piece, &mut counts)?;
    }
    assert!(reader.file_bytes() >= file.len() as u64 || reader.file_bytes() == 0);
    reader.finish()?;
    Ok(counts)
}

fn check_tokenizer(file: &[u8]) {
    let Ok(tokenizer) = WordPiece::from_json(file) else { return };
    let text = "The  quick\n\n brown föx's 日本 👍🏽 123 [CLS] e\u{301}\u{fffd}";
    for most in [0, 2, 7, 1000] {
        let ids = tokenizer.encode(text, most);
        assert!((2..=most.max(2)).contains(&ids.len()), "{} ids of {most}", ids.len());
        assert!(ids.iter().all(|&id| (id as usize) < tokenizer.size()));
    }
    assert!((tokenizer.pad() as usize) < tokenizer.size());
}
