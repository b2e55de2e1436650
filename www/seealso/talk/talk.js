// What is done with a question before it is searched, by scripts that are loaded only where it is short or goes on from
// another: what asks nothing gets a polite reply and no search; what goes on from the last question is made whole, and
// the reader sees how, and can have the words asked as they stand.

import { fill, h } from "../dom.js";
import { madeWhole, subjectsOf } from "./follow-up.js";
import { replyTo } from "./greetings.js";
import { words } from "./words.js";

/**
 * Replies to a turn's question where it asks nothing; then nothing is searched. Else returns null, and
 * `turn.question` is what to search for.
 * @param {import("../turn.js").Turn} turn
 * @param {object[]} before the answers before it, the newest first
 * @param {() => void} again asks the turn's question as it then stands
 */
export function replyBeforeSearch(turn, before, again) {
  turn.words ??= turn.question;
  const asIs = (button) => h("button", { type: "button", class: "quiet", onclick: () => {
    turn.asIs = true;
    turn.question = turn.words;
    turn.element.querySelector("[part=asked-as]")?.remove();
    again();
  } }, button);
  const reply = replyTo(turn.question);
  if (reply) {
    fill(turn.element.querySelector(".progress"));
    fill(turn.element.querySelector(".turn-body"),
      h("div", { class: "answer", part: "answer", "data-status": "talk", role: "status" }, h("p", { lang: reply.language, dir: "auto" }, reply.text)),
      h("div", { class: "tools" }, asIs(words.searchAll)));
    return { question: turn.question, status: "talk", text: reply.text };
  }
  const last = before.find((answer) => subjectsOf(answer).length > 0);
  const whole = madeWhole(turn.question, last && { question: last.question, subjects: subjectsOf(last) });
  if (whole) {
    turn.question = whole;
    turn.element.querySelector("h3").after(h("p", { class: "muted", part: "asked-as" }, `${words.askedAs} `, h("q", {}, whole), " ", asIs(words.asIs)));
  }
  return null;
}
