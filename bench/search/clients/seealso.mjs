// seealso in the browser: the same JavaScript and wasm that ship, called directly instead of through the worker.

let engine;

export async function open(base) {
  const { default: init, SeeAlso } = await import("/seealso-code/seealso.js");
  await init({ module_or_path: "/seealso-code/seealso_bg.wasm" });
  engine = await SeeAlso.open(new URL(base, location.href).href, { cache: false });
}

export async function search(question, limit) {
  return listed(await engine.search(question, { k: limit }));
}

/** As the element asks at every letter: the last word may go on. */
export async function type(text, limit) {
  return listed(await engine.search(text, { k: limit, prefix: true }));
}

function listed(hits) {
  return hits.map(({ page, title, summary }) => ({ page, title, summary }));
}
