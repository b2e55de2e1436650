//! The bytes of every token, in an order that lets a mask skip whole families of tokens at once.

/// A set of token ids, one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSet {
    words: Vec<u64>,
}

impl TokenSet {
    /// No token of a vocabulary of `size`.
    #[must_use]
    pub fn empty(size: usize) -> Self {
        Self { words: vec![0; size.div_ceil(64)] }
    }

    /// Puts a token in; ids beyond the vocabulary's size are ignored.
    pub fn insert(&mut self, token: u32) {
        if let Some(word) = self.words.get_mut(token as usize / 64) {
            *word |= 1 << (token % 64);
        }
    }

    /// Takes a token out.
    pub fn remove(&mut self, token: u32) {
        if let Some(word) = self.words.get_mut(token as usize / 64) {
            *word &= !(1 << (token % 64));
        }
    }

    /// Whether the token is in the set.
    #[must_use]
    pub fn contains(&self, token: u32) -> bool {
        self.words.get(token as usize / 64).is_some_and(|word| word >> (token % 64) & 1 == 1)
    }

    /// How many tokens are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no token is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

/// What a vocabulary's tokens stand for, as bytes. A token may be a part of a character.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// All tokens' bytes, one after the other, in id order.
    bytes: Vec<u8>,
    /// Where token `i`'s bytes begin; one more entry than there are tokens.
    starts: Vec<u32>,
    /// Ids of the tokens that have bytes, sorted by their bytes: tokens with a common beginning stand together.
    sorted: Vec<u32>,
    /// Tokens that end an answer.
    ends: Vec<u32>,
}

impl Vocabulary {
    /// From the bytes of each token in id order (empty for control tokens, which stand for no text), and the tokens
    /// that end an answer.
    pub fn new<B: AsRef<[u8]>>(pieces: impl IntoIterator<Item = B>, ends: &[u32]) -> Self {
        let mut bytes = Vec::new();
        let mut starts = vec![0];
        for piece in pieces {
            bytes.extend_from_slice(piece.as_ref());
            starts.push(bytes.len() as u32);
        }
        let mut vocabulary = Self { bytes, starts, sorted: Vec::new(), ends: ends.to_vec() };
        let mut sorted: Vec<u32> =
            (0..vocabulary.len() as u32).filter(|&t| !vocabulary.bytes_of(t).is_empty()).collect();
        sorted.sort_unstable_by(|&a, &b| vocabulary.bytes_of(a).cmp(vocabulary.bytes_of(b)));
        vocabulary.sorted = sorted;
        vocabulary
    }

    /// The number of tokens, control tokens included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a token: none for control tokens and for ids that don't exist.
    #[must_use]
    pub fn bytes_of(&self, token: u32) -> &[u8] {
        match self.starts.get(token as usize..token as usize + 2) {
            Some(&[start, end]) => &self.bytes[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The tokens that end an answer.
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The tokens with bytes of which `accepted` accepts all.
    ///
    /// `accepted` says how many bytes it can take from the start of a piece. Where it refuses one, no token with the
    /// same beginning is asked about: a strict mask looks at a few hundred tokens, not at a hundred thousand.
    pub fn filter(&self, accepted: impl Fn(&[u8]) -> usize) -> TokenSet {
        let mut set = TokenSet::empty(self.len());
        let mut at = 0;
        while let Some(&token) = self.sorted.get(at) {
            let piece = self.bytes_of(token);
            let taken = accepted(piece);
            if taken >= piece.len() {
                set.insert(token);
                at += 1;
            } else {
                let refused = &piece[..=taken];
                at += 1 + self.sorted[at + 1..].partition_point(|&t| self.bytes_of(t).starts_with(refused));
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_by_a_prefix_of_bytes() {
        let vocabulary = Vocabulary::new(["a", "ab", "b", "", "abc", "ba"], &[3]);
        let only_a = |piece: &[u8]| piece.iter().take_while(|&&b| b == b'a').count();
        let a_then_b = |piece: &[u8]| piece.iter().zip(b"ab").take_while(|(a, b)| a == b).count();
        let members = |set: TokenSet| (0..6).filter(|&t| set.contains(t)).collect::<Vec<_>>();
        assert_eq!(members(vocabulary.filter(only_a)), [0]);
        assert_eq!(members(vocabulary.filter(a_then_b)), [0, 1]);
        assert_eq!(members(vocabulary.filter(|piece| piece.len())), [0, 1, 2, 4, 5]);
        assert!(vocabulary.filter(|_| 0).is_empty());
    }

    #[test]
    fn skips_families_of_refused_tokens() {
        let pieces: Vec<String> = (0..1000).map(|n| format!("x{n}")).chain(["y".into()]).collect();
        let vocabulary = Vocabulary::new(&pieces, &[]);
        let calls = std::cell::Cell::new(0);
        let set = vocabulary.filter(|piece| {
            calls.set(calls.get() + 1);
            usize::from(piece[0] == b'y')
        });
        assert_eq!((set.len(), calls.get()), (1, 2));
    }

    #[test]
    fn knows_nothing_of_ids_beyond_its_own() {
        let vocabulary = Vocabulary::new(["a"], &[]);
        assert_eq!(vocabulary.bytes_of(7), b"");
        let mut set = TokenSet::empty(1);
        set.insert(500);
        assert!(!set.contains(500));
    }
}
