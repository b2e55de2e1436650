//! Tables of what other dialects of Markdown write: the blocks that are indexed and quoted, and what is shown.

use super::prose::check_text;
use crate::block::BlockKind;
use crate::page::Page;
use crate::render::{render, tests::html};

/// The blocks of a body, a letter for each kind before its text, and what is shown of it.
#[track_caller]
pub(super) fn check(body: &str, blocks: &[&str], shown: &str) {
    let (page, _) = Page::parse("a.md", body);
    let letter = |kind| match kind {
        BlockKind::Paragraph => 'P',
        BlockKind::Quote => 'Q',
        BlockKind::Aside => 'A',
        BlockKind::ListItem => 'L',
        BlockKind::TableRow => 'T',
        BlockKind::Code => 'C',
        BlockKind::Heading => 'H',
    };
    let found: Vec<String> =
        page.blocks().into_iter().map(|block| format!("{} {}", letter(block.kind), block.text)).collect();
    assert_eq!(found, blocks, "{body:?}");
    assert_eq!(html(&render(&page.body, &|target, _| Some(format!("#{target}")))), shown, "{body:?}");
}

#[test]
fn footnotes() {
    check(
        "It is rarely eaten.[^1] It can dive.\n\n[^1]: A private note.",
        &["P It is rarely eaten. It can dive."],
        "<p>It is rarely eaten.[1] It can dive.</p><blockquote><p>[1]: A private note.</p></blockquote>",
    );
    check(
        "一[^注]二。\n\n[^注]: 三\n    四\n\n    五\n\n六",
        &["P 一二。", "P 六"],
        "<p>一[注]二。</p><blockquote><p>[注]: 三\n四</p><p>五</p></blockquote><p>六</p>",
    );
    check(
        "[^a]: x\n[^b]: y\n- [^c]\n\nz[^a][^b]",
        &["L [^c]", "P z"],
        "<blockquote><p>[a]: x</p></blockquote><blockquote><p>[b]: y</p></blockquote>\
         <ul><li>[^c]</li></ul><p>z[a][b]</p>",
    );
    check("Bees^[as [most](x) know] dance.", &["P Bees dance."], "<p>Bees[as [most](x) know] dance.</p>");
    check(
        "[^1]: https://x.org/a\n",
        &[],
        "<blockquote><p>[1]: <a href=\"#https://x.org/a\">https://x.org/a</a></p></blockquote>",
    );
    check("`[^1]` [^ ] \\[^1]", &["P `[^1]` [^ ] [^1]"], "<p><code>[^1]</code> [^ ] [^1]</p>");
    check(
        "# T[^1]\n\n|a[^1]|\n|-|\n|b[^2]|",
        &["H T", "T b"],
        "<h1 id=\"t\">T[1]</h1><table><thead><tr><th>a[1]</th></tr></thead><tbody><tr><td>b[2]</td></tr></tbody></table>",
    );
}

#[test]
fn callouts() {
    check("> [!NOTE]\n> Mind it.\n\nx", &["A Mind it.", "P x"], "<blockquote><p>Mind it.</p></blockquote><p>x</p>");
    check(
        "> [!faq]- Why *so*?\n> Because.\n> > [!tip]\n> > Inner.",
        &["H Why so?", "A Because.", "A Inner."],
        "<blockquote><h6>Why <em>so</em>?</h6><p>Because.</p><blockquote><p>Inner.</p></blockquote></blockquote>",
    );
    check(
        "> [!abstract] In short\n> It is.",
        &["H In short", "Q It is."],
        "<blockquote><h6>In short</h6><p>It is.</p></blockquote>",
    );
    check(
        "> [!TIP]\n> - a\n>\n>       b",
        &["L a", "C b"],
        "<blockquote><ul><li><p>a</p><pre><code>b</code></pre></li></ul></blockquote>",
    );
    check(
        "[!NOTE] x\n\n> a\n> [!NOTE] b",
        &["P [!NOTE] x", "Q a [!NOTE] b"],
        "<p>[!NOTE] x</p><blockquote><p>a\n[!NOTE] b</p></blockquote>",
    );
}

#[test]
fn admonitions_and_tabs() {
    check(
        "===  \"A\"\n\n    b\n\n=== c",
        &["H A", "A b", "P === c"],
        "<blockquote><h6>A</h6><p>b</p></blockquote><p>=== c</p>",
    );
    check(
        "!!! note \"Mind the *gap*\"\n    One.\n\n    Two.\n\nThree.",
        &["H Mind the gap", "A One.", "A Two.", "P Three."],
        "<blockquote><h6>Mind the <em>gap</em></h6><p>One.</p><p>Two.</p></blockquote><p>Three.</p>",
    );
    check("??? warning\n    One.", &["H warning", "A One."], "<blockquote><h6>warning</h6><p>One.</p></blockquote>");
    check("???+ tip \"\"\n\n    One.", &["A One."], "<blockquote><p>One.</p></blockquote>");
    check(
        "=== \"npm\"\n\n    ```sh\n    npm i\n    ```\n\n=== \"yarn\"\n\n        yarn",
        &["H npm", "C npm i", "H yarn", "C yarn"],
        "<blockquote><h6>npm</h6><pre><code data-lang=\"sh\">npm i\n</code></pre></blockquote>\
         <blockquote><h6>yarn</h6><pre><code>yarn</code></pre></blockquote>",
    );
    check(
        "- a\n\n    !!! danger\n        b\n\n    c",
        &["L a", "H danger", "A b", "L c"],
        "<ul><li><p>a</p><blockquote><h6>danger</h6><p>b</p></blockquote><p>c</p></li></ul>",
    );
    check(
        "!!! note\nNot in it.",
        &["H note", "P Not in it."],
        "<blockquote><h6>note</h6></blockquote><p>Not in it.</p>",
    );
    check("a\n===\n\n!!!b ??? c", &["H a", "P !!!b ??? c"], "<h1 id=\"a\">a</h1><p>!!!b ??? c</p>");
}

#[test]
fn containers() {
    check(
        ":::tip Mind it\nOne.\n:::\nTwo.",
        &["H Mind it", "P One.", "P Two."],
        "<h6>Mind it</h6><p>One.</p><p>Two.</p>",
    );
    check("::: info\nOne.\n\n:::", &["P One."], "<p>One.</p>");
    check(":::note[Ein *Titel*]\n\nZwei\n\n:::", &["H Ein Titel", "P Zwei"], "<h6>Ein <em>Titel</em></h6><p>Zwei</p>");
    check(
        ":::{note} A title\n:class: dropdown\n:name: x\nOne.\n:::",
        &["H A title", "P One."],
        "<h6>A title</h6><p>One.</p>",
    );
    check(
        "::: code-group\n\n```js [a.js]\nx ::: y\n```\n\n:::",
        &["C x ::: y"],
        "<pre><code data-lang=\"js\">x ::: y\n</code></pre>",
    );
    check("::: details Click me {open}\na\n:::", &["H Click me", "P a"], "<h6>Click me</h6><p>a</p>");
    check("::::: {.box #b}\na\n:::::", &["P a"], "<p>a</p>");
    check(
        ":::image type=\"content\" source=\"a.png\" alt-text=\"b\":::\n\n:::row:::\na\n:::row-end:::",
        &["P a"],
        "<p>a</p>",
    );
    check("(a-label)=\n## T\n\n:a: b", &["H T", "P :a: b"], "<h2 id=\"t\">T</h2><p>:a: b</p>");
}

#[test]
fn remarks_are_private() {
    for body in [
        "a %%secret%% b",
        "a %%secret\nsecret%% b",
        "a\n\n%%secret\n\nsecret\n\n- secret\n\n# secret\n\n```\nsecret\n%% b",
        "a\n%% secret %%\nb",
        "a\n\n%% secret\nsecret %%\n\nb",
        "%%\nsecret\n%%\na\nb",
        "a\n\n%%\n\nsecret\n\n%%\n\nb",
        "> a %%secret\n> secret%% b",
        "> a\n>\n> %%\n> secret\n>\n> secret\n> %% b",
        "a <!-- secret --> b",
        "a\n<!-- secret\n\nsecret -->\nb",
        "a {/* secret */} b",
        "a\n\n{/*\nsecret\n\nsecret\n*/}\n\nb",
        "a {% comment %} secret {{ x }} {% endcomment %} b",
        "a\n\n{%- comment -%}\n\nsecret\n\n{%- endcomment -%}\n\nb",
        "a {{/* secret }} secret */}} b",
        "a\n\n{::comment}\n\nsecret\n\n{:/comment} b",
        "a\n\n% secret\n% secret\n\nb",
        "a\n\n--8<-- \"secret.md\"\n\nb",
        "a\n\n[//]: # (secret)\n\nb",
        "a\n\n<script>\n\nsecret\n\n</script>\n\nb",
        "a\n\n<style>\nsecret\n</style>\n\nb",
        "a b\n\n<!-- secret\n\nsecret",
        "a b\n\n%%\n\nsecret\n\n- secret",
    ] {
        let (page, _) = Page::parse("a.md", &format!("---\ntitle: t\n---\n{body}"));
        let texts: Vec<String> = page.blocks().into_iter().map(|block| block.text).collect();
        assert_eq!(texts.join(" "), "a b", "{body:?}");
        let all = [page.summary.clone(), page.sections().into_iter().map(|section| section.text).collect()];
        let all = all.concat() + &texts.concat() + &html(&render(&page.body, &|_, _| None));
        assert!(!all.contains("secret") && !all.contains("%%"), "{body:?}: {all}");
    }
    check("%%\n50%% secret\n%%\nb", &["P b"], "<p>\nb</p>");
    check("`%%` 100%% 50%", &["P `%%` 100%% 50%"], "<p><code>%%</code> 100%% 50%</p>");
}

#[test]
fn lines_without_text() {
    for line in ["<<< @/snippet.js", "*[HTML]: Hypertext Markup Language", "[TOC]", "[[TOC]]"] {
        check(&format!("a\n\n{line}\n\nb"), &["P a", "P b"], "<p>a</p><p>b</p>");
    }
    check_text(&["<<< is a shift", "*[HTML] is short", "See [TOC] for more", "/// is the mark of a comment"]);
    check("/// note | Mind *it*\na\n///\nb", &["H Mind it", "P a", "P b"], "<h6>Mind <em>it</em></h6><p>a</p><p>b</p>");
    check("/// tip\na\n\nb\n///", &["P a", "P b"], "<p>a</p><p>b</p>");
}

#[test]
fn modules_are_whole_statements() {
    for module in [
        "import a from 'a'",
        "import a, {b as c, d} from \"a\"; // why",
        "import * as a from 'a';\nimport 'b.css'",
        "import {\n  a,\n  b,\n} from 'a';",
        "export * from 'a'",
        "export * as a from 'a'",
        "export {a, b as c} from 'a'",
        "export {a};",
        "export default a;",
        "export default ({children}) => <div>{children}</div>",
        "export default function A() {\n  return 1;\n}",
        "export const a = {\n  b: 1,\n\n  c: [\n\n  ],\n};",
        "export async function a(b) {\n  // don't (\n\n  return b;\n}",
        "export class A extends B {\n}",
        "export let [a] = f()",
    ] {
        check(&format!("{module}\n\nText."), &["P Text."], "<p>Text.</p>");
    }
    check("export const a = {\n\nText.", &["P Text."], "<p>Text.</p>");
}

#[test]
fn modules_and_components() {
    check(
        "import {Tabs} from 'x';\nimport T from \"y\"\n\nexport const a = {\n  b: 1,\n};\n\nText.",
        &["P Text."],
        "<p>Text.</p>",
    );
    check(
        "<Tabs defaultValue={a} items={['b > c', \"d\"]}>\n<TabItem value=\"x\">\n\nText *here*.\n\n</TabItem>\n</Tabs>",
        &["P Text here."],
        "<p>Text <em>here</em>.</p>",
    );
    check("<Note>\nMind it.\n</Note>\n<Card title=\"x\" />", &["P Mind it."], "<p>\nMind it.\n\n</p>");
    check(
        "<Tabs>\n  <TabItem>\n    ```js\n    a <b> {/* c */}\n    ```\n  </TabItem>\n</Tabs>",
        &["C a <b> {/* c */}"],
        "<pre><code data-lang=\"js\">a &lt;b> {/* c */}\n</code></pre>",
    );
    check(
        "## Setup {/*set-up*/}\n\nA <Badge text=\"new\"/> thing.",
        &["H Setup", "P A thing."],
        "<h2 id=\"setup\">Setup </h2><p>A  thing.</p>",
    );
    check(
        "The <Suspense> tag, or a <name>.",
        &["P The <Suspense> tag, or a <name>."],
        "<p>The &lt;Suspense> tag, or a &lt;name>.</p>",
    );
    check(
        "import duties rose from 2 to 3.\n\nexport of tea\nimport {x} too",
        &["P import duties rose from 2 to 3.", "P export of tea import {x} too"],
        "<p>import duties rose from 2 to 3.</p><p>export of tea\nimport {x} too</p>",
    );
}

#[test]
fn html_is_read_for_its_text() {
    check(
        "<p align=\"center\">One <b>two</b>.</p>\nThree",
        &["P One two.", "P Three"],
        "<p>\nOne two.\n</p><p>Three</p>",
    );
    check(
        "<div>\n  <ul>\n    <li>One</li>\n    <li>Two</li>\n  </ul>\n</div>",
        &["P One", "P Two"],
        "<p>\nOne\n</p><p>\nTwo\n</p>",
    );
    check(
        "<details><summary>More</summary>\n\nHere.\n\n</details>",
        &["P More", "P Here."],
        "<p>\n\nMore\n</p><p>Here.</p>",
    );
    check("<table><tr><td>a</td><td>b</td></tr></table>", &["P a b"], "<p>\n\n\na\n\nb\n\n\n</p>");
    check(
        "a<br>b<br/>c <kbd>d</kbd> <img src=x alt=y> H<sub>2</sub>O",
        &["P a b c d H2O"],
        "<p>a<br></br>b<br></br>c d  H2O</p>",
    );
    check(
        "<h2 id=x>T</h2>\ntext &nbsp; *more*",
        &["P T", "P text \u{a0} more".replace('\u{a0}', "").replace("  ", " ").as_str()],
        "<p>\nT\n</p><p>text \u{a0} <em>more</em></p>",
    );
    check(
        "<pre>a <b>%%c%%</b>\n\nd</pre>\ne",
        &["C <pre>a <b>%%c%%</b>\n\nd</pre>", "P e"],
        "<pre><code><pre>a &lt;b>%%c%%&lt;/b>\n\nd&lt;/pre>\n</code></pre><p>e</p>"
            .replace("<code><pre>", "<code>&lt;pre>")
            .as_str(),
    );
    check("a < b and c > d, x<y", &["P a < b and c > d, x<y"], "<p>a &lt; b and c > d, x&lt;y</p>");
}

#[test]
fn site_builders() {
    check("{{< note title=\"x\" >}}\nText.\n{{< /note >}}", &["P Text."], "<p>\nText.</p>");
    check("{{% alert %}}A {{< ref \"b.md\" >}} c.{{% /alert %}}", &["P A c."], "<p>A  c.</p>");
    check(
        "{% include nav.html %}\n\n{% raw %}A{% endraw %} {{ site.title | upcase }} b",
        &["P A {{ site.title | upcase }} b"],
        "<p>A {{ site.title | upcase }} b</p>",
    );
    check(
        "{% highlight ruby %}\nputs %%1\n\n{% endhighlight %}\na",
        &["C {% highlight ruby %}\nputs %%1\n\n{% endhighlight %}", "P a"],
        "<pre><code>{% highlight ruby %}\nputs %%1\n\n{% endhighlight %}\n</code></pre><p>a</p>",
    );
    check("{% hint style=\"info\" %}\nMind it.\n{% endhint %}", &["P Mind it."], "<p>\nMind it.</p>");
    check("`{{ a }}` \\{{ b }} {c}", &["P `{{ a }}` {{ b }} {c}"], "<p><code>{{ a }}</code> {{ b }} {c}</p>");
}

#[test]
fn attributes_and_names() {
    check("## 5.5 { id=\"5.5\" }", &["H 5.5"], "<h2 id=\"55\">5.5 </h2>");
    check("![[e]]^f", &[], "<p><a href=\"#e\">e</a></p>");
    check("## Set up {#set-up .x}\n\na", &["H Set up", "P a"], "<h2 id=\"set-up\">Set up </h2><p>a</p>");
    check(
        "[a](b){target=_blank} *c*{.d} `e`{:.f}",
        &["P a c `e`"],
        "<p><a href=\"#b\">a</a> <em>c</em> <code>e</code></p>",
    );
    check(
        "Text.\n{: .note #x }\n\n![a](b){ width=\"3\" }",
        &["P Text.", "P a"],
        "<p>Text.\n</p><p><a href=\"#b\">[image: a]</a></p>",
    );
    check(
        "Eine Aussage. ^block-1\n\n- b ^c2\n\n^d",
        &["P Eine Aussage.", "L b"],
        "<p>Eine Aussage. </p><ul><li>b </li></ul>",
    );
    check(
        "x^2 and 2 ^ 3 {a} {#if} b {.x} c",
        &["P x^2 and 2 ^ 3 {a} {#if} b {.x} c"],
        "<p>x^2 and 2 ^ 3 {a} {#if} b {.x} c</p>",
    );
}

#[test]
fn tasks_marks_embeds_emoji_roles() {
    check(
        "- [ ] Buy milk\n- [x] Sow\n1. [X] Reap",
        &["L Buy milk", "L Sow", "L Reap"],
        "<ul><li>[ ] Buy milk</li><li>[x] Sow</li></ul><ol><li>[X] Reap</li></ol>",
    );
    check(
        "A ==marked *word*== and 文==标记==字, a == b, c==d==e",
        &["P A marked word and 文标记字, a == b, c==d==e"],
        "<p>A <em>marked <em>word</em></em> and 文<em>标记</em>字, a == b, c==d==e</p>",
    );
    check(
        "See ![[Some Page]] and [[b|c]].\n\n![[x.png|200]]",
        &["P See and c."],
        "<p>See <a href=\"#Some Page\">Some Page</a> and <a href=\"#b\">c</a>.</p><p><a href=\"#x.png\">200</a></p>"
            .replace("<a href=\"#Some Page\">Some Page</a>", "Some Page")
            .as_str(),
    );
    check(
        "We ship :rocket: now :+1:, at 12:30:45 std::vec::x",
        &["P We ship now , at 12:30:45 std::vec::x"],
        "<p>We ship :rocket: now :+1:, at 12:30:45 std::vec::x</p>",
    );
    check(
        "See {ref}`the guide <guide>` and :doc:`x`, {py:func}`y`.",
        &["P See the guide and x, y."],
        "<p>See the guide and x, y.</p>",
    );
}

#[test]
fn formulas() {
    check(
        "So $E=mc^2$ and $a_1 * b_2 * c$.",
        &["P So E=mc^2 and a_1 * b_2 * c."],
        "<p>So E=mc^2 and a_1 * b_2 * c.</p>",
    );
    check("$$\nx = *y*\n$$", &["P x = *y*"], "<p>\nx = *y*\n</p>");
    check(
        "It costs $5 or $10, US$7 or 8$.",
        &["P It costs $5 or $10, US$7 or 8$."],
        "<p>It costs $5 or $10, US$7 or 8$.</p>",
    );
    check(
        "`$a$` $HOME/bin:$PATH \\$x\\$",
        &["P `$a$` $HOME/bin:$PATH $x$"],
        "<p><code>$a$</code> $HOME/bin:$PATH $x$</p>",
    );
}

#[test]
fn definitions() {
    check(
        "Bearcat\n: A binturong.\n: Eats figs.",
        &["P Bearcat", "L Bearcat: A binturong.", "L Bearcat: Eats figs."],
        "<p>Bearcat</p><ul><li>A binturong.</li><li>Eats figs.</li></ul>",
    );
    check(
        "Bärenmarder\n\n:   Ein Tier.\n\n    Frisst Feigen.\n\nx",
        &["P Bärenmarder", "L Bärenmarder: Ein Tier.", "L Frisst Feigen.", "P x"],
        "<p>Bärenmarder</p><ul><li><p>Ein Tier.</p><p>Frisst Feigen.</p></li></ul><p>x</p>",
    );
    check("a :b\n:c", &["P a :b :c"], "<p>a :b\n:c</p>");
}

#[test]
fn summaries_are_prose() {
    for (body, summary) in [
        ("import {Tabs} from 'x';\n\n# T\n\nThe first prose.", "The first prose."),
        ("<Intro>\n\nThe first prose.\n\n</Intro>", "The first prose."),
        ("!!! warning \"Old\"\n    Out of date.\n\nThe first prose.", "The first prose."),
        ("> [!NOTE]\n> Beside it.\n\nThe first prose.", "The first prose."),
        ("> [!tldr]\n> The short of it.\n\nOther.", "The short of it."),
        ("%%\nprivate\n%%\n\nThe first prose.[^1]\n\n[^1]: x", "The first prose."),
        ("{{< toc >}}\n\n:::tip\nThe first prose. ^id\n:::", "The first prose."),
        ("<p align=center><img src=a></p>\n\n<p>The <b>first</b> prose.</p>", "The first prose."),
        ("[^1]: a\n\n[r]: /u\n\n![[cover.png]]\n\n- [ ] Only a task", "Only a task"),
    ] {
        assert_eq!(Page::parse("a.md", body).0.summary, summary, "{body:?}");
    }
}
