// A local model in the form that a deliberation wants.

import { probeOf } from "../model/judge-probe.js";

/** Small models loop without it. */
const REPETITION_PENALTY = 1.1;

/**
 * @param {import("../model/client.js").LocalModel} model loaded
 * @param {{name: string, context: number, judge?: object}} about
 */
export function localRole(model, { name, context, judge }) {
  const probe = probeOf(judge?.reading);
  const { auc, supports, rejects } = (probe ? judge.reading : judge) ?? {};
  const messages = ({ system, before = [], user }) => [
    { role: "system", content: system },
    ...before.flatMap((turn) => [{ role: "user", content: turn.user }, { role: "assistant", content: turn.assistant }]),
    { role: "user", content: user },
  ];
  return {
    abilities: { name, context, tools: true, ...(judge && { judge: { auc, supports, rejects } }), ...(probe && { judges: true }) },
    async write(writing, onEvent, signal) {
      const options = {
        max_tokens: writing.max_tokens,
        temperature: writing.temperature,
        seed: writing.seed,
        repetition_penalty: REPETITION_PENALTY,
      };
      // What is told first was there before anything was read.
      let known = null;
      const onProgress = ({ stage, done, total }) => {
        if (stage === "prefill") {
          known ??= done;
          onEvent({ read: { done, known, total } });
        }
      };
      const pieces = model.generate(messages(writing), options, { onProgress, signal });
      let text = "";
      for (;;) {
        const { value, done } = await pieces.next();
        if (done) {
          return {
            text,
            tokens: value.tokens,
            prompt_tokens: value.prompt_tokens,
            known_tokens: value.reused_tokens,
            cut: value.reason === "length",
          };
        }
        text += value;
        onEvent({ text: value });
      }
    },
    async score(prompt, continuations, signal) {
      return [...await model.score(messages(prompt), continuations, { signal })];
    },
    ...(probe && { judge: (prompt, _answers, signal) => model.judge(messages(prompt), probe, { signal }) }),
  };
}
