//! Each check on claims with a text: the claimed value, the value found, and the outcome.

use seealso_index::Analysis;

use super::CheckOutcome::{Contradicted, NotFound, Supported};
use super::*;
use crate::deliberate::claims::Claim;
use crate::deliberate::evidence::Evidence;

/// The results of the checks of `kind` for `claim` with `text`, a page named `Tea`.
#[track_caller]
fn check_kind(kind: CheckKind, claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]) {
    let evidence = Evidence::of_text("Tea", text, Analysis::English);
    let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..claim.len() };
    let alignment = evidence.align(&claim, 8);
    let findings = check(&claim.text, &alignment);
    let results = findings.iter().map(|finding| &finding.result).filter(|result| result.kind == kind);
    let found: Vec<(&str, &str, CheckOutcome)> =
        results.map(|result| (result.claimed.as_str(), result.found.as_str(), result.outcome)).collect();
    assert_eq!(found, expected, "{} / {text}", claim.text);
}

#[test]
fn numbers() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Number, claim, text, expected);
    };
    check("Tea is steeped at 70 °C.", "Tea is steeped at 70 °C.", &[("70 °C", "70 °C", Supported)]);
    check("Tea is steeped at 158 °F.", "Tea is steeped at 70 °C.", &[("158 °F", "70 °C", Supported)]);
    check("Tea is steeped at 75 °C.", "Tea is steeped at 70 °C.", &[("75 °C", "70 °C", Contradicted)]);
    check("The tea road is 5 km long.", "The tea road is 5,000 metres long.", &[("5 km", "5,000 metres", Supported)]);
    check("The tea road is 5 miles long.", "The tea road is 5 km long.", &[("5 miles", "5 km", Contradicted)]);
    check("A cup weighs 1,5 kg of tea.", "A cup weighs 1.5 kg of tea.", &[("1,5 kg", "1.5 kg", Supported)]);
    check("Tea has 1.234.567 fans.", "Tea has 1,234,567 fans.", &[("1.234.567", "1,234,567", Supported)]);
    check("Tea has twenty-one kinds.", "Tea has 21 kinds.", &[("twenty-one", "21", Supported)]);
    check("Tea sold 12 million cups.", "Tea sold 12,000,000 cups.", &[("12 million", "12,000,000", Supported)]);
    check("Tea sold 4.9 million cups.", "Tea sold 4,937,000 cups.", &[("4.9 million", "4,937,000", Supported)]);
    check("Tea has over 100 kinds.", "Tea has 121 kinds.", &[("100", "121", Supported)]);
    check("Tea has over 130 kinds.", "Tea has 121 kinds.", &[("130", "121", Contradicted)]);
    check("Tea has fewer than 200 kinds.", "Tea has 121 kinds.", &[("200", "121", Supported)]);
    check("Tea needs at least 512 MB.", "Tea needs 1024 MB.", &[("512 MB", "1024 MB", Supported)]);
    check(
        "Tea sold under 2 million cups.",
        "The ninth tea sold 3 million cups.",
        &[("2 million", "3 million", Contradicted)],
    );
    check("Tea has less than 115 reviews.", "Tea has 28% in 116 reviews.", &[("115", "116", Contradicted)]);
    check("Tea is over 10% wide.", "Tea is 12 wide.", &[("10%", "12", NotFound)]);
    check("Tea costs less than $5.", "Tea costs 4.50 in town.", &[("$5", "4.50", Supported)]);
    check("Tea is 30 percent water.", "Tea is 30% water.", &[("30 percent", "30%", Supported)]);
    check(
        "Tea steeps 5 to 10 minutes.",
        "Tea steeps 5–10 min.",
        &[("5", "5", Supported), ("10 minutes", "10 min", Supported)],
    );
    check("Tea app is at version 1.2.4.", "Tea app is at version 1.2.3.", &[("1.2.4", "1.2.3", Contradicted)]);
    check("Tea costs $5 million.", "Tea costs 5 million dollars.", &[("$5 million", "5 million dollars", Supported)]);
    check("The third tea is black.", "The fourth tea is black.", &[("third", "fourth", Contradicted)]);
    check("Tea has 40 mg of caffeine.", "Tea has much caffeine.", &[("40 mg", "", NotFound)]);
    check("Tea freezes at 20 °C.", "Tea freezes at −20 °C.", &[("20 °C", "−20 °C", Contradicted)]);
    check("Tea freezes at -20 °C.", "Tea freezes at −20 °C.", &[("-20 °C", "−20 °C", Supported)]);
    check(
        "Tea steeps 5 -10 minutes.",
        "Tea steeps 5-10 min.",
        &[("5", "5", Supported), ("10 minutes", "10 min", Supported)],
    );
    check("One of the teas has B12 in it.", "The teas have it.", &[]);
}

#[test]
fn dates() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Date, claim, text, expected);
    };
    let text = "Tea was sold on June 26 , 1980 in town.";
    check("Tea was sold in 1980.", text, &[("1980", "June 26 , 1980", Supported)]);
    check("Tea was sold before July 1980.", text, &[("July 1980", "June 26 , 1980", Supported)]);
    check("Tea was sold before June 27.", text, &[("June 27", "June 26 , 1980", Supported)]);
    check("Tea was sold prior to the 1990s.", text, &[("1990s", "June 26 , 1980", Supported)]);
    check(
        "Tea came before June 2020.",
        "Tea came in July 2020, and milk in 2014.",
        &[("June 2020", "July 2020", Contradicted)],
    );
    check("Tea was sold after 1979.", text, &[("1979", "June 26 , 1980", Supported)]);
    check("Tea was sold after 1981.", text, &[("1981", "June 26 , 1980", Contradicted)]);
    check("Tea was sold before June 20, 1980.", text, &[("June 20, 1980", "June 26 , 1980", Contradicted)]);
    check("Tea was sold before 1990.", "Tea was sold by Kay (born 1950).", &[("1990", "", NotFound)]);
    check("Tea was sold in June.", text, &[("June", "June 26 , 1980", Supported)]);
    check("Tea was sold on 26th of June 1980.", text, &[("26th of June 1980", "June 26 , 1980", Supported)]);
    check("Tea was sold on 1980-06-26.", text, &[("1980-06-26", "June 26 , 1980", Supported)]);
    check("Tea was sold on 26.06.1980.", text, &[("26.06.1980", "June 26 , 1980", Supported)]);
    check("Tea was sold am 26. Juni 1980.", text, &[("26. Juni 1980", "June 26 , 1980", Supported)]);
    check("Tea was sold in the 1980s.", text, &[("1980s", "June 26 , 1980", Supported)]);
    check("Tea was sold in the 20th century.", text, &[("20th century", "June 26 , 1980", Supported)]);
    check("Tea was sold in 1981.", text, &[("1981", "June 26 , 1980", Contradicted)]);
    check("Tea was sold on June 27, 1980.", text, &[("June 27, 1980", "June 26 , 1980", Contradicted)]);
    check("Tea was sold in July 1980.", text, &[("July 1980", "June 26 , 1980", Contradicted)]);
    check("Tea was sold on June 26, 1980.", "Tea was sold in 1980.", &[("June 26, 1980", "", NotFound)]);
    check("Tea was sold in 1980.", "Tea was sold.", &[("1980", "", NotFound)]);
    check("Tea may march in 5 lines.", "Tea may march.", &[]);
    check("Tea was sold in the 1980's.", text, &[("1980's", "June 26 , 1980", Supported)]);
    check("Tea was sold in the 1900's.", text, &[("1900's", "June 26 , 1980", Supported)]);
    check("Tea was sold in the 1700s.", "Tea was sold in 1788.", &[("1700s", "1788", Supported)]);
    check("Tea was sold in 1996's shops.", "Tea was sold in 1998.", &[("1996", "1998", Contradicted)]);
    // When somebody was born stands for no other date.
    let born = "Ann (born 31 May 1961) sold tea in town.";
    check("Ann sold tea in town in the 1990s.", born, &[("1990s", "", NotFound)]);
    check("Ann was born in 1962.", born, &[("1962", "31 May 1961", Contradicted)]);
    check("Ann sold tea in 1990.", "Ann, born in 1961, sold tea.", &[("1990", "", NotFound)]);
    check("Ann sold tea in 1990.", "Born in London in 1961, Ann sold tea.", &[("1990", "", NotFound)]);
    check("Born in 1962, Ann sold tea.", "Ann (born 1961) sold tea.", &[("1962", "1961", Contradicted)]);
    check("Tom Osborne sold tea in 1990.", "Tom Osborne, born in 1961, sold tea.", &[("1990", "", NotFound)]);
    check("Ann verkaufte 1990 Tea.", "Ann, geboren am 31. Mai 1961, verkaufte Tea.", &[("1990", "", NotFound)]);
    // What is said of a longer time speaks for no year of it and against none.
    check("Tea was sold in 1984.", "Tea was sold in the 1980s.", &[("1984", "", NotFound)]);
    check("Tea was sold in 1974.", "Tea was sold in the 1980s.", &[("1974", "1980s", Contradicted)]);
    check("Tea was sold in the 1700s.", "Tea was sold in the 18th century.", &[("1700s", "18th century", Supported)]);
    check("Tea was sold in the 18th century.", "Tea was sold in the 1700s.", &[("18th century", "1700s", Supported)]);
    check(
        "Tea was sold in the 1800s.",
        "Tea was sold in the 18th century.",
        &[("1800s", "18th century", Contradicted)],
    );
    check(
        "Tea was sold in the 1600s.",
        "Tea was sold in the 18th century.",
        &[("1600s", "18th century", Contradicted)],
    );
}

#[test]
fn names() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Name, claim, text, expected);
    };
    let text = "The plant was taken to India by Robert Fortune for the East India Company.";
    check("The plant was taken by Fortune.", text, &[("Fortune", "Fortune", Supported)]);
    check("The plant was taken by R. Fortune.", text, &[("R. Fortune", "Fortune", Supported)]);
    check(
        "The plant was taken to India by Henry Fortune.",
        text,
        &[("India", "India", Supported), ("Henry Fortune", "Robert Fortune", Contradicted)],
    );
    check("The plant was taken for the EIC.", text, &[("EIC", "East India Company", Supported)]);
    let hall = "The pot is on display at the National Tea and Cup Museum in Bonn, near Old Town Hall.";
    check("The pot is at the NTCM.", hall, &[("NTCM", "National Tea and Cup Museum", Supported)]);
    check("The house honours JFK.", "The house honours John F. Kennedy.", &[("JFK", "John F. Kennedy", Supported)]);
    check("The pot is at the NTM.", hall, &[("NTM", "National Tea", Contradicted)]);
    check(
        "Several of Fortune's plants were taken to India.",
        text,
        &[("Fortune's", "Fortune", Supported), ("India", "India", Supported)],
    );
    check(
        "The plant was taken to China by Fortune.",
        text,
        &[("China", "India", Contradicted), ("Fortune", "Fortune", Supported)],
    );
    check("The plant is loved by the Queen of Sheba.", text, &[("Queen of Sheba", "India", NotFound)]);
    // A name that the claim has too stands in its own place.
    let sisters = "She is a younger sister of Miley Cyrus.";
    check(
        "Noah Cyrus is a sister of Miley Cyrus.",
        sisters,
        &[("Noah Cyrus", "Cyrus", Supported), ("Miley Cyrus", "Miley Cyrus", Supported)],
    );
    check("The song is by Noah Cyrus.", "The song is by Miley Cyrus.", &[("Noah Cyrus", "Miley Cyrus", Contradicted)]);
    check("It is an Indian plant, as Tea is.", text, &[("Indian", "Indian", Supported), ("Tea", "Tea", Supported)]);
    check("Plants grow on Monday in the sun.", text, &[]);
    // A common word that both contain supports no name.
    check("Kerner Company sold tea.", "The tea company of the Fortunes sold tea.", &[("Kerner Company", "", NotFound)]);
    // Lands, and what is of them.
    let comic = "Sirens is an American comic book series.";
    check("Sirens is a comic book series of the United States.", comic, &[("United States", "American", Supported)]);
    check("Sirens is a comic book series of Spain.", comic, &[("Spain", "American", Contradicted)]);
    check("Sirens was read in the U.S. by all.", comic, &[("U.S", "American", Supported)]);
    let of_states = "Tea is sold in the United States.";
    check(of_states, "Tea is sold in South America.", &[("United States", "South America", Contradicted)]);
    check(of_states, "Tea is sold in Canada for US$5.", &[("United States", "Canada", Contradicted)]);
    check(
        of_states,
        "Tea is sold by Bank of America in Canada.",
        &[("United States", "Bank of America", Contradicted)],
    );
    let party = "Obama is an American Democratic politician.";
    check("Obama is a politician of the United States.", party, &[("United States", "American", Supported)]);
    check("Tea was part of Spain's trade.", "Tea was part of Spanish trade.", &[("Spain's", "Spanish", Supported)]);
    check("It is a Welsh herb.", "The herb is of New South Wales.", &[("Welsh", "", NotFound)]);
    // A first name may be written otherwise, and a title is none.
    for (claim, text) in [("Tom Edison", "Thomas Edison"), ("Mr. Edison", "Thomas Edison")] {
        let (claimed, text) = (format!("The tea was invented by {claim}."), format!("The tea was invented by {text}."));
        check(&claimed, &text, &[(claim, "Edison", Supported)]);
    }
    check(
        "The tea came to St. Petersburg.",
        "The tea came to Saint Petersburg.",
        &[("St. Petersburg", "Petersburg", Supported)],
    );
    check("The Boeing 747 flew.", "The 747 flew.", &[("Boeing 747", "747", Supported)]);
    check("The Numpy Library is fast.", "numpy is fast.", &[("Numpy Library", "Numpy", Supported)]);
    check("Sirens was a USA series.", "The Sirens series told us of war.", &[("USA", "", NotFound)]);
}

#[test]
fn names_of_what_a_sentence_is_about() {
    // An excerpt, which may say "she" where a whole page would have her name.
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        let evidence = Evidence::of_excerpt("", text, Analysis::English);
        let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..claim.len() };
        let findings = names::check(&CheckContext { claim: &claim.text, alignment: &evidence.align(&claim, 8) });
        let results = findings.iter().map(|finding| &finding.result);
        let found: Vec<(&str, &str, CheckOutcome)> =
            results.map(|result| (result.claimed.as_str(), result.found.as_str(), result.outcome)).collect();
        assert_eq!(found, expected, "{} / {text}", claim.text);
    };
    // The article does not give its word the capital.
    check("The Earth was a military service.", "The KGB was a military service.", &[("Earth", "KGB", Contradicted)]);
    check("Earth was a military service.", "The KGB was a military service.", &[]);
    // Words that begin a sentence before its subject.
    check("Mick Thomson is a guitarist.", "Born in Iowa, he is best known as a guitarist.", &[]);
    check("Mick Thomson was a late guitarist.", "Early in his life he was a guitarist.", &[]);
    // A surname alone, or a pronoun, is whom the claim names.
    let bonn = "Born in Bonn, Beethoven was taught by Johann van Beethoven.";
    check(
        "Ludwig van Beethoven was born in Bonn.",
        bonn,
        &[("Ludwig van Beethoven", "Beethoven", Supported), ("Bonn", "Bonn", Supported)],
    );
    for text in ["The song was sung by Miley Cyrus.", "In 2007 Miley Cyrus sang her song."] {
        check("Noah Cyrus sang the song.", text, &[("Noah Cyrus", "Miley Cyrus", Contradicted)]);
    }
    check("Kerner Company sold tea.", "Company records say that tea was sold.", &[]);
    let paris = "In Paris, Miller founded a company.";
    check(
        "In Paris, Smith founded a company.",
        paris,
        &[("Paris", "Paris", Supported), ("Smith", "Miller", Contradicted)],
    );
    check(
        "The Battle of Rome was a fight.",
        "The Fall of Rome was a fight.",
        &[("Battle of Rome", "Fall of Rome", Contradicted)],
    );
    check(
        "Planes were built in Burbank.",
        "It was where planes were built in silence for Cuba.",
        &[("Burbank", "", NotFound)],
    );
    check("Planes were built in Burbank.", "Ann says planes were built in Cuba.", &[("Burbank", "Cuba", Contradicted)]);
    check("She was born in Paris.", "She was born in London.", &[("Paris", "London", Contradicted)]);
    let moved = "Google moved its office to Paris.";
    check("Google moved its office to Berlin.", moved, &[("Berlin", "Paris", Contradicted)]);
    // What only tells a name from others.
    check("Victoria (Dance Exponents song) was sold.", "The song was sold by Virgin.", &[]);
    check("Charlotte, North Carolina is home to a bank.", "Charlotte is home to the Bank of America.", &[]);
    check("Portland, Oregon is home to a bank.", "Portland is home to a bank of Nike.", &[]);
    check(
        "Brown, Smith and Jones sold it.",
        "Brown, Miller and Jones sold it.",
        &[("Smith", "Miller", Contradicted), ("Jones", "Jones", Supported)],
    );
    check("Windows (Apple) is sold.", "Windows (Microsoft) is sold.", &[("Apple", "Microsoft", Contradicted)]);
    check("The Netherlands were the host.", "Italy was the host.", &[("Netherlands", "Italy", Contradicted)]);
    check(
        "Matthias, King of Bohemia, ruled.",
        "Matthias was King of Hungary and ruled.",
        &[("King of Bohemia", "King of Hungary", Contradicted)],
    );
}

#[test]
fn numbers_of_a_title() {
    let evidence = Evidence::of_excerpt("", "The film was sold by Virgin in 3 lands.", Analysis::English);
    let claim = "Despicable Me 2 was sold in 4 lands.";
    let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..claim.len() };
    let findings = numbers::check(&CheckContext { claim: &claim.text, alignment: &evidence.align(&claim, 8) });
    let found: Vec<(&str, &str)> =
        findings.iter().map(|finding| (finding.result.claimed.as_str(), finding.result.found.as_str())).collect();
    assert_eq!(found, [("4", "3")]);
    let high = "Mount Everest (8,500 m) is in Nepal.";
    let evidence = Evidence::of_excerpt("", "The mountain in Nepal rises 8,848 m.", Analysis::English);
    let claim = Claim { text: high.to_owned(), citations: Vec::new(), range: 0..high.len() };
    let findings = numbers::check(&CheckContext { claim: high, alignment: &evidence.align(&claim, 8) });
    assert_eq!(findings[0].result.found, "8,848 m");
    // A crowd stands for no score.
    let numbers = |text: &str| quantity::quantities(text).remove(0);
    assert!(!numbers("5").may_stand_for(&numbers("63,000")));
    assert!(numbers("5").may_stand_for(&numbers("630")));
}

#[test]
fn quotes() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Quote, claim, text, expected);
    };
    let text = "He called tea ‘the cup that cheers’, and drank. He said no more.";
    check("He spoke of “the cup that  cheers”.", text, &[("the cup that  cheers", "the cup that  cheers", Supported)]);
    check(
        "He wrote \"cheers, and drank. He said\".",
        text,
        &[("cheers, and drank. He said", "cheers, and drank. He said", Supported)],
    );
    check(
        "Tea is \"the cup that kills\".",
        text,
        &[("the cup that kills", "He called tea ‘the cup that cheers’, and drank.", Contradicted)],
    );
    check("Tea is \"a drink of the gods\".", text, &[("a drink of the gods", "", NotFound)]);
    check("Tea is \"hot\".", text, &[]);
}

#[test]
fn negation() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Negation, claim, text, expected);
    };
    check("Tea is not grown in shade.", "Tea is grown in shade.", &[("is not grown", "Tea is grown", Contradicted)]);
    check(
        "Tea never abdicated the throne.",
        "Tea abdicated the throne.",
        &[("Tea never abdicated", "Tea abdicated", Contradicted)],
    );
    check("Tea is grown in shade.", "Tea isn't grown in shade.", &[("grown", "Tea isn't grown", Contradicted)]);
    check(
        "Tea is not grown in shade.",
        "Tea is never grown in shade.",
        &[("is not grown", "is never grown", Supported)],
    );
    check("Tea is rolled before drying.", "Tea is rolled after drying.", &[("before", "after", Contradicted)]);
    check("Heat increases the taste.", "Heat decreased the taste.", &[("increases", "decreased", Contradicted)]);
    check("Tea is grown in shade.", "Tea is grown in shade.", &[]);
    check("Tea is no weed.", "Tea is a herb of Asia.", &[("no", "", NotFound)]);
    check("Tea isn't a weed.", "Tea is unknown in Europe.", &[]);
    check("Tea is not only a weed.", "Tea is a herb of Asia.", &[]);
    check("Tea is no. 5 of the herbs.", "Tea is a herb of the United States.", &[]);
    check("Tea ist kein Kraut.", "Tea ist eine Pflanze unter Bäumen.", &[("kein", "", NotFound)]);
    check("Wine is not red.", "Tea is a herb of Asia.", &[]);
    check(
        "Tea didn't act in Dallas.",
        "Tea avoided acting in Dallas.",
        &[("Tea didn't act", "Tea avoided acting", Supported)],
    );
    check("Tea is smaller than Coffee.", "Tea is the second-largest, after Coffee.", &[]);
    check("Tea is the smallest herb.", "Tea is the largest herb.", &[("smallest", "largest", Contradicted)]);
}

#[test]
fn what_is_denied_of_another_date_is_said_of_none() {
    let (text, claim) = ("In 2018 she signed her contract.", "She did not sign her contract in 2014.");
    check_kind(CheckKind::Date, claim, text, &[]);
    check_kind(CheckKind::Negation, claim, text, &[]);
    let same = "She did not sign her contract in 2018.";
    check_kind(CheckKind::Date, same, text, &[("2018", "2018", Supported)]);
    check_kind(CheckKind::Negation, same, text, &[("did not sign", "2018 she signed", Contradicted)]);
}

#[test]
fn quantifiers() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Quantifier, claim, text, expected);
    };
    check("All teas have caffeine.", "Most teas have caffeine.", &[("All", "Most", Contradicted)]);
    check("Some teas have caffeine.", "All teas have caffeine.", &[("Some", "All", Supported)]);
    check("Tea grows only in India.", "Tea grows in India.", &[("only", "", NotFound)]);
    check("Steep for at least 5 minutes.", "Steep for at most 5 minutes.", &[("5 minutes", "5 minutes", Contradicted)]);
    check("Most teas have caffeine.", "The teas have caffeine.", &[]);
}

mod no_text_is_too_odd {
    use proptest::prelude::*;

    use super::*;

    fn odd() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "Tea",
            " ",
            "1",
            "9",
            "1980",
            ".",
            ",",
            "-",
            "–",
            "th",
            " June ",
            " century",
            "s",
            "%",
            "°",
            "C",
            "$",
            "“",
            "”",
            "\"",
            " not ",
            " all ",
            "n't",
            " more than ",
            "年",
            "月",
            "日",
            "茶",
            "É",
            "é",
            "'",
            "’",
            " of ",
            "AB",
            " million",
            " per ",
            " cent",
            "\u{a0}",
            "twenty",
            "-one",
            "``",
            "''",
            "/",
            "26",
            "½",
            "(",
            ") ",
            ", ",
            "St. ",
            " born ",
            "The ",
            "She ",
            " was ",
            "United States",
            "America",
        ]);
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    fn pass(claim: &str, text: &str) {
        let claim = Claim { text: claim.to_owned(), citations: vec![1], range: 0..claim.len() };
        for evidence in
            [Evidence::of_text("Tea", text, Analysis::English), Evidence::of_excerpt("Tea", text, Analysis::English)]
        {
            check(&claim.text, &evidence.align(&claim, 8));
        }
    }

    proptest! {
        #[test]
        fn any_text(claim in any::<String>(), text in any::<String>()) {
            pass(&claim, &text);
        }

        #[test]
        fn odd_texts(claim in odd(), text in odd()) {
            pass(&claim, &text);
            pass(&claim, &claim);
        }
    }
}

#[test]
fn what_is_denied_in_other_words_is_no_contradiction() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Negation, claim, text, expected);
    };
    let need_not = "A chef need not go through training.";
    check("A chef does not need training.", need_not, &[("does not need", "A chef need", Supported)]);
    let never = "Never has a living coelacanth been found.";
    check("Nobody has found a living coelacanth.", never, &[("Nobody has found", "coelacanth been found", Supported)]);
    check(
        "The shop does not sell tea.",
        "The shop sells tea and is free.",
        &[("does not sell", "The shop sells", Contradicted)],
    );
    check("The country has a king.", "The country has no king today.", &[("king", "has no king", Contradicted)]);
    check("She lives alone.", "She does not live alone.", &[("lives", "does not live", Contradicted)]);
}

#[test]
fn a_text_of_a_great_many_denials_is_read_in_linear_time() {
    for denial in ["not ", "no red "] {
        let text = format!("Tea is sold in Rome and {}milk.", denial.repeat(100_000));
        check_kind(CheckKind::Name, "Tea is not sold in Rome.", &text, &[("Rome", "Rome", Supported)]);
    }
}

#[test]
fn a_part_of_the_world_is_told_from_another_alone() {
    let check = |claim: &str, text: &str, expected: &[(&str, &str, CheckOutcome)]| {
        check_kind(CheckKind::Name, claim, text, expected);
    };
    check("The sculptor had his career in Europe.", "The sculptor had his career in Romania.", &[]);
    check("The sculptor had his career in Western Europe.", "The sculptor had his career in France.", &[]);
    check("The sculptor had his career in Europe.", "The sculptor had his career in Scandinavia.", &[]);
    let other = "The sculptor had his career in South America.";
    check("The sculptor had his career in Europe.", other, &[("Europe", "South America", Contradicted)]);
    check("The sculptor had his career in South America.", other, &[("South America", "South America", Supported)]);
    let sold = "The sculptor had his career in Costa Rica, and fame reached Europe.";
    check("The sculptor had his career in Latin America.", sold, &[]);
}

#[test]
fn the_1900s_may_be_a_century() {
    let signed = "The treaty was signed in 1940.";
    check_kind(CheckKind::Date, "The treaty was signed in the 1900s.", signed, &[("1900s", "1940", Supported)]);
    check_kind(CheckKind::Date, "The treaty was signed in the 1930s.", signed, &[("1930s", "1940", Contradicted)]);
}
