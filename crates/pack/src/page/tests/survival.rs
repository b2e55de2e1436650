//! Pages survive being written and read, and any text survives being read.

use super::*;
use proptest::prelude::*;

/// All but where the body starts, which the writer decides.
fn without_line(page: &Page) -> Page {
    Page { body_line: 0, ..page.clone() }
}

#[track_caller]
fn check_survives(page: &Page) {
    let text = page.to_markdown();
    let (back, _) = Page::parse(&page.file, &text);
    assert_eq!(without_line(&back), without_line(page), "{text}");
    assert_eq!(Page::parse(&page.file, &back.to_markdown()).0, back);
}

#[test]
fn a_page_survives_being_written() {
    check_survives(&whole());
    check_survives(&Page::parse("x.md", "---\ntitle: [a]\nTitle: b\nsummary:\nSummary: c\nsource: {a: b}\n---\n").0);
}

fn line() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| frontmatter::one_line(&text))
}

prop_compose! {
    fn page()(
        title in line(), summary in line(), body in "(\\PC|\n){0,80}",
        aliases in prop::collection::vec(line(), 0..3), tags in prop::collection::vec(line(), 0..3),
        language in prop::option::of(line()), category in prop::option::of(line()),
        resource in line(), source_title in prop::option::of(line()),
    ) -> Page {
        let known = |line: &String| !line.is_empty();
        Page {
            file: "concepts/a.md".into(),
            title: if title.is_empty() { "T".into() } else { title },
            summary: if summary.is_empty() { "S".into() } else { summary },
            aliases: aliases.into_iter().filter(known).collect(),
            tags: tags.into_iter().filter(known).collect(),
            language: language.filter(known),
            category: category.filter(known),
            sources: vec![Source { resource: format!("r{resource}"), title: source_title.filter(known) }],
            fields: vec![("confidence".into(), Value::Text("high".into()))],
            body: format!("# {body}"),
            body_line: 0,
            is_on_site: false,
        }
    }
}

proptest! {
    #[test]
    fn any_page_survives_being_written(page in page()) {
        check_survives(&page);
    }

    #[test]
    fn any_text_is_a_page_that_survives(text in "(---\n|[a-cst]: ?|title: |summary: |tags: |sources:|- |\\[|\"|#|> |\r|\n|  |\t|\\PC){0,60}") {
        check_survives(&Page::parse("a.md", &text).0);
    }

    #[test]
    fn parsing_and_looking_never_panics(text in any::<String>()) {
        let (page, _) = Page::parse(&text, &text);
        let sections = page.sections().len();
        assert!(page.blocks().iter().all(|block| block.section < sections.max(1)));
        assert!(page.see_also().len() + page.source_links().len() <= page.body_links().len());
        assert!(page.see_also().is_empty() || page.has_see_also());
        assert!(page.snippet().chars().count() <= 200);
    }

    #[test]
    fn any_near_markdown_is_looked_at(text in "(\\[\\[|\\]\\]|\\[|\\]|\\(|\\)|\\||`|\n|> |- |#|é|a|http://|<b>|\\\\|!|\\*){0,60}") {
        let (page, _) = Page::parse("a.md", &text);
        let sections = page.sections().len();
        assert!(page.blocks().iter().all(|block| block.section < sections));
        assert!(page.body_links().iter().all(|link| link.line >= page.body_line));
        crate::render(&page.body, &|target, _| Some(target.to_string()));
    }
}
