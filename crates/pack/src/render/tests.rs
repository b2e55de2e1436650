//! Tables of markdown and the tree it gives, printed as HTML; the hostile ones must come out inert.

use super::*;

/// The tree as HTML, for reading; the browser never sees this form.
pub(crate) fn html(nodes: &[Node]) -> String {
    nodes
        .iter()
        .map(|node| match node {
            Node::Text(text) => text.replace('<', "&lt;"),
            Node::Element(Element { tag, attrs, children }) => {
                let attrs: String = attrs.iter().map(|(name, value)| format!(" {name}={value:?}")).collect();
                format!("<{tag}{attrs}>{}</{tag}>", html(children))
            }
        })
        .collect()
}

/// Pages link as `#page=…`; all else is as the renderer decides.
fn link(target: &str, wiki: bool) -> Option<String> {
    (wiki && target != "gone" || target.ends_with(".md")).then(|| format!("#page={target}"))
}

#[track_caller]
fn check(body: &str, expected: &str) {
    assert_eq!(html(&render(body, &link)), expected, "{body:?}");
}

#[test]
fn ordinary_markdown() {
    check("# A `b`\n\n## A b", "<h1 id=\"a-b\">A <code>b</code></h1><h2 id=\"a-b-1\">A b</h2>");
    check(
        "*a* **b** ~~c~~ `d`\ne  \nf",
        "<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code>\ne<br></br>f</p>",
    );
    check("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
    check("3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>");
    check("1. a", "<ol><li>a</li></ol>");
    check("> a\n\n---", "<blockquote><p>a</p></blockquote><hr></hr>");
    check("```Rust ignore\nlet x;\n```", "<pre><code data-lang=\"rust\">let x;\n</code></pre>");
    check("```\" onclick=x\ny\n```", "<pre><code>y\n</code></pre>");
    check(
        "|a|b|\n|-|-|\n|c|d|",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>",
    );
    check("> # Quoted\n\n# Quoted", "<blockquote><h1>Quoted</h1></blockquote><h1 id=\"quoted\">Quoted</h1>");
}

#[test]
fn links() {
    check("[a](b.md)", "<p><a href=\"#page=b.md\">a</a></p>");
    check("[[b|C]] [[gone|D]]", "<p><a href=\"#page=b\">C</a> D</p>");
    check("`[[b]]`\n\n    [[b]]", "<p><code>[[b]]</code></p><pre><code>[[b]]</code></pre>");
    check("[a [[b]] https://x.org](https://y.org)", "<p><a href=\"https://y.org\">a [[b]] https://x.org</a></p>");
    check(
        "<https://x.org> https://y.org.",
        "<p><a href=\"https://x.org\">https://x.org</a> <a href=\"https://y.org\">https://y.org</a>.</p>",
    );
    check("[a](#b) [c](d) <e@f.org>", "<p><a href=\"#b\">a</a> c e@f.org</p>");
    check("![alt *x*](https://x.org/i.png)", "<p><a href=\"https://x.org/i.png\">[image: alt x]</a></p>");
    check("![](i.png) ![a ![b](c) d](e)", "<p>[image] [image: a b d]</p>");
    check("[![a](https://x.org/i)](https://y.org)", "<p><a href=\"https://y.org\">[image: a]</a></p>");
    check("# [[b|C d]] ![e](f)", "<h1 id=\"c-d-e\"><a href=\"#page=b\">C d</a> [image: e]</h1>");
}

#[test]
fn hostile_markdown_is_inert() {
    check("<script>alert(1)</script>", "");
    check("<SCRIPT>alert(1)</SCRIPT>", "<p>alert(1)</p>");
    check("a <b onclick=alert(1)>c</b>", "<p>a c</p>");
    check("<style>*{}</style>", "");
    check("<iframe src=//x></iframe>", "");
    check("<svg/onload=alert(1)>", "<p>&lt;svg/onload=alert(1)></p>");
    check("<!-- <img src=x onerror=y> -->", "");
    check("<img src=x onerror=y>", "");
    for target in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "&#106;avascript:alert(1)",
        "java&#10;script:alert(1)",
        "java&Tab;script:alert(1)",
        "&#1;javascript:alert(1)",
        "<  javascript:alert(1)>",
        "<\u{a0}javascript:alert(1)>",
        "javascript&colon;alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://x.org/1",
        "//host/x",
        "/\\\\host/x",
        "\\\\\\\\host",
        "https:host",
        "https://",
        "<https://x.org/ a>",
        "https://x.org/&#10;a",
        "https://x.org\u{202e}gro",
        "../up",
        "C:\\\\x",
    ] {
        check(&format!("[a]({target})"), "<p>a</p>");
        check(&format!("![a]({target})"), "<p>[image: a]</p>");
    }
    check("[a]: javascript:alert(1)\n\n[a]", "<p>a</p>");
    check("<javascript:alert(1)>", "<p>javascript:alert(1)</p>");
}

#[test]
fn the_callers_links_are_checked_too() {
    for (made, kept) in [
        ("pages/a b", false),
        ("pages/a.html", true),
        ("?p=a:b", true),
        ("#a", true),
        ("https://x.org", true),
        ("javascript:x", false),
        ("//host", false),
        ("", false),
    ] {
        let nodes = render("[a](b) [[c]]", &|_, _| Some(made.to_string()));
        let expected =
            if kept { format!("<p><a href={made:?}>a</a> <a href={made:?}>c</a></p>") } else { "<p>a c</p>".into() };
        assert_eq!(html(&nodes), expected, "{made:?}");
    }
}

fn depth(nodes: &[Node]) -> usize {
    let depths = nodes.iter().map(|node| match node {
        Node::Text(_) => 0,
        Node::Element(element) => 1 + depth(&element.children),
    });
    depths.max().unwrap_or(0)
}

fn count(nodes: &[Node]) -> usize {
    nodes.iter().map(|node| 1 + if let Node::Element(element) = node { count(&element.children) } else { 0 }).sum()
}

#[test]
fn depth_and_size_are_limited() {
    for body in [
        format!("{}end", "> ".repeat(10_000)),
        format!("{}end", "- ".repeat(10_000)),
        format!("{}end{}", "*a _b ".repeat(10_000), "_*".repeat(10_000)),
        format!("{}end", ">".repeat(1_000_000)),
        format!("{}end", "![".repeat(100_000)),
        (0..500).map(|i| format!("{}- x\n", "  ".repeat(i))).collect(),
    ] {
        let nodes = render(&body, &link);
        assert!(depth(&nodes) <= 64 && html(&nodes).contains(if body.contains("end") { "end" } else { "x" }));
    }
    for unit in ["a\n\n", "[[b]] ", "- a\n", "`a` ", "https://x.org ", "***\n"] {
        let nodes = render(&unit.repeat(60_000), &link);
        let count = count(&nodes);
        assert!((49_000..=50_001).contains(&count), "{unit:?} {count}");
    }
}

#[test]
fn serialises_for_the_browser() {
    let json = serde_json::to_string(&render("a [[b]]", &link)).unwrap();
    let expected = r##"[{"tag":"p","children":["a ",{"tag":"a","attrs":[["href","#page=b"]],"children":["b"]}]}]"##;
    assert_eq!(json, expected);
}
