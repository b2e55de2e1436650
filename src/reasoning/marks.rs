//! The marks that models put around their reasoning, and what each of them does. A new family of models is a new row.

/// What a mark does.
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
    /// It stands around an answer that follows reasoning.
    Frame,
}

/// As models write them; case makes no difference. No mark is the beginning of another.
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
    ("<|START_RESPONSE|>", Effect::Frame),
    ("<|END_RESPONSE|>", Effect::Frame),
    ("<|begin_of_solution|>", Effect::Frame),
    ("<|end_of_solution|>", Effect::Frame),
];

/// What marks begin with.
pub(super) const FIRST_BYTES: &[u8] = b"<[aA\xe2";

/// What speaks in a channel whose text is the answer. All others hold reasoning, or calls of tools.
pub(super) const ANSWERING: [&str; 3] = ["final", "assistant", ""];

/// A mark between two of these is spoken of.
pub(super) const QUOTES: [char; 12] = ['"', '\'', '`', '“', '”', '„', '‘', '’', '«', '»', '「', '」'];
