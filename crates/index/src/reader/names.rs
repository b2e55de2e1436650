//! Pages by name: titles and aliases, whole or standing in a text.

use super::{Index, NameMatch, PageNo, PageNumbers};
use crate::analysis::{Analysis, Token};
use crate::error::Error;
use crate::format::Part;
use crate::order::sort_by;

impl Index {
    /// The pages whose title or alias is `text`, stop words aside, by rising number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the name lists are damaged.
    pub fn named(&self, text: &str) -> Result<Vec<PageNo>, Error> {
        let mut found = Vec::new();
        for (analysis, _) in &self.analyses {
            if let Some(offset) = name_key(*analysis, text).and_then(|key| self.names.get(&key)) {
                found.extend(self.read_list(offset)?);
            }
        }
        sort_by(&mut found, PageNo::cmp);
        found.dedup();
        Ok(found)
    }

    /// The titles and aliases that stand in `text`: at each place the longest, none inside another.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the name lists are damaged.
    pub fn names_in(&self, text: &str) -> Result<Vec<NameMatch>, Error> {
        let mut found: Vec<NameMatch> = Vec::new();
        for (analysis, _) in &self.analyses {
            let tokens = analysis.tokens(text);
            let mut at = 0;
            while at < tokens.len() {
                let longest = self.longest_name(*analysis, &tokens[at..])?;
                at += longest.as_ref().map_or(1, |name| name.tokens);
                found.extend(longest);
            }
        }
        sort_by(&mut found, |a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
        found.dedup_by(|later, earlier| {
            let inside = later.start < earlier.end;
            if inside && (later.start, later.end) == (earlier.start, earlier.end) {
                earlier.pages.append(&mut later.pages);
            }
            inside
        });
        Ok(found)
    }

    fn longest_name(&self, analysis: Analysis, tokens: &[Token]) -> Result<Option<NameMatch>, Error> {
        let mut walk = self.names.walk().follow(&[analysis.tag()]);
        let mut longest = None;
        for (at, token) in tokens.iter().enumerate() {
            let separator: &[u8] = if at == 0 { b"" } else { b" " };
            walk = walk.and_then(|walk| walk.follow(separator)).and_then(|walk| walk.follow(token.term.as_bytes()));
            match walk {
                Some(here) => longest = here.value().map(|offset| (at + 1, offset)).or(longest),
                None => break,
            }
        }
        longest
            .map(|(count, offset)| {
                let (start, end) = (tokens[0].start, tokens[count - 1].end);
                Ok(NameMatch { start, end, tokens: count, pages: self.read_list(offset)? })
            })
            .transpose()
    }

    fn read_list(&self, offset: u64) -> Result<Vec<PageNo>, Error> {
        let mut cursor = self.cursor(Part::Lists, offset)?;
        let mut numbers = PageNumbers { next: 0, pages: self.len() };
        let count = cursor.count()?;
        (0..count).map(|_| numbers.after(cursor.number()?, Part::Lists)).collect()
    }
}

/// The key of a title or alias in the name dictionary: its tokens without stop words, or with them where it has no
/// others. None for a name without a letter or digit.
pub(crate) fn name_key(analysis: Analysis, name: &str) -> Option<Vec<u8>> {
    let all = analysis.all_tokens(name);
    let only_stops = all.iter().all(|token| token.stop);
    let terms: Vec<&str> =
        all.iter().filter(|token| only_stops || !token.stop).map(|token| token.term.as_str()).collect();
    (!terms.is_empty()).then(|| [&[analysis.tag()], terms.join(" ").as_bytes()].concat())
}
