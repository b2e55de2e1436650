//! A small page in the markup of each generator, and what becomes of it.

#![allow(clippy::unwrap_used, missing_docs)]

use seealso_import::{PageReader, Settings, SitePage};

fn read(html: &str) -> SitePage {
    PageReader::new(&Settings::default()).read("guide/tea.html", html.as_bytes()).unwrap()
}

/// A page as text: generator and title, then each section with its id and its names.
fn shown(page: &SitePage) -> String {
    let mut out = format!("{}: {}\n", page.generator, page.title);
    for section in &page.sections {
        let names = if section.names.is_empty() { String::new() } else { format!(" [{}]", section.names.join(", ")) };
        let id = if section.id.is_empty() { String::new() } else { format!(" {{#{}}}", section.id) };
        out.push_str(&format!(
            "{} {}{id}{names}\n{}\n",
            "#".repeat(section.level.into()),
            section.heading,
            section.body
        ));
    }
    out
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(shown(&read(html)), expected);
}

#[test]
fn mdbook() {
    check(
        r##"<!DOCTYPE HTML><html lang="en" class="light"><head><title>Tea - The Kitchen Book</title></head><body>
        <nav id="sidebar" class="sidebar"><div class="sidebar-scrollbox"><ol class="chapter"><li><a href="tea.html"><strong>1.</strong> Tea</a></li></ol></div></nav>
        <div id="page-wrapper"><div class="page"><div id="menu-bar"><h1 class="menu-title">The Kitchen Book</h1></div>
        <div id="content" class="content"><main>
        <h1 id="tea"><a class="header" href="#tea">Tea</a></h1><p>Leaves in water.</p>
        <h2 id="brewing"><a class="header" href="#brewing">Brewing</a></h2>
        <pre><pre class="playground"><code class="language-rust"><span class="boring">fn main() {
</span>brew();
<span class="boring">}</span></code></pre></pre>
        </main><nav class="nav-wrapper"><a rel="next" href="coffee.html">Next</a></nav></div></div></div></body></html>"##,
        "mdBook: Tea\n# Tea {#tea}\nLeaves in water.\n## Brewing {#brewing}\n```rust\nbrew();\n```\n",
    );
}

#[test]
fn mkdocs_with_its_themes() {
    check(
        r##"<html lang="en"><head><title>Tea - Kitchen</title></head><body>
        <div class="navbar"><a href="..">Kitchen</a></div><div class="container"><div class="col-md-9" role="main">
        <h1 id="tea">Tea<a class="headerlink" href="#tea" title="Permanent link">#</a></h1>
        <div class="admonition note"><p class="admonition-title">Note</p><p>Mind the pot.</p></div></div></div>
        <div class="modal" id="mkdocs_search_modal" role="dialog"><h4 class="modal-title">Search</h4></div></body></html>"##,
        "MkDocs: Tea\n# Tea {#tea}\n> [!NOTE]\n> Mind the pot.\n",
    );
    let material = |generator: &str| {
        format!(
            r##"<html lang="en"><head><meta name="generator" content="{generator}"></head><body>
            <div class="md-content"><article class="md-content__inner md-typeset">
            <a href="edit" class="md-content__button md-icon">edit</a><h1 id="tea">Tea</h1>
            <div class="tabbed-set"><input type="radio"><div class="tabbed-labels"><label>Pot</label></div>
            <div class="tabbed-content"><div class="tabbed-block"><p>Warm it.</p></div></div></div>
            <div class="highlight"><span class="filename">pot.sh</span><pre><span></span><code><span class="linenos">1</span>boil
</code></pre></div></article></div></body></html>"##
        )
    };
    let text = "# Tea {#tea}\n=== \"Pot\"\n\n    Warm it.\n\npot.sh\n\n```\nboil\n```\n";
    check(&material("mkdocs-1.6.1, mkdocs-material-9.5.0"), &format!("Material for MkDocs: Tea\n{text}"));
    check(&material("zensical-0.0.2"), &format!("Zensical: Tea\n{text}"));
}

#[test]
fn sphinx() {
    check(
        r##"<html lang="en"><head><meta name="generator" content="Docutils 0.19: https://docutils.sourceforge.io/"></head><body>
        <div class="related"><h3>Navigation</h3></div><div class="document"><div class="body" role="main"><section id="tea">
        <h1>Tea<a class="headerlink" href="#tea" title="Permalink to this heading">¶</a></h1>
        <nav class="contents local"><ul><li><a href="#x">x</a></li></ul></nav><p>Leaves.<a class="footnote-reference brackets" href="#id2" id="id1">1</a></p>
        <dl class="py function"><dt class="sig sig-object py" id="tea.brew"><span class="sig-prename descclassname">tea.</span><span class="sig-name descname">brew</span><span class="sig-paren">(</span><em class="sig-param">leaves</em><span class="sig-paren">)</span><a class="headerlink" href="#tea.brew">¶</a></dt>
        <dd><p>Brews them.</p></dd></dl>
        <aside class="footnote brackets" id="id2"><span class="label">[1]</span><p>Dried.</p></aside>
        </section></div></div><div class="sphinxsidebar" role="navigation"><h3>Contents</h3></div></body></html>"##,
        "Sphinx: Tea\n# Tea {#tea}\nLeaves.[^1]\n## `tea.brew(leaves)` {#tea.brew} [tea.brew]\nBrews them.\n\n[^1]: Dried.\n",
    );
}

#[test]
fn docbook_and_publican() {
    check(
        r##"<html><head><title>20.4. Tea</title><meta name="generator" content="DocBook XSL Stylesheets Vsnapshot"/></head><body>
        <div class="navheader"><table><tr><th>20.4. Tea</th></tr></table><hr/></div>
        <div class="sect1" id="TEA"><div class="titlepage"><div><div><h2 class="title">20.4. Tea</h2></div></div></div><p>Leaves.</p>
        <div class="variablelist"><dl class="variablelist"><dt id="GUC-HEAT"><span class="term"><code class="varname">heat</code> (<code class="type">integer</code>)<a id="id-1" class="indexterm"></a></span></dt><dd><p>How hot.</p></dd></dl></div>
        <div class="tip"><h3 class="title">Tip</h3><p>Not too hot.</p></div></div>
        <div class="navfooter"><hr/><table><tr><td>Prev</td></tr></table></div></body></html>"##,
        "DocBook: Tea\n## Tea {#TEA}\nLeaves.\n### `heat` (`integer`) {#GUC-HEAT} [heat]\nHow hot.\n\n> [!TIP]\n> Not too hot.\n",
    );
    check(
        r##"<html><head><meta name="generator" content="publican v4.3.2"/></head><body><div id="banner"><a href="/">Get it</a></div>
        <ul class="docnav top"><li>Prev</li></ul><div class="section"><div class="titlepage"><div><div><h2 class="title"><a id="sect.tea"></a>9.9. Tea</h2></div></div></div>
        <a id="id-1.2" class="indexterm"></a><div class="para">Leaves.</div>
        <div class="sidebar"><a id="sidebar.pot"></a><div class="titlepage"><div><div><p class="title"><strong>The pot</strong></p></div></div></div><div class="para">Round.</div></div></div></body></html>"##,
        "Publican: Tea\n## Tea {#sect.tea}\nLeaves.\n### **The pot** {#sidebar.pot}\nRound.\n",
    );
}

#[test]
fn docusaurus() {
    check(
        r##"<html lang="en"><head><meta name="generator" content="Docusaurus v3.5.2"></head><body><nav class="navbar">Kitchen</nav><main><article>
        <nav class="theme-doc-breadcrumbs breadcrumbs">Home</nav><div class="theme-doc-markdown markdown"><header><h1>Tea</h1></header>
        <h2 class="anchor" id="brew">Brew<a href="#brew" class="hash-link" aria-label="Direct link">&#8203;</a></h2>
        <div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading_x"><span>tip</span></div><div class="admonitionContent_y"><p>Wait.</p></div></div>
        <div class="language-bash codeBlockContainer_z theme-code-block"><pre class="prism-code language-bash"><code><span class="token-line">boil<br></span><span class="token-line">pour<br></span></code></pre><div><button class="clean-btn">Copy</button></div></div>
        </div><footer class="theme-doc-footer">Edit this page</footer></article><nav class="pagination-nav">Next</nav></main></body></html>"##,
        "Docusaurus: Tea\n# Tea\n\n## Brew {#brew}\n> [!TIP]\n> Wait.\n\n```bash\nboil\npour\n```\n",
    );
}

#[test]
fn vitepress_and_starlight() {
    check(
        r##"<html lang="en-US"><head><meta name="generator" content="VitePress v1.3.0"></head><body><div class="VPContent"><main><div class="vp-doc">
        <h1 id="tea" tabindex="-1">Tea <a class="header-anchor" href="#tea">&#8203;</a></h1>
        <div class="warning custom-block"><p class="custom-block-title">WARNING</p><p>Hot.</p></div>
        <div class="vp-code-group"><div class="tabs"><input type="radio" id="t1"><label for="t1">sh</label></div><div class="blocks">
        <div class="language-sh active"><button class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line">boil</span></code></pre></div></div></div>
        </div></main></div></body></html>"##,
        "VitePress: Tea\n# Tea {#tea}\n> [!WARNING]\n> Hot.\n\n=== \"sh\"\n\n    ```sh\n    boil\n    ```\n",
    );
    check(
        r##"<html lang="en"><head><meta name="generator" content="Starlight v0.28"></head><body><main><h1 id="_top">Tea</h1><div class="sl-markdown-content">
        <div class="sl-heading-wrapper level-h2"><h2 id="brew">Brew</h2><a class="sl-anchor-link" href="#brew"><span class="sr-only">Section titled “Brew”</span></a></div>
        <aside aria-label="Caution" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" aria-hidden="true">Caution</p><div class="starlight-aside__content"><p>Hot.</p></div></aside>
        </div><footer>Next</footer></main></body></html>"##,
        "Starlight: Tea\n## Brew {#brew}\n> [!CAUTION]\n> Hot.\n",
    );
}

#[test]
fn rustdoc() {
    check(
        r##"<html lang="en"><head><meta name="generator" content="rustdoc"></head><body class="rustdoc struct"><main><section id="main-content" class="content">
        <div class="main-heading"><h1 class="fqn"><span class="in-band">Struct <a href="../index.html">tea</a>::<wbr><a class="struct" href="#">Pot</a><button id="copy-path"></button></span></h1><span class="out-of-band">source</span></div>
        <details class="rustdoc-toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>A pot.</p></div></details>
        <h2 id="implementations" class="small-section-header">Implementations<a href="#implementations" class="anchor"></a></h2>
        <details class="rustdoc-toggle method-toggle" open><summary><section id="method.pour" class="method"><a href="#method.pour" class="anchor"></a><h4 class="code-header">pub fn <a href="#method.pour" class="fnname">pour</a>(&amp;self)</h4></section></summary><div class="docblock"><p>Pours.</p></div></details>
        <h2 id="blanket-implementations">Blanket Implementations</h2><div id="blanket-implementations-list"><h3>impl</h3></div></section></main></body></html>"##,
        "rustdoc: Struct tea::Pot\n# Struct tea::Pot {#main-content}\nA pot.\n## Implementations {#implementations}\n\n\
         #### `pub fn pour(&self)` {#method.pour} [pour]\nPours.\n",
    );
}

#[test]
fn node() {
    check(
        r##"<html lang="en"><head><title>Tea | Node.js v18 Documentation</title></head><body class="apidoc"><div id="content"><div id="column2"><ul><li><a href="a.html">A</a></li></ul></div>
        <div id="column1"><details id="toc"><summary>Table of contents</summary></details><div id="apicontent">
        <h2>Tea<span><a class="mark" href="#tea" id="tea">#</a></span><a aria-hidden="true" class="legacy" id="tea_tea"></a></h2><p>Leaves.</p>
        <h3><code>tea.brew(leaves[, options])</code><span><a class="mark" href="#teabrew" id="teabrew">#</a></span></h3>
        <pre><code class="language-mjs">brew();</code></pre></div></div></div></body></html>"##,
        "Node.js: Tea\n## Tea {#tea}\nLeaves.\n### `tea.brew(leaves[, options])` {#teabrew} [tea.brew]\n```mjs\nbrew();\n```\n",
    );
}

#[test]
fn hugo_and_jekyll() {
    check(
        r##"<html lang="de"><head><meta name="generator" content="Hugo 0.120"></head><body><aside>Menü</aside><main><article>
        <h1>Tee</h1><h2 id="aufguss">Aufguss<a class="td-heading-self-link" href="#aufguss"></a></h2><p>Warten.</p></article></main></body></html>"##,
        "Hugo: Tee\n# Tee\n\n## Aufguss {#aufguss}\nWarten.\n",
    );
    check(
        r##"<html lang="en"><head><meta name="generator" content="Jekyll v4.3"></head><body><header class="site-header">Kitchen</header>
        <div id="main-content" class="main-content"><h1 id="tea"><a href="#tea" class="anchor-heading"><svg></svg></a> Tea</h1>
        <table><thead><tr><th>Leaf</th><th>Minutes</th></tr></thead><tbody><tr><td>Green</td><td>2</td></tr></tbody></table></div></body></html>"##,
        "Jekyll: Tea\n# Tea {#tea}\n| Leaf | Minutes |\n| --- | --- |\n| Green | 2 |\n",
    );
}
