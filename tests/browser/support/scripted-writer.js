// Stands in for module.js in the tests of deliberation: a model that drafts from the sources that it is given, the first
// sentence of each, and adds a lie; and that integrates by giving the draft again, lie and all.

export default async function init() {}

export const version = () => "scripted writer";
export const needs = () => ({ features: [], limits: {} });
export const knownAnswer = async () => true;
export const calibrate = async () => ({ decode: 20, prefill: 100 });

const LIE = "A container image is always exactly 4711 bytes long.";

export class ModelLoader {
  feed() {}
  endFile() {}
  async finish() {
    return new Model();
  }
  free() {}
}

class Model {
  info() {
    return { architecture: "llama", context: 8192, vocabulary: 10, layers: 1, bytes: 10 };
  }

  async generate(messages, options, onEvent) {
    const text = reply(messages.at(-1).content);
    const outcome = (reason, tokens) => ({ reason, tokens, prompt_tokens: 100, reused_tokens: 25, prefill_ms: 0, decode_ms: 0 });
    await onEvent({ prefill: { done: 25, total: 100 } });
    await onEvent({ prefill: { done: 100, total: 100 } });
    const words = text.split(/(?<= )/);
    for (const [at, token] of words.entries()) {
      if (!(await onEvent({ token }))) {
        return outcome("aborted", at);
      }
    }
    return outcome("end", words.length);
  }

  async score(_messages, continuations) {
    return new Float64Array(continuations.length);
  }

  stats() {
    return {};
  }

  free() {}
}

/** What it says to a prompt. */
export function reply(prompt) {
  const draft = /\n\nDraft:\n([\s\S]*?)\n\nReview:\n/.exec(prompt);
  if (draft) {
    return `${draft[1]} ${LIE}`;
  }
  const sources = [...prompt.matchAll(/^\[(\d+)\] .*\n(~{4,})\n([\s\S]*?)\n\2/gm)];
  const sentences = sources.slice(0, 6).map(([, number, , body]) => {
    // Where only some paragraphs of a page are read, its abstract may not be among them.
    const first = /^> (?:Abstract: )?(.*?[.!?])(?: |$)/m.exec(body) ?? /^([A-Z][^|]*?[.!?])(?: |$)/m.exec(body);
    return first && `${first[1].slice(0, -1)} [${number}].`;
  });
  return `${sentences.filter(Boolean).join(" ")} ${LIE}`;
}
