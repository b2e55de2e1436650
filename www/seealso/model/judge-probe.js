// A probe: weights with which a number is read off what a model has in mind, before it says anything. They were learnt for
// one file of weights, and stand in that model's catalog entry.

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** More weights than any probe has. */
const MOST = 1 << 20;
/** More hidden units than any has. */
const MOST_UNITS = 256;
/** More layers than any has. */
const MOST_LAYERS = 1024;
/** More units than stand before any layer. */
const MOST_ADAPTER_UNITS = 8;

/**
 * @typedef {{layers: number, units: number, numbers: Float32Array}} Adapters what a prompt is read through: before the second layer
 *   and those after it, so many of them, each unit's weights for what stands there, what each adds, and a row that begins with what is
 *   added to their sums
 * @typedef {{layers: number, read: number, weights: Float32Array, units: Float32Array, bias: number, adapters?: Adapters}} Probe after so many layers
 *   are run, behind the last `read` of them: for each of its units as many weights for each of these layers as the model has numbers
 *   there, the earliest layer's first; of each unit what is added to its sum, and what it counts. Without units, one sum is read
 */

/**
 * A catalog's record as a probe: `{ layers, read, bias, weights }`, `read` 1 where it is left out, the weights as base64 of
 * floats of four bytes, little-endian. With `units`, an array of `[bias, counts, scale]` for each, the weights are bytes from
 * -127 to 127, to be multiplied by their unit's scale and by that of their number: `scales`, base64 of floats. `adapters` are
 * `{ layers, units, weights, scales, biases }`, the last three base64: weights again bytes, row by row, with a scale for each row.
 * What is no such record is none.
 * @returns {Probe|null}
 */
export function probeOf(record) {
  const { layers, read = 1, bias, units = [] } = record ?? {};
  const counts = Number.isSafeInteger(layers) && Number.isSafeInteger(read) && 0 < read && read <= layers && layers <= MOST_LAYERS;
  if (!counts || !Number.isFinite(bias) || !areUnits(units)) {
    return null;
  }
  const weights = units.length === 0 ? floats(bytesOf(record.weights)) : scaled(bytesOf(record.weights), units, floats(bytesOf(record.scales)));
  const numbers = Float32Array.from(units.flatMap(([bias, counts]) => [bias, counts]));
  const sums = Math.max(units.length, 1);
  const adapters = record.adapters === undefined ? undefined : adaptersOf(record.adapters);
  const width = weights?.length / (read * sums);
  const sound = width > 0 && Number.isSafeInteger(width) && adapters !== null && (!adapters || isOfWidth(adapters, width));
  return sound ? { layers, read, weights, units: numbers, bias, ...(adapters && { adapters }) } : null;
}

/** @returns {Adapters|null} */
function adaptersOf(record) {
  const { layers, units } = record ?? {};
  const counts = [layers, units].every((count) => Number.isSafeInteger(count) && count > 0);
  const weights = bytesOf(record?.weights);
  const [scales, biases] = [floats(bytesOf(record?.scales)), floats(bytesOf(record?.biases))];
  const rows = 2 * units;
  const width = weights?.length / (layers * rows);
  const sound = counts && layers <= MOST_LAYERS && units <= MOST_ADAPTER_UNITS && weights?.length <= MOST && Number.isSafeInteger(width)
    && width >= units && scales?.length === layers * rows && biases?.length === layers * units;
  return sound ? unpacked(layers, rows, width, new Int8Array(weights.buffer), scales, biases) : null;
}

/** Whether they change as many numbers as are read behind a layer. */
function isOfWidth({ layers, units, numbers }, width) {
  return numbers.length === layers * (2 * units + 1) * width;
}

/** A row of biases follows each layer's rows of weights. */
function unpacked(layers, rows, width, weights, scales, biases) {
  const [numbers, units] = [new Float32Array(layers * (rows + 1) * width), rows / 2];
  for (let row = 0; row < layers * rows; row++) {
    const scaled = Float32Array.from(weights.subarray(row * width, (row + 1) * width), (weight) => weight * scales[row]);
    numbers.set(scaled, (row + Math.floor(row / rows)) * width);
  }
  for (let layer = 0; layer < layers; layer++) {
    numbers.set(biases.subarray(layer * units, (layer + 1) * units), ((layer + 1) * (rows + 1) - 1) * width);
  }
  return finite(numbers) && { layers, units, numbers };
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
