//! Words that are written otherwise than pages have them, and names that are written alike.

use proptest::prelude::*;

use super::support::{open, pack, page, titles, words};
use crate::{Bm25, PageNo};

#[test]
fn a_compound_is_found_however_it_is_written() {
    for (title, typed) in [
        ("wi-fi router", "wifi"),
        ("wifi router", "wi-fi"),
        ("e-mail account", "email"),
        ("email account", "e-mail"),
        ("x-ray picture", "xray"),
        ("web worker", "webworker"),
        ("webworker", "web-worker"),
    ] {
        assert_eq!(titles(&open(&words(&[title, "other page"])), typed), [title], "{typed}");
    }
    // Short halves that stand apart make no word.
    assert!(titles(&open(&words(&["wi or fi", "other page"])), "wifi").is_empty());
}

#[test]
fn a_compound_is_cut_as_it_is_written() {
    // The stem of "codebase" ends in no stem of "base", and stop words are in no index.
    for (title, typed) in [
        ("code base", "codebase"),
        ("code base", "codebases"),
        ("run time", "runtime"),
        ("name space", "Namespace"),
        ("time zone", "timezones"),
        ("plug-in host", "plugin"),
        ("log in", "login"),
        ("add-on", "addon"),
        ("log in", "logins"),
        ("off line", "offline"),
        ("e-mail", "emails"),
    ] {
        let pages = [title, "other page"].map(|title| page("page.md", title, &[], "", &[]));
        assert_eq!(titles(&open(&[pack("p", "en", pages.to_vec())]), typed), [title], "{typed}");
    }
    // The page that says it is among many that have its first word alone.
    let many = (0..20).map(|at| page(&format!("{at}.md"), &format!("Entry {at}"), &[], "A log is kept.", &[]));
    let many = many.chain([page("in.md", "Log in", &[], "", &[])]);
    assert!(titles(&open(&[pack("p", "en", many.collect())]), "login").contains(&"Log in".to_owned()));
    // A stop word that stands apart makes no word.
    let apart = page("page.md", "in a log", &[], "", &[]);
    assert!(titles(&open(&[pack("p", "en", vec![apart])]), "login").is_empty());
}

#[rustfmt::skip]
#[test]
fn a_page_is_found_with_accents_and_without() {
    for (language, written, typed) in [
        ("ar", "أحمد إسلامية", "احمد"), ("ar", "مدرسة", "مدرسه"), ("ca", "Informació", "informacio"), ("ca", "Distància", "distancies"),
        ("da", "Børnehave", "bornehave"), ("da", "Arbejdsløs", "arbejdslos"), ("de", "Größe", "grosse"), ("de", "Häuser", "hauser"),
        ("el", "Βιβλιοθήκη", "βιβλιοθηκη"), ("eo", "Preĝejo", "pregejo"), ("es", "Información", "informacion"),
        ("es", "Biología", "biologia"), ("et", "Ülikool", "ulikool"), ("eu", "Piñata", "pinata"), ("fi", "Työttömyys", "tyottomyys"),
        ("fr", "Sécurité", "securite"), ("fr", "Frontières", "frontiere"), ("ga", "Sláinte", "slainte"), ("hi", "क़लम", "कलम"),
        ("hu", "Könyvtár", "konyvtarban"), ("hu", "Gyógyszertárról", "gyogyszertar"), ("id", "Négara", "negara"),
        ("it", "Qualità", "qualita"), ("it", "Città", "citta"), ("lt", "Mokykla čia", "mokykloje"), ("lt", "Žodžiai", "zodis"),
        ("nl", "Financiën", "financien"), ("no", "Førerkort", "forerkort"), ("pt", "Informação ao público", "informacao"),
        ("pt", "Informação ao público", "informacoes"), ("pt", "Ciências", "ciencia"), ("ro", "București", "Bucuresti"),
        ("ro", "Educația", "educatie"), ("ru", "Москва\u{301}", "москва"), ("ru", "Ёлка", "елка"), ("sr", "Čovek", "covek"),
        ("sr", "Škola", "skole"), ("sv", "Försäkring", "forsakringar"), ("sv", "Arbetslöshet", "arbetslos"), ("tr", "Kütüphane", "kutuphane"),
        ("tr", "Işıkları", "isik"), ("tr", "Kitapları", "kitaplari"), ("yi", "פּאַריז", "פאריז"),
        // Languages without a stemmer fold alone.
        ("en", "Café Crème", "cafe creme"), ("pl", "Zażółć gęślą", "zazolc gesla"), ("cs", "Příliš", "prilis"), ("vi", "Tiếng Việt", "tieng viet"), ("bg", "Со\u{301}фия", "софия"),
    ] {
        for (title, question) in [(written, typed), (typed, written)] {
            let pages = [title, "xyz"].map(|title| page("page.md", title, &[], "", &[]));
            assert_eq!(titles(&open(&[pack("p", language, pages.to_vec())]), question), [title], "{language}: {question}");
        }
    }
}

#[test]
fn words_apart_find_the_word_that_they_make_together() {
    let check = |language: &str, title: &str, typed: &str, finds: bool| {
        let pages = [title, "other page"].map(|title| page("page.md", title, &[], "", &[]));
        let found = titles(&open(&[pack("p", language, pages.to_vec())]), typed);
        assert_eq!(found.contains(&title.to_owned()), finds, "{language}: {typed}");
    };
    for (language, title, typed) in [
        ("en", "javascript", "java script"),
        ("en", "JavaScript", "Java Script"),
        ("en", "HttpClient", "http clients"),
        ("en", "Webworker", "what is a web worker"),
        ("en", "Database", "data bases"),
        ("en", "Login", "how do I log in?"),
        ("en", "Setup", "set up a host"),
        ("en", "covid19", "covid 19"),
        ("de", "Wohngeldantrag", "Wohngeld Antrag"),
        ("sv", "Barnbidrag", "barn bidrag"),
        ("fi", "Työhakemus", "työ hakemus"),
        ("ru", "Фотоаппарат", "фото аппарат"),
        ("pl", "Samochód", "samo chod"),
    ] {
        check(language, title, typed, true);
    }
    for (title, typed) in [
        // Punctuation or another word between them, or two words that only happen to stand side by side.
        ("javascript", "java, script"),
        ("javascript", "java and script"),
        ("redis", "which red is it"),
        ("javascript", "黑豹队的防守 java 光合作用 script"),
        ("island", "what is land"),
    ] {
        check("en", title, typed, false);
    }
    // A page of that name comes before pages that have one of the two words.
    let index = open(&words(&["java", "script", "javascript"]));
    assert_eq!(titles(&index, "java script")[0], "javascript");
    assert_eq!(titles(&index, "java"), ["java"]);
}

#[test]
fn a_word_without_end_is_looked_up_and_no_more() {
    let index = open(&words(&["web worker", "other page"]));
    for letters in ["a", "webworker", "é", "ab"] {
        let word = letters.repeat(200_000 / letters.len());
        assert!(titles(&index, &word).is_empty());
    }
}

#[test]
fn a_slip_is_mended_before_a_word_is_cut() {
    // "rel" and "es" are forms of words here, "con" and "net" words: one letter makes another word of each.
    for (known, typed, found) in [
        (&["releases", "rel", "es"][..], "releses", &["releases"][..]),
        (&["connect", "con", "net"], "connet", &["connect"]),
        (&["logic", "log in"], "login", &["log in"]),
    ] {
        let pages = known.iter().enumerate().map(|(at, title)| page(&format!("{at}.md"), title, &[], "", &[]));
        assert_eq!(titles(&open(&[pack("p", "en", pages.collect())]), typed), found, "{typed}");
    }
}

#[test]
fn signs_tell_names_of_the_same_words_apart() {
    let names = ["C", "C++", "C#", ".env", "env", "--no-verify", "React.js"];
    let index = open(&words(&names));
    let exact = |query: &str| -> Vec<&str> {
        let hits = index.searcher(&Bm25::default()).search(query, 8).unwrap();
        hits.iter().filter(|hit| hit.exact).map(|hit| names[hit.page.0 as usize]).collect()
    };
    for name in names {
        assert_eq!(exact(name), [name]);
    }
    // Without signs a page is meant by its words, where none is written so.
    assert_eq!([exact("react js"), exact("no verify")], [["React.js"], ["--no-verify"]]);
    let why = index.searcher(&Bm25::default()).explain("C", PageNo(1)).unwrap();
    assert!(!why.exact && index.searcher(&Bm25::default()).explain("C", PageNo(0)).unwrap().exact);
}

#[test]
fn stop_words_tell_names_of_the_same_words_apart() {
    let names = ["Not null", "Null", "The Who", "Verify", "--no-verify", "What is C", "C++", "C#", "The env", ".env"];
    let pages = names.map(|name| page(&format!("{name}.md"), name, &[], "", &[]));
    let index = open(&[pack("p", "en", pages.to_vec())]);
    let exact = |query: &str| -> Vec<&str> {
        let hits = index.searcher(&Bm25::default()).search(query, 8).unwrap();
        hits.iter().filter(|hit| hit.exact).map(|hit| names[hit.page.0 as usize]).collect()
    };
    for name in names {
        assert_eq!(exact(name), [name]);
    }
    // Signs tell more than stop words do.
    assert_eq!([exact("What is C++?"), exact("what is C#"), exact("the .env")], [["C++"], ["C#"], [".env"]]);
    assert_eq!([exact("no verify"), exact("the not null")], [vec!["--no-verify"], vec!["Not null", "Null"]]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_text_is_asked_without_a_panic(text in prop_oneof!["[a-c0-2é'. \\-的是光가ภา\u{301}\u{ad}\u{200b}]{0,16}", "\\PC{0,16}"]) {
        let index = open(&[pack("p", "en", vec![page("page.md", "a b ab 光合", &[], "", &[])])]);
        index.searcher(&Bm25::default()).search(text.as_str(), 8).unwrap();
    }
}
