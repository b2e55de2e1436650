//! Questions that ask several things or come with a story, in four languages: every ask stands alone.

use seealso_index::{Index, NewPack, NewPage, PackInfo, write};

use super::decompose;
use crate::config::Config;
use crate::question::Question;

fn pack(path: &str, language: &str, pages: &[(&str, &str)]) -> NewPack {
    let page = |(title, summary): &(&str, &str)| NewPage {
        file: format!("{}.md", title.replace(' ', "-")),
        title: title.to_string(),
        summary: summary.to_string(),
        ..NewPage::default()
    };
    let info = PackInfo { path: path.into(), language: language.into(), ..PackInfo::default() };
    NewPack { info, pages: pages.iter().map(page).collect(), ..NewPack::default() }
}

fn index() -> Index {
    let packs = [
        pack("animals", "en", &[("Wombat", "A burrowing marsupial of Australia."), ("Bilby", "A long-eared one.")]),
        pack("container", "en", &[("Docker", "Runs containers."), ("Podman", "Runs containers without a daemon.")]),
        pack("law", "en", &[("Probate", "Who may deal with an estate."), ("Tool poisoning", "A hidden instruction.")]),
        pack("tiere", "de", &[("Wombat", "Ein Beuteltier, das Höhlen gräbt."), ("Igel", "Ein stacheliges Tier.")]),
        pack("animaux", "fr", &[("Wombat", "Un marsupial fouisseur."), ("Hérisson", "Un animal à piquants.")]),
        pack("animales", "es", &[("Wombat", "Un marsupial que excava."), ("Erizo", "Un animal con púas.")]),
    ];
    Index::open(&write(&packs).unwrap()).unwrap()
}

/// The text and the context of a part.
type ExpectedPart = (&'static str, &'static str);

fn check(index: &Index, rows: &[(&str, &[ExpectedPart])]) {
    let config = Config::default();
    for (question, expected) in rows {
        let asked = Question::new(question, config.question_chars).unwrap();
        let found = decompose(&asked, index, &config).unwrap();
        let parts: Vec<(&str, &str)> =
            found.items.iter().map(|item| (item.text.as_str(), item.context.as_str())).collect();
        assert_eq!(parts, *expected, "{question}");
    }
}

#[test]
fn two_asks_each_keep_their_subject() {
    check(
        &index(),
        &[
            (
                "How big is a wombat, and what is its burrow like?",
                &[("big is a wombat", ""), ("wombat burrow like", "")],
            ),
            ("What is a wombat and where does it live?", &[("wombat", ""), ("wombat live", "")]),
            (
                "How long does probate take and who can apply for it?",
                &[("long does probate take", ""), ("apply for probate", "")],
            ),
            (
                "What is tool poisoning, and how do I defend against it?",
                &[("tool poisoning", ""), ("defend against tool poisoning", "")],
            ),
            ("What is Docker and when do I use it?", &[("Docker", ""), ("use Docker", "")]),
            (
                "How do I renew a passport and is it possible to do that abroad?",
                &[("renew a passport", ""), ("passport possible to do that abroad", "")],
            ),
            (
                "Can I take a bike on the train and how much does the ticket cost?",
                &[("take a bike on the train", ""), ("much does the ticket cost", "take a bike on the train")],
            ),
        ],
    );
}

#[test]
fn the_subject_behind_do_is_what_a_pronoun_means() {
    check(
        &index(),
        &[
            (
                "How does water climb a tall tree, and what stops it in summer?",
                &[("water climb a tall tree", ""), ("stops water in summer", "")],
            ),
            ("Why do brown bears sleep and where do they eat?", &[("brown bears sleep", ""), ("brown bears eat", "")]),
        ],
    );
}

#[test]
fn an_ask_of_few_words_takes_those_before_along() {
    check(
        &index(),
        &[
            ("Why do my knees hurt and what helps?", &[("knees hurt", ""), ("knees hurt: helps", "")]),
            (
                "Explain what a namespace is and why containers need one",
                &[("namespace", ""), ("namespace: containers need one", "")],
            ),
            (
                "Where do changes wait in Docker, and where do images wait in Podman? Who picks next?",
                &[("changes wait in Docker", ""), ("images wait in Podman", ""), ("Docker, Podman: picks next", "")],
            ),
        ],
    );
}

#[test]
fn three_asks_are_three_parts() {
    check(
        &index(),
        &[
            (
                "What is a wombat, what does it eat, and how long does it live?",
                &[("wombat", ""), ("wombat eat", ""), ("long does wombat live", "")],
            ),
            (
                "How do I fold a paper crane? How long does it take? Which paper is best?",
                &[
                    ("fold a paper crane", ""),
                    ("long does paper crane take", ""),
                    ("fold a paper crane: paper is best", ""),
                ],
            ),
            (
                "Who wrote the code, when was it published and where is it kept?",
                &[("wrote the code", ""), ("code published", ""), ("code kept", "")],
            ),
        ],
    );
}

#[test]
fn a_preamble_is_no_ask_but_context() {
    check(
        &index(),
        &[
            (
                "I bought a bike from a shop in Leeds. The frame cracked after a week. Who has to pay for the repair?",
                &[("pay for the repair", "bought bike shop Leeds frame cracked week")],
            ),
            (
                "I moved to Leeds last week; where do I register with a doctor, and what does it cost?",
                &[("register with a doctor", "moved Leeds week"), ("doctor cost", "moved Leeds week")],
            ),
            (
                "Should I pick Docker or Podman? I have no root on that machine.",
                &[("pick Docker or Podman", "root machine")],
            ),
        ],
    );
}

#[test]
fn an_ask_that_is_nothing_without_its_preamble_stays_with_it() {
    check(
        &index(),
        &[
            (
                "My kettle trips the fuse when it boils. Can I still send it back?",
                &[("kettle trips the fuse when it boils. Can I still send it back", "")],
            ),
            ("My sourdough collapsed, and how do I save it?", &[("sourdough collapsed, and how do I save", "")]),
            ("The leaf is yellow. Why?", &[("leaf is yellow", "")]),
        ],
    );
}

#[test]
fn each_of_them_is_asked_of_each() {
    check(
        &index(),
        &[
            (
                "Docker and Podman both run containers. How does each of them store images?",
                &[("Docker store images", "run containers"), ("Podman store images", "run containers")],
            ),
            (
                "Docker and Podman both take space. How do I remove each of them?",
                &[("remove Docker", "space"), ("remove Podman", "space")],
            ),
            (
                "Docker and Podman both run containers. Which of them needs a daemon, and how does each of them store images?",
                &[
                    ("Docker", "run containers needs daemon"),
                    ("Podman", "run containers needs daemon"),
                    ("Docker store images", ""),
                    ("Podman store images", ""),
                ],
            ),
            (
                "Git and Bitcoin both identify things by a hash. Which hash function does each of them use, and what happens if somebody edits an old entry?",
                &[
                    ("hash function does Git use", "identify hash"),
                    ("hash function does Bitcoin use", "identify hash"),
                    ("happens if somebody edits an old entry", "Git Bitcoin"),
                ],
            ),
        ],
    );
}

#[test]
fn what_only_looks_like_two_asks_stays_whole() {
    check(
        &index(),
        &[
            (
                "What is the name of the actress who played Ann and who was born in Rome?",
                &[("name of the actress who played Ann and who was born in Rome", "")],
            ),
            (
                "Which actor was born in Leeds and is known for a film about bees?",
                &[("actor was born in Leeds and is known for a film about bees", "")],
            ),
            (
                "When I move a page to another folder, how do links keep working?",
                &[("move a page to another folder, how do links keep working", "")],
            ),
            ("Who founded Warner Bros. Pictures?", &[("founded Warner Bros. Pictures", "")]),
            ("Where can I get help with debts and compare offers?", &[("get help with debts and compare offers", "")]),
            ("When is honey harvested and why?", &[("honey harvested", "")]),
            ("In the film Dune, who played the duke?", &[("film Dune, who played the duke", "")]),
        ],
    );
}

#[test]
fn a_comparison_keeps_what_is_asked_of_both() {
    check(
        &index(),
        &[(
            "What is the difference between Docker and Podman, and which is safer?",
            &[("Docker", "safer"), ("Podman", "safer")],
        )],
    );
}

#[test]
fn german_is_split_by_its_own_words() {
    check(
        &index(),
        &[
            (
                "Wie groß ist ein Wombat, und wie sieht sein Bau aus?",
                &[("groß ist ein Wombat", ""), ("sieht Wombat Bau", "")],
            ),
            ("Was ist ein Wombat und wo lebt er?", &[("Wombat", ""), ("lebt Wombat", "")]),
            (
                "Wie lange halten Kartoffeln und wo lagere ich sie?",
                &[("lange halten Kartoffeln", ""), ("lagere ich Kartoffeln", "")],
            ),
            ("Warum tut mein Knie weh und was hilft?", &[("tut mein Knie weh", ""), ("tut mein Knie weh: hilft", "")]),
            (
                "Was frisst ein Igel, wann schläft er und wie alt wird er?",
                &[("frisst ein Igel", ""), ("schläft Igel", ""), ("alt wird Igel", "")],
            ),
            (
                "Mein Wasserkocher löst die Sicherung aus. Kann ich ihn noch zurückgeben?",
                &[("Wasserkocher löst die Sicherung aus. Kann ich ihn noch zurückgeben", "")],
            ),
            (
                "Docker und Podman starten Container. Wie speichert jeder von ihnen Abbilder?",
                &[
                    ("speichert Docker Abbilder", "starten Container"),
                    ("speichert Podman Abbilder", "starten Container"),
                ],
            ),
            ("Was ist der Unterschied zwischen einem Igel und einem Wombat?", &[("Igel", ""), ("Wombat", "")]),
            ("Vergleiche den Igel mit dem Wombat", &[("Igel", ""), ("Wombat", "")]),
            ("Welche Tiere leben in Höhlen?", &[("Tiere leben in Höhlen", "")]),
        ],
    );
}

#[test]
fn french_is_split_by_its_own_words() {
    check(
        &index(),
        &[
            (
                "Quelle est la taille d'un wombat et comment est son terrier ?",
                &[("taille d'un wombat", ""), ("wombat terrier", "")],
            ),
            ("Qu'est-ce qu'un wombat et où vit-il ?", &[("wombat", ""), ("vit wombat", "")]),
            (
                "Pourquoi mon genou fait mal et qu'est-ce qui aide ?",
                &[("genou fait mal", ""), ("genou fait mal: aide", "")],
            ),
            (
                "Que mange le hérisson, quand dort-il et combien de temps vit-il ?",
                &[("mange le hérisson", ""), ("dort hérisson", ""), ("combien de temps vit hérisson", "")],
            ),
            (
                "Ma bouilloire fait sauter le fusible. Est-ce que je peux la rendre ?",
                &[("bouilloire fait sauter le fusible. Est-ce que je peux la rendre", "")],
            ),
            (
                "Docker et Podman lancent des conteneurs. Où chacun d'eux garde-t-il les images ?",
                &[
                    ("Docker garde-t-il les images", "lancent conteneurs"),
                    ("Podman garde-t-il les images", "lancent conteneurs"),
                ],
            ),
            ("Quelle est la différence entre un hérisson et un wombat ?", &[("hérisson", ""), ("wombat", "")]),
            ("Compare le hérisson avec le wombat", &[("hérisson", ""), ("wombat", "")]),
        ],
    );
}

#[test]
fn spanish_is_split_by_its_own_words() {
    check(
        &index(),
        &[
            ("¿Cuánto mide un wombat y cómo es su madriguera?", &[("mide un wombat", ""), ("wombat madriguera", "")]),
            ("¿Qué es un wombat y dónde vive?", &[("wombat", ""), ("wombat: vive", "")]),
            ("¿Por qué me duele la rodilla y qué ayuda?", &[("duele la rodilla", ""), ("duele la rodilla: ayuda", "")]),
            (
                "¿Qué come el erizo, cuándo duerme y cuánto vive?",
                &[("come el erizo", ""), ("come el erizo: duerme", ""), ("come el erizo: vive", "")],
            ),
            (
                "Mi hervidor hace saltar el fusible. ¿Puedo devolverlo?",
                &[("hervidor hace saltar el fusible. ¿Puedo devolverlo", "")],
            ),
            (
                "Docker y Podman ejecutan contenedores. ¿Dónde guarda cada uno de ellos las imágenes?",
                &[
                    ("guarda Docker las imágenes", "ejecutan contenedores"),
                    ("guarda Podman las imágenes", "ejecutan contenedores"),
                ],
            ),
            ("¿Cuál es la diferencia entre un erizo y un wombat?", &[("erizo", ""), ("wombat", "")]),
            ("Compara el erizo con el wombat", &[("erizo", ""), ("wombat", "")]),
        ],
    );
}

#[test]
fn the_whole_is_searched_too_where_only_the_form_speaks_for_a_split() {
    let (config, index) = (Config::default(), index());
    let whole = |question: &str| {
        let asked = Question::new(question, config.question_chars).unwrap();
        decompose(&asked, &index, &config).unwrap().whole.map(|whole| whole.text)
    };
    assert_eq!(whole("What is Docker and when do I use it?").as_deref(), Some("Docker and when do I use"));
    assert_eq!(whole("What is the difference between Docker and Podman?"), None);
    assert_eq!(whole("What is a wombat? And what is probate?"), None, "the index sets them apart");
    assert_eq!(whole("What is a wombat?"), None);
}

#[test]
fn more_asks_than_are_searched_apart_share_the_last_part() {
    let config = Config { sub_queries: 2, ..Config::default() };
    let asked = Question::new("What is a wombat, what does it eat, and how long does it live?", 2_000).unwrap();
    let found = decompose(&asked, &index(), &config).unwrap();
    let texts: Vec<&str> = found.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["wombat", "wombat eat, how long does wombat live"]);
    assert!(found.joined);
}
