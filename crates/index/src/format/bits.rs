//! Bit streams, low bits first: numbers of given widths, and Rice codes.
//!
//! A reader stays inside its slice: it has no number where the bits end.

/// Appends numbers bit by bit.
#[derive(Default)]
pub(crate) struct BitWriter {
    out: Vec<u8>,
    waiting: u64,
    used: u32,
}

/// A Rice quotient of so many ones is an escape: the number follows in full.
const RICE_ESCAPE: u32 = 20;

impl BitWriter {
    /// Appends the low `bits` (at most 32) of `value`.
    pub(crate) fn put(&mut self, value: u32, bits: u32) {
        self.waiting |= u64::from(value) << self.used;
        self.used += bits;
        while self.used >= 8 {
            self.out.push(self.waiting as u8);
            self.waiting >>= 8;
            self.used -= 8;
        }
    }

    /// Appends `value` as a Rice code: the quotient by 2^`k` in ones, a zero, the remainder in `k` bits.
    pub(crate) fn put_rice(&mut self, value: u32, k: u32) {
        let quotient = value >> k;
        if quotient >= RICE_ESCAPE {
            self.put((1 << RICE_ESCAPE) - 1, RICE_ESCAPE);
            self.put(value, 32);
            return;
        }
        self.put((1 << quotient) - 1, quotient + 1);
        self.put(value & ((1 << k) - 1), k);
    }

    /// The bytes; the last is filled up with zeros.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.used > 0 {
            self.out.push(self.waiting as u8);
        }
        self.out
    }
}

/// How many bits the Rice code of `value` takes.
pub(crate) fn rice_bits(value: u32, k: u32) -> u32 {
    let quotient = value >> k;
    if quotient >= RICE_ESCAPE { RICE_ESCAPE + 32 } else { quotient + 1 + k }
}

/// Reads numbers bit by bit, as [`BitWriter`] wrote them.
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, at: 0 }
    }

    /// The next `bits` (at most 32); none where the stream ends before.
    pub(crate) fn get(&mut self, bits: u32) -> Option<u32> {
        if self.at + bits as usize > self.bytes.len() * 8 {
            return None;
        }
        let value = window(self.bytes, self.at) & mask(bits);
        self.at += bits as usize;
        Some(value as u32)
    }

    /// The next Rice code.
    pub(crate) fn get_rice(&mut self, k: u32) -> Option<u32> {
        let ones = (!window(self.bytes, self.at)).trailing_zeros();
        if ones >= RICE_ESCAPE {
            self.at += RICE_ESCAPE as usize;
            return self.get(32);
        }
        self.at += ones as usize + 1;
        Some((ones << k) | self.get(k)?)
    }

    /// The next `bits` (at most 32) without advancing; zeros beyond the end.
    pub(crate) fn peek(&self, bits: u32) -> u32 {
        (window(self.bytes, self.at) & mask(bits)) as u32
    }

    /// Advances by `bits`; false where the stream ends before.
    pub(crate) fn skip(&mut self, bits: u32) -> bool {
        self.at += bits as usize;
        self.at <= self.bytes.len() * 8
    }
}

/// How many bits `value` needs.
pub(crate) fn width(value: u32) -> u32 {
    32 - value.leading_zeros()
}

fn mask(bits: u32) -> u64 {
    (1u64 << bits) - 1
}

/// At least 57 bits from bit `at` on; zeros beyond the end.
#[inline(always)]
fn window(bytes: &[u8], at: usize) -> u64 {
    let from = at / 8;
    let word = match bytes.get(from..from + 8) {
        Some(eight) => {
            u64::from_le_bytes([eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7]])
        }
        None => bytes.get(from..).unwrap_or_default().iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    word >> (at % 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rice_codes_come_back(values in prop::collection::vec(any::<u32>(), 0..50), k in 0u32..24) {
            let mut writer = BitWriter::default();
            let mut bits = 0;
            for &value in &values {
                let value = value >> (value % 32);
                writer.put_rice(value, k);
                bits += rice_bits(value, k) as usize;
            }
            let bytes = writer.finish();
            prop_assert_eq!(bytes.len(), bits.div_ceil(8));
            let mut reader = BitReader::new(&bytes);
            for &value in &values {
                prop_assert_eq!(reader.get_rice(k), Some(value >> (value % 32)));
            }
            prop_assert!(reader.get(8).is_none(), "nothing is left but the filling");
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..40), k in 0u32..=31) {
            let mut reader = BitReader::new(&bytes);
            while reader.get_rice(k).is_some() {}
        }
    }

    #[test]
    fn a_code_is_what_the_format_says() {
        let mut writer = BitWriter::default();
        writer.put_rice(9, 2); // quotient 2, remainder 1: 1 1 0 1 0, low bits first
        writer.put(5, 3);
        assert_eq!(writer.finish(), [0b1010_1011]);
        assert_eq!((width(0), width(1), width(255), width(256)), (0, 1, 8, 9));
    }
}
