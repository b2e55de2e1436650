//! The marks around models' reasoning, and the effect of each. A new family of models is a new row.

/// The effect of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Reasoning begins.
    Open,
    /// Reasoning ends. Templates often write the opening mark into the prompt, so this one may come alone.
    Close,
    /// The header of a channel begins.
    Header,
    /// The header of a channel ends, and its text begins.
    Message,
    /// The text of a channel ends.
    End,
    /// It frames an answer that follows reasoning.
    Frame,
}

/// The marks as models write them, ignoring case. No mark is the beginning of another. White space and attributes may
/// stand before a tag's `>`.
pub(super) const MARKS: &[(&str, Effect)] = &[
    // DeepSeek R1, Qwen 3, GLM, Nemotron, and most that were trained on their texts.
    ("<think>", Effect::Open),
    ("</think>", Effect::Close),
    ("<thinking>", Effect::Open),
    ("</thinking>", Effect::Close),
    ("<reasoning>", Effect::Open),
    ("</reasoning>", Effect::Close),
    ("<thought>", Effect::Open),
    ("</thought>", Effect::Close),
    // What prompts and fine-tunes ask for, and Claude's prompts.
    ("<thoughts>", Effect::Open),
    ("</thoughts>", Effect::Close),
    ("<reason>", Effect::Open),
    ("</reason>", Effect::Close),
    ("<reflection>", Effect::Open),
    ("</reflection>", Effect::Close),
    ("<scratchpad>", Effect::Open),
    ("</scratchpad>", Effect::Close),
    ("<antThinking>", Effect::Open),
    ("</antThinking>", Effect::Close),
    // Magistral.
    ("[THINK]", Effect::Open),
    ("[/THINK]", Effect::Close),
    // Seed-OSS, MiniMax, Kimi-VL, Command, OpenThinker, Apertus, Gemma 4.
    ("<seed:think>", Effect::Open),
    ("</seed:think>", Effect::Close),
    ("<mm:think>", Effect::Open),
    ("</mm:think>", Effect::Close),
    ("◁think▷", Effect::Open),
    ("◁/think▷", Effect::Close),
    ("<|START_THINKING|>", Effect::Open),
    ("<|END_THINKING|>", Effect::Close),
    ("<|begin_of_thought|>", Effect::Open),
    ("<|end_of_thought|>", Effect::Close),
    ("<|begin_of_think|>", Effect::Open),
    ("<|end_of_think|>", Effect::Close),
    ("<|think|>", Effect::Open),
    ("<|/think|>", Effect::Close),
    ("<|inner_prefix|>", Effect::Open),
    ("<|inner_suffix|>", Effect::Close),
    ("<|channel>thought", Effect::Open),
    ("<channel|>", Effect::Close),
    // gpt-oss: `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`.
    ("<|start|>", Effect::Header),
    ("<|channel|>", Effect::Header),
    ("<|message|>", Effect::Message),
    ("<|end|>", Effect::End),
    ("<|call|>", Effect::End),
    ("<|return|>", Effect::End),
    // The same from a server that leaves the special tokens out: `analysisWe need …assistantfinalTea is hot.`
    ("assistantfinal", Effect::Close),
    ("<answer>", Effect::Frame),
    ("</answer>", Effect::Frame),
    ("<response>", Effect::Frame),
    ("</response>", Effect::Frame),
    ("<|START_RESPONSE|>", Effect::Frame),
    ("<|END_RESPONSE|>", Effect::Frame),
    ("<|begin_of_solution|>", Effect::Frame),
    ("<|end_of_solution|>", Effect::Frame),
];

/// The first bytes of marks.
pub(super) const FIRST_BYTES: &[u8] = b"<[aA\xe2";

/// The names of channels whose text is the answer. All others hold reasoning or tool calls.
pub(super) const ANSWERING: [&str; 3] = ["final", "assistant", ""];

/// A mark between two of these is quoted.
pub(super) const QUOTES: [char; 12] = ['"', '\'', '`', '“', '”', '„', '‘', '’', '«', '»', '「', '」'];

/// The mark at the beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkMatch {
    /// A mark of so many bytes.
    Mark(usize, Effect),
    /// Text that may become a mark when more comes.
    Part,
}

/// Attributes of a tag are no longer than this, in bytes, with the space before them.
const LONGEST_ATTRIBUTES: usize = 100;

/// The mark that `bytes` begin with, or may begin with when more comes.
pub(super) fn match_mark(bytes: &[u8]) -> Option<MarkMatch> {
    if !bytes.first().is_some_and(|byte| FIRST_BYTES.contains(byte)) {
        return None;
    }
    MARKS.iter().find_map(|&(text, effect)| {
        let text = text.as_bytes();
        let both = bytes.len().min(text.len());
        if bytes[..both].eq_ignore_ascii_case(&text[..both]) {
            return Some(if both < text.len() { MarkMatch::Part } else { MarkMatch::Mark(both, effect) });
        }
        let name = text.strip_suffix(b">").filter(|name| name.last().is_some_and(u8::is_ascii_alphabetic))?;
        let is_named = bytes.get(..name.len()).is_some_and(|written| written.eq_ignore_ascii_case(name));
        let attributes = if is_named { attributes(&bytes[name.len()..])? } else { return None };
        Some(attributes.map_or(MarkMatch::Part, |more| MarkMatch::Mark(name.len() + more, effect)))
    })
}

/// The number of bytes of a tag after its name: white space, attributes if any, and `>`. The inner `None` means that
/// the end has not come.
fn attributes(bytes: &[u8]) -> Option<Option<usize>> {
    let within = &bytes[..bytes.len().min(LONGEST_ATTRIBUTES)];
    let end = within.iter().position(|byte| matches!(byte, b'<' | b'>'));
    let between = &within[..end.unwrap_or(within.len())];
    let is_spaced = between.first().is_some_and(u8::is_ascii_whitespace);
    // "<reason for it>" is ordinary text.
    let is_attribute = between.contains(&b'=') || between.trim_ascii().is_empty();
    match end {
        Some(end) => (is_spaced && is_attribute && bytes[end] == b'>').then_some(Some(end + 1)),
        None => (is_spaced && bytes.len() < LONGEST_ATTRIBUTES).then_some(None),
    }
}
