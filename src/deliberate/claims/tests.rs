//! What drafts look like, and what of them claims something.

use proptest::prelude::*;

use super::*;

#[test]
fn a_silent_sentence_says_nothing_else() {
    let check = |text: &str, silent: bool| assert_eq!(is_abstention(text), silent, "{text}");
    check("The source does not mention the height and the width.", true);
    check("However, the source does not say whether it rained in 1999.", true);
    check("In the given text, the source does not mention when, in 1999, it rained.", false);
    check("Die Quelle gibt nicht an, ob es 1999 geschah.", true);
    check("The source does not say who did it, but Nero burned Rome.", false);
    check("The source does not say who did it and Nero burned Rome in 1999.", false);
    check("The source does not say it: Nero burned Rome.", false);
    check("The source does not say it — Nero burned Rome.", false);
    check("Nero died in 68, the source does not say how.", false);
    check("来源没有说明是谁，尼禄于1999年焚毁罗马。", false);
    check("来源没有说明是谁。", true);
    check("Note: the source does not specify it.", true);
    for silence in [
        "There is no mention of the price in the sources.",
        "No source says what it costs.",
        "None of the pages mentions the price.",
        "Neither source mentions the price.",
        "The sources are silent on the price.",
        "The price is not in the sources.",
        "It is unclear from the sources what it costs.",
        "I am not sure about the price.",
        "As for the price, the sources do not give it.",
        "The sources do not mention tea, so I cannot say how it is steeped.",
        "The sources do not provide information about pricing tiers, licensing terms, and support plans.",
        "The sources do not give the author's name, date of birth, or nationality.",
        "The sources do not mention green and red algae.",
        "The source does not say who did it and when it happened.",
        "Based on the provided sources, there is no mention of the price in the sources.",
        "The exact price of the tea is not given in the sources.",
        "来源没有提到薪水、合同或伤病情况。",
        "根据来源，没有提到薪水。",
        "来源没有说明谁发现了叶绿素，也没有说明发现的时间。",
        "Dazu gibt es in den Quellen keine Angaben.",
        "Leider geben die Quellen dazu keine Auskunft.",
        "The source does not say who did it.",
        "The source does not mention height, width or depth.",
        "Die Quelle gibt es nicht an.",
        "Die Quelle gibt den Preis nicht an.",
        "Die Quellen nennen keinen Preis.",
        "La source ne le précise pas.",
        "La fuente no lo especifica.",
        "La fonte non lo specifica.",
        "A fonte não o especifica.",
    ] {
        check(silence, true);
    }
    for claim in [
        "Nero burned Rome, the source does not say how.",
        "The source does not say who did it and Nero burned Rome.",
        "Green tea cures cancer, the source does not specify it.",
        "Nero burned Rome for reasons the source does not specify.",
        "The source does not name Nero, who burned Rome.",
        "In antiquity Nero burned Rome, the source does not say how.",
        "来源没有说明是谁，尼禄焚毁罗马。",
        "来源没有说明，任何人喝绿茶都会死。",
        "Die Quelle sagt, dass Nero Rom nicht verbrannte.",
        "The tea is not in the shop, and the sources of the river are cold.",
        "I know that tea is not in the sources of the Nile.",
        "Chlorophyll kills people with no mention of the dose in the sources.",
        "Drinking bleach heals every wound not covered in the sources.",
        "The reason why Nero burned Rome in 1999 is unclear from the sources.",
        "I am not sure that you know that Nero burned Rome.",
        "I don't know a healthier drink than bleach.",
        "The source does not say it, if you drink bleach you live forever.",
        "The source does not mention Paris, or Nero burned Rome in 1999.",
        "无论如何绿茶能治愈癌症，来源没有说明。",
        "Die Quellen nennen keinen anderen Täter als Nero.",
        "In den Quellen der Donau steht das Wasser nicht still.",
    ] {
        check(claim, false);
    }
}

#[test]
fn half_a_sentence_is_left_out() {
    let check = |text: &str, expected: &str| assert_eq!(without_unfinished(text), expected, "{text}");
    check("Tea is hot. Hadrian was born in", "Tea is hot.");
    check("Tea is hot [1]. Coffee", "Tea is hot [1].");
    check("Tea is hot.[1] Coffee is", "Tea is hot.[1]");
    check("Tea is hot. [1] Coffee is", "Tea is hot. [1]");
    check("Tea is hot [1].", "Tea is hot [1].");
    check("**Tea is hot.** Coffee is", "**Tea is hot.**");
    check("He said \"tea.\" And then", "He said \"tea.\"");
    check("- Tea is hot.\n- Coff", "- Tea is hot.");
    check("茶是热的。咖啡", "茶是热的。");
    check("Tea is hot.\n\n```sh\ntea bre", "Tea is hot.");
    check("Tea is hot.\n\n```sh\ntea\n```", "Tea is hot.\n\n```sh\ntea\n```");
    check("Hadrian was born in", "");
    check("Water at 99.9 degrees", "");
    check("", "");
}

/// The texts of the claims.
#[track_caller]
fn check(draft: &str, expected: &[&str]) {
    let found = claims(draft);
    let texts: Vec<&str> = found.iter().map(|claim| claim.text.as_str()).collect();
    assert_eq!(texts, expected);
}

/// What is left when the claim of that number is cut out.
#[track_caller]
fn check_cut(draft: &str, number: usize, expected: &str) {
    let range = claims(draft)[number].range.clone();
    assert_eq!(format!("{}{}", &draft[..range.start], &draft[range.end..]), expected);
}

#[test]
fn marks_belong_to_the_sentence_before() {
    let draft = "Tea is very hot. [1] It is old [1, 3]. It is green.[2][4] It grows here 【2】。";
    check(draft, &["Tea is very hot.", "It is old.", "It is green.", "It grows here。"]);
    let citations: Vec<Vec<usize>> = claims(draft).into_iter().map(|claim| claim.citations).collect();
    assert_eq!(citations, [vec![1], vec![1, 3], vec![2, 4], vec![2]]);
    check("See [the page](x.md) on tea [1].", &["See the page on tea."]);
    assert_eq!(claims("It is of 1990 [Source 2], or [1-3].")[0].citations, [2, 1, 3]);
}

#[test]
fn abbreviations_numbers_and_quotations_end_nothing() {
    check(
        "Dr. A. Smith drank 3.5 cups, e.g. of Assam. Version 1.2.3 is out.",
        &["Dr. A. Smith drank 3.5 cups, e.g. of Assam.", "Version 1.2.3 is out."],
    );
    check(
        "He said \"It is hot. It is tea.\" Then he left the room.",
        &["He said \"It is hot. It is tea.\"", "Then he left the room."],
    );
    check("Set `a. B` to one. Then run `x.y`.", &["Set `a. B` to one.", "Then run `x.y`."]);
    check("Am 3. Oktober 1990 war es so. Dann kam 1991.", &["Am 3. Oktober 1990 war es so.", "Dann kam 1991."]);
    check("茶是热的。它很古老！", &["茶是热的。", "它很古老！"]);
    check("お茶は熱いです [1]。古いものです。", &["お茶は熱いです。", "古いものです。"]);
}

#[test]
fn lists_tables_and_paragraphs_are_told_apart() {
    check(
        "# Tea is hot\n\nTea is hot and\nold.\n\n- **Green** tea is steamed\n  at once.\n1. Black tea is rolled.\n> Tea is drunk.\n",
        &["Tea is hot and old.", "Green tea is steamed at once.", "Black tea is rolled.", "Tea is drunk."],
    );
    check("| Tea | Heat |\n|---|--:|\n| Green | 70 °C |\n", &["Green | 70 °C"]);
    check("Tea is the title\n================\n\nTea is a drink.", &["Tea is the title", "Tea is a drink."]);
    check("Tea is made of gold.\n---\nIt is so hot.", &["Tea is made of gold.", "It is so hot."]);
    check("# Tea is made of gold.\n\n# On tea and gold\n", &["Tea is made of gold."]);
    check("Tea is so hot.\n\n|---|---|\n", &["Tea is so hot."]);
    check("```\nTea is code here.\n```\nTea is prose here.\n~~~ rust\nlet tea = 1;", &["Tea is prose here."]);
    check("```markdown\nTea is prose here.\n```", &["Tea is prose here."]);
}

#[test]
fn a_sentence_that_never_ends_is_judged_to_its_end() {
    let draft = format!("{}nero burned rome in 1999.", "tea is hot and ".repeat(200));
    let found = claims(&draft);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|claim| claim.text.len() <= MOST_BYTES));
    assert!(found[1].text.ends_with("tea is hot and nero burned rome in 1999."), "{}", found[1].text);
    assert_eq!((found[0].range.start, found[0].range.end, found[1].range.end), (0, found[1].range.start, draft.len()));
    // A script without spaces is cut between two words, or what may be some.
    let thai = claims(&"ชา".repeat(1010));
    assert_eq!(thai.iter().map(|claim| claim.text.chars().count()).collect::<Vec<_>>(), [640, 640, 640, 100]);
}

#[test]
fn an_interval_is_no_citation() {
    let [claim] = claims("The share lies in [0, 1] for tea [1].").try_into().unwrap();
    assert_eq!((claim.text.as_str(), claim.citations), ("The share lies in [0, 1] for tea.", vec![1]));
}

#[test]
fn what_claims_nothing_is_left_out() {
    let half = "Water is made of pure solid gold, though the source does not mention how.";
    check(half, &[half]);
    check("For rice and maize, the source does not specify it.", &[]);
    check("Here is a summary of tea:\n- Is it hot?\n- Yes.\n- Docker\n- 15 %\n\n---\n", &["15 %"]);
    check("The source does not specify the heat [1]. Source 2 doesn't mention it.", &[]);
    check("The price isn't given in the provided sources. La source ne précise pas le prix.", &[]);
    check("The answer to that question is:.\n\n2. 3.\n", &[]);
    check("The licence does not include a warranty.", &["The licence does not include a warranty."]);
    check("- Tea.\n- Fetching data.\n- **Key idea.** Tea is so hot.", &["Tea is so hot."]);
    check("", &[]);
}

#[test]
fn what_is_cut_out_leaves_clean_text() {
    check_cut("Tea is hot [1]. It is very old. It is green.", 1, "Tea is hot [1]. It is green.");
    check_cut("Tea is hot here. [1] It is very old.", 0, "It is very old.");
    check_cut("- Tea is hot here.\n- It is very old. [1]\n- It is green.\n", 1, "- Tea is hot here.\n- It is green.\n");
    check_cut("Tea is hot here.\n\nIt is very old.\n\nIt is green.", 1, "Tea is hot here.\n\nIt is green.");
    check_cut("| A | B |\n|---|---|\n| Green | 70 |\n| Black | 90 |\n", 0, "| A | B |\n|---|---|\n| Black | 90 |\n");
}

#[test]
fn citations_of_what_was_not_given_go() {
    let check = |text: &str, expected: &str, unknown: &[usize]| {
        assert_eq!(Citations::keep(text, |number| number < 3), (expected.to_owned(), unknown.to_vec()), "{text}");
    };
    check("Tea [1]. Bread [2, 7] and [9].", "Tea [1]. Bread [2] and.", &[7, 9]);
    check("[8] Tea [1][4]\n[5] x", "Tea [1]\nx", &[8, 4, 5]);
    check("Run `a[5]`, see [4](x.md), of [1984].", "Run `a[5]`, see [4](x.md), of [1984].", &[]);
}

/// Texts made of what drafts are made of.
fn draft() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Tea",
        " is ",
        "hot",
        ".",
        "!",
        "?",
        "。",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "> ",
        "# ",
        "| ",
        "|---|\n",
        "```",
        "`",
        "**",
        "*",
        "_",
        "[1]",
        "[2, 9]",
        " [",
        "]",
        "](",
        ")",
        "【3】",
        "“",
        "”",
        "\"",
        "``",
        "''",
        "é",
        "茶",
        "  ",
        "3.5",
        "===",
        "\t",
        "~~~\n",
        "",
        "```md\n",
        "the source does not say",
        ", but",
        "evil.com",
        "−2",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Ranges are in order, within the text, and on the boundaries of its characters.
fn ranges_are_sound(text: &str) {
    let mut last = 0;
    for claim in claims(text) {
        assert!(claim.range.start >= last && claim.range.start < claim.range.end, "{text:?}: {claim:?}");
        assert!(text.get(claim.range.clone()).is_some(), "{text:?}: {claim:?}");
        assert!(!claim.text.contains('\n') && !claim.text.is_empty());
        last = claim.range.end;
    }
    for aside in non_claims(text) {
        assert!(text.get(aside.range.clone()).is_some(), "{text:?}: {aside:?}");
        is_abstention(&aside.text);
    }
    assert!(text.starts_with(without_unfinished(text)), "{text:?}");
    let unfenced = strip_markdown::without_prose_fences(text);
    assert!(text.len() >= unfenced.len());
    let (kept, unknown) = Citations::keep(text, |_| true);
    assert_eq!((kept.as_str(), unknown.len()), (text, 0));
    Citations::keep(text, |number| number % 2 == 0);
}

proptest! {
    #[test]
    fn ranges_of_any_text_are_sound(text in any::<String>()) {
        ranges_are_sound(&text);
    }

    #[test]
    fn ranges_of_drafts_are_sound(text in draft()) {
        ranges_are_sound(&text);
    }
}
