//! Which element of a page holds its own text.
//!
//! In this order: what the settings say, what the page marks, what its generator is known for, `main` or `article`, and
//! at last the element in which most of the text stands that is no link.

use crate::dom::{Dom, NodeId};
use crate::generator::{GENERATORS, Rules};
use crate::selector::Selector;
use std::sync::LazyLock;

/// Marks that site owners put on their content for search.
static MARKS: LazyLock<Selector> = LazyLock::new(|| selector("[data-seealso-body], [data-pagefind-body]"));
static LANDMARKS: LazyLock<Selector> = LazyLock::new(|| selector("main article, main, [role=main], article"));

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("a selector of this file is valid")
}

/// A child that holds this much of its parent's text, in hundredths, holds the content.
const MAIN_SHARE: usize = 70;

/// By what the content of a page was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContentOrigin {
    /// The settings name it.
    Settings,
    /// The page marks it.
    Mark,
    /// It looks like it.
    Looks,
}

/// The elements that hold the page's own text, and by what they were found.
pub(crate) fn of(dom: &Dom, rules: &Rules, wanted: Option<&Selector>) -> (Vec<NodeId>, ContentOrigin) {
    if let Some(found) = wanted.map(|wanted| wanted.all(dom, Dom::ROOT)).filter(|found| !found.is_empty()) {
        return (found, ContentOrigin::Settings);
    }
    let marked = MARKS.all(dom, Dom::ROOT);
    if !marked.is_empty() {
        return (marked, ContentOrigin::Mark);
    }
    let known = rules.generator.and_then(|place| GENERATORS.get(place).content.first(dom, Dom::ROOT));
    let has_text = |&id: &NodeId| !dom.all_text(id).trim().is_empty();
    let found = known.filter(has_text).or_else(|| LANDMARKS.first(dom, Dom::ROOT).filter(has_text));
    (vec![found.unwrap_or_else(|| densest(dom, rules))], ContentOrigin::Looks)
}

/// The innermost element that holds most of the page's text, that of links taken off.
fn densest(dom: &Dom, rules: &Rules) -> NodeId {
    let weights = weights(dom, rules);
    let weight = |id: NodeId| weights.get(&id).copied().unwrap_or(0);
    let body = dom.descendants(Dom::ROOT).find(|&id| dom.name(id) == "body").unwrap_or(Dom::ROOT);
    let mut at = body;
    loop {
        let best = dom.elements(at).max_by_key(|&child| weight(child));
        let is_box = |id| {
            matches!(dom.name(id), "div" | "main" | "article" | "section" | "table" | "tbody" | "tr" | "td" | "center")
        };
        match best.filter(|&best| is_box(best) && weight(best) * 100 >= weight(at) * MAIN_SHARE && weight(best) > 0) {
            Some(best) => at = best,
            None => return at,
        }
    }
}

/// How much text that is no link each element holds, in bytes; what is left out counts nothing.
fn weights(dom: &Dom, rules: &Rules) -> std::collections::HashMap<NodeId, usize> {
    let mut weights = std::collections::HashMap::new();
    let mut at = dom.following(Dom::ROOT, Dom::ROOT, true);
    while let Some(id) = at {
        let is_out = dom.is_element(id) && (dom.name(id) == "a" || rules.leaves_out(dom, id));
        if let Some(text) = dom.text(id) {
            let bytes = text.trim().len();
            if bytes > 0 {
                for above in dom.ancestors(id) {
                    *weights.entry(above).or_insert(0) += bytes;
                }
            }
        }
        at = dom.following(id, Dom::ROOT, !is_out);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(html: &str, wanted: Option<&str>) -> String {
        let dom = Dom::parse(html).unwrap();
        let rules = Rules::of(GENERATORS.of(&dom), &Selector::default());
        let wanted = wanted.map(|wanted| Selector::parse(wanted).unwrap());
        let found = of(&dom, &rules, wanted.as_ref()).0;
        found.into_iter().map(|id| dom.line(id)).collect::<Vec<_>>().join(" + ")
    }

    #[test]
    fn content_is_found_by_settings_marks_generator_landmarks_and_density() {
        let page = "<nav>Menu</nav><main><p>Main</p><article>Article <b data-pagefind-body>marked</b></article></main>";
        for (html, wanted, expected) in [
            (page, Some("main p"), "Main"),
            (page, Some("aside"), "marked"),
            (page, None, "marked"),
            (
                "<div id=content><main>Text</main><main>More</main></div><nav id=sidebar><p class=sidebar-scrollbox>",
                None,
                "Text",
            ),
            ("<main>Text</main><article>x</article>", None, "Text"),
            ("<div role=main>Text</div>", None, "Text"),
            (
                "<div><a href=a>A long text in a link</a></div><div><div>Much text</div><p>more</p></div>",
                None,
                "Much textmore",
            ),
            ("<p data-seealso-body>a</p><p>b</p><p data-seealso-body>c</p>", None, "a + c"),
            ("", None, ""),
        ] {
            assert_eq!(content(html, wanted), expected, "{html}");
        }
    }
}
