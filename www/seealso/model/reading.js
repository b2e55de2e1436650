// A reading: weights with which a number is read off what a model has in mind, before it says anything. They were learnt for
// one file of weights, and stand in that model's catalog entry.

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** More weights than any reading has. */
const MOST = 1 << 20;
/** More hidden units than any has. */
const MOST_UNITS = 256;
/** More layers than any has. */
const MOST_LAYERS = 1024;

/**
 * @typedef {{layers: number, read: number, weights: Float32Array, units: Float32Array, bias: number}} Reading after so many layers
 *   are run, behind the last `read` of them: for each of its units as many weights for each of these layers as the model has numbers
 *   there, the earliest layer's first; of each unit what is added to its sum, and what it counts. Without units, one sum is read
 */

/**
 * A catalog's record as a reading: `{ layers, read, bias, weights }`, `read` 1 where it is left out, the weights as base64 of
 * floats of four bytes, little-endian. With `units`, an array of `[bias, counts, scale]` for each, the weights are bytes from
 * -127 to 127, to be multiplied by their unit's scale and by that of their number: `scales`, base64 of floats. What is no such
 * record is none.
 * @returns {Reading|null}
 */
export function readingOf(record) {
  const { layers, read = 1, bias, units = [] } = record ?? {};
  const counts = Number.isSafeInteger(layers) && Number.isSafeInteger(read) && 0 < read && read <= layers && layers <= MOST_LAYERS;
  if (!counts || !Number.isFinite(bias) || !areUnits(units)) {
    return null;
  }
  const weights = units.length === 0 ? floats(bytesOf(record.weights)) : scaled(bytesOf(record.weights), units, floats(bytesOf(record.scales)));
  const told = Float32Array.from(units.flatMap(([bias, counts]) => [bias, counts]));
  const sums = Math.max(units.length, 1);
  return weights?.length > 0 && weights.length % (read * sums) === 0 ? { layers, read, weights, units: told, bias } : null;
}

function areUnits(units) {
  const isFloat = (number) => typeof number === "number" && Number.isFinite(Math.fround(number));
  const isUnit = (unit) => Array.isArray(unit) && unit.length === 3 && unit.every(isFloat);
  return Array.isArray(units) && units.length <= MOST_UNITS && units.every(isUnit);
}

function bytesOf(text) {
  const sound = typeof text === "string" && text.length <= MOST * 6 && BASE64.test(text);
  return sound ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : null;
}

function scaled(bytes, units, scales) {
  if (!bytes || !scales || bytes.length > MOST || bytes.length !== units.length * scales.length) {
    return null;
  }
  const scale = (at) => units[Math.floor(at / scales.length)][2] * scales[at % scales.length];
  return finite(Float32Array.from(new Int8Array(bytes.buffer), (weight, at) => weight * scale(at)));
}

function floats(bytes) {
  if (!bytes || bytes.length % 4 !== 0 || bytes.length > MOST * 4) {
    return null;
  }
  const view = new DataView(bytes.buffer);
  return finite(Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(4 * at, true)));
}

function finite(values) {
  return values.every(Number.isFinite) ? values : null;
}
