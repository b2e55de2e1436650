// The exchange between the roles, whole: who worked how long, the draft, the review with each verdict, what the Synthesizer
// made of both, and what was taken out and why.

import { h } from "../dom.js";
import { Reasoning } from "./reasoning.js";
import { words } from "./words.js";

/**
 * @param {object} done the deliberation
 * @param {object[]} sources the answer's
 * @param {(sentence: object, citation: HTMLElement) => void} onCite
 * @param {HTMLElement|null} steps the roles' progress, as it was shown
 */
export function exchangePanel(done, sources, onCite, steps = null) {
  const { draft, review } = done;
  return h("details", { class: "panel", part: "exchange" },
    h("summary", {}, words.exchange),
    steps && [h("h4", {}, words.roles), steps],
    h("h4", {}, words.expert),
    draft.reasoning && new Reasoning(draft.reasoning).element,
    h("div", { class: "draft", part: "draft" }, draft.written),
    h("h4", {}, words.critic),
    review.failed && h("p", { "data-failed": "critic" }, words.criticFailed(review.failed)),
    review.claims.length === 0 && h("p", { class: "muted" }, words.noFlags),
    h("ol", { class: "claims", part: "review" }, review.claims.map((claim) => h("li", { "data-verdict": claim.verdict },
      h("span", { class: "claim" }, claim.text), " ",
      h("span", { class: "badge" }, words.verdicts[claim.verdict]),
      claim.passage && passage(claim, sources, onCite),
      claim.notes.length > 0 && h("p", { class: "muted" }, claim.notes.join("; "))))),
    review.remarks && [h("h4", {}, words.remarks), h("div", { class: "draft" }, review.remarks)],
    done.synthesis && [h("h4", {}, words.synthesizer), done.synthesis_reasoning && new Reasoning(done.synthesis_reasoning).element, h("div", { class: "draft", part: "synthesis" }, done.synthesis)],
    done.cut && h("p", { class: "muted", "data-cut": "" }, words.cut),
    done.synthesizer_failed && h("p", { "data-failed": "synthesizer" }, words.synthesizerFailed(done.synthesizer_failed)),
    done.removed.length > 0 && [h("h4", {}, words.removed),
      h("ul", { part: "removed" }, done.removed.map(([text, why]) => h("li", {}, h("del", {}, text), h("span", { class: "muted" }, ` (${why})`))))],
    h("p", { class: "muted" }, words.share(done.known_tokens, done.prompt_tokens)));
}

function passage(claim, sources, onCite) {
  const source = sources[claim.source - 1];
  const aim = { source: claim.source, anchor: claim.anchor, text: claim.passage };
  return h("blockquote", {}, claim.passage, " ",
    source && h("button", { type: "button", class: "cite", title: words.cite(claim.source, source.title), "aria-label": words.cite(claim.source, source.title), onclick: (event) => onCite(aim, event.currentTarget) }, `[${claim.source}]`));
}
