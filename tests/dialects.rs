//! Questions over pages in other dialects of Markdown: what is quoted and summarised is prose, and what is private never
//! leaves its page.
#![allow(clippy::unwrap_used)]

mod support;

use futures_executor::block_on;
use seealso::{Config, FixedClock, Library, render_page};
use support::{answer, packs_by_summary};

/// One page in each dialect, all of which say the same.
const PAGES: [(&str, &str); 8] = [
    (
        "footnotes.md",
        "The binturong is rarely eaten.[^1] It can dive.\n\n[^1]: Secret binturong note of one who dived.\n",
    ),
    (
        "obsidian.md",
        "> [!NOTE] Binturong facts\n> The binturong is rarely eaten. ^fact\n\n%%secret: the binturong is shy%%\n\n![[Secret binturong diagram.png]]\n\nIt can ==dive==.\n",
    ),
    (
        "docusaurus.md",
        "import {Secret} from '@binturong/secret';\n\n## About {#about}\n\n:::tip Binturong\nThe binturong is rarely eaten.\n:::\n\n<Tabs>\n<TabItem value=\"secret binturong\">\n\nIt can dive.\n\n</TabItem>\n</Tabs>\n",
    ),
    (
        "mkdocs.md",
        "!!! note \"Binturong\"\n    The binturong is rarely eaten.\n\n=== \"Water\"\n\n    It can dive.\n    {: .secret-binturong }\n",
    ),
    (
        "hugo.md",
        "{{< secret binturong=\"yes\" >}}\nThe binturong is rarely eaten. {{% secret %}}It can dive.{{% /secret %}}\n",
    ),
    (
        "jekyll.md",
        "{% comment %} secret binturong {% endcomment %}\nThe binturong is rarely eaten.\n{: .secret}\n\nIt can dive.\n",
    ),
    (
        "myst.md",
        "(secret-binturong)=\n:::{note}\n:name: secret\nThe {term}`binturong` is rarely eaten.\n:::\n\nIt can dive.\n",
    ),
    (
        "html.md",
        "<!-- secret binturong -->\n<p class=\"secret\">The <b>binturong</b> is rarely eaten.</p>\n<p>It can dive.</p>\n",
    ),
];

fn page(body: &str) -> String {
    format!("---\ntitle: Binturong\nsummary: What the binturong does.\n---\n\n{body}")
}

#[test]
fn what_is_quoted_is_prose() {
    for (file, body) in PAGES {
        let text = page(body);
        let answer = answer(packs_by_summary(&[("zoo", &[(file, text.as_str())])]), "Is the binturong eaten?");
        let quoted: Vec<&str> = answer.sentences.iter().map(|sentence| sentence.text.as_str()).collect();
        assert_eq!(quoted.first(), Some(&"The binturong is rarely eaten."), "{file}: {quoted:?}");
        let all = format!("{:?} {:?}", answer.sentences, answer.sources).to_lowercase();
        assert!(!all.contains("secret"), "{file}: {all}");
    }
}

#[test]
fn remarks_reach_no_model() {
    for body in [
        "The binturong is rarely eaten. %%secret%%",
        "The binturong is rarely eaten.\n\n<!-- secret\n\nsecret -->",
        "{/* secret */}\n\nThe binturong is rarely eaten.",
        "{% comment %}\nsecret\n{% endcomment %}\n\nThe binturong is rarely eaten.",
        "## Eaten {/*secret*/}\n\nThe binturong is rarely eaten.",
        "[//]: # (secret)\n\nThe binturong is rarely eaten.",
    ] {
        let text = page(body);
        let answer = answer(packs_by_summary(&[("zoo", &[("a.md", text.as_str())])]), "Is the binturong eaten?");
        assert!(answer.context.contains("rarely eaten.") && !answer.context.contains("secret"), "{}", answer.context);
    }
}

#[test]
fn what_is_shown_is_prose() {
    for (file, body) in PAGES.iter().filter(|(file, _)| !matches!(*file, "footnotes.md" | "obsidian.md")) {
        let text = page(body);
        let source = packs_by_summary(&[("zoo", &[(*file, text.as_str())])]);
        let library =
            block_on(Library::open(source, FixedClock, Config::default())).map_err(|e| e.to_string()).unwrap();
        let id = format!("zoo/{}", file.trim_end_matches(".md"));
        let opened = block_on(render_page(&library, &id, &str::to_owned)).unwrap();
        let shown = serde_json::to_string(&opened.nodes).unwrap();
        assert!(shown.contains("It can dive.") && !shown.contains("secret"), "{file}: {shown}");
    }
}

/// Title, summary and other names come from the index, in whatever language the front matter is written.
#[test]
fn front_matter_of_any_language_is_no_text() {
    let body = "The binturong is rarely eaten.\n";
    for front in [
        "+++\ntitle = \"Binturong\"\nsummary = \"What it does.\"\nsecret = \"the binturong is eaten\"\n+++\n",
        "{\n\"title\": \"Binturong\", \"summary\": \"What it does.\",\n\"secret\": \"the binturong is eaten\"\n}\n",
        "---\ntitle:Binturong\nsummary:What it does.\nsecret:the binturong is eaten\n---\n",
    ] {
        let text = format!("{front}\n{body}");
        let answer = answer(packs_by_summary(&[("zoo", &[("b.md", text.as_str())])]), "Is the binturong eaten?");
        assert_eq!(answer.sentences[0].text, "The binturong is rarely eaten.", "{front}");
        assert_eq!(
            (answer.sources[0].title.as_str(), answer.sources[0].summary.as_str()),
            ("Binturong", "What it does.")
        );
        assert_eq!(answer.sources[0].snippet, "The binturong is rarely eaten.");
    }
}
