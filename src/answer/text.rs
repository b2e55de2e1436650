//! Quoted passages as plain text, in the way of Markdown: items and rows with a dash, code between fences.

use seealso_index::is_unspaced;

use super::{CitedSentence, Form};

/// Deeper lists stand below each other.
const MOST_DEPTH: usize = 6;

/// A passage as text, without the number of its source.
pub fn passage_text(passage: &[CitedSentence]) -> String {
    write(passage, "")
}

/// The same with the number of its source, as in `[1]`, behind its last words that are no code.
pub fn cited_text(passage: &[CitedSentence]) -> String {
    passage.first().map_or_else(String::new, |first| write(passage, &format!("[{}]", first.source)))
}

fn write(passage: &[CitedSentence], citation: &str) -> String {
    let end = passage.iter().rposition(|sentence| !matches!(sentence.form, Form::Code | Form::Heading));
    let is_alone = passage.len() == 1;
    let mut text = String::new();
    for (at, sentence) in passage.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| passage[before].form);
        text += before.map_or("", |before| separator(before, sentence, &text));
        if !is_alone && begins_item(sentence) {
            text += &"  ".repeat(usize::from(sentence.layout.depth).min(MOST_DEPTH));
            text += &marker(sentence);
        }
        if sentence.layout.skips {
            text += "… ";
        }
        text += &match sentence.form {
            Form::Code => fenced(&sentence.text),
            _ => sentence.text.clone(),
        };
        if sentence.layout.truncated {
            text += if sentence.form == Form::Code { "\n…" } else { " …" };
        }
        if end == Some(at) && !citation.is_empty() {
            text += " ";
            text += citation;
        }
    }
    if end.is_none() && !citation.is_empty() {
        text += "\n";
        text += citation;
    }
    text
}

/// What stands before an item: its number, or a dash.
pub(crate) fn marker(sentence: &CitedSentence) -> String {
    sentence.layout.number.map_or("- ".to_owned(), |number| format!("{number}. "))
}

/// Whether `sentence` begins an item of a list, or is a row of a table.
pub(crate) fn begins_item(sentence: &CitedSentence) -> bool {
    matches!(sentence.form, Form::Item | Form::Row) && !sentence.layout.joins
}

/// What stands between `text`, whose end has the form `before`, and `sentence`.
fn separator(before: Form, sentence: &CitedSentence, text: &str) -> &'static str {
    let joins = sentence.layout.joins && sentence.form != Form::Code && before != Form::Code;
    let is_prose = before == Form::Prose && sentence.form == Form::Prose;
    match joins || is_prose {
        false => "\n",
        // Behind a full-width mark there is no space.
        true if text.ends_with(['。', '！', '？']) => "",
        // What stands for a heading has a line of its own.
        true if text.ends_with(|c: char| c.is_alphanumeric() && !is_unspaced(c)) => "\n",
        true => " ",
    }
}

/// Code between fences, which are longer than any in it.
pub(crate) fn fenced(code: &str) -> String {
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{code}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Layout;

    const PLAIN: Layout = Layout { skips: false, joins: false, truncated: false, number: None, depth: 0 };
    const SKIPS: Layout = Layout { skips: true, ..PLAIN };
    const JOINS: Layout = Layout { joins: true, ..PLAIN };
    const TRUNCATED: Layout = Layout { truncated: true, ..PLAIN };

    fn check(sentences: &[(&str, Form, Layout)], expected: &str) {
        let sentence = |(text, form, layout): &(&str, Form, Layout)| CitedSentence {
            text: (*text).to_owned(),
            form: *form,
            source: 2,
            section: String::new(),
            anchor: String::new(),
            sub_query: 0,
            passage: 0,
            layout: *layout,
            score: 0.0,
        };
        let passage: Vec<CitedSentence> = sentences.iter().map(sentence).collect();
        assert_eq!(cited_text(&passage), expected);
        assert_eq!(passage_text(&passage), expected.replace(" [2]", "").replace("\n[2]", ""));
    }

    #[test]
    fn passages_are_written_as_markdown() {
        let (prose, item, code) = (Form::Prose, Form::Item, Form::Code);
        check(&[("One.", prose, PLAIN), ("Two.", prose, JOINS)], "One. Two. [2]");
        check(&[("One.", prose, PLAIN), ("Nine.", prose, SKIPS)], "One. … Nine. [2]");
        check(&[("一。", prose, PLAIN), ("二。", prose, JOINS)], "一。二。 [2]");
        check(&[("A step.", item, PLAIN)], "A step. [2]");
        check(
            &[("Take:", prose, PLAIN), ("salt", item, PLAIN), ("a pan", item, SKIPS)],
            "Take:\n- salt\n- … a pan [2]",
        );
        check(&[("Take:", prose, PLAIN), ("salt", item, TRUNCATED)], "Take:\n- salt … [2]");
        check(&[("Run this:", prose, PLAIN), ("ls -l", code, PLAIN)], "Run this: [2]\n```\nls -l\n```");
        check(&[("a\n```\nb", code, PLAIN)], "````\na\n```\nb\n````\n[2]");
        check(&[("ls", code, PLAIN), ("It lists.", prose, PLAIN)], "```\nls\n```\nIt lists. [2]");
        check(&[], "");
    }

    #[test]
    fn items_keep_their_numbers_and_further_sentences() {
        let step = |number| Layout { number: Some(number), ..PLAIN };
        check(
            &[
                ("Boil it.", Form::Item, step(3)),
                ("Wait.", Form::Item, JOINS),
                ("Pour.", Form::Item, step(4)),
                ("That is all.", Form::Prose, PLAIN),
            ],
            "3. Boil it. Wait.\n4. Pour.\nThat is all. [2]",
        );
        check(&[("Boil it.", Form::Item, step(3))], "Boil it. [2]");
        let inner = Layout { depth: 1, ..PLAIN };
        check(
            &[("Not these:", Form::Item, PLAIN), ("cups", Form::Item, inner), ("Nor pots.", Form::Item, PLAIN)],
            "- Not these:\n  - cups\n- Nor pots. [2]",
        );
        check(&[("Not covered", Form::Heading, PLAIN), ("hail", Form::Item, PLAIN)], "Not covered\n- hail [2]");
        check(
            &[("Run:", Form::Item, step(1)), ("ls", Form::Code, JOINS), ("Wait.", Form::Item, JOINS)],
            "1. Run:\n```\nls\n```\nWait. [2]",
        );
    }
}
