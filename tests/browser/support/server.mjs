// Servers of static files: Python's plain one, and one of our own that sends the strict policy,
// counts what it hands out, and can be told to fail.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

/** The policy that a site may send with everything: no inline script or style, no other origin. */
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
  ".wasm": "application/wasm", ".json": "application/json", ".md": "text/markdown; charset=utf-8",
};

/** `python3 -m http.server` on a folder, as anybody would start it. */
export async function servePlainly(folder) {
  const python = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "-d", folder], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(python.stdout, "data");
  const port = /port (\d+)/.exec(String(line))[1];
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      python.kill();
      await once(python, "exit");
    },
  };
}

/**
 * Serves a folder under the strict policy. `log` holds { path, url, referer, status, bytes } of every answer, in
 * order; `url` is what was asked for, as it stood in the request. `faults` maps a path, or a beginning of one that ends with "*", to what is done instead:
 * a function of the response, the file's bytes and its path. `isolated` adds the headers of cross-origin isolation.
 */
export async function serve(folder, { policy = POLICY, isolated = false } = {}) {
  const log = [];
  const faults = new Map();
  const server = createServer(async ({ url, headers: { referer } }, response) => {
    const path = decodeURIComponent(new URL(url, "http://site").pathname);
    const bytes = await read(folder, path);
    response.on("close", () => log.push({ path, url, referer, status: response.statusCode, bytes: response.sent ?? 0 }));
    const fault = faults.get(path) ?? [...faults].find(([key]) => key.endsWith("*") && path.startsWith(key.slice(0, -1)))?.[1];
    if (policy) {
      response.setHeader("content-security-policy", policy);
    }
    if (isolated) {
      response.setHeader("cross-origin-opener-policy", "same-origin");
      response.setHeader("cross-origin-embedder-policy", "require-corp");
    }
    response.setHeader("content-type", TYPES[extname(path) || ".html"] ?? "application/octet-stream");
    if (fault) {
      fault(response, bytes, path);
    } else if (bytes) {
      send(response, 200, bytes);
    } else {
      missing(response);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    if (server.listening) {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    }
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, port: server.address().port, log, faults, close };
}

/** Ends an answer with a body, which is counted. */
export function send(response, status, body) {
  response.statusCode = status;
  response.sent = Buffer.byteLength(body);
  response.setHeader("content-length", response.sent);
  response.end(body);
}

/** A fault: there is no such file. */
export function missing(response) {
  send(response, 404, "There is no such file.\n");
}

/** A fault: nothing ever comes. */
export function silent() {}

/** A fault: the file is not there, and the server shows its start page instead. */
export function webPage(response) {
  response.setHeader("content-type", "text/html; charset=utf-8");
  send(response, 200, "<!doctype html>\n<title>Welcome</title>\n<p>Welcome.</p>\n");
}

async function read(folder, path) {
  const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
  return readFile(file).catch(() => null);
}
