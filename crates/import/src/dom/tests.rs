//! Trees of good, bad and hostile pages.

use super::{Dom, MAX_DEPTH, NodeId, TooLarge};

/// The tree as text: names of elements around what they hold.
fn outline(dom: &Dom, id: NodeId) -> String {
    match dom.text(id) {
        Some(text) => text.to_owned(),
        None => {
            let inner: String = dom.children(id).map(|child| outline(dom, child)).collect();
            if dom.is_element(id) { format!("{}({inner})", dom.name(id)) } else { inner }
        }
    }
}

#[test]
fn pages_become_the_trees_that_browsers_make() {
    for (html, expected) in [
        ("", "html(head()body())"),
        ("<p>a<p>b", "html(head()body(p(a)p(b)))"),
        ("<b>a<p>b</b>c", "html(head()body(b(a)p(b(b)c)))"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "html(head()body(ul(li(a)li(bul(li(c))))))"),
        ("<table><tr><td>a<td>b</table>", "html(head()body(table(tbody(tr(td(a)td(b))))))"),
        ("<table>x<tr><td>a</table>", "html(head()body(xtable(tbody(tr(td(a))))))"),
        ("a<!-- b -->c", "html(head()body(ac))"),
        ("<template><p>a</p></template>b", "html(head(template())body(b))"),
        ("<noscript><p>a</p></noscript>", "html(head(noscript())body(p(a)))"),
        ("<script>if (a < b) {}</script>x", "html(head(script(if (a < b) {}))body(x))"),
        ("<meta charset=utf-8><p>a", "html(head(meta())body(p(a)))"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "html(head()body(dl(dt(a)dd(b)dt(c))))"),
        ("<body></p></div>a", "html(head()body(p()a))"),
    ] {
        let dom = Dom::parse(html).unwrap();
        assert_eq!(outline(&dom, Dom::ROOT), expected, "{html}");
    }
}

#[test]
fn deep_pages_are_cut_to_the_depth_that_browsers_have() {
    for open in ["<div>", "<b><i>", "<ul><li>", "<div><p>", "<table><tr><td>", "<span id=x><b>", "<p><font a=1>"] {
        let html = format!("{}deep{}<p>after", open.repeat(60_000), "</div>".repeat(10));
        let dom = Dom::parse(&html).unwrap();
        let deepest = dom.descendants(Dom::ROOT).map(|id| dom.node(id).depth).max().unwrap();
        assert!(deepest <= MAX_DEPTH + 8, "{open}: {deepest}");
        let text = dom.all_text(Dom::ROOT);
        assert!(text.contains("deep") && text.contains("after"), "{open}");
    }
}

#[test]
fn formatting_that_is_never_closed_does_not_multiply() {
    let html: String = (0..2_000).map(|n| format!("<p><b id={n}>x</p>")).collect();
    let nodes = Dom::parse(&html).unwrap().nodes.len();
    assert!(nodes < 2_000 * 600, "{nodes}");
}

#[test]
fn a_tag_of_endless_attributes_is_refused() {
    let html = format!("<p {}>", (0..200_000).map(|n| format!("a{n} ")).collect::<String>());
    assert_eq!(Dom::parse(&html).err(), Some(TooLarge::Attributes));
}

#[test]
fn neighbours_can_be_walked() {
    let dom = Dom::parse("<body class='a  b'><p id=x>One <b>two</b></p><p>three").unwrap();
    let body = dom.descendants(Dom::ROOT).find(|&id| dom.name(id) == "body").unwrap();
    assert!(dom.has_class(body, "a") && dom.has_class(body, "b") && !dom.has_class(body, "c"));
    let [first, second] = dom.elements(body).collect::<Vec<_>>()[..] else { panic!("two paragraphs") };
    assert_eq!((dom.line(first).as_str(), dom.attribute(first, "id")), ("One two", Some("x")));
    assert_eq!((dom.previous(second), dom.parent(second)), (Some(first), Some(body)));
    assert_eq!(dom.following(first, body, false), Some(second));
    assert_eq!(dom.following(second, second, false), None);
    assert_eq!(dom.ancestors(first).count(), 3);
}
