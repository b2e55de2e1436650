// The engine with stages, as the worker sees it: a wasm of its own, opened on the packs that the worker has open. The encoder is
// the page's, and asked through a port.

import init, { SeeAlso, useLanguages } from "../seealso_stages_web.js";
import { faults } from "./faults.js";

let loading = null;

/**
 * Opens the packs once more.
 * @param {[string, object]} place the packs' address and the options that they were opened with
 * @param {(url: URL) => Promise<Response>} inflated fetches a deflated wasm
 * @param {(engine: SeeAlso, use: Function) => Promise<void>} loadLanguages
 */
export async function open(place, inflated, loadLanguages) {
  const wasm = new URL("../seealso_stages_web_bg.wasm.deflate", import.meta.url);
  loading ??= init({ module_or_path: inflated(wasm) }).catch((error) => {
    loading = null;
    throw error;
  });
  await loading;
  const engine = await SeeAlso.open(...place);
  await loadLanguages(engine, useLanguages);
  return engine;
}

/**
 * Asks by stages. Notices of faults are worded for readers: what a site's owner has to know of them stands in `cause`.
 * @param {SeeAlso} engine
 * @param {[string, Function, object]} args question, progress, filter
 * @param {{depth?: string, stages?: string[], off?: string[], space?: string, port?: MessagePort}} how
 */
export async function askByStages(engine, args, { depth, stages, off, space, port }) {
  const answer = await engine.askByStages(...args, { mode: depth, stages, off, embedder: embedderOf({ space, port }) });
  const worded = ({ code, message }) => (code in faults ? { code, message: faults[code], cause: message } : { code, message });
  return { ...answer, notices: answer.notices.map(worded) };
}

/**
 * Finds entries.
 * @param {SeeAlso} engine
 * @param {{question: string, asker: string, top_n?: number}} request
 * @param {{id: string, today: string}} interaction
 * @param {{space?: string, port?: MessagePort}} [encoder]
 */
export function retrieve(engine, request, interaction, encoder) {
  return engine.retrieveEntries(request, embedderOf(encoder ?? {}), interaction);
}

/** What encodes questions, where the page handed over a port to it. */
function embedderOf({ space, port }) {
  return port && { space, embed: (texts) => embed(port, texts) };
}

/** The vectors that the page gives for texts. */
function embed(port, texts) {
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data: { vectors, error } }) => (vectors ? resolve(vectors) : reject(new Error(error)));
    port.postMessage(texts);
  });
}
