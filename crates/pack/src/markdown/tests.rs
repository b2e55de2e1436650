//! Tables of running text and the wikilinks and URLs in it.

use super::*;
use Piece::{Text, Url, Wiki};

#[track_caller]
fn check(text: &str, expected: &[Piece<'_>]) {
    assert_eq!(pieces(text, text), expected, "{text:?}");
}

#[test]
fn wikilinks() {
    check("", &[]);
    check("plain", &[Text("plain")]);
    check("[[a]]", &[Wiki("a", "a")]);
    check("x [[a|B c]].", &[Text("x "), Wiki("a", "B c"), Text(".")]);
    check("[[a\\|B]]", &[Wiki("a", "B")]);
    check("[[ a#part | ]]", &[Wiki("a#part", "a#part")]);
    check("[[a]][[b]]", &[Wiki("a", "a"), Wiki("b", "b")]);
    check("[[[a]]]", &[Text("["), Wiki("a", "a"), Text("]")]);
    for none in ["[[]]", "[[|x]]", "[[a]", "[[a", "[a]", "[[a]b]]", "\\[[a]]", "a]]"] {
        check(none, &[Text(none)]);
    }
}

#[test]
fn bare_urls() {
    check("see https://x.org/a(b)_c.", &[Text("see "), Url("https://x.org/a(b)_c"), Text(".")]);
    check("(HTTP://x.org)", &[Text("("), Url("HTTP://x.org"), Text(")")]);
    check("<https://x.org/>, é", &[Text("<"), Url("https://x.org/"), Text(">, é")]);
    for none in ["http://", "https://.", "ahttp://x", "hhttp:/x", "ftp://x", "é"] {
        check(none, &[Text(none)]);
    }
}

#[test]
fn notes_follow_a_dash() {
    for (line, expected) in [
        ("[a](b) — the *note*\nnext", "the note"),
        ("[a](b) - x `y` [z](u) — v", "x `y` z — v"),
        ("[[a]]: z", "z"),
        ("- **[a](b)** -- n", "n"),
        ("| [a](b) - n | - x |\n|-|-|", "n"),
        ("[a](b) and more", ""),
        ("[a](b)\n— next", ""),
        ("[a](b) —", ""),
    ] {
        assert_eq!(scan(line).links[0].note, expected, "{line}");
    }
}

#[test]
fn links_in_odd_places() {
    for (body, expected) in [
        ("a \\* b [[c]] &amp; [[d]]", vec!["c", "d"]),
        ("&lt;https://x.org/?a&amp;b https://y.org", vec!["https://x.org/?a&b", "https://y.org"]),
        ("<https://x.org> <a@b.org> [r]\n\n[r]: /z", vec!["https://x.org", "mailto:a@b.org", "/z"]),
        ("    [[in code]]\n\n`[[b]]` ![alt [[c]]](d)", vec!["c"]),
        ("<div>[[a]]</div>\n\n<b>[[c]]</b>", vec!["a", "c"]),
        ("[see [[a]] b](c)", vec!["c"]),
    ] {
        let targets: Vec<String> = scan(body).links.into_iter().map(|link| link.target).collect();
        assert_eq!(targets, expected, "{body}");
    }
}

/// A form feed is no blank: code of nothing else must not take the lines of what stands before it.
#[test]
fn code_of_a_form_feed_alone_leaves_the_blocks_before_it() {
    for end in ["", "\n\n", "\n\t\n\nd"] {
        let texts: Vec<String> =
            scan(&format!("a\n\u{c}\n\n    \u{c}{end}")).blocks.into_iter().map(|block| block.text).collect();
        assert_eq!(texts.first().map(|text| text.trim_end()), Some("a"), "{end:?}");
    }
}

#[test]
fn tags_in_prose_are_kept_and_comments_dropped() {
    let texts: Vec<String> =
        scan("The <Suspense> tag<!-- hidden -->.\n\n<!-- all\nhidden -->").blocks.into_iter().map(|b| b.text).collect();
    assert_eq!(texts, ["The <Suspense> tag."]);
}

/// Inputs that make careless readers look at the same text over and over.
#[test]
fn hostile_bodies_take_linear_time() {
    for unit in [
        "[",
        "]",
        "![",
        "[a](",
        "[a](b \"",
        "[a](<b",
        "[a][b]",
        "[a]: b\n",
        "[a]: b '\n",
        "*a ",
        "**a_b~~",
        "_a* ",
        "a**b",
        "`",
        "`a``b",
        "<a b='",
        "<a b=\" c='",
        "<!--",
        "<?",
        "<![CDATA[",
        "<!A",
        "<a@b",
        "&#",
        "\\",
        "\\\n",
        "  \n",
        ">",
        "> - ",
        "- ",
        "1. ",
        "\t",
        "    a\n\n",
        "|a",
        "|a|b|\n|-|-|\n",
        "|\\|",
        "- a\n\n",
        "> a\n\n",
        "```\n",
        "# #",
        "a\n=\n",
        "<div>\n",
        "***",
        "~~~",
        "[[a|",
        "https://a)",
        "%%",
        "%% a\n",
        "{%",
        "{{< a\n",
        "{/*\n\n",
        "<script",
        "<p>",
        "<p>\n",
        "<a>",
        "<a b={",
        "</",
        "[^",
        "[^a",
        "[^a]: b\n",
        "^[",
        " ^a",
        "{#a",
        "{a}`",
        ":a",
        ":ab:`",
        "$",
        "$a",
        "$$ a ",
        "==a",
        ": a\n",
        "!!! a\n    ",
        "::: a\n:b: c\n",
        "> [!a]\n",
        "![[a",
        "{% highlight\n",
        "%%a\n\n",
        " %%a x%%",
        "{{< a\n\n",
        "<script>\n\n",
        "<svg a\n",
        "import {\n\n",
        "export const a = {'\n\n",
        "export default a('`",
        "% a\n",
        "- % a\n",
    ] {
        let body = unit.repeat((1 << 16) / unit.len());
        for body in [
            &body,
            &format!("{body}\n\n{body}"),
            &format!("{}\n{}", "|a".repeat(1000), "|-".repeat(1000) + "\n" + &body),
        ] {
            read(body, &mut |_, _| {});
        }
    }
}
