//! Tables of pieces, and that a built index finds pages by them.

use seealso_index::{Bm25, Index};

use super::*;
use crate::{Pack, catalog_of};

#[test]
fn words_are_cut_at_their_humps() {
    for (word, expected) in [
        ("JavaScript", &["Java", "Script"][..]),
        ("HttpClient", &["Http", "Client"]),
        ("useEffectHook", &["use", "Effect", "Hook"]),
        ("XMLHttpRequest", &["XML", "Http", "Request"]),
        ("parseJSON", &["parse", "JSON"]),
        ("IPv6Address", &["IPv6", "Address"]),
        ("S3Bucket", &["S3", "Bucket"]),
        ("PostgreSQL", &["Postgre", "SQL"]),
        ("Python3", &["Python"]),
        ("Windows11", &["Windows", "11"]),
        ("covid19", &["covid", "19"]),
        ("Base64Encode", &["Base64", "Encode", "Base", "64"]),
        ("ВКонтакте", &[]),
        ("РосПотребНадзор", &["Рос", "Потреб", "Надзор"]),
        ("eBay", &[]),
        ("iPhone", &[]),
        ("PDFs", &[]),
        ("APIs", &[]),
        ("NATO", &[]),
        ("Hook", &[]),
        ("v2", &[]),
        ("mp3", &[]),
        ("2024", &[]),
        ("", &[]),
    ] {
        assert_eq!(humps(word), expected, "{word}");
    }
}

#[test]
fn compounds_are_cut_into_words_of_the_pack() {
    let check = |language: &str, known: &str, word: &str, expected: &[&str]| {
        let analysis = Analysis::of_language(language);
        let vocabulary: Vec<String> = analysis.tokens(known).into_iter().map(|token| token.term).collect();
        let pieces = pieces(word, analysis, &|term| vocabulary.iter().any(|known| known == term));
        let found: Vec<String> = pieces.iter().filter_map(|piece| only_term(analysis, piece)).collect();
        assert_eq!(found, expected, "{language}: {word}");
    };
    check("de", "Wohngeld Antrag", "Wohngeldantrag", &["wohngeld", "antrag"]);
    check("de", "Versicherung Beitrag", "Versicherungsbeiträge", &["versicher", "beitrag"]);
    check("de", "Blume Laden", "Blumenladen", &["blum", "lad"]);
    check("de", "krank Versicherung Beitrag", "Krankenversicherungsbeitrag", &["krank", "versicher", "beitrag"]);
    check("sv", "barn bidrag", "barnbidraget", &["barn", "bidrag"]);
    check("sv", "arbete ersättning", "arbetsersättningen", &["arbet", "ersattning"]);
    check("nl", "huur toeslag", "huurtoeslag", &["huur", "toeslag"]);
    check("nl", "gezondheid zorg", "gezondheidszorg", &["zon", "zorg"]);
    check("da", "bolig støtte", "boligstøtten", &["bol", "stot"]);
    check("no", "arbeid tillatelse", "arbeidstillatelse", &["arbeid", "tillat"]);
    check("fi", "työ hakemus", "työhakemus", &["tyo", "hakemus"]);
    check("hu", "könyvtár jegy", "könyvtárjegy", &["konyvtar", "jegy"]);
    // One of the two is not known, or the language writes them apart.
    check("de", "Antrag", "Wohngeldantrag", &[]);
    check("en", "pass port", "passport", &[]);
    check("fr", "porte feuille", "portefeuille", &[]);
}

#[test]
fn single_characters_are_parts_of_a_run() {
    let check = |title: &str, expected: &[&str]| {
        let page = NewPage { title: title.to_owned(), ..NewPage::default() };
        let found = word_parts(&page, Analysis::Plain, &|_| false);
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), expected, "{title}");
    };
    check("绿茶", &["绿", "茶"]);
    check("緑茶の水", &["水", "緑", "茶"]);
    check("녹차", &["녹", "차"]);
    check("茶", &[]);
    check("ชาเขียว", &[]);
}

#[test]
fn a_part_of_a_name_counts_more_than_one_of_the_summary() {
    let page = NewPage { title: "HttpClient".into(), summary: "Not a HttpServer.".into(), ..NewPage::default() };
    let expected = [("client", OF_NAME), ("http", OF_NAME), ("server", OF_SUMMARY)];
    let found = word_parts(&page, Analysis::English, &|_| false);
    assert!(found.iter().map(|(term, counts)| (term.as_str(), *counts)).eq(expected));
}

/// The titles that a search over pages of these titles and summaries finds, best first.
fn found(language: &str, pages: &[(&str, &str)], typed: &str) -> Vec<String> {
    let texts: Vec<(String, String)> = pages
        .iter()
        .map(|(title, summary)| {
            (format!("{title}.md"), format!("---\ntitle: {title}\nsummary: {summary}\n---\n\n# {title}\n"))
        })
        .collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let mut pack = Pack::of_pages("p", &texts);
    pack.manifest.language = language.to_owned();
    let built = catalog_of(&[pack]).unwrap();
    let index = Index::open(&built.files[0].1).unwrap();
    let hits = index.searcher(&Bm25::default()).search(typed, 8).unwrap();
    hits.iter().map(|hit| index.page(hit.page).unwrap().title).collect()
}

#[test]
fn a_page_is_found_by_the_parts_of_its_name() {
    let check = |language: &str, title: &str, typed: &str| {
        let pages = [
            (title, "One."),
            ("Wohngeld und Antrag", "Two."),
            ("Barn och bidrag", "Three."),
            ("Työ ja hakemus", "Four."),
        ];
        let found = found(language, &pages, typed);
        assert!(found.contains(&title.to_owned()), "{language}: {typed} finds {found:?}");
    };
    for (title, typed) in [
        ("JavaScript", "java script"),
        ("JavaScript", "script"),
        ("HttpClient", "http client"),
        ("HttpClient", "clients"),
        ("useEffectHook", "effect hook"),
        ("useEffectHook", "hook"),
        ("XMLHttpRequest", "xml http request"),
        ("XMLHttpRequest", "requests"),
        ("IPv6Address", "ipv6 address"),
        ("IPv6Address", "IPv6"),
        ("Python3", "python 3"),
        ("Python3", "python"),
        ("snake_case_name", "case name"),
        ("my-kebab-name", "kebab"),
        ("os.path.join", "path join"),
        ("webworker", "web worker"),
        ("绿茶", "茶"),
        ("녹차", "차"),
    ] {
        check("en", title, typed);
    }
    check("de", "Wohngeldantrag", "Antrag");
    check("de", "Wohngeldanträge", "Antrag auf Wohngeld");
    check("sv", "Barnbidrag", "bidraget");
    check("fi", "Työhakemus", "hakemuksen");
    check("zh", "一种绿茶", "茶");
    check("ja", "緑茶の淹れ方", "茶");
}

#[test]
fn a_page_named_by_the_part_stays_first() {
    for (language, whole, part) in [
        ("en", "useEffectHook", "Hook"),
        ("en", "JavaScript", "Java"),
        ("en", "HttpClient", "Client"),
        ("de", "Wohngeldantrag", "Antrag"),
        ("sv", "Barnbidrag", "Bidrag"),
        ("zh", "绿茶", "茶"),
    ] {
        let pages = [(whole, "First."), (part, "Second."), ("Wohngeld Barn", "Third.")];
        assert_eq!(found(language, &pages, part), [part, whole], "{language}");
        assert_eq!(found(language, &pages, whole)[0], whole, "{language}");
    }
    // Words of a summary count for more than parts of one, and none counts twice.
    let pages = [("One", "A HttpClient."), ("Two", "A client."), ("HttpClient", "The client.")];
    assert_eq!(found("en", &pages, "client"), ["HttpClient", "Two", "One"]);
}
