// Every word about the history that a reader may see.

export const words = {
  markdown: "Save as Markdown",
  json: "Save as JSON",
  misses: "Save questions that found nothing",
  interactions: "Save the log of entries",
  clear: "Clear",
  sure: (count, logged) => (count === 0 ? "Take the log of entries that were asked for out of this browser?"
    : `Take ${count === 1 ? "this question and its answer" : `these ${count} questions and their answers`} off the screen and${logged ? ", with the log of entries that were asked for," : ""} out of this browser?`),
  yes: "Clear them",
  no: "Keep them",
  full: "This browser’s storage for the page is full: new answers stay on the screen until the page is closed. Clear the history, or save it first.",
  notRead: "The log of entries that were asked for could not be read in this browser. Reload the page, and try again.",
  notCleared: "The history could not be cleared in this browser: what is not on the screen any more may be there again at the next visit.",
  notKept: "This browser keeps no history for the page, as in a private window: answers stay on the screen until it is closed.",
};
