// Where what is said of a deliberation stands while it goes on: below the quoted answer, which therefore does not move.

/** Puts `element` below the quoted answer of a turn, and below what copies it. @param {import("../turn.js").Turn} turn */
export function putBelowQuoted(turn, element) {
  const [quoted, tools] = [".answer", ".turn-body > .tools"].map((what) => turn.element.querySelector(what));
  (tools ?? quoted).after(element);
}
