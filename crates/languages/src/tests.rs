//! Literal rows for each language, and that no word whatever makes a stemmer panic.

use proptest::prelude::*;

use super::stemmers::CODES;
use super::{analyse, stop_words};

/// A word as it stands in a text, and what it becomes.
type Rows = [(&'static str, &'static str); 5];

#[rustfmt::skip]
const ROWS: &[(&str, Rows)] = &[
    ("ar", [("المكتبات", ".مكتب"), ("والكتاب", ".والكتاب"), ("كِتَاب", ".كتاب"), ("من", "-من"), ("ماذا", "-ماذ")]),
    ("ca", [("biblioteques", ".bibliot"), ("l'aigua", ".aigu"), ("carrer", ".carr"), ("perquè", "-perque"), ("per", "-per")]),
    ("da", [("husene", ".hus"), ("bøgerne", ".bøg"), ("bibliotekerne", ".bibliotek"), ("hvordan", "-hvordan"), ("af", "-af")]),
    ("de", [("Häuser", ".haus"), ("Haus", ".haus"), ("Muenchen", ".munch"), ("München", ".munch"), ("Krankenhäuser", ".krankenhaus")]),
    ("el", [("σπίτια", ".σπιτ"), ("βιβλία", ".βιβλ"), ("Βιβλίο", ".βιβλι"), ("ΠΟΙΟΣ", "-ποι"), ("ΤΟ", "-το")]),
    ("eo", [("bibliotekoj", ".bibliotek"), ("librojn", ".libr"), ("kiel", "-kiel"), ("parolas", ".parol"), ("la", "-la")]),
    ("es", [("bibliotecas", ".bibliotec"), ("canción", ".cancion"), ("canciones", ".cancion"), ("trabajando", ".trabaj"), ("qué", "-que")]),
    ("et", [("raamatukogudes", ".raamatukogu"), ("majad", ".maja"), ("raamatutes", ".raama"), ("kuidas", "-kuida"), ("ja", "-ja")]),
    ("eu", [("liburutegian", ".liburu"), ("etxeak", ".etxe"), ("mendiak", ".mendi"), ("nola", "-nola"), ("eta", "-eta")]),
    ("fi", [("taloissa", ".talo"), ("talot", ".talo"), ("kirjastoista", ".kirjasto"), ("mitä", "-mitä"), ("ja", "-ja")]),
    ("fr", [("l'eau", ".eau"), ("bibliothèques", ".bibliothequ"), ("maisons", ".maison"), ("nationale", ".national"), ("qu'est", "-est")]),
    ("ga", [("leabharlanna", ".leabharlanna"), ("leabhar", ".leabhar"), ("fhoghlaim", ".foghlaim"), ("conas", "-conas"), ("agus", "-agus")]),
    ("hi", [("किताबें", ".किताब"), ("किताब", ".किताब"), ("लड़कियाँ", ".लड़क"), ("क्या", "-क्य"), ("में", "-म")]),
    ("hu", [("házak", ".ház"), ("könyvtárban", ".könyvtár"), ("gyermekek", ".gyermek"), ("miért", "-mi"), ("és", "-és")]),
    ("hy", [("գրադարաններ", ".գրադար"), ("գրքերը", ".գրքերը"), ("տներ", ".տներ"), ("ինչպես", "-ինչ"), ("և", "-և")]),
    ("id", [("perpustakaan", ".pustaka"), ("membaca", ".baca"), ("dibacakan", ".baca"), ("apa", "-apa"), ("yang", "-yang")]),
    ("it", [("biblioteche", ".bibliotec"), ("dell'acqua", ".acqua"), ("mangiando", ".mang"), ("perché", "-perc"), ("gli", "-gli")]),
    ("lt", [("bibliotekose", ".bibliotek"), ("knygos", ".knyg"), ("namuose", ".nam"), ("kodėl", "-kod"), ("ir", "-ir")]),
    ("ne", [("पुस्तकहरू", ".पुस्तक"), ("विद्यालयमा", ".विद्यालय"), ("केटाकेटीहरू", ".केटाकेटी"), ("कसरी", "-कसरी"), ("र", "-र")]),
    ("nl", [("huizen", ".huis"), ("boeken", ".boek"), ("lopende", ".loop"), ("waarom", "-waarom"), ("de", "-de")]),
    ("no", [("husene", ".hus"), ("bøkene", ".bøk"), ("bibliotekene", ".bibliotek"), ("hvordan", "-hvordan"), ("og", "-og")]),
    ("pt", [("bibliotecas", ".bibliotec"), ("canções", ".cançõ"), ("trabalhando", ".trabalh"), ("quê", "-quê"), ("os", "-os")]),
    ("ro", [("cărțile", ".cărț"), ("bibliotecilor", ".bibliotec"), ("școală", ".școal"), ("când", "-când"), ("și", "-și")]),
    ("ru", [("книгами", ".книг"), ("книга", ".книг"), ("библиотеках", ".библиотек"), ("Каким", "-как"), ("что", "-что")]),
    ("sr", [("bibliotekama", ".bibliotek"), ("knjigama", ".knjig"), ("књигама", ".knjig"), ("kako", "-kak"), ("i", "-i")]),
    ("sv", [("husen", ".hus"), ("böckerna", ".böck"), ("biblioteken", ".bibliotek"), ("varför", "-varför"), ("och", "-och")]),
    ("ta", [("புத்தகங்கள்", ".புத்தகம்"), ("வீடுகளில்", ".வீடு"), ("மரங்கள்", ".மரங்"), ("எப்படி", "-படி"), ("மற்றும்", "-ம")]),
    ("tr", [("kitaplar", ".kitap"), ("kitapları", ".kitap"), ("İstanbul'da", ".istanbul"), ("IŞIK", ".ışık"), ("nasıl", "-nasıl")]),
    ("yi", [("ביכער", ".ביכ"), ("ביבליאטעקן", ".ביבליאטעק"), ("הייזער", ".הײז"), ("פארוואס", "-פארװא"), ("און", "-אונ")]),
];

#[test]
fn every_language_has_literal_rows() {
    assert!(ROWS.iter().map(|(language, _)| *language).eq(CODES.iter().copied()));
    for (language, rows) in ROWS {
        for (word, expected) in rows {
            assert_eq!(analyse(language, word).as_deref(), Some(*expected), "{language}: {word}");
        }
    }
}

#[test]
fn a_question_is_left_with_its_content_words() {
    let check = |language: &str, question: &str, expected: &[&str]| {
        let analysed = question.split(' ').map(|word| analyse(language, word).unwrap());
        let kept: Vec<String> = analysed.filter_map(|word| word.strip_prefix('.').map(str::to_owned)).collect();
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
fn written_apart_or_composed_is_the_same_word() {
    assert_eq!(analyse("de", "Ha\u{308}user"), analyse("de", "Häuser"));
    assert_eq!(analyse("ru", "и\u{306}од"), analyse("ru", "йод"));
    assert_eq!(analyse("fr", "l\u{2019}eau"), analyse("fr", "l'eau"));
    assert_eq!(analyse("lt", "z\u{30c}odis"), analyse("lt", "žodis"));
    assert_eq!(analyse("eo", "c\u{302}evalo"), analyse("eo", "ĉevalo"));
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
    assert_eq!(analyse("en", "houses"), None);
    assert_eq!(analyse("", ""), None);
    assert_eq!(analyse("de", ""), Some(".".to_owned()));
    assert_eq!(analyse("de", &"hauses".repeat(30)), Some(format!(".{}", "hauses".repeat(30))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_word_makes_a_stemmer_panic(
        word in "[a-zäöüßàâçéèêëîïôùûñáíóúìòãõåæøőűăâîșțğışαάεέηίοόυωώςа-яёا-يةىؤئآأإ\u{64b}-\u{652}क-हा-्ड़čšžėęįųĉŭա-ևא-ת\u{5b0}-\u{5c2}அ-ஹா-்'’-]{0,24}|\\PC{0,24}",
        ending in "(ung|lich|issement|ción|amente|azione|heid|ingen|ssa|nak|lar|ları|ами|ости|ات|ون|ों|nya|mente|iilor|ισμός|ojn|tes|etako|acht|ներից|uose|हरू|ovima|களில்|טער)?",
    ) {
        for language in CODES {
            let analysed = analyse(language, &format!("{word}{ending}")).unwrap();
            prop_assert!(analysed.starts_with(['.', '-']));
        }
    }
}
