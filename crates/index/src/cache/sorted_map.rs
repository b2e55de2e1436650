//! A map in one sorted vector, for the few hundred files that an index holds at a time and the lists of a shard. The
//! maps of the standard library are compiled anew for each type of entry, at 3 KB of wasm each.

use std::borrow::Borrow;

/// A map whose entries are in the order of their keys.
#[derive(Debug)]
pub(crate) struct SortedMap<K, V>(Vec<(K, V)>);

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap(Vec::new())
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    pub(crate) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &self.0[at].1)
    }

    /// The first entry whose key is not below `key`.
    pub(crate) fn first_from(&self, key: &K) -> Option<(&K, &V)> {
        let at = self.find(key).unwrap_or_else(|at| at);
        self.0.get(at).map(|(key, value)| (key, value))
    }

    /// The last entry whose key is below `key`.
    pub(crate) fn last_below(&self, key: &K) -> Option<(&K, &V)> {
        let at = self.find(key).unwrap_or_else(|at| at);
        at.checked_sub(1).map(|at| (&self.0[at].0, &self.0[at].1))
    }

    /// Inserts an entry; it replaces one of the same key.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.find(&key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes all keys; the map is empty afterwards.
    pub(crate) fn take_keys(&mut self) -> Vec<K> {
        std::mem::take(&mut self.0).into_iter().map(|(key, _)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::SortedMap;

    #[test]
    fn entries_are_found_replaced_and_taken_in_order() {
        let mut map: SortedMap<Vec<u8>, u32> = SortedMap::default();
        for (key, value) in [(b"b", 1), (b"a", 2), (b"c", 3), (b"a", 4)] {
            map.insert(key.to_vec(), value);
        }
        assert_eq!(map.get(b"a".as_slice()), Some(&4));
        assert_eq!(map.get(b"d".as_slice()), None);
        assert_eq!(map.first_from(&b"b".to_vec()), Some((&b"b".to_vec(), &1)));
        assert_eq!(map.first_from(&b"bb".to_vec()), Some((&b"c".to_vec(), &3)));
        assert_eq!(map.first_from(&b"d".to_vec()), None);
        let below = |key: &[u8]| map.last_below(&key.to_vec()).map(|(key, value)| (key.as_slice(), *value));
        assert_eq!([b"a", b"b", b"d"].map(|key| below(key)), [None, Some((&b"a"[..], 4)), Some((&b"c"[..], 3))]);
        assert_eq!(map.len(), 3);
        assert_eq!(map.take_keys(), [b"a", b"b", b"c"]);
        assert_eq!(map.len(), 0);
    }
}
