//! Tables of what pages show and the Markdown that it becomes.

use super::{Ids, sections};
use crate::address::Base;
use crate::dom::Dom;
use crate::generator::{GENERATORS, Rules};
use crate::selector::Selector;

/// The Markdown of the body of a page, with its headings.
#[track_caller]
fn check(html: &str, expected: &str) {
    let dom = Dom::parse(html).unwrap();
    let rules = Rules::of(GENERATORS.of(&dom), &Selector::default());
    let body = dom.descendants(Dom::ROOT).find(|&id| dom.name(id) == "body").unwrap();
    let found = sections(&dom, body, &rules, &Ids::of(&dom), &Base::of("guide/a.html"));
    let text = found.iter().map(|section| {
        let id = if section.id.is_empty() { String::new() } else { format!(" {{#{}}}", section.id) };
        let heading = if section.level == 0 {
            String::new()
        } else {
            format!("{} {}{id}", "#".repeat(section.level.into()), section.heading)
        };
        [heading, section.body.clone()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    });
    assert_eq!(text.collect::<Vec<_>>().join("\n\n"), expected, "{html}");
}

#[test]
fn running_text() {
    for (html, expected) in [
        ("<p>One <em>two</em><b> three </b>four.</p>\n<p>Five", "One *two* **three** four.\n\nFive"),
        ("a<br>b <code>c `d`</code>", "a b `` c `d` ``"),
        ("See <a href='../b.html#x'>the <code>b</code></a>.", "See [the `b`](../b.html#x)."),
        (
            "<a href='javascript:x()'>a</a> <a href='mailto:x@y'>b</a> <a href='a (b).html'>c</a>",
            "a b [c](a%20%28b%29.html)",
        ),
        ("<img src=a.png alt='A  plan'> <img src=b.png> <img src=c.png alt=''>", "![A plan](a.png)"),
        ("H<sub>2</sub>O, <kbd>Ctrl</kbd>, <del>old</del>", "H2O, `Ctrl`, ~~old~~"),
        ("<button>Copy</button>x<script>y()</script><style>z{}</style>", "x"),
        ("a <span hidden>no</span><span style='display: none'>no</span><i aria-hidden=true>no</i> b", "a b"),
        ("<b><b>a</b></b> <em></em>", "**a**"),
        ("日本語の<strong>文</strong>。", "日本語の**文**。"),
    ] {
        check(html, expected);
    }
}

#[test]
fn headings_begin_sections_with_the_id_that_opens_them() {
    for (html, expected) in [
        (
            "<h1 id=a>One</h1>x<h2 id=b>Two <a class=headerlink href='#b'>¶</a></h2>y",
            "# One {#a}\n\nx\n\n## Two {#b}\n\ny",
        ),
        // Inside the heading, after its text, around it, and before it.
        ("<h2><a id=in></a>In</h2>x", "## In {#in}\n\nx"),
        ("<h2>After<span><a class=mark href='#after' id=after>#</a></span></h2>x", "## After {#after}\n\nx"),
        ("<section id=around><h2>Around</h2>x</section>", "## Around {#around}\n\nx"),
        // Of several, the one that its link to itself has.
        (
            "<section id=whole><span id=other></span><h2>Whole<a class=headerlink href='#whole'>¶</a></h2>x</section>",
            "## Whole {#whole}\n\nx",
        ),
        ("<div><a id=before></a><div><h2>Before</h2></div>x</div>", "## Before {#before}\n\nx"),
        ("<a name=old></a><h2>Old</h2>x", "## Old {#old}\n\nx"),
        // A wrapper that begins with other text is not the heading's.
        ("<section id=no>text<h2>Two</h2>x</section>", "text\n\n## Two\n\nx"),
        // Without an id of its own, a section is opened at the place before it.
        ("<h1 id=a>One</h1>x<h2>Two</h2>y", "# One {#a}\n\nx\n\n## Two {#a}\n\ny"),
        // A doubled id opens the first place.
        ("<p id=a>x</p><h2 id=a>Two</h2>y", "x\n\n## Two\n\ny"),
        ("<h2 id='impl-From%3CT%3E'>A</h2>x", "## A {#impl-From%3CT%3E}\n\nx"),
        ("<h2 id='größe'>B</h2>x", "## B {#größe}\n\nx"),
        ("<h2 id='{x}'>C</h2>x", "## C {#%7Bx%7D}\n\nx"),
        ("<h2 id='a b'>D</h2>x", "## D\n\nx"),
        ("<h2 id=e><a href='#e'>The <code>x()</code> call</a></h2>y", "## The `x()` call {#e}\n\ny"),
        ("<h2 id=f>2.4.1. Memory</h2>y", "## Memory {#f}\n\ny"),
        ("<ul><li><h3 id=g>In a list</h3>x</li></ul>", "- **In a list**\n\n  x"),
        ("<h2></h2>x", "x"),
    ] {
        check(html, expected);
    }
}

#[test]
fn code_keeps_its_language_and_its_lines() {
    for (html, expected) in [
        ("<pre><code class=language-rust>fn a() {\n    b();\n}\n</code></pre>", "```rust\nfn a() {\n    b();\n}\n```"),
        (
            "<div class='highlight-python3 notranslate'><div class=highlight><pre><span></span>x = 1\n</pre></div></div>",
            "```python\nx = 1\n```",
        ),
        (
            "<pre data-language=js><code><div class=ec-line><div class=code>a</div></div><div class=ec-line><div class=code>b</div></div></code></pre>",
            "```js\na\nb\n```",
        ),
        (
            "<pre><pre class=playground><code class=language-rust><span class=boring># hidden\n</span>shown</code></pre></pre>",
            "```rust\nshown\n```",
        ),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        (
            "<table class=highlighttable><tr><td class=linenos>1</td><td class=code><pre>x</pre></td></tr></table>",
            "```\nx\n```",
        ),
        ("<pre class='brush: sql'>select</pre>", "```sql\nselect\n```"),
        ("<pre>\n\n</pre>", ""),
    ] {
        check(html, expected);
    }
}

#[test]
fn lists_quotations_and_definitions() {
    for (html, expected) in [
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"),
        ("<ol start=3><li><p>a</p><p>b</p></li><li>c</li></ol>", "3. a\n\n   b\n\n4. c"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"),
        ("<dl><dt>Tea<dd>A drink.<dd>A leaf.</dl>", "Tea\n: A drink.\n: A leaf."),
        ("<dl><dt>a<dt>b<dd><p>x<p>y</dl>", "a\nb\n: x\n\n    y"),
        (
            "<h2 id=s>S</h2><dl><dt id=w><code>work_mem</code> (<code>integer</code>)<dd>Memory.</dl>",
            "## S {#s}\n\n### `work_mem` (`integer`) {#w}\n\nMemory.",
        ),
        ("<details><summary>More</summary><p>x</details>", "**More**\n\nx"),
    ] {
        check(html, expected);
    }
}

#[test]
fn tables() {
    for (html, expected) in [
        ("<table><thead><tr><th>A<th>B</thead><tr><td>1<td>2 | 3</table>", "| A | B |\n| --- | --- |\n| 1 | 2 \\| 3 |"),
        ("<table><tr><td>1<td>2</table>", "|  |  |\n| --- | --- |\n| 1 | 2 |"),
        (
            "<table><caption>T</caption><tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3</table>",
            "T\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |",
        ),
        ("<table><tr><td colspan=2>1<td>2</table>", "|  |  |  |\n| --- | --- | --- |\n| 1 |  | 2 |"),
        ("<table><tr><td><p>one</p><p>two</p></table>", "one\n\ntwo"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
        ("<table><tr><td>a<td><ul><li>x<li>y</ul></table>", "|  |  |\n| --- | --- |\n| a | x y |"),
    ] {
        check(html, expected);
    }
}

#[test]
fn admonitions_tabs_footnotes_and_maths() {
    for (html, expected) in [
        (
            "<div class='admonition warning'><p class=admonition-title>Warning</p><p>Hot.</p></div>",
            "> [!WARNING]\n> Hot.",
        ),
        (
            "<div class='custom-block tip'><p class=custom-block-title>Mind the gap</p><p>x</p></div>",
            "> [!TIP] Mind the gap\n> x",
        ),
        ("<div class=note><h3 class=title>Note</h3><p>x</p></div>", "> [!NOTE]\n> x"),
        (
            "<div class=tabbed-set><div class=tabbed-labels><label>npm</label><label>yarn</label></div>\
             <div class=tabbed-content><div class=tabbed-block><pre>npm i</pre></div><div class=tabbed-block hidden><pre>yarn</pre></div></div></div>",
            "=== \"npm\"\n\n    ```\n    npm i\n    ```\n\n=== \"yarn\"\n\n    ```\n    yarn\n    ```",
        ),
        (
            "<ul role=tablist><li role=presentation><a role=tab href=#p id=t>Linux</a></li></ul><div id=p role=tabpanel aria-labelledby=t><p>x</div>",
            "=== \"Linux\"\n\n    x",
        ),
        (
            "<ul role=tablist><li role=tab id=t>Linux</li></ul><div role=tabpanel aria-labelledby=t hidden><p>x</div>",
            "=== \"Linux\"\n\n    x",
        ),
        (
            "<p>a<sup><a class=footnote-ref href='#fn-1'>1</a></sup></p><div class=footnotes><ol><li id=fn-1><p>Why.</p></li></ol></div>",
            "a[^1]\n\n[^1]: Why.",
        ),
        (
            "<p>x <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math></span></span></p>",
            "x $x^2$",
        ),
        ("<p><span class='math notranslate'>\\(a+b\\)</span></p>", "$a+b$"),
        ("<img class=math alt='a_1' src=x.png>", "$a_1$"),
    ] {
        check(html, expected);
    }
}
