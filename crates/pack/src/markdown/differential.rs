//! Holds the reader of markdown against the oracle: the same trees and the same scans of real pages, of a table of
//! tricky inputs, and of generated ones, all without HTML and what other dialects add. Where the two differ on purpose, [`divergences`] says so.

use super::{Scan, oracle, read, scan_with};
use crate::page::Page;
use crate::render::{Node, render_with};
use proptest::prelude::*;
use seealso_test_support::{evaluation_data, or_skip};
use std::fmt::Write;
use std::path::Path;

mod divergences;

fn link(target: &str, wiki: bool) -> Option<String> {
    (wiki || target.ends_with(".md")).then(|| format!("#page={}", target.replace([' ', '\\'], "")))
}

/// All that comes of a body, ours and theirs.
fn both(body: &str) -> (String, String) {
    let nodes = |nodes: Vec<Node>| format!("{nodes:#?}");
    let ours = nodes(render_with(body, &link, read)) + &scanned(body, scan_with(body, read));
    let theirs = nodes(render_with(body, &link, oracle::read)) + &scanned(body, scan_with(body, oracle::read));
    (ours, theirs)
}

/// A scan with lines for places: the oracle leaves the backslash out of an escaped character's place.
fn scanned(body: &str, scan: Scan) -> String {
    let line = |at: usize| 1 + body[..at].matches('\n').count();
    let mut out = String::new();
    for heading in scan.headings {
        let _ = writeln!(out, "\n{} {:?} at {}", heading.level, heading.text, heading.at);
    }
    for block in scan.blocks {
        let _ = writeln!(out, "{:?} {:?} in line {}", block.kind, block.text, line(block.at));
    }
    for link in scan.links {
        let line = line(link.range.start);
        let _ = writeln!(out, "{:?} {:?} {:?} {:?} in line {line}", link.kind, link.target, link.label, link.note);
    }
    out
}

/// The first lines that differ.
fn difference(ours: &str, theirs: &str) -> String {
    let mut out = String::new();
    let pairs: Vec<_> = ours.lines().zip(theirs.lines()).collect();
    let at = pairs.iter().position(|(a, b)| a != b).unwrap_or(pairs.len());
    for (name, text) in [("ours", ours), ("theirs", theirs)] {
        let lines: Vec<&str> = text.lines().skip(at.saturating_sub(8)).take(16).collect();
        let _ = writeln!(out, "--- {name}\n{}", lines.join("\n"));
    }
    out
}

/// Compares every page below a folder; how many there are.
fn pages(folder: &Path, wrong: &mut Vec<String>) -> usize {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut count = 0;
    for path in paths {
        if path.is_dir() {
            count += pages(&path, wrong);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let (page, _) = Page::parse("a.md", &std::fs::read_to_string(&path).unwrap());
            let (ours, theirs) = both(&page.body);
            // The oracle reads no definitions.
            if ours != theirs && !page.body.contains("\n: ") {
                wrong.push(format!("{}\n{}", path.display(), difference(&ours, &theirs)));
            }
            count += 1;
        }
    }
    count
}

#[test]
fn real_pages_are_read_alike() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut wrong = Vec::new();
    let demo = pages(&root.join("packs-static"), &mut wrong);
    assert!(demo >= 100, "{demo} demo pages");
    check_none(&wrong);
}

#[test]
fn pages_of_the_evaluation_data_are_read_alike() {
    let data = or_skip!(evaluation_data());
    let mut wrong = Vec::new();
    assert!(pages(&data.join("packs"), &mut wrong) >= 600);
    check_none(&wrong);
}

#[track_caller]
fn check_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} pages differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[track_caller]
fn check_alike(bodies: &[&str]) {
    let mut wrong = Vec::new();
    for body in bodies {
        let (ours, theirs) = both(body);
        if ours != theirs {
            wrong.push(format!("{body:?}\n{}", difference(&ours, &theirs)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), bodies.len(), wrong.join("\n"));
}

#[test]
fn blocks_are_read_alike() {
    check_alike(&[
        "",
        "\n\n",
        "a\nb\n\nc",
        "# a\n## b ##\n### c #d\n#### # e\n##### \n###### f # #\n####### g\n#h",
        "   # a\n    # b\n\\# c",
        "# a #\\#\n#\tb",
        "a\n===\nb\n---\nc\n-",
        "a\nb\n  ===  \n\nc\n= =\n",
        "===\na\n\n---\na\n---",
        "> a\n---\n- b\n===\n",
        "***\n---\n___\n * * *\n- - -\n** *x\n--\n+++",
        "a\n***\nb\n- - -\n* * *",
        "    code\n\n      more\n  \n    end\n\n\nafter",
        "a\n    not code\n\n\tcode\n \tcode\n",
        "```\na\n```\n~~~ rust x\nb\n```\n~~~\n",
        "````\n```\n````\n```a`b\n```",
        "  ```\n   a\n b\n  c\n   ```\n\n```\n    ```\n```",
        "```\nopen to the end\n\n",
        "> ```\n> a\nb\n\n```\n> a\n```",
        "- ```\n  a\n\n  b\n  ```\n- c",
        "a\n```\nb\n```\nc",
        "~~~a~b\nx\n~~~~",
        "> a\nlazy\n> b\n\n> c",
        ">a\n>> b\n> c\n\nd",
        "> > > a\nlazy\n> b",
        "> - a\n> b\n> - c\nlazy",
        ">     code\n>  a",
        "> a\n>\n> b\n\n>\n",
        "> # a\n> ---\n> 1. b\n",
        ">\ta\n>\t\tb",
        "- a\n- b\n* c\n+ d\n\n+ e",
        "- a\n\n- b\n- c",
        "- a\n\n  b\n- c",
        "- a\n  - b\n\n    c\n- d",
        "- a\n  - b\n\n- c",
        "- a\n\n\n  b\n\n\n\nc",
        "1. a\n2. b\n5) c\n6) d",
        "0. a\n\n003. b\n1234567890. c",
        "a\n1. b\n\na\n2. c\n\na\n- d\n\na\n-\n",
        "-\n- a\n-\n\n- b",
        "-\n  a\n\n-\n\n  b",
        "- a\nlazy\n  more\n- b",
        "-    a\n-     code\n\n  text",
        "10. a\n    b\n   c\n\n   d",
        "- a\n - b\n  - c\n   - d\n    - e",
        "- a\n\n      code\n\n- b",
        "- a\n  > b\n  >\n- c",
        "- a\n  > b\n\n- c",
        "- # a\n- b\n  ---\n- ---\n- * * *",
        "- - a\n  - b\n- 1. c",
        "* a *\n*b\n*",
        "- a\n\n  ```\n  b\n\n\n  c\n  ```\n- d",
        "- a\n- b\n\n  [r]: /u\n- c [r]",
        "\t- a\n\n-\ta\n\n\tb\n- \tc",
        "1.\ta\n\n\tb",
        "- a\n<!-- -->\n- b",
        "<div>\n\n*a*\n\n</div>",
        "<?php\n\n?>\n<!DOCTYPE a>\n<![CDATA[\n\n]]>",
        "|a|b|\n|-|-|\n|c|d|\n|e|\n|f|g|h|\ni",
        "a|b\n-|-\nc|d\n\ne",
        "| a |\n|---|\n| b |\n\n| a |\n---\n",
        "|a|b|\n|:-|-:|\n\n|a|b|\n|-|\n",
        "|a\\|b|`c\\|d`|\n|-|-|\n|[x\\|y](z)|[[p\\|q]] *r*|\n|\\\\|x|",
        "text\n|a|b|\n|-|-|\n|c|d|\n\ntext\na|b\n-|-\n",
        "- |a|b|\n  |-|-|\n  |c|d|\n\n> |a|\n> |-|\n> |b|\nlazy",
        "|a|\n|-|\n|b|\n- c\n\n|a|\n|-|\n# h\n\n|a|\n|-|\n> q",
        "|a|b|\n| - | - |\n||c|\n| |d|\n",
        "|*a|b*|\n|-|-|\n|`c|d`|",
        "a\n\n[r]: /u\n[s]: <> 't'\n[t]:\n  /v\n  \"x\n  y\"\nb [r] [s] [t]",
        "[r]: /u 'a' b\n\n[r]\n\n[s]: /u\n'a' b\n\n[s]",
        "[r]: /u\n[r]: /v\n===\n[r]",
        "[r]: /u\n# a [r]\n\n> [s]: /v\n\n[S][]",
        "a\n[r]: /u\n\n[r]",
        "[r\n]: /u\n\n[ R ] [r\nr]\n\n[R  R]: <a b>",
        "[]: /u\n\n[ ]: /u\n\n[a]:/u\n\n[a] []",
        "[a\\]b]: /u\n\n[a\\]b] [a]b]\n\n[x]: /u (t)\n\n[x]: (",
    ]);
}

#[test]
fn running_text_is_read_alike() {
    check_alike(&[
        "a  \nb\\\nc   \n   d\\\n",
        "a \nb\t\n c\n\nlast  ",
        "\\*a\\* \\\\ \\a \\` \\[x] \\&amp; \\<b> \\é \\",
        "`a` ``b`c`` `` ` `` ` d ` `  ` ```e`",
        "`a\nb` `a  b`\n`` c",
        "\\`a` `\\` ``b` `c``",
        "a``b `c` d `e` `f`",
        "`<a b=\"`\">` <a b=\"`\">`",
        "*a* **b** ***c*** ****d**** *****e*****",
        "_a_ __b__ ___c___ a_b_c _a_b a__b__c",
        "*a **b** c* **a *b* c** *a **b c** d*",
        "***a** b* ***a* b** *a **b*** **a *b***",
        "*a _b* c_ **a *b** *a*b*c*",
        "a*b*c a**b**c *(a)* (*a*)b *\"a\"*b",
        "* a* *a * ** a ** _ a_ ** *",
        "*a\nb* *a\n\nb*",
        "**a*b**c* a***b*c** *a**b**c*",
        "foo***bar***baz foo******bar*********baz",
        "_(bar)_. _a_. \"_b_\" 5*3*2 _5_",
        "*é*é é*é* —*a*— “*a*” *“a”*b 漢*字*漢 **漢。**字",
        "~a~ ~~b~~ ~~~c~~~ a~b~c a~~b~~c",
        "~~a *b~~ c* *~~d~~* ~~ e ~~",
        "[a](b) [a](<b c> \"t\") [a](b 't') [a](b (t)) [a]()",
        "[a](b c) [a](b \"t) [a] (b) [a](b\"t\")",
        "[a](b(c)d) [a](b\\)c) [a](b(c) [a](b)c)",
        "[a](\n  b\n  't'\n) [a](b\\*c&amp;d&#33;)",
        "[*a](b)* *[a*](b) [`a](b)` [<b>](c) [a\\](b)](c)",
        "[a [b](c) d](e) ![a [b](c) d](e) [a ![b](c) d](e)",
        "[a][b] [a][] [a] [b] [c]\n\n[a]: /x\n[b]: /y \"t\"",
        "[a][c] [c][a] [a [b]] [[a]] [[a] b]\n\n[a]: /x\n[b]: /y",
        "![a][b] ![b] !\\[b] \\![b] ! [b] ![](c) ![[b]](d)\n\n[b]: /y",
        "[*A* b] [*a* B][]\n\n[*a* b]: /x",
        "<https://a.b/c?d=e&amp;f> <a@b.c> <a:b> <ab:c> <http://a b> <A@b-c.d>",
        "<mailto:a@b> <@b> <a@> <a@b..c> <https://a[b](c)> [<https://x>](y)",
        "https://a.b/*c*_d_ (https://e.f) https://g.h\\_i https://j&amp;k http://l~~m~~",
        "[x https://a.b y](z) *https://a.b* **https://a.b.** `https://a`",
        "&amp; &lt;&gt; &quot; &apos; &nbsp;x &mdash; &ndash; &hellip; &copy;",
        "&#65; &#x41; &#X1f600; &#0; &#xD800; &#12345678; &#x; &#; & &; &nope; &amp",
        "&#42;a&#42; &#91;a](b) &#91;[a]] [a](&#x62;) &#96;a`",
        "[[a]] [[a|b]] [[ a ]] [[a]](b) [[a][b]] \\[[a]] [\\[a]] *[[a]]*",
        "x \\[[a]] [[b]]\ny [[c|*d*]] [[e_f_g]] [[h`i`]]",
        "[[a](b)] [[a]\n(b)] ![[a]] [[a]] — note\n[[b]]: note",
        "a * b * c _ d _ e ~ f ~",
        "*a*_b_*c* _*a*_ *_a_* **_a_** _**a**_ __*a*__",
        "**a _b** c_ *a `*` b* *a [*](b) c*",
        "*[a](b)* **[a](b)** ~~[a](b)~~ [**a**](b) [~~a~~](b) ***[a](b)***",
        "![*a* **b** `c` <d> [e](f) &amp;](g \"h\")",
        "*a b\n> c*\n\n- *d\n- e*\n\n# *f\ng*",
        "“a” ‘b’ … — – é ü 漢字 🎉 a\u{a0}b \u{301}",
        "*a\u{a0}* *\u{a0}b* a\u{200b}*b* **🎉**a **a🎉**b **é**é",
        "a\u{301}*b* _\u{301}a_ 👍*a*👍 x👍_a_",
        "# a `b` *c* [d](e) [[f]] <g> &amp;\n\nh\n\n## a `b` *c*",
        "1986\\. a\n\n1986. a",
        "!a!b![ ![] []() [](<>) [a](<>)",
        "[a](b\n\nc) *a\\\n* **`a`**b `a`*b*`c`",
        "a\n  b\n\tc\n      d",
    ]);
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        both(&text);
    }

    #[test]
    fn any_near_markdown_is_read(text in "(\\[|\\]|\\(|\\)|[|`~*_<>!#=&;:'\"\\\\]|-|\n|\t|\r|\x0c|    |> |- |1\\. |```|a|é|\\|-|\\||<!--|-->|&#0;){0,80}") {
        render_with(&text, &link, read);
        scan_with(&text, read);
    }

    #[test]
    fn plain_paragraphs_are_read_alike(text in "[a-zA-Zé漢,;?’—.() ]{1,40}(\n\n?[a-zé漢,;?.()]{1,40}){0,4}") {
        let (ours, theirs) = both(text.trim());
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn emphasis_is_read_alike(text in "(\\*|\\*\\*|_|__|a|b| |\n|\\.|\\(|—|é){0,20}") {
        let body = format!("a {text}");
        let (ours, theirs) = both(body.trim());
        prop_assert_eq!(ours, theirs);
    }
}
