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

/// A mark.
pub(super) struct Mark {
    /// As models write it; case makes no difference.
    pub(super) text: &'static str,
    /// What it does.
    pub(super) effect: Effect,
    /// It is a mark only where the answer begins with this.
    pub(super) after: &'static str,
}

const fn mark(text: &'static str, effect: Effect) -> Mark {
    Mark { text, effect, after: "" }
}

/// No mark is the beginning of another.
pub(super) const MARKS: &[Mark] = &[
    // DeepSeek R1, Qwen 3, GLM, Nemotron, and most that were trained on their texts.
    mark("<think>", Effect::Open),
    mark("</think>", Effect::Close),
    mark("<thinking>", Effect::Open),
    mark("</thinking>", Effect::Close),
    mark("<reasoning>", Effect::Open),
    mark("</reasoning>", Effect::Close),
    mark("<thought>", Effect::Open),
    mark("</thought>", Effect::Close),
    // Magistral.
    mark("[THINK]", Effect::Open),
    mark("[/THINK]", Effect::Close),
    // Seed-OSS, MiniMax, Kimi-VL, Command, OpenThinker, Apertus, Gemma 4.
    mark("<seed:think>", Effect::Open),
    mark("</seed:think>", Effect::Close),
    mark("<mm:think>", Effect::Open),
    mark("</mm:think>", Effect::Close),
    mark("◁think▷", Effect::Open),
    mark("◁/think▷", Effect::Close),
    mark("<|START_THINKING|>", Effect::Open),
    mark("<|END_THINKING|>", Effect::Close),
    mark("<|begin_of_thought|>", Effect::Open),
    mark("<|end_of_thought|>", Effect::Close),
    mark("<|inner_prefix|>", Effect::Open),
    mark("<|inner_suffix|>", Effect::Close),
    mark("<|channel>thought", Effect::Open),
    mark("<channel|>", Effect::Close),
    // gpt-oss: `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`.
    mark("<|start|>", Effect::Header),
    mark("<|channel|>", Effect::Header),
    mark("<|message|>", Effect::Message),
    mark("<|end|>", Effect::End),
    mark("<|call|>", Effect::End),
    mark("<|return|>", Effect::End),
    // The same from a server that leaves the special tokens out: `analysisWe need …assistantfinalTea is hot.`
    Mark { text: "assistantfinal", effect: Effect::Close, after: "analysis" },
    mark("<answer>", Effect::Frame),
    mark("</answer>", Effect::Frame),
    mark("<|START_RESPONSE|>", Effect::Frame),
    mark("<|END_RESPONSE|>", Effect::Frame),
    mark("<|begin_of_solution|>", Effect::Frame),
    mark("<|end_of_solution|>", Effect::Frame),
];

/// What speaks in a channel whose text is the answer. All others hold reasoning, or calls of tools.
pub(super) const ANSWERING: [&str; 3] = ["final", "assistant", ""];

/// A mark between two of these is spoken of.
pub(super) const QUOTES: &str = "\"'`“”„‘’«»「」";
