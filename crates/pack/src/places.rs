//! Numbers by text: a map that is a tenth of the code of the standard library's, of which each type is compiled anew.
//!
//! A binary tree whose branches are the bits of the text's hash, so that it needs no balancing. Whoever makes many texts of one
//! hash gets a list, which is as slow as a list and no worse.

/// The map.
#[derive(Default)]
pub(crate) struct Places(Vec<Place>);

struct Place {
    text: String,
    number: usize,
    /// Where the two branches go on; 0, where the root is, ends one.
    next: [usize; 2],
}

impl Places {
    /// The number of a text.
    pub(crate) fn get(&self, text: &str) -> Option<usize> {
        self.find(text).ok().map(|at| self.0[at].number)
    }

    /// Gives a text a number, in place of the one that it had.
    pub(crate) fn insert(&mut self, text: String, number: usize) {
        match self.find(&text) {
            Ok(at) => self.0[at].number = number,
            Err((above, side)) => {
                let at = self.0.len();
                self.0.push(Place { text, number, next: [0; 2] });
                if at > 0 {
                    self.0[above].next[side] = at;
                }
            }
        }
    }

    /// Where a text stands, or below which place and on which side it would.
    fn find(&self, text: &str) -> Result<usize, (usize, usize)> {
        let (mut at, mut hash, mut below) = (0, hash(text), (0, 0));
        while let Some(place) = self.0.get(at) {
            if place.text == text {
                return Ok(at);
            }
            below = (at, (hash & 1) as usize);
            hash >>= 1;
            at = place.next[below.1];
            if at == 0 {
                break;
            }
        }
        Err(below)
    }
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo), whose high bits are the better ones.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn texts_have_the_number_that_they_were_given_last() {
        let mut places = Places::default();
        assert_eq!(places.get(""), None);
        for number in 0..5000 {
            places.insert(format!("heading-{number}"), number);
        }
        places.insert("heading-7".to_owned(), 70);
        places.insert(String::new(), 1);
        for (text, number) in
            [("heading-0", Some(0)), ("heading-4999", Some(4999)), ("heading-7", Some(70)), ("", Some(1))]
        {
            assert_eq!(places.get(text), number, "{text}");
        }
        assert_eq!((places.get("heading-5000"), places.0.len()), (None, 5001));
    }
}
