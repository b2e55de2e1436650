// The dedicated worker that runs the engine, so that the page never waits for it.
//
// In:   { id, method: "open",   args: [packsUrl, options] }   result: Info
//       { id, method: "info",   args: [] }                    result: Info
//       { id, method: "ask",    args: [question, filter, how] } progress…, then result: Answer
//       { id, method: "search", args: [query, options] }      result: Hit[]
//       { id, method: "page",   args: [pageId] }              result: RenderedPage
//       { id, method: "encoder", args: [] }                   result: EncoderInfo or null
//       { id, method: "retrieve", args: [request, interaction, encoder] } result: EntryResponse
//       { id, method: "prepare", args: [] }                   result: null, once questions have all that they take
//       { id, method: "cancel", args: [idOfTheAsk] }          result: null
// Out:  { id, progress } | { id, result } | { id, error: { code, message } }
//       An id of null belongs to no request: the engine itself is lost.
// Of several asks only the newest matters: a new one cancels the one before it. `how` is { depth, stages, off, space, port }: how much is
// read, what pages are found by and what of that is left out, and the space and the port of what encodes the question (stages/engine.js).

import init, { SeeAlso, useLanguages } from "./seealso.js";

const NO_STAGES = { code: "no-stages", message: "A part of this page could not be loaded, so pages were found by their words alone." };

let loading = null;
let engine = null;
/** The engine with stages, once a question wanted it, on the packs that were opened with these arguments. */
let stagesEngine = null;
let place = null;
/** The one that runs the newest ask. */
let runningEngine = null;
let newestAsk = null;
let lastAsk = Promise.resolve();

const methods = {
  async open(_id, ...args) {
    await (loading ??= load());
    engine = await SeeAlso.open(...args);
    [place, stagesEngine] = [args, null];
    await loadLanguages();
    return engine.info();
  },
  encoder: async () => (await withStages()).encoder(),
  async retrieve(_id, ...args) {
    const { retrieve } = await import("./stages/engine.js");
    return retrieve(await withStages(), ...args);
  },
  info: () => opened().info(),
  search: (_id, query, options) => opened().search(query, options),
  async page(_id, pageId) {
    const engine = opened();
    await loadAnswering();
    return engine.page(pageId);
  },
  async prepare() {
    await loadAnswering();
    return null;
  },
  async ask(id, question, filter, how) {
    if (newestAsk !== null) {
      runningEngine?.cancel();
    }
    newestAsk = id;
    // The one before must have let go first, or its cancelling would hit this one.
    await lastAsk;
    const run = await runOf(how ?? {});
    if (newestAsk !== id) {
      throw failure("cancelled", "A newer question took its place.");
    }
    const answer = run(question, (progress) => postMessage({ id, progress }), filter);
    lastAsk = answer.then(ignore, ignore);
    try {
      return await answer;
    } finally {
      newestAsk = newestAsk === id ? null : newestAsk;
    }
  },
  cancel(_id, ask) {
    if (ask === newestAsk) {
      // It may not have begun yet: languages take their time.
      newestAsk = null;
      runningEngine?.cancel();
      postMessage({ id: ask, error: failure("cancelled") });
    }
    return null;
  },
};

addEventListener("message", async ({ data: { id, method, args } }) => {
  try {
    postMessage({ id, result: await methods[method](id, ...args) });
  } catch (error) {
    postMessage({ id, error: describe(error) });
  }
});

// A trap inside a task of the engine reaches no caller: its promise would stay open for ever.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  postMessage({ id: null, error: { code: "crashed", message: describe(event.reason).message } });
});

// The engine lies on the server deflated, since plain hosts don't compress what they send.
async function inflated(url) {
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: status ${answer.status}`);
  }
  const raw = answer.body.pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(raw, { headers: { "Content-Type": "application/wasm" } });
}

async function load() {
  try {
    // Named here: whether the generated module knows its own wasm is a setting of its generator.
    await init({ module_or_path: inflated(new URL("./seealso_bg.wasm.deflate", import.meta.url)) });
  } catch (error) {
    loading = null;
    throw failure("engine", describe(error).message);
  }
}

// What only questions and pages take is a wasm of its own, but for quick builds, which have all in one. Where it did not come,
// the next call asks for it anew.
async function loadAnswering() {
  await loading;
  await SeeAlso.loadAnswering?.(() => inflated(new URL("./seealso_answer_bg.wasm.deflate", import.meta.url)));
}

// What stages find, and what reads overviews alone, is an engine of its own, loaded when a question wants it.
async function withStages() {
  const { open } = await import("./stages/engine.js");
  return (stagesEngine ??= open(place, inflated, loadLanguages).catch((error) => {
    stagesEngine = null;
    throw error;
  }));
}

// What asks a question in this way. Where the engine with stages does not come, the one that is here answers, and says so.
async function runOf(how) {
  let lost = false;
  if (how.stages || how.depth === "quick") {
    try {
      const [engine, { askByStages }] = await Promise.all([withStages(), import("./stages/engine.js")]);
      runningEngine = engine;
      return (...args) => askByStages(engine, args, how);
    } catch {
      lost = true;
    }
  }
  await Promise.all([loadAnswering(), loadLanguages()]);
  const engine = (runningEngine = opened());
  return async (...args) => {
    const answer = await engine.ask(...args, how.depth === "deep");
    return lost ? { ...answer, notices: [...answer.notices, NO_STAGES] } : answer;
  };
}

// Languages other than English have a wasm of their own, loaded where an opened pack needs it. Without it the answer
// says which packs it left out, and the next question tries again.
async function loadLanguages(of = opened(), use = useLanguages) {
  if (!of.needsLanguages()) {
    return;
  }
  try {
    const { languageSupport } = await import("./languages.js");
    const { analyse, questionWords } = await languageSupport();
    use(analyse, questionWords);
  } catch {
    // Told by the engine.
  }
}

function opened() {
  if (!engine) {
    throw failure("closed", "The index is not open.");
  }
  return engine;
}

function failure(code, message) {
  return Object.assign(new Error(message), { code });
}

function describe(error) {
  if (error instanceof WebAssembly.RuntimeError) {
    return { code: "crashed", message: error.message };
  }
  return { code: String(error?.code ?? "internal"), message: String(error?.message ?? error) };
}

function ignore() {}
