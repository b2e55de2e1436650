//! What is quoted, on pages written for it: quotations that would mislead without what stands beside them (a superseded
//! version, "does not", an exception, a warning before a command, a deprecated flag), and facts in a row of a table, a
//! step, a block of code, a list or a definition.
#![allow(clippy::unwrap_used)]

mod support;

use seealso::{Answer, Form, MemorySource};
use support::answer;

/// The language of the page of that title.
fn language_of(title: &str) -> &'static str {
    match title {
        "Karte" | "Sauna" => "de",
        "Billete" => "es",
        "Carte" => "fr",
        _ => "en",
    }
}

/// A pack of one page, and others beside it that have some of its words.
fn asked(title: &str, body: &str, language: &str, question: &str) -> Answer {
    let page = format!("---\ntitle: {title}\nsummary: About {title}.\n---\n\n# {title}\n\n{body}\n");
    let other =
        "---\ntitle: Harbour\nsummary: Where boats lie.\n---\n\n# Harbour\n\nA harbour has a quay and a crane.\n";
    let pages = [("page.md", page.as_str()), ("harbour.md", other)];
    answer(MemorySource::of_packs_in(language, &[("pack", &pages)]), question)
}

/// A clause so long that what stands behind it is quoted because a rule says so, and not for being near.
const LONG: &str = ", as the trust agreed with the owners of the neighbouring houses after a long evening in the hall by the \
    river, of which the minutes have been lost since the flood that came down the valley in the year of the two moons, \
    when the hall, the mill, the school and half of the bakery stood under water for a week and nobody thought of papers, \
    least of all the clerk, whose boat was the last one";

/// Items that make a list too long to be quoted whole.
const ITEMS: &str = "- whatever the neighbours brought along on the evening of the flood and left behind in the hall\n\
    - whatever was found by the mill when the water had gone down and the meadows had become dry\n\
    - whatever the school had lent to the bakery for the fair and did not ask for any more\n\
    - whatever came up from the cellar of the bakery when the pumps had run for a day and a night\n\
    - whatever lay in the boat of the clerk under the nets and the sail and the other oar\n";

/// Each page with a question, what the quoted answer would say without its outcome, and the outcome. Where the answer says
/// the first, it says the second too; it may be empty. `{long}` and `{items}` stand for what keeps the two apart.
const MISLEADING: [(&str, &str, &str, &str, &str); 20] = [
    (
        "Retention",
        "Logs are kept for 90 days{long}. However, since version 4 they are kept for 30 days only.",
        "How long are logs kept?",
        "kept for 90 days",
        "kept for 30 days only",
    ),
    (
        "Voucher",
        "A voucher can be exchanged for cash{long}. But vouchers bought after 2023 cannot be exchanged at all.",
        "Can a voucher be exchanged for cash?",
        "can be exchanged for cash",
        "cannot be exchanged at all",
    ),
    (
        "Ferry",
        "Bicycles travel free on the ferry{long}.\n\nExcept in August, when a bicycle costs six euros.",
        "Do bicycles travel free on the ferry?",
        "travel free",
        "costs six euros",
    ),
    (
        "Pruning",
        "Pruning the cherry in winter looks tidy{long}. It does not help: cut wounds let silver leaf in.",
        "Does pruning the cherry in winter help?",
        "looks tidy",
        "does not help",
    ),
    (
        "Flag",
        "The flag `--fast` skips all checks of the build{long}. It is deprecated; use `--quick` now.",
        "Which flag skips the checks of the build?",
        "`--fast`",
        "deprecated",
    ),
    (
        "Sourdough",
        "Many books say to feed the starter daily{long}.\n\nHowever, a starter in the fridge is fed once a week.",
        "How often is the starter fed?",
        "feed the starter daily",
        "once a week",
    ),
    (
        "Driver",
        "Version 1 of the driver supports suspend{long}. This was removed in version 2, which never suspends.",
        "Does the driver support suspend?",
        "supports suspend",
        "removed in version 2",
    ),
    (
        "Mushrooms",
        "These mushrooms are not edible:\n\n{items}- the panther cap\n{items}- the death cap",
        "Is the panther cap edible?",
        "the panther cap",
        "not edible",
    ),
    (
        "Refunds",
        "The following are never refunded:\n\n{items}- gift cards\n{items}",
        "Are gift cards refunded?",
        "gift cards",
        "never refunded",
    ),
    (
        "Disk wipe",
        "!!! warning\n    This erases every partition of the disk. Nothing brings them back. Unplug all other disks.\n\n\
         The command asks twice{long}. Run it to wipe the disk:\n\n```\nwipe --all /dev/disk\n```",
        "How do I wipe the disk?",
        "wipe --all",
        "erases every partition",
    ),
    (
        "Visa",
        "A visitor may stay for six months{long}. Unless the visa says otherwise, when the date on it counts.",
        "How long may a visitor stay?",
        "six months",
        "Unless the visa says otherwise",
    ),
    (
        "Bridge",
        "Lorries cross the bridge by day{long}. Yet since the flood no lorry above five tonnes is let over it.",
        "Do lorries cross the bridge?",
        "cross the bridge by day",
        "above five tonnes",
    ),
    (
        "Cache",
        "The cache is written on every save{long}.\n\nInstead of that, release 9 writes it once an hour.",
        "When is the cache written?",
        "on every save",
        "once an hour",
    ),
    (
        "Allotment",
        "Sheds are allowed on every plot{long}. Although they were, none has been allowed since 2021.",
        "Are sheds allowed on a plot?",
        "allowed on every plot",
        "none has been allowed since 2021",
    ),
    (
        "Paint",
        "Two coats of paint are enough{long}. Otherwise, on bare wood, a primer and three coats are needed.",
        "How many coats of paint are needed?",
        "Two coats",
        "three coats",
    ),
    (
        "Compost",
        "Do not put these on the compost:\n\n- from the kitchen:\n  - cooked food of any kind\n  - fish\n{items}",
        "Can I put cooked food on the compost?",
        "cooked food",
        "Do not put",
    ),
    (
        "Account",
        "Deleting an account removes its posts{long}. But posts that others quoted stay where they are.",
        "Does deleting an account remove its posts?",
        "removes its posts",
        "stay where they are",
    ),
    (
        "Battery",
        "- The battery is charged overnight{long}. It is no longer advised: charge it to four fifths by day.\n{items}",
        "When is the battery charged?",
        "charged overnight",
        "no longer advised",
    ),
    (
        "Tram",
        "Tram 4 stops at the museum{long}. However, until the works end it turns at the market.",
        "Does tram 4 stop at the museum?",
        "stops at the museum",
        "turns at the market",
    ),
    (
        "Reset",
        "To reset the meter, run:\n\n```\nmeter --reset\n```\n\n!!! danger\n    It forgets all readings. They cannot be \
         had back.",
        "How do I reset the meter?",
        "meter --reset",
        "forgets all readings",
    ),
];

/// The same, for the shape of a page: an introduction, a heading or a column that denies, and warnings around steps.
const SHAPES: [(&str, &str, &str, &str, &str); 14] = [
    (
        "Bees",
        "Do not give the bees:\n\n!!! note\n    Bees hum.\n\n- molasses of the mill\n- brown sugar of the mill",
        "May the bees get molasses?",
        "molasses of the mill",
        "Do not give the bees",
    ),
    (
        "Insurance",
        "The policy covers fire and theft.\n\n## Not covered\n\n- damage by hail of any size\n- damage by moths",
        "Is damage by hail covered by the policy?",
        "damage by hail",
        "Not covered",
    ),
    (
        "Port",
        "A beacon listens.\n\n## Version 1 (no longer supported)\n\n### Ports\n\nThe beacon listens on port 4040.",
        "On which port does the beacon listen?",
        "port 4040",
        "no longer supported",
    ),
    (
        "Fireworks",
        "| Not allowed | Since |\n|---|---|\n| Fireworks in the park | 2019 |\n| Drones | 2021 |",
        "Are fireworks in the park allowed?",
        "Fireworks in the park",
        "Not allowed: Fireworks",
    ),
    (
        "Tickets",
        "These tickets are refunded:\n\n{items}- season tickets\n{items}\nHowever, none is refunded after three days.",
        "Are season tickets refunded?",
        "season tickets",
        "after three days",
    ),
    (
        "Members",
        "The pool opens at night{long}.\n\nThis applies to members only.",
        "Does the pool open at night?",
        "opens at night",
        "members only",
    ),
    (
        "Boiler",
        "!!! danger\n    Switch off the mains before, or you die.\n\nTo drain the boiler:\n\n1. Open the valve.\n2. Wait.",
        "How do I drain the boiler?",
        "Open the valve",
        "or you die",
    ),
    (
        "Samovar",
        "!!! danger\n    Never start the samovar while its tank is empty{long}.\n\nTo start the samovar, run:\n\n```\nsamovar --start\n```",
        "How do I start the samovar?",
        "samovar --start",
        "while its tank is empty",
    ),
    (
        "Tape",
        "To wipe the tape, run:\n\n!!! danger\n    This erases every cartridge.\n\n```\ntape --wipe\n```",
        "How do I wipe the tape?",
        "tape --wipe",
        "erases every cartridge",
    ),
    (
        "Hatch",
        "To open the hatch of the silo, run:\n\n```\nsilo --hatch\n```\n\n## Lamps\n\n- Oil them in March.",
        "How do I open the hatch of the silo?",
        "silo --hatch",
        "To open the hatch of the silo, run:",
    ),
    (
        "Karte",
        "Die Karte gilt in allen Bussen der Stadt{long}. Dennoch gilt sie seit 2023 nachts nicht.",
        "Gilt die Karte in allen Bussen?",
        "in allen Bussen",
        "nachts nicht",
    ),
    (
        "Sauna",
        "Die Sauna ist am Abend offen{long}. Das gilt nur für Mitglieder.",
        "Ist die Sauna am Abend offen?",
        "am Abend offen",
        "nur für Mitglieder",
    ),
    (
        "Billete",
        "Los billetes se cambian en la estación{long}. Sin embargo, desde 2023 ya no se cambian.",
        "¿Dónde se cambian los billetes?",
        "se cambian en la estación",
        "ya no se cambian",
    ),
    (
        "Carte",
        "La carte vaut dans tous les bus{long}. Elle n'est plus vendue depuis 2023.",
        "Où vaut la carte ?",
        "dans tous les bus",
        "plus vendue",
    ),
];

#[test]
fn no_answer_stops_before_the_outcome() {
    let mut empty = Vec::new();
    for (title, body, question, first, outcome) in MISLEADING.into_iter().chain(SHAPES) {
        let body = body.replace("{long}", LONG).replace("{items}", ITEMS);
        let text = asked(title, &body, language_of(title), question).text();
        assert!(!text.contains(first) || text.contains(outcome), "{question}\n{text}");
        if !text.contains(outcome) {
            empty.push(title);
        }
    }
    assert_eq!(empty, [""; 0], "pages of which nothing is quoted");
}

/// The answer's text, and the forms of what it quotes.
#[track_caller]
fn check(body: &str, question: &str, expected: &str, forms: &[Form]) {
    let answer = asked("Winter store", body, "en", question);
    assert_eq!(answer.text(), expected, "{question}");
    let quoted: Vec<Form> = answer.sentences.iter().map(|sentence| sentence.form).collect();
    assert_eq!(quoted, forms, "{question}");
}

#[test]
fn facts_are_quoted_with_their_surroundings() {
    let table = "Roots and leaves keep for different times.\n\n## Times\n\n| Vegetable | Cellar | Freezer |\n|---|---|---|\n\
                 | Parsnips | four months | a year |\n| Leeks | six weeks | ten months |\n| Chard | three days | eight months |";
    check(
        table,
        "How long do parsnips keep in a cellar?",
        "Parsnips — Cellar: four months; Freezer: a year [1]",
        &[Form::Row],
    );
    let code = "A store is opened by hand.\n\n## By command\n\nTo open the hatch, run:\n\n```\nstore open --hatch\n```\n\n## Light\n\nLamps hang from hooks.";
    check(
        code,
        "How do I open the hatch?",
        "To open the hatch, run: [1]\n```\nstore open --hatch\n```",
        &[Form::Prose, Form::Code],
    );
    let steps = "A store is dug in autumn.\n\n## Lining\n\nTo line the pit:\n\n1. Lay straw.\n2. Fold the tarpaulin over it.\n3. Weigh the edges down.";
    check(
        steps,
        "How is the pit lined?",
        "To line the pit:\n1. Lay straw.\n2. Fold the tarpaulin over it.\n3. Weigh the edges down. [1]",
        &[Form::Prose, Form::Item, Form::Item, Form::Item],
    );
}

#[test]
fn what_stands_beside_code_and_below_a_heading_is_chosen() {
    let body = "A store is dug in autumn. Fill the store by hand.\n\n## Backup\n\nA cart takes beets away for the winter.\n\n\
                ```\ncart --all\n```\n\n## Lid\n\nThe lid is heavy, and beets roll under it in the winter.\n\n## Opening\n\n\
                Two people open the store with a rope.";
    check(
        body,
        "How can I back up beets for the winter?",
        "A cart takes beets away for the winter. [1]\n```\ncart --all\n```\n\nThe lid is heavy, and beets roll under it \
         in the winter. [1]",
        &[Form::Prose, Form::Code, Form::Prose],
    );
}

#[test]
fn lists_keep_their_shape() {
    let two = "- Switch the boiler off at the wall.\n\n1. Open the boiler valve.\n2. Drain the boiler.";
    check(two, "How do I drain the boiler?", "1. Open the boiler valve.\n2. Drain the boiler. [1]", &[Form::Item; 2]);
    let nested = "To lower the mast:\n\n1. Loosen these of the mast:\n   - the upper row\n   - the lower row\n\n   Then wait.\n2. Let it down.";
    check(
        nested,
        "How do I lower the mast?",
        "To lower the mast:\n1. Loosen these of the mast:\n  - the upper row\n  - the lower row\nThen wait.\n2. Let it down. [1]",
        &[Form::Prose, Form::Item, Form::Item, Form::Item, Form::Prose, Form::Item],
    );
    let other = "To open the hatch of the silo, run:\n\n```\nsilo --hatch\n```\n\n## Lamps\n\n- Oil them in March.";
    check(
        other,
        "How do I open the hatch of the silo?",
        "To open the hatch of the silo, run: [1]\n```\nsilo --hatch\n```",
        &[Form::Prose, Form::Code],
    );
}

#[test]
fn a_line_that_stands_for_a_heading_is_quoted_with_what_it_heads() {
    let filler =
        "Straw and leaves of oak and beech from the wood behind the house fill the ground of every pit. ".repeat(5);
    let items = format!(
        "1. **Greatest depth of a pit**\n\n   A ladder of 3 metres still reaches its floor.\n\n2. **Weight of the \
         lid**\n\n   Two people must be able to lift it.\n\n3. **Straw**\n\n   {filler}"
    );
    check(
        &items,
        "What is the greatest depth of a pit?",
        "1. Greatest depth of a pit\nA ladder of 3 metres still reaches its floor. … [1]",
        &[Form::Item; 2],
    );
    let prose =
        format!("{filler}\n\n**Greatest depth of a pit**\n\nA ladder of 3 metres still reaches its floor.\n\n{filler}");
    check(
        &prose,
        "What is the greatest depth of a pit?",
        "Greatest depth of a pit\nA ladder of 3 metres still reaches its floor. [1]",
        &[Form::Prose; 2],
    );
}

#[test]
fn a_part_that_another_ones_passage_answers_says_it_again() {
    check(
        "The kiln of Varn was found by Ada Holm, and is 300 years old.\n\n## Others\n\nThe kiln of Stell is 900 years old.",
        "Who found the kiln of Varn, and how old is the kiln of Varn?",
        "The kiln of Varn was found by Ada Holm, and is 300 years old. [1]\n\n\
         The kiln of Varn was found by Ada Holm, and is 300 years old. [1]",
        &[Form::Prose; 2],
    );
}

#[test]
fn what_comes_of_a_command_or_a_list_is_quoted() {
    let lamps = "## Lamps\n\nLamps hang from hooks.";
    check(
        &format!("To clear the silo, run:\n\n```\nsilo --clear\n```\n\nThis also sells the cart.\n\n{lamps}"),
        "How do I clear the silo?",
        "To clear the silo, run:\n```\nsilo --clear\n```\nThis also sells the cart. [1]",
        &[Form::Prose, Form::Code, Form::Prose],
    );
    check(
        &format!("To clear the silo:\n\n1. Open the silo.\n2. Sweep it.\n\nGuests may not do so.\n\n{lamps}"),
        "How do I clear the silo?",
        "To clear the silo:\n1. Open the silo.\n2. Sweep it.\nGuests may not do so. [1]",
        &[Form::Prose, Form::Item, Form::Item, Form::Prose],
    );
}

#[test]
fn short_commands_are_quoted_and_long_ones_cut() {
    check(
        "To flush the weir, run:\n\n```\ngush\n```",
        "How do I flush the weir?",
        "To flush the weir, run: [1]\n```\ngush\n```",
        &[Form::Prose, Form::Code],
    );
    let lines: String = (0..60).map(|line| format!("COPY part{line:02} /srv\n")).collect();
    let answer =
        asked("Image", &format!("To pack the gizmo, write:\n\n```\n{lines}```"), "en", "How do I pack the gizmo?");
    let text = answer.text();
    assert!(text.starts_with("To pack the gizmo, write: [1]\n```\nCOPY part00 /srv\nCOPY part01 /srv\n"), "{text}");
    assert!(text.ends_with(" /srv\n```\n…") && text.len() < 600, "{text}");
}

#[test]
fn what_is_left_out_of_a_passage_is_marked() {
    let body = "It takes 2 people to open a pit of beets. Straw and leaves of oak and beech from the wood behind the house fill the ground of it. \
                Nobody walks over the lid of boards, which the frost makes slippery in some nights of the winter. \
                Mice dig their ways to the store from the hedge, and a cat by the hatch is worth more than any trap. \
                Wet soil weighs on the boards, so that they are renewed by a joiner in every second or third year. A \
                fence keeps out the boars that come down from the hills as soon as the acorns there have been eaten. \
                A pit of beets is opened on 3 March.";
    check(
        body,
        "When is a pit of beets opened?",
        "It takes 2 people to open a pit of beets. Straw and leaves of oak and beech from the wood behind the house fill the ground of it. \
         Nobody walks over the lid of boards, which the frost makes slippery in some nights of the winter. Mice dig their \
         ways to the store from the hedge, and a cat by the hatch is worth more than any trap. … A fence keeps out the \
         boars that come down from the hills as soon as the acorns there have been eaten. A pit of beets is \
         opened on 3 March. [1]",
        &[Form::Prose; 6],
    );
    let items: String = (1..40).map(|bay| format!("\n- Bay {bay} keeps the apples of row {bay}.")).collect();
    check(
        &format!("## Bays\n\nThe store has these bays:\n{items}"),
        "Which apples does bay 7 keep?",
        "The store has these bays:\n- … Bay 7 keeps the apples of row 7. … [1]",
        &[Form::Prose, Form::Item],
    );
}

#[test]
fn a_word_that_is_only_context_refuses_nothing() {
    let body = "A kettle is descaled with vinegar. Boil it, let it stand for an hour, and rinse it.";
    for question in [
        "How do I descale my Bosch kettle?",
        "How do I descale a kettle in Leeds?",
        "As a plumber, how do I descale a kettle?",
        "How do I descale a kettle if the landlord forbids vinegar?",
    ] {
        assert!(!asked("Kettle", body, "en", question).is_empty(), "{question}");
    }
    for question in ["What does a Quooker cost?", "How does a samovar descale water?", "Is Quooker descaled?"] {
        let answer = asked("Kettle", body, "en", question);
        assert!(answer.is_empty(), "{question}: {}", answer.text());
    }
}

#[test]
fn a_near_repetition_with_another_number_is_no_repetition() {
    let body = "The small hall holds 40 guests at tables.\n\n## Large\n\nThe large hall holds 90 guests at tables.";
    let text = asked("Halls", body, "en", "How many guests does the hall hold at tables?").text();
    assert!(text.contains("40 guests") && text.contains("90 guests"), "{text}");
}
