// How fast the roles of a deliberation read, write and judge, and how long the rest of it takes at that pace.

import { words } from "./words.js";

/** A rate is told from so many tokens on; of fewer it would be a guess. */
const TELLING = 5;
/** Tokens of a draft, where nothing is known of its writer's. */
const DRAFT = 150;
/** A text that is longer than expected goes on for another quarter of its length. */
const LONGER = 1.25;
/** Tokens that the Synthesizer reads beside the draft: the question, the review and its rules. */
const BESIDE = 200;

/**
 * What is measured of a role. Times are milliseconds: `waited` until its first token, `writing` for `steps` from one token
 * to the next, `reading` for `read` tokens of its prompts, `judging` for `judged` of its `claims`.
 */
const NOTHING = { begun: 0, isOver: false, waited: 0, tokens: 0, steps: 0, writing: 0, read: 0, reading: 0, claims: 0, judged: 0, judging: 0 };

/** The pace of the roles of one deliberation, each by its stage. */
export class Pace {
  #stages = new Map();
  #now;
  #draft;
  /** The last event: { stage, kind, at, done }. */
  #last = null;

  /**
   * @param {() => number} now milliseconds
   * @param {number} draft how many tokens the draft will have, as far as anybody knows
   */
  constructor(now = () => performance.now(), draft = DRAFT) {
    this.#now = now;
    this.#draft = draft;
  }

  /** A role begins. */
  begin(stage) {
    this.#set(stage, { begun: this.#now() });
  }

  /** A role is done; how many tokens it wrote. */
  end(stage) {
    const { tokens, claims, judging } = this.#of(stage);
    const { ms } = this.#advance(stage, "judge", claims);
    this.#set(stage, { isOver: true, judged: claims, judging: judging + ms });
    return tokens;
  }

  /** A token came; how many that makes. Before one that follows no other, the role read. */
  token(stage) {
    const { ms, goesOn } = this.#advance(stage, "token");
    const { begun, waited, tokens, steps, writing } = this.#of(stage);
    this.#set(stage, {
      tokens: tokens + 1, steps: steps + (goesOn ? 1 : 0), writing: writing + ms,
      waited: tokens === 0 && begun > 0 ? this.#last.at - begun : waited,
    });
    return tokens + 1;
  }

  /** So many tokens of its prompt are read. Those that it is told of first were known from before. */
  read(stage, done) {
    const { ms, more } = this.#advance(stage, "read", done);
    const { read, reading } = this.#of(stage);
    this.#set(stage, { read: read + more, reading: reading + ms });
  }

  /** So many of its claims are judged. */
  judge(stage, done, claims) {
    const { ms } = this.#advance(stage, "judge", done);
    this.#set(stage, { claims, judged: done, judging: this.#of(stage).judging + ms });
  }

  /** How fast it writes, in words; empty where nothing was written. */
  summary(stage) {
    const { tokens, steps, writing } = this.#of(stage);
    if (tokens === 0) {
      return "";
    }
    return tokens < TELLING || writing === 0 ? words.tokens(tokens) : words.rate(tokens, (1000 * steps) / writing);
  }

  /**
   * Seconds until the checked answer, at the pace so far; null while too little was written to tell. The Synthesizer is
   * taken to write as much as the Expert; how long the checks take is known from the first claim on that was judged.
   */
  left() {
    const [expert, synthesizer] = [this.#of("expert"), this.#of("synthesize")];
    const { steps, writing } = synthesizer.steps < TELLING ? expert : synthesizer;
    if (steps < TELLING || writing === 0) {
      return null;
    }
    const draft = whole(expert, this.#draft);
    const tokens = draft - expert.tokens + whole(synthesizer, draft) - synthesizer.tokens;
    return ((tokens * writing) / steps + this.#beforeSynthesis(draft) + this.#checks()) / 1000;
  }

  /** Milliseconds until the Synthesizer's first token. Its prompt is short; where nobody tells of reading, it waits as the Expert did. */
  #beforeSynthesis(draft) {
    const [{ read, reading, waited }, { isOver, tokens }] = [this.#of("expert"), this.#of("synthesize")];
    if (isOver || tokens > 0) {
      return 0;
    }
    return read > 0 ? ((draft + BESIDE) * reading) / read : waited;
  }

  /** Milliseconds that the claims take which are not judged yet; the answer has as many as the draft. */
  #checks() {
    const [critic, verifier] = [this.#of("critic"), this.#of("verify")];
    const judged = critic.judged + verifier.judged;
    const left = critic.claims - critic.judged + (verifier.isOver ? 0 : (verifier.claims || critic.claims) - verifier.judged);
    return judged > 0 ? ((critic.judging + verifier.judging) * left) / judged : 0;
  }

  /** Notes an event. Gives the milliseconds since the last one, if that was of the same kind and role, and how much more is `done`. */
  #advance(stage, kind, done = 0) {
    const [last, at] = [this.#last, this.#now()];
    const goesOn = last?.stage === stage && last.kind === kind && done >= last.done;
    this.#last = { stage, kind, at, done };
    return { ms: goesOn ? at - last.at : 0, goesOn, more: goesOn ? done - last.done : 0 };
  }

  #of(stage) {
    return this.#stages.get(stage) ?? NOTHING;
  }

  #set(stage, changes) {
    this.#stages.set(stage, { ...this.#of(stage), ...changes });
  }
}

/** How many tokens a role will have written in the end. */
function whole({ isOver, tokens }, expected) {
  return isOver ? tokens : Math.max(expected, LONGER * tokens);
}
