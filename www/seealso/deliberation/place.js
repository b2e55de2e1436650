// Where the progress of a deliberation is shown: below the quoted answer, which therefore does not move.

/** Puts `element` below the quoted answer of a turn, and below what copies it. @param {import("../turn.js").Turn} turn */
export function putBelowQuoted(turn, element) {
  const [quoted, tools] = [".answer", ".turn-body > .tools"].map((what) => turn.element.querySelector(what));
  (tools ?? quoted).after(element);
}
