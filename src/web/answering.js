// The end of the module that wasm-bindgen writes, where the wasm is split in two: `ask` and `page` wait for the second part,
// which is loaded once. One that did not come is asked for anew by the next call.

const { ask, page, cancel } = SeeAlso.prototype;
let answering;

SeeAlso.loadAnswering = (source = new URL("seealso_answer_bg.wasm", import.meta.url)) =>
  (answering ??= loadSecondPart(source).catch((cause) => {
    answering = undefined;
    throw Object.assign(new Error(cause.message, { cause }), { code: "engine" });
  }));

async function loadSecondPart(source) {
  let given = await (typeof source === "function" ? source() : source);
  if (typeof given === "string" || given instanceof URL) {
    given = await fetch(given);
    if (!given.ok) {
      throw new Error(`${given.url}: status ${given.status}`);
    }
  }
  // `f` is what xtask calls the first part (xtask/src/split).
  await __wbg_load(given, { ...__wbg_get_imports(), f: wasm });
}

Object.assign(SeeAlso.prototype, {
  async ask(...given) {
    const turn = (this.__turn = {});
    await SeeAlso.loadAnswering();
    if (this.__turn !== turn) {
      throw Object.assign(new Error("the question was stopped"), { code: "cancelled" });
    }
    return ask.apply(this, given);
  },
  async page(...given) {
    await SeeAlso.loadAnswering();
    return page.apply(this, given);
  },
  cancel() {
    this.__turn = null;
    cancel.call(this);
  },
});
