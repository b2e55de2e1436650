//! Canonical Huffman codes of at most 12 bits, written low bits first.
//!
//! Only the lengths are stored; codes follow from them in order of length, then of symbol (as in RFC 1951, 3.2.2).

use crate::format::bits::{BitReader, BitWriter};

/// The longest code, in bits.
const LONGEST: usize = 12;

/// The code lengths of symbols with these counts; 0 for a symbol that does not occur.
pub(crate) fn lengths(counts: &[u64]) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = unlimited_lengths(&counts);
        if lengths.iter().all(|&length| usize::from(length) <= LONGEST) {
            return lengths;
        }
        // Flatter counts give shorter codes.
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 4 + 1);
    }
}

fn unlimited_lengths(counts: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0u8; counts.len()];
    // Trees as (count, first symbol, symbols); ties by symbol, so that equal counts give equal codes everywhere.
    let mut trees: Vec<(u64, usize, Vec<usize>)> = (0..counts.len())
        .filter(|&symbol| counts[symbol] > 0)
        .map(|symbol| (counts[symbol], symbol, vec![symbol]))
        .collect();
    if let [(_, symbol, _)] = trees.as_slice() {
        lengths[*symbol] = 1;
    }
    while trees.len() > 1 {
        trees.sort_unstable_by(|a, b| b.cmp(a));
        let pair = trees.split_off(trees.len() - 2);
        let symbols: Vec<usize> = pair.iter().flat_map(|(_, _, symbols)| symbols.iter().copied()).collect();
        symbols.iter().for_each(|&symbol| lengths[symbol] += 1);
        trees.push((pair[0].0 + pair[1].0, pair[0].1.min(pair[1].1), symbols));
    }
    lengths
}

/// The codes of all symbols, for writing.
pub(crate) struct Encoder(Vec<(u32, u32)>);

impl Encoder {
    pub(crate) fn new(lengths: &[u8]) -> Self {
        let codes = codes(lengths);
        Encoder(lengths.iter().zip(codes).map(|(&length, code)| (code, u32::from(length))).collect())
    }

    pub(crate) fn put(&self, writer: &mut BitWriter, symbol: usize) {
        let (code, length) = self.0[symbol];
        writer.put(code, length);
    }
}

/// A table for reading: the symbol, and its code's length, of each possible next 12 bits.
#[derive(Debug, Clone)]
pub(crate) struct Decoder(Vec<(u16, u8)>);

impl Decoder {
    /// The decoder of a code with these lengths; none where no code has them.
    pub(crate) fn new(lengths: &[u8]) -> Option<Self> {
        let space: u64 = lengths.iter().filter(|&&length| length > 0).map(|&l| (1u64 << LONGEST) >> l.min(63)).sum();
        if lengths.iter().any(|&length| usize::from(length) > LONGEST) || space > 1 << LONGEST {
            return None;
        }
        let mut table = vec![(0u16, 0u8); 1 << LONGEST];
        for (symbol, (&length, code)) in lengths.iter().zip(codes(lengths)).enumerate() {
            if length > 0 {
                table
                    .iter_mut()
                    .skip(code as usize)
                    .step_by(1 << length)
                    .for_each(|slot| *slot = (symbol as u16, length));
            }
        }
        Some(Decoder(table))
    }

    /// The next symbol; none where the bits are no code, or end.
    pub(crate) fn get(&self, reader: &mut BitReader<'_>) -> Option<u32> {
        let (symbol, length) = self.0[reader.peek(LONGEST as u32) as usize];
        (length > 0 && reader.skip(u32::from(length))).then_some(u32::from(symbol))
    }
}

/// The code of each symbol, its bits reversed for writing low bits first.
fn codes(lengths: &[u8]) -> Vec<u32> {
    let mut codes = vec![0; lengths.len()];
    let mut next = 0u32;
    for length in 1..=LONGEST as u8 {
        next <<= 1;
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, known)| **known == length) {
            codes[symbol] = next.reverse_bits() >> (32 - u32::from(length));
            next = next.wrapping_add(1);
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frequent_symbols_are_short() {
        assert_eq!(lengths(&[50, 25, 12, 12, 0]), [1, 2, 3, 3, 0]);
        assert_eq!(lengths(&[0, 9]), [0, 1]);
        assert_eq!(lengths(&[]), Vec::<u8>::new());
        let steep: Vec<u64> = (0..40).map(|n| 1u64 << n).collect();
        assert!(lengths(&steep).iter().all(|&length| (1..=12).contains(&length)));
    }

    #[test]
    fn lengths_that_are_no_code_are_refused() {
        assert!(Decoder::new(&[1, 1, 1]).is_none());
        assert!(Decoder::new(&[13]).is_none());
        assert!(Decoder::new(&[2, 0]).is_some(), "unused codes are errors when they come");
        let reader = |byte: u8| Decoder::new(&[2, 0]).unwrap().get(&mut BitReader::new(&[byte]));
        assert_eq!((reader(0), reader(3)), (Some(0), None));
    }

    proptest! {
        #[test]
        fn symbols_come_back(counts in prop::collection::vec(0u64..1000, 1..200), picks in prop::collection::vec(any::<usize>(), 0..100)) {
            let lengths = lengths(&counts);
            let used: Vec<usize> = (0..counts.len()).filter(|&symbol| counts[symbol] > 0).collect();
            prop_assume!(!used.is_empty());
            let symbols: Vec<usize> = picks.iter().map(|pick| used[pick % used.len()]).collect();
            let (encoder, decoder) = (Encoder::new(&lengths), Decoder::new(&lengths).unwrap());
            let mut writer = BitWriter::default();
            symbols.iter().for_each(|&symbol| encoder.put(&mut writer, symbol));
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for &symbol in &symbols {
                prop_assert_eq!(decoder.get(&mut reader), Some(symbol as u32));
            }
        }
    }
}
