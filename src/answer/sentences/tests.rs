//! Tables of prose and its sentences, by language; and that cutting loses nothing and takes linear time.

use proptest::prelude::*;

use super::*;

/// Checks that each text of `rows`, whose sentences are parted by `|`, is cut there and nowhere else.
fn check(language: &str, rows: &[&str]) {
    let rules = SentenceRules::of(Analysis::of_language(language));
    for row in rows {
        let expected: Vec<&str> = row.split('|').map(str::trim).collect();
        let text = row.replace('|', "");
        assert_eq!(rules.sentences(&text), expected, "{language}");
    }
}

#[test]
fn prose_is_cut_at_its_sentences() {
    #[rustfmt::skip]
    check("en", &[
        "One.| Two!| Three?| Four",
        "It costs 3.5 units, e.g. on v1.2.3 of it.| \"Done.\"| Next.",
        "Is it so?!| Yes.",
        "Edit config.local. it is small",
        "Edit config.local.| It is small.",
        "Ask at www.fenwick.example.| Then go on.",
    ]);
    assert_eq!(sentences("  "), Vec::<&str>::new());
}

#[test]
fn abbreviations_end_nothing() {
    #[rustfmt::skip]
    check("en", &[
        "Dr. A. Smith met J. R. R. Tolkien on Mt. Etna.| They spoke.",
        "It opened in Jan. 2020.| It closed on Feb. 3.",
        "It opens on Mon. 5 May.| They lay in the sun.| 5 of them slept.",
        "Under sec. 4 and 17 C.F.R. § 240 it is lawful.| See Fig. 3.| The rest follows.",
        "The shop opens at 8 a.m. Tuesday to Friday.| It closes at 6 p.m.| The bank does too.",
        "Read it (p. 12).| Go on (cf. pp. 3 and 4).",
        "It is told elsewhere (The New Kiln, p. 23).| Nobody read it.",
        "Is it there?| No.| Nobody saw it.| Try No. 5.| No. B is empty.",
        "Apples, pears, etc. are fruit.| So are plums, figs, etc.| Nuts are not.",
        "The U.S. Navy sails.| They live in the U.S.| She left.",
        "Acme Inc. Widgets are sold by Acme Inc.| It sells them.",
        "It is sold (by Acme Inc.).| Widgets are not.",
        "It contains vitamin C.| It is sour.",
        "St. Louis lies on a river.| The street is Elm St.| It is long.",
    ]);
}

#[test]
fn items_numbers_and_references_stay_with_their_sentences() {
    #[rustfmt::skip]
    check("en", &[
        "1. Open the lid.| 2. Close it.| 2.1. Wait.",
        "a. Look.| B. Go.",
        "iv. Leave.",
        "Do this: 1. Open the lid.| 2. Close it.",
        "It was so in 1990.| Then it changed.",
        "It was shown.[3]| Nobody knew why. [4]| All was well.| It ended.",
    ]);
}

#[test]
fn ellipses_and_quotes_end_a_sentence_before_a_capital() {
    #[rustfmt::skip]
    check("en", &[
        "Wait... what?| Yes.",
        "Wait...| What?| Yes… no.| Well…| Yes.",
        "It says “the lamp […] Burns” and that it is (!) Hot.| So it is.",
        "“Stop!” she said.| ‘Why?’| (He did not know.)| She left.",
    ]);
    check("fr", &["« Venez ! »| Il vint.| « Pourquoi ? » dit-elle.", "« Venez\u{a0}!\u{a0}»| Il vint."]);
    check("de", &["„Komm.“| »Nein.«| Er ging."]);
    check("es", &["¿Quién es?| ¡Entre!| —Gracias.", "No lo sé...| ¿Y tú?"]);
}

#[test]
fn german() {
    #[rustfmt::skip]
    check("de", &[
        "Am 3. Oktober 1990 war es so weit.| Es war die 2. Wahl.| Es waren 3.| Die anderen fehlten.",
        "Im 19. Jahrhundert, z. B. in Nr. 5, steht es auf S. 12 Abs. 2 bzw. Anm. 3.| Das genügt.",
        "Der Ofen, d. h. der Kessel, ist z.B. Teil der Anlage.| Er ist warm.",
        "Äpfel, Birnen usw.| Die Nüsse fehlen.| Das war im 20. Jh. vor unserer Zeit.| Niemand weiß es.",
        "Dipl.-Ing. Huber, Prof. Dr. Maier u. a. Gäste kamen.| Sie sind von dieser Art.| Die ist neu.",
    ]);
}

#[test]
fn languages_of_the_south() {
    #[rustfmt::skip]
    check("fr", &[
        "M. Durand et Mme Leroy, cf. p. 4, sont là.| Ils parlent.",
        "Il naquit en janv. 1900, av. J.-C. ou non.| Le reste, etc.| Nul ne sait.",
    ]);
    #[rustfmt::skip]
    check("es", &[
        "La Dra. Ruiz y el Sr. Gil viven en EE. UU. desde 1990.| Ella vino, p. ej. Ana.",
        "Está en la pág. 3, núm. 5.| Es de la Srta. Vega.| Peras, etc.| Nada más.",
    ]);
    check("pt", &["A Dra. Lima e o Sr. Reis vivem na pág. 3.| Ela veio com V. Exa. Ontem."]);
    check("it", &["Il sig. Neri e la dott.ssa Riva, cfr. pag. 3, sono qui.| Pere, ecc.| Nulla."]);
}

#[test]
fn languages_of_the_north_and_east() {
    check("nl", &["Dhr. De Wit en mevr. Bos, bijv. op blz. 3, zijn er.| Peren enz.| Niets."]);
    check("pl", &["Np. prof. Lis mieszka przy ul. Polnej, tzn. pod nr 3.| Gruszki itd.| Nic."]);
    check("ru", &["В 1990 г. Москва росла.| Это было в 1991 г.| Он уехал.| См. рис. 3 и т. д. Потом всё."]);
}

#[test]
fn an_unknown_language_goes_by_marks_initials_and_numbers() {
    check("xx", &["J. R. Doe came.| Mt.| Etna is high.| 1. Open it."]);
}

#[test]
fn marks_of_other_scripts_end_a_sentence() {
    check("ja", &["光合成。|植物！|「はい。」と言った。|「いいえ。」|終わり？", "3．5倍である．|次。"]);
    check("zh", &["他说：“好。”|“走！[3]”|完。"]);
    check("hi", &["यह पहला है।|दूसरा क्या है?| तीसरा॥"]);
    check("ur", &["یہ پہلا ہے۔| دوسرا کیا ہے؟| تیسرا"]);
    check("hy", &["Սա առաջինն է։| Երկրորդը։"]);
    check("am", &["ይህ ነው።| ሁለተኛው፧| ሦስተኛው"]);
    check("my", &["ဒါပထမ။| ဒုတိယ။"]);
    check("bo", &["འདི་དང་པོ་ཡིན།| གཉིས་པ་ཡིན།"]);
    check("km", &["នេះទីមួយ។| ទីពីរ។"]);
    check("ar", &["هل هذا هو؟| نعم.| انتهى!"]);
}

#[test]
fn a_lead_in_ends_in_a_colon_of_any_script() {
    for lead_in in ["It has these parts:", "部品は次のとおり：", "እነዚህ ናቸው፦"] {
        assert!(is_lead_in(lead_in), "{lead_in}");
    }
    assert!(!is_lead_in("It has parts."));
}

#[test]
fn thai_is_cut_at_a_space_behind_enough_words() {
    let long = "ปลาโลมาเป็นสัตว์เลี้ยงลูกด้วยนมที่อาศัยอยู่ในทะเลและหายใจด้วยปอด";
    let text = format!("{long} มันกินปลา {long} จบ");
    let found = SentenceRules::of(Analysis::Plain).sentences(&text);
    assert_eq!(found, [long, &format!("มันกินปลา {long}"), "จบ"]);
    // Without any space it is cut too, between letters that carry their marks.
    let endless = long.repeat(12);
    let found = SentenceRules::of(Analysis::Plain).sentences(&endless);
    assert!(found.len() > 1 && found.concat() == endless, "{found:?}");
    let names = "ใช้คำสั่ง docker compose up เพื่อเริ่ม";
    assert_eq!(SentenceRules::of(Analysis::Plain).sentences(names), [names]);
}

/// What `text` is without white space.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

proptest! {
    #[test]
    fn nothing_but_white_space_is_lost(
        text in "([a-zA-Z ]{1,4}|[.!?…:()\\[\\]\"'« »“”。！？।۔։]|[0-9]{1,3}|Dr|z\\. B|a\\.m|[\u{e01}-\u{e4e} ]{1,9}|\u{a0}|\n){0,60}",
        language in prop::sample::select(vec!["en", "de", "ru", "xx"]),
    ) {
        let rules = SentenceRules::of(Analysis::of_language(language));
        let bounds = rules.bounds(&text);
        let mut end = 0;
        for range in &bounds {
            prop_assert!(text[end..range.start].trim().is_empty());
            let piece = &text[range.clone()];
            prop_assert!(!piece.is_empty() && piece.trim() == piece);
            end = range.end;
        }
        prop_assert!(text[end..].trim().is_empty());
        prop_assert_eq!(bare(&rules.sentences(&text).concat()), bare(&text));
    }
}

#[test]
fn hostile_text_is_cut_whole_and_in_linear_time() {
    let rules = SentenceRules::of(Analysis::of_language("de"));
    #[rustfmt::skip]
    let parts = [
        ".", ". ", ".A", "A. ", "a.m. The ", "1. ", "[1] ", ".[", ". [1", "\u{a0}", "。", "! »", "(", "…) ", "ก ", "ก", "1。", "z. B. ",
    ];
    for part in parts {
        // Quadratic time would show.
        let text = part.repeat(100_000 / part.len());
        assert!(bare(&rules.sentences(&text).concat()) == bare(&text), "{part:?}");
    }
}
