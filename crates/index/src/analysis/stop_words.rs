//! English words that say how a question is asked rather than what it is about. Stop words find no page. Weak words
//! count for less, because they do not tell where a question belongs: in titles and summaries alone a word like
//! "always" is so rare that it would bring the one page that has it to the front.

use std::sync::OnceLock;

/// The stop words, sorted and folded, with apostrophes as `'`. They are function words of four kinds: articles and
/// determiners, prepositions and conjunctions, pronouns, auxiliary and question words with their contractions.
const ENGLISH: &str = "\
    a about after again against all also am an and any are aren't as at be because been before being between \
    both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each else \
    even every few for from had has hasn't have haven't having he he's her here hers him his how how's i i'd \
    i'll i'm i've if in into is isn't it it's its just let let's may me might mine more most must my no nor not \
    of off on once only or other our ours out over own per please same shall she she's should shouldn't so some \
    such than that that's the their theirs them then there there's these they they're this those through to too \
    under until up us very via was wasn't we we're we've were weren't what what's when where where's which while \
    who who's whom whose why will with within without won't would wouldn't yet you you're your yours";

/// The weak words, sorted and folded: common verbs, adverbs, adjectives and nouns without a subject of their own.
const ENGLISH_WEAK: &str = "\
    able actually almost along already always another anybody anyone anything apart april around ask asked \
    august away back bad become becomes best better big bit bring brings came certain come comes coming \
    completely correctly december describe different done easily easy either enough entirely ever everybody \
    everyone everything exactly example explain far february find finds first found friday gave general \
    generally get gets getting give given gives giving go goes going gone good got great happen happened \
    happening happens hard help helps idea important instead january july june keep keeps kept kind kinds knew \
    know known knows large last later least leave leaves left less like likely little long look looking looks \
    lot lots made make makes making many mattered matters mean meaning means mind moment monday much need needed \
    needs never new next nice nobody none nothing november now october often old one ones part particular people \
    perhaps person place possible possibly probably properly put quite rather real really recommended right said \
    saturday say says see seem seems seen september several short simple simply since small somebody someone \
    something sometimes somewhere soon sort still stuff sunday sure take taken takes taking talk tell thing \
    things think thinks though thought three thursday today told tomorrow took tried tries try trying tuesday \
    two understand usual usually want wanted wants way ways wednesday well went whatever whenever whether whole \
    work working works worth wrong yes yesterday";

/// Whether `word`, folded, is a stop word.
pub(crate) fn is_english_stop_word(word: &str) -> bool {
    static WORDS: OnceLock<WordList> = OnceLock::new();
    WORDS.get_or_init(|| WordList::of(ENGLISH)).has(word)
}

/// Whether `word`, folded, is a weak word.
pub(crate) fn is_english_weak_word(word: &str) -> bool {
    static WORDS: OnceLock<WordList> = OnceLock::new();
    WORDS.get_or_init(|| WordList::of(ENGLISH_WEAK)).has(word)
}

/// Sorted words, found by their first letter, then by halves: each word of each text that is read is looked up here. One
/// text takes 3 KB less of the wasm than a list with a place and a length for each word; it is split at first use.
struct WordList {
    words: Vec<&'static str>,
    /// Where the words of each letter begin, and where those of the last end.
    starts: [u16; LETTERS + 1],
}

const LETTERS: usize = 26;

impl WordList {
    fn of(list: &'static str) -> WordList {
        let words: Vec<&str> = list.split(' ').collect();
        let start = |letter: usize| words.partition_point(|word| usize::from(word.as_bytes()[0]) < letter);
        let starts = std::array::from_fn(|at| start(usize::from(b'a') + at) as u16);
        WordList { words, starts }
    }

    fn has(&self, word: &str) -> bool {
        let first = word.bytes().next().unwrap_or_default().wrapping_sub(b'a');
        let letter = usize::from(first);
        letter < LETTERS && {
            let of_letter = usize::from(self.starts[letter])..usize::from(self.starts[letter + 1]);
            self.words[of_letter].binary_search(&word).is_ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_so_that_they_can_be_searched() {
        assert!(ENGLISH.split(' ').is_sorted() && ENGLISH_WEAK.split(' ').is_sorted());
        assert!(is_english_weak_word("always") && !ENGLISH_WEAK.split(' ').any(is_english_stop_word));
        assert!(is_english_stop_word("what's"));
        assert!(!is_english_stop_word("rock"));
    }
}
