//! The words that questions are built of: those that ask, join, refer back, command and compare, as one table per
//! language.
//!
//! The table of English is here. The tables of other languages are beside their stemmers (`seealso-languages`), so that
//! they cost nothing where no pack is written in them. A table is text: one line for each [`Role`], in the order of the
//! roles. A line begins with the role's name; the role's words follow, separated by spaces. A last line says in which
//! order adjective and noun are, and whether nouns have capitals. Words are in lower case, and are listed without their
//! accents too where that is no other word.

use std::borrow::Cow;
use std::ops::Range;

use super::{Analysis, Language};

/// The role of a word in a question. A word may have several: "which" asks, and begins a relative clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Asks: "what", "how".
    Asking,
    /// Opens a yes-or-no question as a form of "to be".
    Being,
    /// Opens a question as a form of "to do".
    Doing,
    /// Opens a yes-or-no question otherwise: "can", "should".
    Opening,
    /// Commands an answer: "explain", "compare".
    Commanding,
    /// Begins a relative clause too: "who", "where".
    Relative,
    /// Joins two clauses: "and", "but", "also".
    Joining,
    /// Joins two nouns: "and", "or".
    Coordinating,
    /// A pronoun that refers to a thing named before: "it", "them".
    Leaning,
    /// A possessive that refers to a thing named before: "its".
    Possessive,
    /// A demonstrative, which refers to what was said before: "that", "these".
    Pointing,
    /// Refers to every one of several things named before: "each", "both".
    Distributing,
    /// A definite article.
    Definite,
    /// An indefinite article, or the speaker's possessive: "a", "my".
    Determining,
    /// A personal pronoun, as a subject: "I", "you", "they".
    Person,
    /// The speaker. A clause that begins with it says what happened to them.
    Speaking,
    /// Attaches one noun to another: "of".
    Of,
    /// A noun or verb after which "between A and B" compares: "difference".
    Relating,
    /// "between".
    Between,
    /// Commands a comparison: "compare".
    Comparing,
    /// Comes before the second subject of a comparing command: "with", "to".
    Against,
    /// Comes between two subjects that are compared: "versus".
    Versus,
    /// The predicate of a comparison: "differ".
    Differing,
    /// Comes before the second subject of that predicate: "from", "than".
    Than,
    /// Begins a condition, which ends a subject: "when", "if".
    Conditional,
    /// Shows that the sides of a coordination are compared: "same", "both".
    Cue,
    /// A preposition that may come between two subjects: "in", "with".
    Preposition,
    /// A verb that asks for an answer without saying about what: "explain", "list".
    Framing,
    /// Asks for a number after a word that asks: "long" in "how long".
    Measuring,
    /// Asks for a number at any place in a question: "deadline", "percentage".
    Measured,
    /// Asks for a time: "when".
    Timing,
    /// A number in letters: "five".
    Numeral,
    /// Begins a clause that turns what was said before: "however", "instead", "except". Two words stand with a hyphen
    /// between them.
    Contrasting,
    /// Begins a clause that says when, why or on what condition: "because", "after".
    Subordinate,
    /// A preposition of place or capacity: "in", "near", "as".
    Placing,
    /// Denies what is said, bounds it, or says that it ended: "not", "only", "removed".
    Negating,
    /// Asks how something is done, or what is to be done: "how", "what".
    Manner,
    /// Makes another verb of the one before it: "up" in "back up".
    Particle,
}

/// The roles of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u64);

impl Roles {
    /// Whether `role` is one of them.
    pub fn has(self, role: Role) -> bool {
        self.0 & 1 << role as u32 != 0
    }

    /// Whether one of `roles` is among them.
    pub fn has_any(self, roles: &[Role]) -> bool {
        roles.iter().any(|role| self.has(*role))
    }
}

/// The table of question words of one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionWords {
    text: Cow<'static, str>,
    /// Where the words of each role stand in the text, in the order of [`Role`].
    lines: Vec<Range<usize>>,
}

impl QuestionWords {
    /// The table of the language that `analysis` is for; none where it has none, or a browser has not loaded it.
    pub fn of(analysis: Analysis) -> Option<QuestionWords> {
        match analysis {
            Analysis::English => Some(QuestionWords::english()),
            Analysis::Plain => None,
            Analysis::Other(language) => Language::question_words(language).map(QuestionWords::read),
        }
    }

    /// The table of English.
    pub fn english() -> QuestionWords {
        QuestionWords::read(Cow::Borrowed(ENGLISH))
    }

    fn read(text: Cow<'static, str>) -> QuestionWords {
        let mut start = 0;
        let line = |line: &str| {
            // The first word names the role.
            let end = start + line.trim_end_matches('\n').len();
            let words = line.find(' ').map_or(end, |at| start + at);
            start += line.len();
            words..end
        };
        QuestionWords { lines: text.split_inclusive('\n').map(line).collect(), text }
    }

    /// Whether `word`, in lower case, has `role`; cheaper than all its roles.
    pub fn is(&self, role: Role, word: &str) -> bool {
        self.lines.get(role as usize).is_some_and(|line| self.words(line).any(|known| known == word.as_bytes()))
    }

    /// The words of a line. Split as bytes, which short words make cheaper than a search for the next space.
    fn words(&self, line: &Range<usize>) -> impl Iterator<Item = &[u8]> {
        self.text.as_bytes()[line.clone()].split(|byte| *byte == b' ').skip(1)
    }

    /// Whether an adjective, or a name that says which kind, comes after its noun, as in French.
    pub fn is_noun_first(&self) -> bool {
        self.text.ends_with("noun-first")
    }

    /// Whether every noun is written with a capital, as in German.
    pub fn has_capital_nouns(&self) -> bool {
        self.text.ends_with("capital-nouns")
    }

    /// The roles of a word, which is given as written and folded. A word with accents is looked up with them: the
    /// French "où" is not "ou".
    pub fn roles(&self, written: &str, folded: &str) -> Roles {
        let is_accented = |c: char| !c.is_ascii() && c.is_alphabetic();
        let word = if written.contains(is_accented) { written } else { folded };
        // "l'eau" has the role of "l'".
        let elided = word.find('\'').filter(|at| (1..=ELISION).contains(at)).map_or("", |at| &word[..at + 1]);
        let (word, elided) = (word.as_bytes(), elided.as_bytes());
        let mut roles = 0;
        for (role, line) in self.lines.iter().enumerate() {
            let is_one = self.words(line).any(|known| known.eq_ignore_ascii_case(word) || known == elided);
            roles |= u64::from(is_one) << role;
        }
        Roles(roles)
    }
}

/// The most letters that an elided word has before its apostrophe.
const ELISION: usize = 2;

const ENGLISH: &str = "\
asking what what's which who who's whom whose where where's when when's why how how's
being is are was were be am isn't wasn't
doing do does did
opening can could should will would has have must may
commanding compare explain tell describe
relative which who whom whose where when that
joining and or but also then plus so
coordinating and or nor plus
leaning it it's they they're them he she him her theirs
possessive its their his her
pointing that this those these that's
distributing each both either
definite the
determining a an my our your
person i we you he she it they this these there one
speaking i i'm i've my we we've our
of of
relating difference differences similarity similarities relationship relation comparison contrast choice distinction distinguish choose
between between
comparing compare comparing contrast contrasting distinguish
against with to versus vs against
versus vs versus v
differing differ differs different compare compares compared
than from to with than
conditional when if while because where regarding concerning given
cue compare compared same differ difference different both versus similar common
preposition in into inside within on onto with without using for from via through to by as
framing explain tell describe define summarize summarise give show list compare contrast discuss
measuring long many much often big far old soon fast tall high deep heavy wide large quickly early late
measured share percentage price cost costs limit deadline year date number age rate size amount fee
timing when
numeral two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand once twice half
contrasting but however instead except unless although though nevertheless yet otherwise
subordinate if when while because after before though although since unless until once whenever
placing in at near from on as around
negating not no never none nothing cannot can't won't don't doesn't didn't isn't aren't wasn't weren't without removed deprecated replaced superseded withdrawn obsolete discontinued dropped only except unless
manner how how's what
particle up out off down over in back away
order adjective-first";

#[cfg(test)]
mod tests {
    use super::*;

    /// The roles in the order of the tables' lines.
    const ROLES: [Role; 38] = [
        Role::Asking,
        Role::Being,
        Role::Doing,
        Role::Opening,
        Role::Commanding,
        Role::Relative,
        Role::Joining,
        Role::Coordinating,
        Role::Leaning,
        Role::Possessive,
        Role::Pointing,
        Role::Distributing,
        Role::Definite,
        Role::Determining,
        Role::Person,
        Role::Speaking,
        Role::Of,
        Role::Relating,
        Role::Between,
        Role::Comparing,
        Role::Against,
        Role::Versus,
        Role::Differing,
        Role::Than,
        Role::Conditional,
        Role::Cue,
        Role::Preposition,
        Role::Framing,
        Role::Measuring,
        Role::Measured,
        Role::Timing,
        Role::Numeral,
        Role::Contrasting,
        Role::Subordinate,
        Role::Placing,
        Role::Negating,
        Role::Manner,
        Role::Particle,
    ];

    fn table(language: &str) -> QuestionWords {
        QuestionWords::of(Analysis::of_language(language)).unwrap()
    }

    #[test]
    fn every_table_has_a_line_for_each_role() {
        for language in ["en", "de", "fr", "es"] {
            let table = table(language);
            let names: Vec<&str> = table.text.lines().filter_map(|line| line.split(' ').next()).collect();
            let mut expected: Vec<String> = ROLES.iter().map(|role| format!("{role:?}").to_lowercase()).collect();
            expected.push("order".to_owned());
            assert_eq!(names, expected, "{language}");
        }
        assert_eq!(QuestionWords::of(Analysis::Plain), None);
    }

    #[test]
    fn words_have_the_roles_of_their_language() {
        let check = |language: &str, written: &str, expected: &[Role]| {
            let roles = table(language).roles(written, &crate::fold(written));
            let found: Vec<Role> = ROLES.into_iter().filter(|role| roles.has(*role)).collect();
            assert_eq!(found, expected, "{language} {written}");
        };
        check("en", "Why", &[Role::Asking]);
        check("en", "What’s", &[Role::Asking]);
        check("en", "wombat", &[]);
        check("de", "WARUM", &[Role::Asking]);
        check("de", "und", &[Role::Joining, Role::Coordinating]);
        check("fr", "où", &[Role::Asking, Role::Relative, Role::Conditional]);
        check("fr", "ou", &[Role::Joining, Role::Coordinating]);
        check("fr", "l'eau", &[Role::Definite]);
        check("fr", "n'aime", &[Role::Negating]);
        check("de", "nicht", &[Role::Negating]);
        check("es", "Qué", &[Role::Asking, Role::Manner]);
        check("es", "que", &[Role::Relative, Role::Than]);
    }
}
