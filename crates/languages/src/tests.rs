//! Literal rows for each language, and that no word whatever makes a stemmer panic.

use proptest::prelude::*;

use super::stemmers::CODES;
use super::{STOP_WORD, WORD, accents, analyse, stop_words};

/// `word` in lower case, without the accents that the rows here have: what the index folds, in short.
fn bare(word: &str) -> String {
    #[rustfmt::skip]
    const LETTERS: &[(&str, &str)] = &[
        ("a", "áàâãäåăąā"), ("c", "çćĉč"), ("e", "éèêëėęē"), ("g", "ğĝ"), ("h", "ĥ"), ("i", "íìîïıįī"), ("j", "ĵ"), ("n", "ñ"),
        ("o", "óòôõöøő"), ("s", "śŝšșş"), ("t", "țţ"), ("u", "úùûüŭűųū"), ("y", "ý"), ("z", "žź"), ("d", "đ"), ("ae", "æ"),
        ("α", "ά"), ("ε", "έ"), ("η", "ή"), ("ι", "ίϊΐ"), ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("σ", "ς"), ("ا", "أإآ"),
        ("ه", "ة"), ("ي", "ى"), ("ss", "ß"), ("'", "\u{2019}"), ("", "\u{302}\u{307}\u{308}\u{30c}\u{64b}\u{64e}\u{650}"),
    ];
    let mut folded = String::new();
    for c in word.to_lowercase().chars() {
        match LETTERS.iter().find(|(_, accented)| accented.contains(c)) {
            Some((letter, _)) => folded.push_str(letter),
            None => folded.push(c),
        }
    }
    folded
}

/// A word as it stands in a text, and what it becomes, its accents aside: the index folds stems.
type Rows = [(&'static str, &'static str); 5];

#[rustfmt::skip]
const ROWS: &[(&str, Rows)] = &[
    ("ar", [("المكتبات", ".مكتب"), ("والكتاب", ".والكتاب"), ("كِتَاب", ".كتاب"), ("من", "-من"), ("ماذا", "-ماذ")]),
    ("ca", [("biblioteques", ".bibliot"), ("l'aigua", ".aigu"), ("carrer", ".carr"), ("perquè", "-perqu"), ("per", "-per")]),
    ("da", [("husene", ".hus"), ("bøgerne", ".bog"), ("bibliotekerne", ".bibliotek"), ("hvordan", "-hvordan"), ("af", "-af")]),
    ("de", [("Häuser", ".haus"), ("Haus", ".haus"), ("Muenchen", ".munch"), ("München", ".munch"), ("Krankenhäuser", ".krankenhaus")]),
    ("el", [("σπίτια", ".σπιτ"), ("βιβλία", ".βιβλ"), ("Βιβλίο", ".βιβλι"), ("ΠΟΙΟΣ", "-ποι"), ("ΤΟ", "-το")]),
    ("eo", [("bibliotekoj", ".bibliotek"), ("librojn", ".libr"), ("kiel", "-kiel"), ("parolas", ".parol"), ("la", "-la")]),
    ("es", [("bibliotecas", ".bibliotec"), ("canción", ".cancion"), ("canciones", ".cancion"), ("trabajando", ".trabaj"), ("qué", "-que")]),
    ("et", [("raamatukogudes", ".raamatukogu"), ("majad", ".maja"), ("raamatutes", ".raama"), ("kuidas", "-kuida"), ("ja", "-ja")]),
    ("eu", [("liburutegian", ".liburu"), ("etxeak", ".etxe"), ("mendiak", ".mendi"), ("nola", "-nola"), ("eta", "-eta")]),
    ("fi", [("taloissa", ".talo"), ("talot", ".talo"), ("kirjastoista", ".kirjasto"), ("mitä", "-mita"), ("ja", "-ja")]),
    ("fr", [("l'eau", ".eau"), ("bibliothèques", ".bibliothequ"), ("maisons", ".maison"), ("nationale", ".national"), ("qu'est", "-est")]),
    ("ga", [("leabharlanna", ".leabharlanna"), ("leabhar", ".leabhar"), ("fhoghlaim", ".foghlaim"), ("conas", "-conas"), ("agus", "-agus")]),
    ("hi", [("किताबें", ".किताब"), ("किताब", ".किताब"), ("लड़कियाँ", ".लड़क"), ("क्या", "-क्य"), ("में", "-म")]),
    ("hu", [("házak", ".haz"), ("könyvtárban", ".konyvtar"), ("gyermekek", ".gyermek"), ("miért", "-mier"), ("és", "-es")]),
    ("hy", [("գրադարաններ", ".գրադար"), ("գրքերը", ".գրքերը"), ("տներ", ".տներ"), ("ինչպես", "-ինչ"), ("և", "-և")]),
    ("id", [("perpustakaan", ".pustaka"), ("membaca", ".baca"), ("dibacakan", ".baca"), ("apa", "-apa"), ("yang", "-yang")]),
    ("it", [("biblioteche", ".bibliotec"), ("dell'acqua", ".acqua"), ("mangiando", ".mang"), ("perché", "-perc"), ("gli", "-gli")]),
    ("lt", [("bibliotekose", ".bibliotek"), ("knygos", ".knyg"), ("namuose", ".nam"), ("kodėl", "-kodel"), ("ir", "-ir")]),
    ("ne", [("पुस्तकहरू", ".पुस्तक"), ("विद्यालयमा", ".विद्यालय"), ("केटाकेटीहरू", ".केटाकेटी"), ("कसरी", "-कसरी"), ("र", "-र")]),
    ("nl", [("huizen", ".huis"), ("boeken", ".boek"), ("lopende", ".loop"), ("waarom", "-waarom"), ("de", "-de")]),
    ("no", [("husene", ".hus"), ("bøkene", ".bok"), ("bibliotekene", ".bibliotek"), ("hvordan", "-hvordan"), ("og", "-og")]),
    ("pt", [("bibliotecas", ".bibliotec"), ("canções", ".canco"), ("trabalhando", ".trabalh"), ("quê", "-que"), ("os", "-os")]),
    ("ro", [("cărțile", ".cart"), ("bibliotecilor", ".bibliotec"), ("școală", ".scoal"), ("când", "-cand"), ("și", "-si")]),
    ("ru", [("книгами", ".книг"), ("книга", ".книг"), ("библиотеках", ".библиотек"), ("Каким", "-как"), ("что", "-что")]),
    ("sr", [("bibliotekama", ".bibliotek"), ("knjigama", ".knjig"), ("књигама", ".knjig"), ("kako", "-kak"), ("i", "-i")]),
    ("sv", [("husen", ".hus"), ("böckerna", ".bock"), ("biblioteken", ".bibliotek"), ("varför", "-varf"), ("och", "-och")]),
    ("ta", [("புத்தகங்கள்", ".புத்தகம்"), ("வீடுகளில்", ".வீடு"), ("மரங்கள்", ".மரங்"), ("எப்படி", "-படி"), ("மற்றும்", "-ம")]),
    ("tr", [("kitaplar", ".kitap"), ("kitapları", ".kitap"), ("İstanbul'da", ".istanbul"), ("IŞIK", ".isik"), ("nasıl", "-nasil")]),
    ("yi", [("ביכער", ".ביכ"), ("ביבליאטעקן", ".ביבליאטעק"), ("הייזער", ".הײז"), ("פארוואס", "-פארװא"), ("און", "-אונ")]),
];

#[test]
fn every_language_has_literal_rows() {
    assert!(ROWS.iter().map(|(language, _)| *language).eq(CODES.iter().copied()));
    for (language, rows) in ROWS {
        for (word, expected) in rows {
            let analysed = analyse(language, word, &bare(word)).map(|stem| bare(&stem));
            assert_eq!(analysed.as_deref(), Some(*expected), "{language}: {word}");
        }
    }
}

#[test]
fn a_question_is_left_with_its_content_words() {
    let check = |language: &str, question: &str, expected: &[&str]| {
        let analysed = question.split(' ').map(|word| analyse(language, word, &bare(word)).unwrap());
        let kept: Vec<String> = analysed.filter_map(|word| word.strip_prefix('.').map(bare)).collect();
        assert_eq!(kept, expected, "{question}");
    };
    check("de", "Was ist der Unterschied zwischen Häusern und Wohnungen", &["unterschied", "haus", "wohnung"]);
    check("fr", "Qu'est ce que la photosynthèse", &["photosynthes"]);
    check("es", "Cómo se hacen las canciones", &["hac", "cancion"]);
    check("nl", "Hoe werken de stemmen in een verkiezing", &["werk", "stem", "verkies"]);
    check("ru", "Что такое библиотека", &["библиотек"]);
    check("tr", "Kitaplar nedir", &["kitap"]);
    check("sr", "Шта је библиотека", &["bibliotek"]);
    check("et", "Mis on raamatukogu", &["raamatukogu"]);
}

#[test]
fn stop_words_are_known_written_apart_or_composed_and_without_accents() {
    let check = |language: &str, words: &[&str], expected: char| {
        for word in words {
            assert!(analyse(language, word, &bare(word)).unwrap().starts_with(expected), "{language}: {word}");
        }
    };
    check("de", &["für", "fu\u{308}r", "FÜR", "fur", "fuer"], STOP_WORD);
    check("fr", &["qu\u{2019}est", "qu'est", "après", "apres"], STOP_WORD);
    check("es", &["según", "segun"], STOP_WORD);
    check("lt", &["iš", "is\u{30c}", "is"], STOP_WORD);
    check("eo", &["ĉar", "c\u{302}ar", "car"], STOP_WORD);
    check("fi", &["mikä", "mika"], STOP_WORD);
    check("el", &["όταν", "οταν"], STOP_WORD);
    // These are other words without their accents: water, a door, a hundred.
    check("tr", &["şu"], STOP_WORD);
    check("tr", &["su"], WORD);
    check("et", &["uks"], WORD);
    check("sr", &["sto"], WORD);
}

#[test]
fn tables_of_accents_differ_in_accents_alone() {
    for language in CODES {
        for (plain, accented) in accents::endings(language) {
            assert!(plain != accented, "{language}: {plain}");
            // Those of Turkish begin where the harmony of its vowels ends.
            assert_eq!(bare(plain), bare(accented), "{language}: {plain}");
        }
    }
}

#[test]
fn an_ending_without_its_accents_has_them_for_the_stemmer() {
    for (language, words) in [
        ("ar", &["مكتبه", "مكتبة"][..]),
        ("ca", &["història", "històries", "historia", "histories"]),
        ("es", &["biología", "biologia", "biológico", "biologico"]),
        ("fr", &["frontière", "frontieres", "frontières"]),
        ("ga", &["sláintíocht", "slaintiocht"]),
        ("hu", &["könyvtárról", "konyvtarrol", "könyvtár"]),
        ("hu", &["szolgáltató", "szolgaltato", "szolgáltatók", "szolgaltatok"]),
        ("lt", &["žodis", "zodis", "žodžių", "zodziu"]),
        ("pt", &["informação", "informacao", "informações", "informacoes"]),
        ("pt", &["ciência", "ciencias"]),
        ("ro", &["stație", "statie", "stații", "statiile"]),
        ("sv", &["arbetslös", "arbetslos", "arbetslöshet"]),
        ("tr", &["kitapları", "kitaplari", "kitap"]),
        ("tr", &["ışıkları", "isiklari", "ışık"]),
    ] {
        let stems = words.iter().map(|word| bare(&analyse(language, word, &bare(word)).unwrap()));
        let stems: Vec<String> = stems.collect();
        assert!(stems.iter().all(|stem| *stem == stems[0]), "{language}: {words:?} {stems:?}");
    }
}

#[test]
fn no_list_of_stop_words_names_a_word_twice_or_in_capitals() {
    for language in CODES {
        let words: Vec<&str> = stop_words::all(language).collect();
        assert!(words.len() >= 60, "{language}");
        for (at, word) in words.iter().enumerate() {
            assert!(!words[..at].contains(word), "{language}: {word} stands twice");
            assert_eq!(*word, word.to_lowercase(), "{language}");
        }
    }
}

#[test]
fn an_unknown_language_and_an_endless_word_are_told_or_taken_as_they_are() {
    assert_eq!(analyse("en", "houses", "houses"), None);
    assert_eq!(analyse("", "", ""), None);
    assert_eq!(analyse("de", "", ""), Some(".".to_owned()));
    let endless = "hauses".repeat(30);
    assert_eq!(analyse("de", &endless, &endless), Some(format!(".{endless}")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_word_makes_a_stemmer_panic(
        word in "[a-zäöüßàâçéèêëîïôùûñáíóúìòãõåæøőűăâîșțğışαάεέηίοόυωώςа-яёا-يةىؤئآأإ\u{64b}-\u{652}क-हा-्ड़čšžėęįųĉŭա-ևא-ת\u{5b0}-\u{5c2}அ-ஹா-்'’-]{0,24}|\\PC{0,24}",
        ending in "(ung|lich|issement|ción|amente|azione|heid|ingen|ssa|nak|lar|ları|ами|ости|ات|ون|ों|nya|mente|iilor|ισμός|ojn|tes|etako|acht|ներից|uose|हरू|ovima|களில்|טער)?",
    ) {
        for language in CODES {
            let word = format!("{word}{ending}");
            for folded in [&word, &bare(&word)] {
                prop_assert!(analyse(language, &word, folded).unwrap().starts_with([WORD, STOP_WORD]));
            }
        }
    }
}
