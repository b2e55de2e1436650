// Every word about entries that a page or its reader may see, beside those of the engine.

export const words = {
  noEncoder: "No encoder is here for the question. The reader has to switch on “Search by meaning” first: it loads the encoder that this site publishes, after the reader agreed to its size.",
  noneToLoad: "This site publishes no encoder that a browser can run, so its entries can’t be asked here. Its owner can publish one: seealso setup --encoder DIR --publish-encoder.",
  notLoaded: "The part of this page that finds entries could not be loaded. Check the connection, and try again.",
  wrongNumber: "top_n is no whole number; leave it out, or give one from 1 to 20.",
  wrongThumb: "The thumb is neither “up” nor “down”; give one of them.",
  wrongNote: (most) => `The note is no text of at most ${most.toLocaleString("en")} characters; shorten it, or leave it out.`,
  noInteraction: (id) => `The log of this browser has no interaction ${id}: give the interaction_id of a response. The log keeps the newest ones, until it is cleared.`,
  notKept: "This browser keeps no log for the page, as in a private window, so this interaction was not kept and takes no feedback.",
  full: "This browser’s storage for the page is full, so this interaction was not kept and takes no feedback. Clear the history, or save it first.",
  noFeedback: "This browser keeps no log for the page, so the feedback was not kept.",
};
