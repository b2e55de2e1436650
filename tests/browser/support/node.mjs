// A node for the tests: an OpenAI-compatible endpoint whose model is the scripted writer, which notes all that it is asked
// and can be told to fail.

import { once } from "node:events";
import { createServer } from "node:http";
import { reply } from "./scripted-writer.js";

const MODELS = [{ id: "scripted", object: "model", created: 1, owned_by: "tests", context_length: 8192 }];

/**
 * Serves a node. `asked` holds { method, path, headers, body } of each request, preflights too; `left` counts answers that
 * the asker broke off. What a function in `instead` does is done in place of an answer to a POST, for one request each;
 * `get` is done in place of any to a GET.
 */
export async function serveNode({ models = MODELS, key = null } = {}) {
  const [asked, instead] = [[], []];
  const node = { asked, instead, left: 0, models };
  const server = createServer(async (request, response) => {
    const body = await whole(request);
    asked.push({ method: request.method, path: request.url, headers: request.headers, body: body && JSON.parse(body) });
    response.on("close", () => (node.left += response.writableFinished ? 0 : 1));
    allow(request, response);
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
    } else if (key !== null && request.headers.authorization !== `Bearer ${key}`) {
      json(response, 401, { error: { message: `Incorrect API key provided: ${request.headers.authorization}` } });
    } else if (request.method === "GET") {
      node.get ? node.get(response) : json(response, 200, { object: "list", data: node.models });
    } else {
      (instead.shift() ?? answer)(response, JSON.parse(body));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  node.origin = `http://127.0.0.1:${server.address().port}`;
  node.base = `${node.origin}/v1`;
  node.posts = () => asked.filter(({ method }) => method === "POST");
  node.close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return node;
}

/** The answer of the scripted writer, as events. */
export function answer(response, { messages }) {
  begin(response);
  const pieces = reply(messages.at(-1).content).split(/(?<= )/);
  for (const piece of pieces) {
    event(response, { choices: [{ index: 0, delta: { content: piece } }] });
  }
  event(response, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  event(response, { choices: [], usage: { prompt_tokens: 100, completion_tokens: pieces.length, prompt_tokens_details: { cached_tokens: 25 } } });
  response.end("data: [DONE]\n\n");
}

/** A fault: a status, with words. */
export const status = (code, message, headers = {}) => (response) => json(response, code, { error: { message } }, headers);

/** A fault: one word, and then nothing more ever comes. */
export function silence(response) {
  begin(response);
  event(response, { choices: [{ index: 0, delta: { content: "Docker " } }] });
}

/** A fault: one word, and the connection ends. */
export function half(response) {
  silence(response);
  response.end();
}

/** The answer of the scripted writer, in pieces of two characters, after `reasoning` that its server left in the text. */
export const reasoned = (reasoning) => (response, { messages }) => {
  begin(response);
  for (const content of `${reasoning}${reply(messages.at(-1).content)}`.match(/[^]{1,2}/gu)) {
    event(response, { choices: [{ index: 0, delta: { content } }] });
  }
  event(response, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  response.end("data: [DONE]\n\n");
};

/** An answer of these words, whatever is asked. */
export const saying = (text) => (response) => {
  begin(response);
  event(response, { choices: [{ index: 0, delta: { content: text } }] });
  event(response, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  response.end("data: [DONE]\n\n");
};

/** The answer of the scripted writer, after a refusal of each field that `refused` has and the request names. */
export const refusing = (...refused) => function answerOrRefuse(response, body) {
  const field = refused.find((name) => name in body);
  field ? json(response, 400, { error: { message: `Unsupported parameter: '${field}' is not supported with this model.`, param: field } }) : answer(response, body);
};

/** A fault: reasoning, and no answer after it. */
export function thought(response) {
  begin(response);
  event(response, { choices: [{ index: 0, delta: { reasoning_content: "Let me see." } }] });
  event(response, { choices: [{ index: 0, delta: {}, finish_reason: "length" }] });
  response.end("data: [DONE]\n\n");
}

/** A fault: an event that is no JSON. */
export function garbage(response) {
  begin(response);
  response.end("data: {\"choices\": [\n\n");
}

/** A fault: nothing ever comes, not even a status. */
export function nothing() {}

function begin(response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

function event(response, data) {
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}

function allow({ headers }, response) {
  response.setHeader("access-control-allow-origin", headers.origin ?? "*");
  response.setHeader("access-control-allow-headers", "authorization, content-type");
  response.setHeader("access-control-allow-methods", "GET, POST");
}

function json(response, code, value, headers = {}) {
  response.writeHead(code, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

async function whole(stream) {
  const chunks = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
