//! Names: titles and aliases, each of which is stored with the rarest of its terms.

use std::collections::BTreeMap;

use super::postings_writer::{PostingsWriter, TermNo};
use crate::analysis::Analysis;
use crate::format::bytes::put_varint;
use crate::postings::name::{name_hash, name_tokens};

/// The terms of a title or an alias: without stop words, or with them where the name has no other words.
pub(super) fn name_terms(analysis: Analysis, name: &str) -> Vec<String> {
    name_tokens(analysis, name).into_iter().map(|token| token.term).collect()
}

/// The names of all pages so far.
#[derive(Default)]
pub(super) struct Names {
    /// The page, the hash of the name, and where its terms end in `terms`.
    list: Vec<(u32, u32, usize)>,
    terms: Vec<TermNo>,
}

impl Names {
    pub(super) fn add(&mut self, postings: &mut PostingsWriter, tag: u8, terms: &[String], page: u32) {
        if terms.is_empty() {
            return;
        }
        self.terms.extend(terms.iter().map(|term| postings.term(tag, term.as_bytes())));
        self.list.push((page, name_hash(terms.iter().map(String::as_str)), self.terms.len()));
    }

    /// For each term, the names of which it is the rarest, or the first of equally rare ones.
    pub(super) fn by_term(&self, postings: &PostingsWriter) -> BTreeMap<TermNo, Vec<(u32, u32)>> {
        let mut found: BTreeMap<TermNo, Vec<(u32, u32)>> = BTreeMap::new();
        let mut start = 0;
        for &(page, hash, end) in &self.list {
            let terms = &self.terms[start..end];
            start = end;
            if let Some(&rarest) = terms.iter().min_by_key(|&&term| postings.count(term)) {
                let list = found.entry(rarest).or_default();
                if !list.iter().rev().take_while(|(known, _)| *known == page).any(|(_, known)| *known == hash) {
                    list.push((page, hash));
                }
            }
        }
        found
    }
}

/// Writes a term's names.
pub(super) fn put_names(out: &mut Vec<u8>, names: &[(u32, u32)]) {
    put_varint(out, names.len() as u64);
    let mut before = 0;
    for &(page, hash) in names {
        put_varint(out, u64::from(page - before));
        out.extend(&hash.to_le_bytes()[..3]);
        before = page;
    }
}
