//! Literal rows for languages, scripts and further forms, and the promises that hold for any text.

use proptest::prelude::*;

use super::*;

fn terms(tokens: Vec<Token>) -> Vec<String> {
    tokens.into_iter().map(|token| token.term).collect()
}

fn check(analysis: Analysis, text: &str, expected: &[&str]) {
    assert_eq!(terms(analysis.tokens(text)), expected, "{text}");
}

fn check_forms(text: &str, expected: &[&str]) {
    assert_eq!(terms(Analysis::English.forms(text)), expected, "{text}");
}

#[test]
fn english_is_stemmed_and_loses_its_stop_words() {
    check(Analysis::English, "What is a wall between Roman emperors?", &["wall", "roman", "emperor"]);
    check(Analysis::English, "Hadrian's Wall", &["hadrian", "wall"]);
    check(Analysis::English, "don’t I've isn't", &[]);
    check(Analysis::English, "multi-stage builds, v2.0", &["multi", "stage", "build", "v2", "0"]);
    check(Analysis::English, "", &[]);
}

#[test]
fn languages_are_known_by_code_tag_and_name() {
    let name = |tag: &str| Analysis::of_language(tag).name();
    for (tag, expected) in [
        ("en", "English"),
        ("EN_gb", "English"),
        ("English", "English"),
        ("de", "German"),
        ("de-AT", "German"),
        ("German", "German"),
        ("nb-NO", "Norwegian"),
        ("nn", "Norwegian"),
        ("pt-BR", "Portuguese"),
        ("zh-Hans", "plain"),
        ("ja", "plain"),
        ("", "plain"),
    ] {
        assert_eq!(name(tag), expected, "{tag}");
    }
}

#[test]
fn every_tag_leads_back_to_its_analysis() {
    let known: Vec<Analysis> = (0..=u8::MAX).filter_map(Analysis::of_tag).collect();
    assert_eq!(known.len(), 31);
    for analysis in known {
        assert_eq!(Analysis::of_tag(analysis.tag()), Some(analysis));
        if let Analysis::Other(language) = analysis {
            assert_eq!(
                (Analysis::of_language(language.code()), Analysis::of_language(language.name())),
                (analysis, analysis)
            );
        }
    }
}

#[rustfmt::skip]
#[test]
fn languages_are_stemmed_then_folded() {
    for (language, text, expected) in [
        ("ar", "ما هي المكتبات العامة؟", &["مكتب", "عام"][..]),
        ("da", "Hvordan låner man bøger på biblioteket?", &["lan", "bog", "bibliotek"]),
        ("de", "Was ist der Unterschied zwischen Häusern und Wohnungen?", &["unterschied", "haus", "wohnung"]),
        ("de", "STRASSEN Straße", &["strass", "strass"]),
        ("el", "Τι είναι οι ΒΙΒΛΙΟΘΗΚΕΣ;", &["βιβλιοθηκ"]),
        ("es", "¿Cómo se escriben las canciones?", &["escrib", "cancion"]),
        ("fi", "Mikä on kirjastoissa?", &["kirjasto"]),
        ("fr", "Qu’est-ce que l’élection présidentielle ?", &["elect", "presidentiel"]),
        ("hi", "किताबों की दुकान क्या है?", &["किताब", "दुकान"]),
        ("hu", "Mi van a könyvtárakban?", &["konyvtar"]),
        ("it", "Come funziona l'acquedotto?", &["funzion", "acquedott"]),
        ("nl", "Hoe werken de verkiezingen?", &["werk", "verkies"]),
        ("no", "Hva er bibliotekene?", &["bibliotek"]),
        ("pt", "O que são as eleições?", &["eleico"]),
        ("ro", "Ce sunt bibliotecile?", &["bibliotec"]),
        ("ru", "Что такое фотосинтез у растений?", &["фотосинтез", "растен"]),
        ("sv", "Vad är skillnaden mellan böckerna?", &["skillnad", "bock"]),
        ("tr", "Ankara’nın kütüphaneleri nerede?", &["ankar", "kutuphane"]),
    ] {
        check(Analysis::of_language(language), text, expected);
    }
}

/// Words of each language with a stemmer, as they are written: of many endings, with accents and without.
const SAMPLES: &[(&str, &str)] = &[
    ("ar", "المكتبة مدرسة مستشفى إسلامية أحمد كِتَاب مسؤول"),
    ("ca", "informació històries distància català assegurança estació àmbit"),
    ("da", "børnehave arbejdsløs sygehuset kørekort ændringer å"),
    ("de", "Größe Häuser München Straße Universitäten Führerschein Wohngeldanträge"),
    ("el", "βιβλιοθήκη ασφάλεια υγείας Ελλάδα αϊκή ΰλη"),
    ("eo", "ĉevaloj preĝejo ŝipo antaŭe ĵurnalo"),
    ("es", "información biología librería jardín mañana público niños"),
    ("et", "õpilane ülikoolis köögis üliõpilane"),
    ("eu", "piñata ikastetxea señalea"),
    ("fi", "työttömyys äidit lääkärin kirjastossa hyödyllinen"),
    ("fr", "sécurité qualités frontières employée l'été nationalité mangeât Noël œuvre"),
    ("ga", "sláintíocht údarás Éireann oideachas leabharlanna"),
    ("hi", "क़लम लड़कियाँ हिन्दी"),
    ("hu", "könyvtárban gyógyszertár szolgáltatók erdő házhoz ellenőrzés"),
    ("hy", "գրադարաններ և արևելք"),
    ("id", "négara perpustakaan membaca"),
    ("it", "qualità città università possibilità caffè virtù"),
    ("lt", "mokykloje žodžių vėjas šalis čekiai lankytojų"),
    ("ne", "विद्यालयमा पुस्तकहरू"),
    ("nl", "financiën ideeën coöperatie café geïnformeerd"),
    ("no", "bøkene førerkort sykehus lånekort nødvendig"),
    ("pt", "Informação informações ciência possível cidadãos secundária avó"),
    ("ro", "București informații educația școală țări grădiniță"),
    ("ru", "ёлка йогурт Москва\u{301} щётка библиотека\u{301}ми"),
    ("sr", "čovek knjižica šuma kuće škole ђак đak"),
    ("sv", "försäkringar arbetslöshet sjukvård kött böckerna"),
    ("ta", "புத்தகங்கள் வீடுகளில்"),
    ("tr", "kütüphaneleri İstanbul'da IŞIK öğrencilerin sağlığı çocuğun kitaplığı"),
    ("yi", "פּאַריז ביבליאָטעקן הייזער"),
];

#[test]
fn a_word_is_one_term_with_its_accents_and_without() {
    for (language, words) in SAMPLES {
        let analysis = Analysis::of_language(language);
        assert!(matches!(analysis, Analysis::Other(_)), "{language}");
        for word in words.split(' ') {
            let (written, typed) = (terms(analysis.all_tokens(word)), terms(analysis.all_tokens(&fold(word))));
            assert_eq!(written, typed, "{language}: {word}");
            assert_eq!(terms(analysis.all_tokens(&word.to_uppercase())), written, "{language}: {word}");
        }
    }
    assert_eq!(SAMPLES.len(), (0..=u8::MAX).filter_map(Analysis::of_tag).count() - 2);
}

#[test]
fn words_that_differ_in_more_than_accents_stay_apart() {
    for (language, one, other) in [
        ("pt", "informação", "informal"),
        ("pt", "ciência", "cinema"),
        ("fr", "sécurité", "secours"),
        ("fr", "qualité", "quai"),
        ("es", "biología", "bicicleta"),
        ("es", "materia", "mates"),
        ("it", "università", "unire"),
        ("ro", "stație", "stea"),
        ("tr", "kitap", "kibrit"),
        ("hu", "erdő", "erdély"),
        ("de", "Größe", "Grüße"),
        ("sv", "arbetslös", "arbete"),
    ] {
        let analysis = Analysis::of_language(language);
        assert_ne!(terms(analysis.all_tokens(one)), terms(analysis.all_tokens(other)), "{language}: {one} {other}");
    }
}

#[test]
fn languages_without_a_stemmer_are_taken_word_for_word() {
    check(Analysis::Plain, "Was ist die Größe?", &["was", "ist", "die", "grosse"]);
    check(Analysis::Plain, "ＦＵＬＬ width Ⅳ", &["full", "width", "iv"]);
    check(Analysis::Plain, "Ночной дозор", &["ночной", "дозор"]);
    check(Analysis::Plain, "हिन्दी क्षेत्र", &["हिन्दी", "क्षेत्र"]);
    check(Analysis::Plain, "தமிழ் மொழி", &["தமிழ்", "மொழி"]);
    check(Analysis::Plain, "ക്ഷ\u{200d}മ", &["ക്ഷമ"]);
    check(Analysis::Plain, "שָׁלוֹם עולם", &["שלום", "עולם"]);
    check(Analysis::Plain, "می\u{200c}خواهم", &["مي", "خواهم"]);
    check(Analysis::Plain, "coöp\u{ad}eration", &["cooperation"]);
}

#[rustfmt::skip]
#[test]
fn unspaced_scripts_become_pairs_in_every_analysis() {
    for (text, expected) in [
        ("光合作用", &["光合", "合作", "作用"][..]),
        ("什么是光合作用？", &["是光", "光合", "合作", "作用"]),
        ("猫", &["猫"]),
        ("光合成とは", &["光合", "合成", "成と", "とは"]),
        ("が", &["が"]),
        ("ﾄﾞｯｶｰ", &["ドッ", "ッカ", "カー"]),
        ("Dockerとは", &["docker", "とは"]),
        ("서울 특별시", &["서울", "특별", "별시"]),
        ("ภาษาไทย", &["ภา", "าษ", "ษา", "าไ", "ไท", "ทย"]),
        ("ที่นี่", &["ที่นี่"]),
        ("พ.ศ. ๒๕๖๗", &["พ", "ศ", "2567"]),
        ("ພາສາ", &["ພາ", "າສ", "ສາ"]),
        ("ភាសា\u{200b}ខ្មែរ", &["ភាសា", "សាខ្មែ", "ខ្មែរ"]),
        ("မြန်မာ", &["မြန်", "န်မာ"]),
    ] {
        check(Analysis::English, text, expected);
        check(Analysis::of_language("de"), text, if text.starts_with("Docker") { &["dock", "とは"] } else { expected });
        check(Analysis::Plain, text, expected);
    }
}

#[test]
fn a_chinese_or_japanese_question_knows_its_function_words() {
    let seen = |text: &str| -> Vec<(String, bool, bool)> {
        Analysis::Plain.all_tokens(text).into_iter().map(|t| (t.term, t.stop, t.weak)).collect()
    };
    let row = |term: &str, stop, weak| (term.to_owned(), stop, weak);
    assert_eq!(
        seen("什么是光合"),
        [row("什么", true, true), row("么是", true, true), row("是光", false, true), row("光合", false, false)]
    );
    assert_eq!(seen("猫ですか")[1..], [row("です", true, true), row("すか", true, true)]);
    assert_eq!(seen("りんご"), [row("りん", false, true), row("んご", false, true)]);
}

#[test]
fn identifiers_keep_their_signs_and_lose_punctuation() {
    check_forms("Use `std::vec::Vec`, not C++ or C#.", &["std::vec::vec", "c++", "c#"]);
    check_forms("git commit --no-verify -m 'x'; see .env.", &["--no-verify", "-m", ".env"]);
    check_forms("Use node.js. (Or package.json!)", &["node.js", "package.json"]);
    check_forms("@scope/name, foo_bar and __init__", &["@scope/name", "foo_bar", "__init__"]);
    check_forms("src/main.rs, I/O, 3.14, 2024-01-15, v2.0.", &["src/main.rs", "i/o", "3.14", "2024-01-15", "2.0"]);
    check_forms("v2.1, V2.1 and 2.1; vue.js", &["2.1", "2.1", "2.1", "vue.js"]);
    check_forms("#include, #if; A*, C*-algebra, *note* or word*", &["#include", "#if", "a*", "c*-algebra"]);
    check_forms("c++17, @types/node, F#, --amend", &["c++17", "@types/node", "f#", "--amend"]);
    check_forms("and/or a - b -- c — d ... #1 ## x: y; -5 http://", &[]);
    check_forms("Node.jsとは C++とは", &["node.js", "c++"]);
    check_forms(&"a.".repeat(60), &[]);
}

#[test]
fn compounds_are_joined_and_stemmed_like_the_word() {
    check_forms("opt-in e-mails", &["optin", "email"]);
    check_forms("Multi\u{2010}stage covid-19", &["multistag", "covid19"]);
    check(Analysis::English, "multistage", &["multistag"]);
    let german = Analysis::of_language("de").forms("Nord-Ostsee-Kanäle");
    assert_eq!(terms(german), ["nordostseekanal"]);
}

#[test]
fn an_abbreviation_is_as_empty_as_a_stop_word() {
    let forms = Analysis::English.forms("e.g. this, i.e. that");
    assert!(forms.len() == 2 && forms.iter().all(|form| form.stop));
    assert_eq!(terms(Analysis::English.tokens_and_forms("e.g. cats")), ["e", "g", "cat"]);
}

#[test]
fn tokens_know_their_place_and_kind() {
    let seen = |tokens: Vec<Token>| -> Vec<(String, usize, usize, Kind, u32)> {
        tokens.into_iter().map(|t| (t.term, t.start, t.end, t.kind, t.position)).collect()
    };
    let row = |term: &str, start, end, kind, position| (term.to_owned(), start, end, kind, position);
    assert_eq!(
        seen(Analysis::English.tokens_and_forms("the Éclair's opt-in: C++, 光合作")),
        [
            row("eclair", 4, 13, Kind::Word, 1),
            row("opt", 14, 17, Kind::Word, 2),
            row("c", 22, 23, Kind::Word, 4),
            row("光合", 27, 36, Kind::Pair, 5),
            row("合作", 27, 36, Kind::Pair, 6),
            row("optin", 14, 20, Kind::Joined, 2),
            row("c++", 22, 25, Kind::Identifier, 4),
        ]
    );
    assert!(seen(Analysis::English.tokens("in C++")).len() == 1);
}

fn any_analysis() -> impl Strategy<Value = Analysis> {
    prop_oneof!["en", "xx", "de", "fr", "ar", "tr", "ru", "hi"].prop_map(|tag: String| Analysis::of_language(&tag))
}

/// Signs, letters and marks of many scripts, close together.
const MIXED: &str = "[a-cA-C0-2éßİı.:/_@#+ '’\\-\u{301}\u{640}\u{64b}\u{627}\u{93c}\u{94d}क\u{200b}-\u{200d}\u{ad}的是光合とは가각ภาที\u{17d2}ខ្ម]{0,24}";

proptest! {
    #[test]
    fn any_word_is_one_term_with_its_accents_and_without(
        language in (0..SAMPLES.len()).prop_map(|at| SAMPLES[at].0),
        word in "[a-zäöüßàâçéèêëîïôùûñáíóúìòãõåæøőűăâîșțğışčšžėęįųĉŭάέήίόύώа-яё]{2,9}",
        ending in "(ção|ções|ência|ável|ité|ère|ées|ología|ería|ció|ncia|ția|țiilor|ul|ért|ról|ők|ėjų|čius|lığı|ları|løs|löst|íocht|ità|ισμός|ойта\u{301}|ёнок|ات|ة)?",
    ) {
        let analysis = Analysis::of_language(language);
        let word = word + &ending;
        prop_assert_eq!(terms(analysis.all_tokens(&word)), terms(analysis.all_tokens(&fold(&word))));
    }

    #[test]
    fn tokens_lie_in_the_text_in_order(text in prop_oneof![MIXED, "\\PC{0,24}"], analysis in any_analysis()) {
        let tokens = analysis.all_tokens(&text);
        let forms = analysis.forms(&text);
        for list in [&tokens, &forms] {
            for token in list {
                prop_assert!(token.start < token.end);
                prop_assert!(text.is_char_boundary(token.start) && text.is_char_boundary(token.end));
            }
            prop_assert!(list.is_sorted_by(|a, b| (a.start, a.end) <= (b.start, b.end) && a.position <= b.position));
        }
        for (place, token) in tokens.iter().enumerate() {
            prop_assert_eq!(token.position as usize, place);
        }
        for form in forms {
            prop_assert!(form.is_beside());
            let word = &tokens[form.position as usize];
            prop_assert!(form.start <= word.start && word.end <= form.end, "{:?} is beside {:?}", form, word);
        }
    }

    #[test]
    fn pairs_and_identifiers_are_stable(text in prop_oneof![MIXED, "\\PC{0,24}"]) {
        for token in Analysis::Plain.tokens_and_forms(&text) {
            let again = Analysis::Plain.tokens_and_forms(&token.term);
            if token.kind == Kind::Pair {
                prop_assert_eq!(terms(again), [token.term]);
            } else if token.kind == Kind::Identifier {
                let same = again.iter().filter(|other| other.kind == Kind::Identifier && other.term == token.term);
                prop_assert_eq!(same.count(), 1, "{}", token.term);
            }
        }
    }
}
