//! Headers and data, read whole and in pieces; hostile ones; a file cut anywhere.

use proptest::prelude::*;

use crate::testing::{TinyModel, Writer};
use crate::{Architecture, Array, Error, Header, HeaderProgress, Kind, Reader, TensorSink, Value, read_all};

fn tiny() -> Vec<u8> {
    TinyModel::default().write().unwrap()
}

fn parse(file: &[u8]) -> Result<Header, Error> {
    match Header::parse(file)? {
        HeaderProgress::Done(header, _) => Ok(header),
        HeaderProgress::NeedMore { at_least } => panic!("{at_least} bytes are wanted of {}", file.len()),
    }
}

/// Gathers what a reader hands out.
#[derive(Default)]
struct GatheringSink {
    begun: usize,
    tensors: Vec<Vec<u8>>,
}

impl TensorSink for GatheringSink {
    type Error = Error;

    fn begin(&mut self, header: &Header) -> Result<(), Error> {
        self.begun += 1;
        self.tensors = vec![Vec::new(); header.tensors.len()];
        Ok(())
    }

    fn bytes(&mut self, tensor: usize, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        assert_eq!(self.tensors[tensor].len() as u64, offset, "bytes come in order");
        assert!(!bytes.is_empty());
        self.tensors[tensor].extend(bytes);
        Ok(())
    }
}

fn read_in_pieces(file: &[u8], pieces: impl Iterator<Item = usize>) -> Result<(Header, Vec<Vec<u8>>), Error> {
    let (mut reader, mut sink, mut rest) = (Reader::new(), GatheringSink::default(), file);
    for piece in pieces {
        let (now, later) = rest.split_at(piece.min(rest.len()));
        reader.feed(now, &mut sink)?;
        rest = later;
        if rest.is_empty() {
            break;
        }
    }
    reader.feed(rest, &mut sink)?;
    let header = reader.finish(&mut sink)?;
    assert_eq!(sink.begun, 1);
    Ok((header, sink.tensors))
}

#[test]
fn values_of_all_types_come_back() {
    let nested = vec![Array::Unsigned(vec![1, 2]), Array::Bool(vec![])];
    let mut writer = Writer::new();
    writer
        .number("u", u64::MAX)
        .value("i", Value::Signed(-5))
        .value("f", Value::Float(1.5))
        .value("d", Value::Float(0.1))
        .value("b", Value::Bool(true))
        .text("t", "größer")
        .texts("list", ["", "a", "ß"])
        .value("floats", Value::Array(Array::Float(vec![0.5, -1.0])))
        .value("nested", Value::Array(Array::Nested(nested.clone())));
    let header = parse(&writer.finish()).unwrap();
    let metadata = &header.metadata;
    assert_eq!(metadata.unsigned("u"), Some(u64::MAX));
    assert_eq!(metadata.get("i"), Some(&Value::Signed(-5)));
    assert_eq!(metadata.unsigned("i"), None);
    assert_eq!((metadata.float("f"), metadata.float("d"), metadata.float("i")), (Some(1.5), Some(0.1), Some(-5.0)));
    assert_eq!((metadata.bool("b"), metadata.text("t")), (Some(true), Some("größer")));
    assert_eq!(metadata.texts("list").unwrap().iter().collect::<Vec<_>>(), ["", "a", "ß"]);
    assert_eq!(metadata.array("nested"), Some(&Array::Nested(nested)));
    assert!(metadata.need_text("u").unwrap_err().to_string().contains("`u`"));
    assert_eq!((header.tensors.len(), header.data_start % 32), (0, 0));
}

#[test]
fn the_narrow_number_types_are_read() {
    let entries: [(u32, &[u8], Value); 7] = [
        (0, &[200], Value::Unsigned(200)),
        (1, &[200], Value::Signed(-56)),
        (2, &[1, 2], Value::Unsigned(513)),
        (3, &[0xff, 0xff], Value::Signed(-1)),
        (4, &[1, 0, 0, 0x80], Value::Unsigned(0x8000_0001)),
        (5, &[0xfe, 0xff, 0xff, 0xff], Value::Signed(-2)),
        (6, &[0, 0, 0x20, 0x41], Value::Float(10.0)),
    ];
    for (code, bytes, expected) in entries {
        let file = raw_header(0, &[(b"k", code, bytes)], &[]);
        assert_eq!(parse(&file).unwrap().metadata.get("k"), Some(&expected));
    }
}

#[test]
fn tensors_are_described_as_written() {
    let mut writer = Writer::new();
    writer.tensor("a", &[32, 3], Kind::Q4_0, &[0.5; 96]).unwrap();
    writer.tensor("b", &[5], Kind::F32, &[1.0; 5]).unwrap();
    let file = writer.finish();
    let header = parse(&file).unwrap();
    let (index, a) = header.tensor("a").unwrap();
    assert_eq!((index, a.shape(), a.kind, a.offset, a.bytes), (0, &[32, 3][..], Kind::Q4_0, 0, 54));
    assert_eq!((a.columns(), a.rows(), a.elements()), (32, 3, 96));
    let (_, b) = header.tensor("b").unwrap();
    assert_eq!((b.shape(), b.offset, b.bytes, b.rows()), (&[5][..], 64, 20, 1));
    assert_eq!(header.tensor("c"), None);
    assert_eq!((header.file_bytes(), header.tensor_bytes()), (file.len() as u64, 74));
}

#[test]
fn a_file_in_pieces_is_the_same_as_whole() {
    let file = tiny();
    let mut whole = Vec::new();
    let header = read_all::<Error>(&file, &mut |_, bytes| {
        whole.push(bytes.to_vec());
        Ok(())
    });
    for size in [1, 7, 64, 4096, file.len()] {
        let (again, tensors) = read_in_pieces(&file, std::iter::repeat(size)).unwrap();
        assert_eq!((Ok(&again), &tensors), (header.as_ref(), &whole), "pieces of {size}");
    }
}

#[test]
fn a_file_smaller_than_what_the_reader_waits_for_is_read_at_its_end() {
    let mut writer = Writer::new();
    writer.text("long", &"x".repeat(4000)).tensor("a", &[1], Kind::F32, &[1.0]).unwrap();
    let (_, tensors) = read_in_pieces(&writer.finish(), std::iter::repeat(100)).unwrap();
    assert_eq!(tensors, [[0, 0, 0x80, 0x3f]]);
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let file = tiny();
    for cut in (0..file.len()).step_by(file.len() / 400 + 1) {
        let error = read_in_pieces(&file[..cut], std::iter::repeat(1000)).unwrap_err();
        assert!(matches!(error, Error::Truncated { needed, got, .. } if got == cut as u64 && needed > got), "{error}");
        assert!(error.is_damaged());
    }
}

#[test]
fn the_next_need_is_always_more_than_given() {
    let file = tiny();
    let mut given = 0;
    let mut rounds = 0;
    while let HeaderProgress::NeedMore { at_least } = Header::parse(&file[..given]).unwrap() {
        assert!(at_least > given && at_least <= file.len());
        given = at_least;
        rounds += 1;
    }
    assert!(rounds < 400, "{rounds}");
}

/// A sink that takes no weights.
struct Refuses;

#[derive(Debug, PartialEq)]
enum SinkRefusal {
    NoRoom(usize),
    Fault(Error),
}

impl From<Error> for SinkRefusal {
    fn from(error: Error) -> SinkRefusal {
        SinkRefusal::Fault(error)
    }
}

impl TensorSink for Refuses {
    type Error = SinkRefusal;

    fn begin(&mut self, _: &Header) -> Result<(), SinkRefusal> {
        Ok(())
    }

    fn bytes(&mut self, tensor: usize, _: u64, _: &[u8]) -> Result<(), SinkRefusal> {
        Err(SinkRefusal::NoRoom(tensor))
    }
}

#[test]
fn the_sink_may_refuse() {
    assert_eq!(Reader::new().feed(&tiny(), &mut Refuses), Err(SinkRefusal::NoRoom(0)));
    assert!(matches!(
        Reader::new().feed(b"GGML and more, 24 bytes and more", &mut Refuses),
        Err(SinkRefusal::Fault(_))
    ));
}

#[test]
fn other_files_are_refused_by_what_they_are() {
    let version = |bytes: [u8; 4]| [b"GGUF".as_slice(), &bytes, &[0; 16]].concat();
    let table: [(Vec<u8>, &str); 5] = [
        (b"<!DOCTYPE html><title>".to_vec(), "begins with \"<!DOCTYPE html>"),
        (b"GGML".to_vec(), "not a GGUF file"),
        (version([1, 0, 0, 0]), "version 1"),
        (version([0, 0, 0, 3]), "big endian"),
        (version([4, 0, 0, 0]), "version 4"),
    ];
    for (file, message) in table {
        let error = parse(&file).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// A header put together by hand: an announced number of tensors, raw values, raw descriptions.
fn raw_header(tensors: u64, values: &[(&[u8], u32, &[u8])], rest: &[u8]) -> Vec<u8> {
    let mut out = b"GGUF\x03\0\0\0".to_vec();
    out.extend(tensors.to_le_bytes());
    out.extend((values.len() as u64).to_le_bytes());
    for (key, code, bytes) in values {
        out.extend((key.len() as u64).to_le_bytes());
        out.extend(*key);
        out.extend(code.to_le_bytes());
        out.extend(*bytes);
    }
    out.extend(rest);
    out.resize(out.len() + 64, 0);
    out
}

fn description(name: &str, shape: &[u64], code: u32, offset: u64) -> Vec<u8> {
    let mut out = (name.len() as u64).to_le_bytes().to_vec();
    out.extend(name.as_bytes());
    out.extend((shape.len() as u32).to_le_bytes());
    shape.iter().for_each(|dimension| out.extend(dimension.to_le_bytes()));
    out.extend(code.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out
}

/// The bytes of a text value.
fn text(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u64).to_le_bytes()[..], bytes].concat()
}

/// The bytes of a list of texts.
fn texts(list: &[&[u8]]) -> Vec<u8> {
    let mut bytes = 8_u32.to_le_bytes().to_vec();
    bytes.extend((list.len() as u64).to_le_bytes());
    list.iter().for_each(|item| bytes.extend(text(item)));
    bytes
}

#[test]
fn what_a_file_tells_of_itself_need_not_be_utf8() {
    let check = |bytes: &[u8], expected: &str| {
        let file = raw_header(0, &[(b"general.name", 8, &text(bytes))], &[]);
        assert_eq!(parse(&file).unwrap().metadata.text("general.name"), Some(expected), "{bytes:?}");
    };
    check(b"Qwen", "Qwen");
    // Latin-1, Shift-JIS, GBK, UTF-16, a character that is cut, an encoded surrogate.
    check(b"Fran\xe7ais", "Fran\u{fffd}ais");
    check(b"\x83\x65\x83\x58\x83\x67", "\u{fffd}e\u{fffd}X\u{fffd}g");
    check(b"\xc4\xe3 7B", "\u{fffd}\u{fffd} 7B");
    check(b"Q\0w\0\xe4\0", "Q\0w\0\u{fffd}\0");
    check(b"tea \xf0\x9f\xab", "tea \u{fffd}");
    check(b"\xed\xa0\xbd", "\u{fffd}\u{fffd}\u{fffd}");
    let file = raw_header(0, &[(b"general.tags", 9, &texts(&[b"chat", b"fran\xe7ais"]))], &[]);
    let header = parse(&file).unwrap();
    assert_eq!(header.metadata.texts("general.tags").unwrap().iter().collect::<Vec<_>>(), ["chat", "fran\u{fffd}ais"]);
}

#[test]
fn hostile_headers_are_errors() {
    let huge = u64::MAX.to_le_bytes();
    let array = |code: u32, count: u64| [&code.to_le_bytes()[..], &count.to_le_bytes()].concat();
    let nested: Vec<u8> = (0..6).flat_map(|_| array(9, 1)).chain(array(0, 0)).collect();
    let mut many_values = raw_header(0, &[], &[]);
    many_values[16..20].copy_from_slice(&131_073_u32.to_le_bytes());
    let long = [array(0, (1 << 22) + 1), vec![1; (1 << 22) + 1]].concat();
    let table: Vec<(Vec<u8>, &str)> = vec![
        (raw_header(u64::MAX, &[], &[]), "18446744073709551615 tensors, where 131072 are the most"),
        (raw_header((1 << 17) + 1, &[], &[]), "131073 tensors"),
        (many_values, "131073 values"),
        (raw_header(0, &[(b"k", 9, &long), (b"l", 9, &long)], &[]), "lists of more than 8388608 numbers"),
        (raw_header(0, &[(b"split.count", 2, &[3, 0])], &[]), "a model in 3 files with a header each"),
        (raw_header(0, &[(b"k", 8, &huge)], &[]), "bytes long"),
        (raw_header(0, &[(b"k", 9, &array(4, u64::MAX))], &[]), "bytes long"),
        (raw_header(0, &[(b"k", 9, &array(8, 1 << 60))], &[]), "bytes long"),
        (raw_header(0, &[(b"k", 9, &array(99, 1))], &[]), "metadata under `k`: a list of values of type 99"),
        (raw_header(0, &[(b"k", 9, &nested)], &[]), "lists within lists"),
        (raw_header(0, &[(b"k", 13, &[])], &[]), "a value of type 13"),
        (raw_header(0, &[(b"k", 7, &[2])], &[]), "2 as a truth value"),
        (raw_header(0, &[(b"\xff", 7, &[1])], &[]), "the text at byte 24 is no UTF-8"),
        (raw_header(0, &[(b"tokenizer.ggml.tokens", 9, &texts(&[b"a", b"\xff"]))], &[]), "is no UTF-8"),
        (raw_header(0, &[(b"", 7, &[1])], &[]), "a name of 0 bytes"),
        (raw_header(0, &[(b"k", 7, &[1]), (b"k", 7, &[0])], &[]), "`k` stands there twice"),
        (raw_header(0, &[(b"general.alignment", 4, &[33, 0, 0, 0])], &[]), "an alignment of 33"),
        (raw_header(0, &[(b"general.alignment", 4, &[0; 4])], &[]), "an alignment of 0"),
        (raw_header(0, &[(b"general.alignment", 7, &[1])], &[]), "general.alignment"),
    ];
    for (file, message) in table {
        let error = parse(&file).unwrap_err().to_string();
        assert!(error.contains(message), "{error:?} does not say {message:?}");
    }
}

#[test]
fn hostile_tensors_are_errors() {
    let one = |shape: &[u64], code: u32, offset: u64| vec![description("a", shape, code, offset)];
    let two = |second: &str, offset: u64| vec![description("a", &[8], 0, 0), description(second, &[8], 0, offset)];
    let table: Vec<(Vec<Vec<u8>>, &str)> = vec![
        (one(&[], 0, 0), "0 dimensions"),
        (one(&[1, 1, 1, 1, 1], 0, 0), "5 dimensions"),
        (one(&[4, 0], 0, 0), "its shape is [4, 0]"),
        (one(&[1 << 63, 4], 0, 0), "its shape is"),
        (one(&[1 << 32, 1 << 32], 0, 0), "its shape is"),
        (one(&[33], 2, 0), "rows of 33 elements are no whole blocks of 32 (Q4_0)"),
        (one(&[256], 10, 0), "quantisation Q2_K"),
        (one(&[4], 0, 8), "it begins at 8, no multiple of 32"),
        (one(&[4], 0, u64::MAX - 31), "beyond any file"),
        (two("a", 32), "two are named `a`"),
        (two("b", 0), "before the last one ends at 32"),
    ];
    for (tensors, message) in table {
        let file = raw_header(tensors.len() as u64, &[], &tensors.concat());
        let error = parse(&file).unwrap_err().to_string();
        assert!(error.contains(message), "{error:?} does not say {message:?}");
    }
}

#[test]
fn a_length_known_beforehand_is_checked() {
    let header = parse(&tiny()).unwrap();
    assert_eq!(header.check_length(header.file_bytes()), Ok(()));
    let error = header.check_length(header.file_bytes() - 1).unwrap_err();
    assert!(error.to_string().contains("cut short"), "{error}");
}

#[test]
fn tensors_may_lie_in_another_order_than_described() {
    let descriptions = [description("late", &[2], 0, 32), description("early", &[1], 0, 0)].concat();
    let mut file = raw_header(2, &[], &descriptions);
    let start = parse(&file).unwrap().data_start as usize;
    file.resize(start, 0);
    file.extend((0..40u8).collect::<Vec<_>>());
    let (header, tensors) = read_in_pieces(&file, std::iter::repeat(3)).unwrap();
    assert_eq!(header.file_order().collect::<Vec<_>>(), [1, 0]);
    assert_eq!(tensors, [(32..40).collect::<Vec<u8>>(), (0..4).collect()]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn changed_bytes_give_answers_or_errors(changes in prop::collection::vec((0usize..12_000, any::<u8>()), 1..8)) {
        let mut file = TinyModel { architecture: Architecture::Qwen2, ..TinyModel::default() }.write().unwrap();
        for (place, byte) in changes {
            let place = place % file.len();
            file[place] = byte;
        }
        let _ = read_in_pieces(&file, std::iter::repeat(777));
    }

    #[test]
    fn pieces_of_any_size_give_the_same(sizes in prop::collection::vec(1usize..9000, 1..40)) {
        let file = tiny();
        let (header, tensors) = read_in_pieces(&file, sizes.into_iter()).unwrap();
        prop_assert_eq!(&header, &parse(&file).unwrap());
        for (tensor, bytes) in header.tensors.iter().zip(&tensors) {
            prop_assert_eq!(tensor.bytes, bytes.len() as u64);
        }
    }
}
