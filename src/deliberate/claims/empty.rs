//! Sentences that claim nothing: questions, announcements, and honest silence.

/// Words of the languages that models write best, in which a source is said to be silent: a name for the sources, and
/// what they don't do. English has its own rule, which is stricter.
const SILENT: [(&[&str], &[&str]); 6] = [
    (
        &["quelle", "quellen"],
        &[
            "gibt nicht an",
            "geben nicht an",
            "nennt nicht",
            "nennen nicht",
            "nicht angegeben",
            "nicht genannt",
            "enthält keine",
            "enthalten keine",
            "geht nicht hervor",
        ],
    ),
    (
        &["source", "sources"],
        &[
            "ne précise pas",
            "ne précisent pas",
            "ne mentionne pas",
            "ne mentionnent pas",
            "ne spécifie pas",
            "n'indique pas",
        ],
    ),
    (
        &["fuente", "fuentes"],
        &["no especifica", "no especifican", "no menciona", "no mencionan", "no indica", "no indican"],
    ),
    (&["fonte", "fonti"], &["non specifica", "non specificano", "non menziona", "non menzionano", "non indica"]),
    (&["fonte", "fontes"], &["não especifica", "não especificam", "não menciona", "não mencionam", "não indica"]),
    (&["来源", "资料", "來源"], &["没有说明", "未说明", "没有提到", "未提及", "沒有說明", "没有指明", "未指明"]),
];

/// What English calls the sources, and what they may fail to do with something.
const SOURCES: [&str; 9] =
    ["source", "sources", "page", "pages", "text", "passage", "passages", "document", "documents"];
const TELLS: [&str; 15] = [
    "specify", "mention", "say", "state", "provide", "give", "contain", "include", "tell", "address", "discuss",
    "indicate", "explain", "describe", "cover",
];
const TOLD: [&str; 9] =
    ["specified", "mentioned", "stated", "provided", "given", "addressed", "discussed", "indicated", "covered"];

/// A sentence that says more words than these before it names the sources says something by itself first.
const MOST_BEFORE: usize = 6;
/// Fewer words than this, without a number among them, are a label.
const LEAST_WORDS: usize = 3;
/// The same for scripts without spaces, in characters.
const LEAST_UNSPACED: usize = 4;

/// Whether the sentence claims nothing that a page could bear out.
pub(super) fn claims_nothing(sentence: &str) -> bool {
    let bare = sentence.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»', '」', ' ']);
    let announces = bare.trim_end_matches('.').ends_with([':', '：']);
    bare.ends_with(['?', '？', '؟']) || announces || is_label(bare) || is_silence(sentence)
}

fn is_label(sentence: &str) -> bool {
    let is_unspaced = |c: char| ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{e00}'..='\u{e7f}').contains(&c);
    let unspaced = sentence.chars().filter(|c| is_unspaced(*c)).count();
    let words = sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    // A number alone is an item's marker.
    let marker = sentence.chars().all(|c| c.is_numeric() || matches!(c, '.' | ')' | ' '));
    let number = sentence.chars().any(char::is_numeric) && !marker;
    words == 0 || (words < LEAST_WORDS && !number && unspaced < LEAST_UNSPACED)
}

/// Words with which a sentence goes on to something else, in the languages of [`SILENT`].
const TURNS: [&str; 16] = [
    "but", "though", "although", "yet", "while", "whereas", "however", "because", "aber", "doch", "sondern", "mais",
    "pero", "ma", "mas", "sino",
];
/// Words that put two statements side by side.
const JOINS: [&str; 7] = [" and ", " und ", " et ", " y ", " e ", " which ", " who "];
/// Words with which what is not said begins: "whether it rained in 1999".
const UNKNOWNS: [&str; 26] = [
    "whether", "if", "when", "where", "how", "why", "who", "which", "what", "that", "ob", "wann", "wie", "wo", "warum",
    "wer", "dass", "si", "se", "qui", "que", "quand", "comment", "pourquoi", "cuándo", "quando",
];
/// Fewer words than this before or behind such a word turn nothing: "However, the source does not say".
const LEAST_TURNED: usize = 2;

/// Whether it says that the sources do not say something, and nothing else.
pub(crate) fn is_silence(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    is_silent(&lower) && !says_more(&lower)
}

fn is_silent(lower: &str) -> bool {
    let other = |(sources, silent): &(&[&str], &[&str])| {
        sources.iter().any(|source| lower.contains(source)) && silent.iter().any(|phrase| lower.contains(phrase))
    };
    is_english_silence(lower) || SILENT.iter().any(other)
}

/// Whether a sentence that is silent has another half: that may claim anything.
fn says_more(lower: &str) -> bool {
    if lower.contains(['；', ';', '但']) {
        return true;
    }
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    let unknown = |part: &str| part.split_whitespace().next().is_some_and(|first| UNKNOWNS.contains(&first));
    // A number is of no silence but where it is what is not said: "Nero died in 68, the source does not say how".
    let numbered = |part: &str| part.contains(|c: char| c.is_ascii_digit()) && !is_silent(part) && !unknown(part);
    // What a colon or a dash announces.
    let announced = lower.split(ANNOUNCING).skip(1).any(|part| words(part) >= LEAST_TURNED && !is_silent(part));
    let parts = parts(lower);
    announced || parts.len() > 1 && parts.into_iter().any(numbered) || turns(lower)
}

/// Marks behind which a sentence begins anew.
const ANNOUNCING: [char; 4] = [':', '：', '—', '–'];

/// What commas, colons and words like "and" divide.
fn parts(lower: &str) -> Vec<&str> {
    let clauses = lower.split(|c: char| ANNOUNCING.contains(&c) || matches!(c, ',' | '，' | '、'));
    let at_join = |clause: &str| JOINS.into_iter().find(|join| clause.contains(join));
    clauses
        .flat_map(|clause| match at_join(clause) {
            Some(join) => clause.split(join).collect(),
            None => vec![clause],
        })
        .collect()
}

/// Whether a word stands in it with which a sentence goes on to something else.
fn turns(lower: &str) -> bool {
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let inside = |at: usize| at >= LEAST_TURNED && at + LEAST_TURNED < words.len();
    words.iter().enumerate().any(|(at, word)| TURNS.contains(word) && inside(at))
}

fn is_english_silence(lower: &str) -> bool {
    let plain = lower.replace("n't", " not");
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.iter().enumerate().any(|(at, word)| {
        if *word != "not" || at == 0 {
            return false;
        }
        let before = &words[..at];
        let next = words.get(at + 1).copied().unwrap_or_default();
        let subject = before.iter().rposition(|word| !matches!(*word, "do" | "does" | "did") && !is_number(word));
        let is_source = |at: usize| SOURCES.contains(&before[at]) && at <= MOST_BEFORE;
        let active = TELLS.contains(&next) && subject.is_some_and(is_source);
        let rest = &words[at + 1..];
        let behind = rest.iter().skip(1).take(4).any(|word| SOURCES.contains(word));
        active || (TOLD.contains(&next) && behind)
    })
}
