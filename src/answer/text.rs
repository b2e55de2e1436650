//! Quoted passages as plain text, in the way of Markdown: items and rows with a dash, code between fences.

use super::{CitedSentence, Form};

/// A passage as text, without the number of its source.
pub fn passage_text(passage: &[CitedSentence]) -> String {
    written(passage, "")
}

/// The same with the number of its source behind its last words that are no code.
pub(super) fn cited_text(passage: &[CitedSentence]) -> String {
    passage.first().map_or_else(String::new, |first| written(passage, &format!("[{}]", first.source)))
}

fn written(passage: &[CitedSentence], citation: &str) -> String {
    let end = passage.iter().rposition(|sentence| sentence.form != Form::Code);
    let mut text = String::new();
    for (at, sentence) in passage.iter().enumerate() {
        let gap = if sentence.skips { "… " } else { "" };
        let is_block = sentence.form != Form::Prose && passage.len() > 1;
        if !text.is_empty() {
            let is_below = is_block || passage[at - 1].form == Form::Code;
            // Behind a full-width mark there is no space.
            text += if is_below {
                "\n"
            } else if text.ends_with(['。', '！', '？']) {
                ""
            } else {
                " "
            };
        }
        text += &match sentence.form {
            Form::Code => fenced(&sentence.text),
            _ if is_block => format!("- {gap}{}", sentence.text),
            _ => format!("{gap}{}", sentence.text),
        };
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

/// Code between fences, which are longer than any in it.
fn fenced(code: &str) -> String {
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{code}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentences: &[(&str, Form, bool)], expected: &str) {
        let sentence = |(text, form, skips): &(&str, Form, bool)| CitedSentence {
            text: (*text).to_owned(),
            form: *form,
            source: 2,
            section: String::new(),
            anchor: String::new(),
            sub_query: 0,
            passage: 0,
            skips: *skips,
            score: 0.0,
        };
        let passage: Vec<CitedSentence> = sentences.iter().map(sentence).collect();
        assert_eq!(cited_text(&passage), expected);
        assert_eq!(passage_text(&passage), expected.replace(" [2]", "").replace("\n[2]", ""));
    }

    #[test]
    fn passages_are_written_as_markdown() {
        check(&[("One.", Form::Prose, false), ("Two.", Form::Prose, false)], "One. Two. [2]");
        check(&[("One.", Form::Prose, false), ("Nine.", Form::Prose, true)], "One. … Nine. [2]");
        check(&[("A step.", Form::Item, false)], "A step. [2]");
        check(
            &[("Take:", Form::Prose, false), ("salt", Form::Item, false), ("a pan", Form::Item, true)],
            "Take:\n- salt\n- … a pan [2]",
        );
        check(&[("Run this:", Form::Prose, false), ("ls -l", Form::Code, false)], "Run this: [2]\n```\nls -l\n```");
        check(&[("a\n```\nb", Form::Code, false)], "````\na\n```\nb\n````\n[2]");
        check(&[("ls", Form::Code, false), ("It lists.", Form::Prose, false)], "```\nls\n```\nIt lists. [2]");
        check(&[], "");
    }
}
