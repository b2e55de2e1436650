// A reading: weights with which a number is read off what a model has in mind, before it says anything. They were learnt for
// one file of weights, and stand in that model's catalog entry.

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** More weights than any reading of a model of a browser has. */
const MOST = 1 << 16;
/** More layers than any has. */
const MOST_LAYERS = 1024;

/**
 * @typedef {{layers: number, read: number, weights: Float32Array, bias: number}} Reading after so many layers are run, behind
 *   the last `read` of them: as many weights for each of these as the model has numbers there, the earliest layer's first
 */

/**
 * A catalog's record as a reading: `{ layers, read, bias, weights }`, `read` 1 where it is left out, the weights as base64 of
 * floats of four bytes, little-endian. What is no such record is none.
 * @returns {Reading|null}
 */
export function readingOf(record) {
  const { layers, read = 1, bias } = record ?? {};
  const weights = floats(record?.weights);
  const counts = Number.isSafeInteger(layers) && Number.isSafeInteger(read) && 0 < read && read <= layers && layers <= MOST_LAYERS;
  return counts && Number.isFinite(bias) && weights?.length % read === 0 ? { layers, read, weights, bias } : null;
}

function floats(text) {
  if (typeof text !== "string" || text.length > MOST * 6 || !BASE64.test(text)) {
    return null;
  }
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (bytes.length === 0 || bytes.length % 4 !== 0) {
    return null;
  }
  const view = new DataView(bytes.buffer);
  const values = Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(4 * at, true));
  return values.every(Number.isFinite) ? values : null;
}
