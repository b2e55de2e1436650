// What a stop ends, and what it leaves alone: no request leaves after it, and a worker that is too busy to hear of it gives
// way to another.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, newPage } from "./support/browser.mjs";
import { serveNode } from "./support/node.mjs";
import { POLICY, send, serve } from "./support/server.mjs";
import { SITE } from "./support/site.mjs";

/** As many claims as keep the checks busy for longer than a message takes. */
const CLAIMS = 400;

describe("a stop", () => {
  let browser, node, server;

  before(async () => {
    [browser, node] = await Promise.all([launch(), serveNode()]);
    server = await serve(SITE, { policy: `${POLICY}; connect-src 'self' ${node.origin}` });
  });

  after(() => Promise.all([browser?.close(), node?.close(), server?.close()]));

  /** A page with an answer to deliberate on, as `globalThis.answer`. */
  const open = async (t) => {
    const { page, context } = await newPage(browser);
    t.after(() => context.close());
    await page.goto(server.url);
    await page.evaluate(() => {
      const text = "Green tea is steeped at 70 degrees for two minutes.";
      const source = { page: "a/page", pack: "a", file: "page.md", via: "search", language: "en", markdown: `# Tea\n\n${text}\n` };
      globalThis.answer = {
        question: "How is tea made?", sentences: [{ text, source: 1, section: "", anchor: "", sub_query: 0 }],
        sub_queries: [{ text: "question", pages: ["a/page"], answered: true }], sources: [source],
      };
    });
    return page;
  };

  test("while the Critic checks lets no other request leave", async (t) => {
    const page = await open(t);
    node.asked.length = 0;
    node.instead.push((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const claims = Array.from({ length: CLAIMS }, (_, at) => `Green tea of kind ${at} is steeped at ${at} degrees for two minutes.`);
      const tell = (choice) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
      tell({ delta: { content: claims.join(" ") } });
      tell({ delta: {}, finish_reason: "stop" });
      response.end("data: [DONE]\n\n");
    });
    const ended = await page.evaluate(async (asked) => {
      const { Deliberations } = await import("./seealso/deliberation/client.js");
      const [deliberations, stop] = [new Deliberations(), new AbortController()];
      const onStep = ({ kind }) => kind === "judging" && stop.abort();
      const code = await deliberations.run(answer, { node: asked }, { tier: "small", max_tokens: 100_000 }, { onStep, signal: stop.signal })
        .then(() => "done", (error) => error.code);
      // By the time that this is answered, the worker has gone on as far as it would.
      const { name } = await deliberations.askNode(asked);
      return [code, name];
    }, { base: node.base, agreed: node.origin, model: "scripted", context: 1_000_000 });
    assert.deepEqual(ended, ["stopped", "scripted"]);
    assert.equal(node.posts().length, 1);
  });

  test("of something else leaves a deliberation its models", async (t) => {
    const page = await open(t);
    const heard = await page.evaluate(async () => {
      const { Deliberations } = await import("./seealso/deliberation/client.js");
      const [deliberations, stop] = [new Deliberations(), new AbortController()];
      const aborted = [];
      const model = {
        abilities: { name: "scripted", context: 4096, tools: false },
        async write(_writing, _onEvent, signal) {
          // What the settings ask a node is ended while this writes.
          const terms = deliberations.askNode({ base: "http://127.0.0.1:1/v1", agreed: "http://127.0.0.1:1" }, { signal: stop.signal });
          stop.abort();
          const code = await terms.catch((error) => error.code);
          aborted.push(code, signal.aborted);
          return { text: answer.sentences[0].text, tokens: 1, prompt_tokens: 1, known_tokens: 0, cut: false };
        },
        score: async () => [],
      };
      const done = await deliberations.run(answer, { models: { expert: model, critic: model, synthesizer: model } }, { tier: "mid" });
      return [done.text, aborted.slice(0, 2)];
    });
    assert.deepEqual(heard, ["Green tea is steeped at 70 degrees for two minutes [1].", ["stopped", false]]);
  });

  test("that a busy worker does not hear has another take its place, which does what else is asked", async (t) => {
    const page = await open(t);
    // A worker that is busy for ever from its first task on, and then the one that takes its place.
    let loaded = 0;
    server.faults.set("/seealso/deliberation/worker.js", (response, bytes) => (
      send(response, 200, loaded++ === 0 ? "addEventListener('message', () => { for (;;) {} });" : bytes)));
    t.after(() => server.faults.clear());
    const heard = await page.evaluate(async () => {
      const { Deliberations } = await import("./seealso/deliberation/client.js");
      const [deliberations, stop] = [new Deliberations(), new AbortController()];
      const node = { base: "http://127.0.0.1:1/v1", agreed: "" };
      const asked = deliberations.run(answer, { node }, {}, { signal: stop.signal });
      const terms = deliberations.terms("http://127.0.0.1:1/v1");
      stop.abort();
      return [await asked.catch((error) => error.code), (await terms).origin];
    });
    assert.deepEqual([heard, loaded], [["stopped", "http://127.0.0.1:1"], 2]);
  });
});
