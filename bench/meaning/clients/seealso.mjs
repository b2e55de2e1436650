// seealso in the browser, through the same worker, engine and encoder that the element uses, without the element.
//
// `way` is how pages are found: "list" is the list of pages that a search shows while typing, "words" a whole quoted answer by
// words, "meaning" the same by vectors too.

let engine;
let model;
let space;
let ask;

/** Opens the packs; with "meaning" it also downloads the encoder, as after a reader's consent, where it is not stored. */
export async function open(base, { way }) {
  const { Engine } = await import("/seealso/engine.js");
  engine = new Engine(new URL(`${base}packs`, location.href).href);
  await engine.open();
  if (way === "meaning") await openEncoder();
  ask = { list: listed, words: answered, meaning: answered }[way];
}

async function openEncoder() {
  const [{ LocalModel }, { Store, keyOf }] = await Promise.all([import("/seealso/model/client.js"), import("/seealso/model/store.js")]);
  const encoder = await engine.encoder();
  const entry = {
    name: encoder.name, title: encoder.name, kind: "encoder", files: encoder.files, scheme: encoder.scheme,
    format: "other", licence: "", architecture: "bert", context: null, tier: null, default: false,
  };
  space = encoder.space;
  model = new LocalModel();
  const key = keyOf(entry);
  if (!(await (await Store.open()).record(key))?.complete) await model.download(entry);
  await model.load({ key });
}

/** The pages for a question, best first: `{page, title, summary}` each. */
export async function search(question, limit) {
  return ask(question, limit);
}

async function listed(question, limit) {
  return (await engine.search(question, { k: limit })).map(row);
}

/** A quoted answer has no limit of sources. Those that its search found come first, then what they list under See Also. */
async function answered(question, limit) {
  const { sources } = await engine.ask(question, undefined, undefined, undefined, how());
  return sources.slice(0, limit).map(row);
}

function how() {
  if (!model) return undefined;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = async ({ data: texts }) => port1.postMessage({ vectors: await model.embed(texts) });
  return { stages: ["vectors"], off: [], space, port: port2 };
}

/** The vector of a text. */
export async function encode(text) {
  return (await model.embed([text]))[0];
}

function row({ page, title, summary }) {
  return { page, title, summary };
}
