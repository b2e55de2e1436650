// Every word about local models that a reader may see, in one place: panel, reasons, errors.

/** A size as people write it, in decimal units: "98 MB". */
export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 && unit > 1 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Names as people list them. */
function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

/** A time left, as people say it. */
function duration(seconds) {
  if (seconds < 60) {
    return `${Math.max(1, Math.round(seconds))} s`;
  }
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** What became of a download or a model, by the code of its error. Each says what to do. */
export const errors = {
  "no-storage": () => "This browser keeps no files for this page. Private windows, pages without HTTPS and browsers told to keep no site data can't; open the page in an ordinary window to keep a model.",
  "no-space": ({ needed, free }) => (free === undefined
    ? "The storage for this page is full. Remove a stored model, or free some space on the disk, and go on; what is here already is kept."
    : `It takes ${size(needed)} more, and this browser leaves this page ${size(free)}. Remove a stored model, or free some space on the disk.`),
  busy: () => "This model is being downloaded, loaded or removed already, perhaps in another tab. Wait for it, or stop it there.",
  network: ({ host }) => `${host} can't be reached, or does not let this page read from it. Check the connection; what is here already is kept, and the download goes on from there.`,
  stalled: ({ host, seconds }) => `${host} has sent nothing for ${seconds} s. What is here already is kept; try again to go on from there.`,
  status: ({ host, status }) => `${host} answers with status ${status} instead of the file. Check its address, or try again later.`,
  "cut-short": ({ host, got, expected }) => `${host} ended after ${size(got)} of ${size(expected)}. What is here already is kept; try again to go on from there.`,
  "too-long": ({ host, expected }) => `${host} sends more than the ${size(expected)} that the file should have. It is another file than the one named; nothing of it was kept.`,
  "web-page": ({ host }) => `${host} sent a web page instead of the model's file. Check the address, and whether the file needs a sign-in.`,
  "not-gguf": ({ name }) => `${name} is no GGUF file: it does not begin with "GGUF". Choose a model in that format.`,
  divided: ({ name }) => `${name} is one part of a model in several files with a header each, which can't be run. Join them with llama-gguf-split --merge, or choose a model in one file.`,
  "wrong-hash": ({ name, expected, got }) => `${name} is not the file that was promised: its SHA-256 is ${got}, not ${expected}. It was removed; download it again, and if that does not help, tell whoever runs this site.`,
  damaged: ({ name, at }) => `The stored ${name} is damaged near byte ${at.toLocaleString("en")}. Remove it and download it again.`,
  "not-stored": ({ name }) => `${name} is not stored here whole. Download it first.`,
  "bad-catalog": ({ url, detail }) => `The list of models at ${url} can't be used: ${detail}.`,
  "unreadable-file": ({ name }) => `${name} can't be read from the disk any more. Choose the file again.`,
  cancelled: () => "Stopped. What is here already is kept.",
  "no-engine": ({ detail }) => `The program that runs models could not be started (${detail}). Reload the page; if that does not help, check that all files of this version lie beside see-also.js.`,
  "not-loaded": () => "No model is loaded. Load one first.",
  "wrong-kind": ({ kind }) => (kind === "encoder" ? "The model that is loaded turns texts into vectors and writes none. Load one that writes."
    : "The model that is loaded writes texts and gives no vectors. Load an encoder."),
  "bad-call": ({ detail }) => `The model was asked wrongly: ${detail}.`,
  "bad-model": ({ detail }) => `This file can't be run as a model: ${ended(detail)}`,
  "no-memory": ({ detail }) => `There is not enough memory for this model (${detail}). Close other pages, or choose a smaller model.`,
  "no-simd": () => "This browser is too old to run a model. Update it, or use another.",
  "prompt-too-long": ({ detail }) => `The question with its pages is too long for this model: ${ended(detail)}`,
  "no-way-on": ({ detail }) => `The model found no way to go on: ${ended(detail)}`,
  "device-failed": ({ detail }) => `The model could not go on: ${ended(detail)}`,
  "device-lost": () => "The graphics device was lost, and the answer could not go on. Ask again; the model then runs on the CPU.",
  crashed: () => "The model stopped unexpectedly. Load it again.",
  worker: () => "The model's worker could not be started. Its files must lie beside see-also.js, on the same origin as the page.",
  closed: () => "The model was let go of while it worked.",
};

/** The engine's own words, which may or may not end in a full stop, as the end of a sentence. */
function ended(detail) {
  const text = String(detail);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Why a device was chosen, by the reason's code. */
export const deviceReasons = {
  faster: ({ device, gpu, cpu }) => `${device === "webgpu" ? "The graphics processor" : "The processor"} is the faster one here: ${speeds(gpu, cpu)}.`,
  chosen: () => "You chose it.",
  "no-webgpu": () => "This browser has no WebGPU, so the model runs on the processor.",
  "no-adapter": () => "This browser offers no graphics processor to web pages, so the model runs on the processor.",
  software: () => "The only graphics device here is a simulated one, which is slower than the processor.",
  "missing-feature": ({ feature }) => `The graphics processor lacks ${feature}, so the model runs on the processor.`,
  "too-small": ({ limit, needed, has }) => `The graphics processor allows ${limit} of ${size(has)}; this model takes ${size(needed)}. It runs on the processor.`,
  "wrong-answer": () => "The graphics processor gave wrong results in a check, so the model runs on the processor.",
  failed: ({ detail }) => `The graphics processor failed in a check (${detail}), so the model runs on the processor.`,
  refused: ({ detail }) => `The graphics processor could not take this model (${detail}), so it runs on the processor.`,
  silent: ({ seconds }) => `The graphics processor did not finish a check within ${seconds} s, so the model runs on the processor.`,
  lost: () => "The graphics processor was lost before, so the model runs on the processor.",
  encoder: () => "Models that turn texts into vectors run on the processor.",
  "not-calibrated": ({ detail }) => `How fast each device is could not be measured (${detail}), so the model runs on the processor.`,
};

/** Why a tier was proposed, by the reason's code. */
export const tierReasons = {
  chosen: () => "You chose it.",
  "cpu-only": () => "The model runs on the processor.",
  "small-buffers": ({ buffer }) => `The graphics processor lets a page use at most ${size(buffer)} at once.`,
  "little-memory": ({ memory }) => `This device has about ${memory} GB of memory.`,
  "memory-unknown": () => "This browser does not tell how much memory there is, so the guess is careful.",
  roomy: ({ buffer, memory }) => `The graphics processor lets a page use ${size(buffer)} at once, and this device has ${memory} GB of memory or more.`,
  node: ({ tokens }) => `The node’s model has a context of ${tokens.toLocaleString("en")} tokens.`,
  "node-unknown": () => "The node does not tell how long its model’s context is.",
  slow: ({ seconds, tier }) => `The ${tier} tier would take ${duration(seconds)} here only to read its pages.`,
};

function speeds(gpu, cpu) {
  const rate = (value) => `${value >= 10 ? Math.round(value) : value.toFixed(1)} tokens a second`;
  return `${rate(gpu)} on the graphics processor, ${rate(cpu)} on the processor`;
}

/** What the panel says. */
export const words = {
  title: "Who writes the answers",
  about: "Every answer begins with sentences quoted from the pages. A model can go on from there; what it writes is checked against the pages, sentence by sentence, on this device.",
  parts: {
    building: "The parts of this page that run models are still being built. Until they are there, answers are quoted from the pages.",
    failed: "The parts of this page that run models could not be built; the command that serves it says why. Answers are quoted from the pages.",
  },
  writer: "After the quoted sentences",
  writers: {
    none: { title: "Nobody", about: "The quoted sentences are the answer." },
    local: { title: "A model on this device", about: "It is downloaded once, after you agree, and then kept here. Your questions stay on this device." },
    browser: { title: "This browser’s own model", about: "Some browsers have one. Your questions stay on this device, as far as the browser keeps them there." },
    node: { title: "A model elsewhere (a node)", about: "Your questions and texts of pages are sent to it, after you agree." },
  },
  browserStates: {
    available: "It is ready.",
    downloadable: "The browser has to download it first, once for all sites; it may be some gigabytes, and the browser does not tell how many.",
    downloading: "The browser is downloading it.",
    unavailable: "This browser can’t run it on this device.",
  },
  prepareBrowser: "Let the browser download its model",
  browserProgress: (share) => `${Math.floor(share * 100)} % downloaded by the browser`,
  browserFailed: (message) => `The browser’s model can’t be had: ${message}`,
  local: "A model on this device",
  models: "Model",
  noModels: "This site offers no model. You can use one of your own.",
  record: ({ questions, facts, quoted, lost, gained }) => (gained > lost
    ? `Over ${questions} questions, quoted answers give ${quoted} of ${facts} facts that a right answer needs. Answers written by this model give ${gained} more${lost > 0 ? ` and ${lost} fewer` : ""}.`
    : `Over ${questions} questions, answers written by this model gave no more of the needed facts than quoted answers did.`),
  model: ({ bytes, licence, context }) => [size(bytes), licence || "licence not stated", context && `${context.toLocaleString("en")} tokens of context`].filter(Boolean).join(" · "),
  stored: "stored here",
  part: (got, bytes) => `${size(got)} of ${size(bytes)} stored`,
  close: "Close",
  consent: (bytes, hosts) => `Download ${size(bytes)} from ${listed(hosts)}`,
  consentUnknown: (most, hosts) => `Download up to ${size(most)} from ${listed(hosts)}`,
  sizeUnknown: (hosts) => `The size of this file is not known: ${listed(hosts)} does not tell it.`,
  askSize: (hosts) => `Ask ${listed(hosts)} for its size`,
  askingSize: (hosts) => `Asking ${listed(hosts)} for its size…`,
  consentFile: (bytes) => `Keep a copy of ${size(bytes)} here`,
  consentOn: (left, hosts) => `Go on with ${size(left)} from ${listed(hosts)}`,
  failed: (name, message) => `${name}: ${message}`,
  thisSite: "this site",
  ready: "This model is stored here.",
  cancel: "Cancel",
  progressLabel: (name) => `Download of ${name}`,
  progress: ({ bytes, total, rate }) => {
    const of = total ? `${size(bytes)} of ${size(total)}` : size(bytes);
    const left = total && rate > 0 ? `, ${duration((total - bytes) / rate)} left` : "";
    return rate > 0 ? `${of}, ${size(rate)} a second${left}` : of;
  },
  percent: (share) => `${Math.floor(share * 100)} % downloaded`,
  checking: "Checking what is here already…",
  done: (name) => `${name} is stored.`,
  hash: (sha256) => `SHA-256 ${sha256}`,
  own: "Use a model of your own (GGUF)",
  file: "A file on this device",
  address: "The address of a file",
  addressAbout: "Its server learns that you ask for it, and must allow this page to.",
  addAddress: "Add",
  badAddress: "This is no address of a file. It should begin with https://.",
  storage: "Stored models",
  nothingStored: "Nothing is stored.",
  storedItem: ({ bytes, got, complete }) => (complete ? size(bytes) : `${size(got)}${bytes ? ` of ${size(bytes)}` : ""}, not complete`),
  remove: "Remove",
  removeLabel: (name) => `Remove ${name}`,
  clear: "Remove all",
  removed: (name) => `${name} was removed.`,
  cleared: "All stored models were removed.",
  usage: (used, free) => `This page uses ${size(used)}; about ${size(free)} are free.`,
  kept: "The browser keeps stored models until you remove them.",
  evictable: "The browser may remove stored models when space runs short.",
  settings: "Device and size of answers",
  device: "Runs on",
  devices: { auto: "Automatic", webgpu: "Graphics processor (WebGPU)", cpu: "Processor (CPU)" },
  deviceUnknown: "It is measured when a model is first loaded.",
  tier: "Tier",
  tierAuto: (tier) => `Automatic (${tier})`,
  tierAbout: "A larger tier reads more of the pages for an answer, and takes longer.",
  threads: "Use all processor cores",
  threadsAbout: "The page is loaded again, in a mode that lets the model use several cores.",
};
