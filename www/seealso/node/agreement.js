// What the reader agreed to, and the key: in the memory of this page alone, gone when it is closed or loaded again. So no
// link that opens the page with a question can make it send anything.

let consent = null;
let sending = new AbortController();

/** Ends all that is being asked of a node. */
function endSending() {
  sending.abort();
  sending = new AbortController();
}

/** The reader's consent to send to one node. */
export const agreement = {
  /** The reader agrees. @param {{base: string, origin: string, key: string}} to whom, and the key that goes along */
  give({ base, origin, key }) {
    if (base !== consent?.base) {
      endSending();
    }
    consent = { base, origin, key };
  },

  /** The reader agrees no longer: what is being asked ends, too. */
  withdraw() {
    consent = null;
    endSending();
  },

  /** The reader has chosen that somebody else writes: what is being asked ends, and the agreement holds. */
  pause() {
    endSending();
  },

  /** Is aborted once nothing more may be sent of what is asked from now on. */
  get signal() {
    return sending.signal;
  },

  /** To whose origin the reader agreed to send; empty where to nobody's. */
  get origin() {
    return consent?.origin ?? "";
  },

  /**
   * A node of the settings as the worker wants it, with the consent to ask it.
   * @param {import("../model/settings.js").NodeSettings|null} node
   * @returns {object|null} null where the reader has not agreed to it
   */
  for(node) {
    if (!node || node.base !== consent?.base) {
      return null;
    }
    const { base, model, context, wait } = node;
    return { base, model, context: whole(context), wait: whole(wait), key: consent.key, agreed: consent.origin };
  },
};

/** What is no whole number above 0, as an earlier version may have kept it, would fail each question. */
function whole(number) {
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
