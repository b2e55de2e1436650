//! What a page's source holds and no reader is to see: comments, remarks, scripts, and the tags of site builders.

/// What each kind of them starts and ends with; the first that fits a place counts.
const REMARKS: [(&str, &str); 18] = [
    ("<!--", "-->"),
    ("<?", "?>"),
    ("<![CDATA[", "]]>"),
    ("<!", ">"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<svg", "</svg>"),
    ("%%", "%%"),
    ("{/*", "*/}"),
    ("{::comment}", "{:/comment}"),
    ("{{/*", "*/}}"),
    ("{% comment", "endcomment %}"),
    ("{%- comment", "endcomment -%}"),
    ("{%", "%}"),
    ("{{< comment", "/comment >}}"),
    ("{{<", ">}}"),
    ("{{%", "%}}"),
    ("{{", "}}"),
];

/// The kind of the remark that `text` starts with, as its place in the table.
fn kind(text: &str) -> Option<usize> {
    let kind = REMARKS.iter().position(|(start, _)| text.starts_with(start))?;
    let named = REMARKS[kind].0 != "<!" || text.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic);
    named.then_some(kind)
}

/// The length of the remark of that kind that `text` starts with.
fn length(text: &str, kind: usize) -> Option<usize> {
    let (start, end) = REMARKS[kind];
    // `<!-->` and `<!--->` are whole comments.
    let from = if start == "<!--" { 2 } else { start.len() };
    Some(from + text.get(from..)?.find(end)? + end.len())
}

/// Whether this line holds nothing but a remark or starts one that it does not close.
pub(super) fn fills(line: &str) -> bool {
    kind(line).is_some_and(|kind| length(line, kind).is_none_or(|length| line[length..].trim_ascii().is_empty()))
}

/// Finds remarks; keeps in mind which end marks no more of the text has, so that many starts without an end cost no
/// more than one.
#[derive(Default)]
pub(super) struct Finder {
    missing: [bool; REMARKS.len()],
}

impl Finder {
    /// The end of the remark that starts at `at`. One that `text` starts with may take all of it.
    pub(super) fn end(&mut self, text: &str, at: usize) -> Option<usize> {
        let kind = kind(&text[at..])?;
        let found = if self.missing[kind] { None } else { length(&text[at..], kind) };
        self.missing[kind] = found.is_none();
        found.map(|length| at + length).or_else(|| (at == 0 && hides_rest(text)).then_some(text.len()))
    }

    /// What ends the remark that `line` leaves open, if `rest`, all that follows, has it. Where `first`, the line may
    /// start one that is never closed.
    pub(super) fn left_open(&mut self, line: &str, rest: &str, first: bool) -> Option<&'static str> {
        let kind = open_at_end(line)?;
        let end = REMARKS[kind].1;
        self.missing[kind] = self.missing[kind] || !rest.contains(end);
        (!self.missing[kind] || first && hides_rest(line)).then_some(end)
    }
}

/// Whether what starts `text` hides all that follows where it is never closed: a comment, or `%%` on a line of its own.
fn hides_rest(text: &str) -> bool {
    text.starts_with("<!--") || text.strip_prefix("%%").is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
}

/// The kind of the remark that is open where `line` ends. Code and escaped characters start none.
fn open_at_end(line: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(step) = line.get(at..)?.bytes().position(|byte| matches!(byte, b'\\' | b'`' | b'<' | b'%' | b'{')) {
        at += step;
        let rest = &line[at..];
        at += match (rest.as_bytes()[0], kind(rest)) {
            (b'\\', _) => 2,
            (b'`', _) => code(rest),
            (_, Some(kind)) => match length(rest, kind) {
                Some(length) => length,
                None => return Some(kind),
            },
            _ => 1,
        };
    }
    None
}

/// The length of the code span that `text` starts with, or of its backticks where no others close it.
fn code(text: &str) -> usize {
    let ticks = super::line::run(text, b'`').min(64);
    text[ticks..].find(&text[..ticks]).map_or(ticks, |length| ticks + length + ticks)
}
