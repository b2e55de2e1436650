// Which tier to propose: from what the browser lets one see of the device, and from how fast the model was measured to
// be. Video memory can't be read in a browser, so this is a careful guess, and the reader's own choice goes before it.

const GIB = 2 ** 30;
/** A memory of 7.6 GiB is sold as one of 8 GB. */
const TOLERANCE = 0.5;
/** Where a browser tells nothing of its memory, it is taken to have this much (GB). */
const CAREFUL_MEMORY = 4;
/** Usable memory of a graphics processor, as a multiple of its largest buffer: drivers allow a half or a quarter. */
const BUFFERS = 2;
/** A tier whose context takes longer to be read than this is not proposed. */
const MOST_SECONDS = 60;
/** Characters of English text in a token, about. */
const CHARS_PER_TOKEN = 3.5;

/** The tiers, smallest first: the memory that each wants in GB, and the characters of pages that it reads. */
export const TIERS = Object.freeze([
  { name: "micro", memory: 0, chars: 8_000 },
  { name: "small", memory: 4, chars: 8_000 },
  { name: "mid", memory: 8, chars: 12_000 },
  { name: "large", memory: 16, chars: 32_000 },
  { name: "xl", memory: 24, chars: 32_000 },
  { name: "server-s", memory: 32, chars: 65_000 },
  { name: "server-l", memory: 80, chars: 65_000 },
].map(Object.freeze));

/**
 * @typedef {object} Hints
 * @property {"webgpu"|"cpu"} device what the model runs on
 * @property {{maxBufferSize: number}|null} adapter limits of the graphics processor, in bytes
 * @property {number|null} memory `navigator.deviceMemory`, in GB
 * @property {{prefill: number}|null} speed tokens of a prompt that are read in a second, as measured
 * @property {string|null} chosen the reader's own choice
 */

/**
 * Proposes a tier, and says why.
 * @param {Partial<Hints>} hints
 * @returns {{tier: string, reason: {code: string}}} the reason's code is a key of `tierReasons` in words.js
 */
export function proposeTier({ device = "cpu", adapter = null, memory = null, speed = null, chosen = null }) {
  if (TIERS.some(({ name }) => name === chosen)) {
    return { tier: chosen, reason: { code: "chosen" } };
  }
  if (device !== "webgpu" || !adapter) {
    return { tier: TIERS[0].name, reason: { code: "cpu-only" } };
  }
  const { at, reason } = byMemory(adapter.maxBufferSize, memory);
  return bySpeed(at, reason, speed);
}

/** Tokens of a context that are left for instructions and for what is written. */
const ROOM_TOKENS = 1024;
/** Other scripts take more tokens, so a context is reckoned with fewer characters than it mostly holds. */
const CAREFUL_CHARS_PER_TOKEN = 3;
/** The tier of a node that does not say how many tokens its context has: few have less than this tier needs. */
const UNKNOWN_CONTEXT = "mid";

/** The least tier of those that read the most of what a context of so many tokens holds. */
export function tierOfContext(tokens) {
  if (!(tokens > 0)) {
    return UNKNOWN_CONTEXT;
  }
  const room = (tokens - ROOM_TOKENS) * CAREFUL_CHARS_PER_TOKEN;
  const most = Math.max(TIERS[0].chars, ...TIERS.map(({ chars }) => chars).filter((chars) => chars <= room));
  return TIERS.find(({ chars }) => chars === most).name;
}

function byMemory(buffer, memory) {
  const ofBuffers = (BUFFERS * buffer) / GIB;
  const ofDevice = memory ?? CAREFUL_MEMORY;
  const at = TIERS.findLastIndex((tier) => tier.memory <= Math.min(ofBuffers, ofDevice) + TOLERANCE);
  const next = TIERS[at + 1]?.memory ?? Infinity;
  const reached = [ofBuffers, ofDevice].every((gigabytes) => gigabytes + TOLERANCE >= TIERS[at].memory && gigabytes + TOLERANCE < next);
  if (memory === null && ofDevice <= ofBuffers) {
    return { at, reason: { code: "memory-unknown" } };
  }
  if (reached && at > 0) {
    return { at, reason: { code: "roomy", buffer, memory: ofDevice } };
  }
  return { at, reason: ofBuffers <= ofDevice ? { code: "small-buffers", buffer } : { code: "little-memory", memory: ofDevice } };
}

/** Goes down to a tier that is read in bearable time. One that reads no less than the next one down gains nothing. */
function bySpeed(at, reason, speed) {
  const seconds = (tier) => tier.chars / CHARS_PER_TOKEN / speed.prefill;
  let last = reason;
  while (speed && at > 0 && seconds(TIERS[at]) > MOST_SECONDS && TIERS.some(({ chars }) => chars < TIERS[at].chars)) {
    last = { code: "slow", tier: TIERS[at].name, seconds: Math.round(seconds(TIERS[at])) };
    at--;
  }
  return { tier: TIERS[at].name, reason: last };
}
