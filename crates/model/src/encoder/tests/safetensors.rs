//! The reader of safetensors files: pieces of every size, and files that are damaged anywhere.

use super::tiny::{Entry, safetensors};
use crate::Error;
use crate::encoder::safetensors::{Reader, Sink, TensorInfo};

/// Takes all tensors whose names don't begin with `un`.
#[derive(Debug, Default, PartialEq)]
struct Collected {
    announced: Vec<String>,
    tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
}

impl Sink for Collected {
    fn begin(&mut self, tensors: &[TensorInfo]) -> Result<(), Error> {
        self.announced = tensors.iter().map(|tensor| tensor.name.clone()).collect();
        Ok(())
    }

    fn wants(&mut self, tensor: &TensorInfo) -> bool {
        !tensor.name.starts_with("un")
    }

    fn tensor(&mut self, tensor: &TensorInfo, values: Vec<f32>) -> Result<(), Error> {
        self.tensors.push((tensor.name.clone(), tensor.shape.clone(), values));
        Ok(())
    }
}

fn entry(name: &str, dtype: &'static str, shape: &[usize], bytes: &[u8]) -> Entry {
    Entry { name: name.to_owned(), dtype, shape: shape.to_vec(), bytes: bytes.to_vec() }
}

fn file() -> Vec<u8> {
    safetensors(&[
        entry("unwanted", "I64", &[1], &[9; 8]),
        entry("single", "F32", &[2, 1], &[0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc1]),
        entry("none", "F32", &[0, 3], &[]),
        entry("half", "F16", &[3], &[0, 0x3c, 0, 0xc0, 1, 0]),
        entry("brain", "BF16", &[], &[0x49, 0x40]),
        entry("whole", "I8", &[3], &[0, 127, 0x81]),
    ])
}

fn read(file: &[u8], piece: usize) -> Result<Collected, Error> {
    let (mut reader, mut collected) = (Reader::new(), Collected::default());
    for piece in file.chunks(piece) {
        reader.feed(piece, &mut collected)?;
    }
    reader.finish()?;
    Ok(collected)
}

#[test]
fn tensors_are_read_in_pieces_of_any_size() {
    let expected = Collected {
        announced: ["unwanted", "single", "none", "half", "brain", "whole"].map(str::to_owned).to_vec(),
        tensors: vec![
            ("single".to_owned(), vec![2, 1], vec![1.0, -10.0]),
            ("none".to_owned(), vec![0, 3], vec![]),
            ("half".to_owned(), vec![3], vec![1.0, -2.0, 2f32.powi(-24)]),
            ("brain".to_owned(), vec![], vec![3.140_625]),
            ("whole".to_owned(), vec![3], vec![0.0, 127.0, -127.0]),
        ],
    };
    let file = file();
    for piece in 1..=file.len() {
        let mut got = read(&file, piece).unwrap();
        // Tensors of no bytes may stand on either side of a neighbour.
        got.announced.sort_by_key(|name| expected.announced.iter().position(|other| other == name));
        assert_eq!(got, expected, "in pieces of {piece}");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let file = file();
    for end in 0..file.len() {
        let error = read(&file[..end], 7).unwrap_err();
        assert!(error.to_string().contains("cut short"), "at {end}: {error}");
    }
}

#[test]
fn a_byte_changed_anywhere_never_panics() {
    let whole = file();
    for at in 0..whole.len() {
        for byte in [0, b'9', b'"', b'{', 0xff, whole[at] ^ 1] {
            let mut changed = whole.clone();
            changed[at] = byte;
            let _ = read(&changed, 11);
        }
    }
}

/// What reading says of a header with no data behind it.
fn check(header: &str, expected: &str) {
    let file = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
    let message = read(&file, 64).unwrap_err().to_string();
    assert!(message.contains(expected), "{message}");
}

#[test]
fn headers_that_contradict_themselves_are_refused() {
    let tensor = |shape: &str, offsets: &str| {
        format!("{{\"t\": {{\"dtype\": \"F32\", \"shape\": {shape}, \"data_offsets\": {offsets}}}}}")
    };
    check("", "damaged in its header");
    check("[]", "damaged in its header");
    check("{\"t\": 1}", "damaged in its header");
    check(&"[".repeat(100_000), "damaged in its header");
    check(&tensor("[1]", "[4, 8]"), "damaged in its header");
    check(&tensor("[1]", "[4, 0]"), "damaged in its header");
    check(&tensor("[2]", "[0, 4]"), "damaged in its header");
    check(&tensor("[4294967296, 4294967296]", "[0, 4]"), "damaged in its header");
    check(&tensor("[2305843009213693951]", "[0, 9223372036854775804]"), "overflow");
    check(&tensor("[288230376151711743]", "[0, 1152921504606846972]"), "no memory for its 1152921504606846972 bytes");
}

#[test]
fn absurd_lengths_are_refused_at_once() {
    let mut reader = Reader::new();
    let error = reader.feed(&u64::MAX.to_le_bytes(), &mut Collected::default()).unwrap_err();
    assert!(error.to_string().contains("its length is 18446744073709551615"), "{error}");
    let longer = [file(), vec![0]].concat();
    assert!(read(&longer, 16).unwrap_err().to_string().contains("goes on after the last tensor"));
}
