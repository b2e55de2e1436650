// A plain static file server that keeps count of what it sends: with gzip as hosts do it or without, and as far away as asked.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/** What hosts compress without being asked: types that they know as text, and wasm. */
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".wasm": "application/wasm",
};

const START_PAGE = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>bench</title>';

/** gzip as a host does it, at zlib's default level. */
export function gzip(bytes) {
  return gzipSync(bytes);
}

/**
 * Serves `mounts`, a map from URL prefixes to folders, on a free port of this machine, each file `delay` milliseconds late.
 * `log` lists what was sent, as `{path, bytes}` with the bytes of bodies; headers are not counted.
 */
export async function serve(mounts, { compress, delay }) {
  const log = [];
  const cache = new Map();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const { status, headers, body } = await answer(path, mounts, compress, cache);
    log.push({ path, bytes: body.length });
    if (delay) await sleep(delay);
    response.writeHead(status, { ...headers, "content-length": body.length });
    response.end(body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, log, close: () => server.close() };
}

async function answer(path, mounts, compress, cache) {
  const headers = {
    "cache-control": "max-age=600",
    // Isolation gives the page a clock of 5 microseconds instead of 100.
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  };
  const file = path === "/" ? null : fileOf(path, mounts);
  const type = file ? TYPES[extname(file)] : TYPES[".html"];
  headers["content-type"] = type ?? "application/octet-stream";
  const body = file ? await bytesOf(file, Boolean(compress && type), cache) : Buffer.from(START_PAGE);
  if (!body) return { status: 404, headers, body: Buffer.alloc(0) };
  if (file && compress && type) headers["content-encoding"] = "gzip";
  return { status: 200, headers, body };
}

function fileOf(path, mounts) {
  const prefix = Object.keys(mounts).find((prefix) => path.startsWith(prefix));
  return prefix && join(mounts[prefix], normalize(`/${path.slice(prefix.length)}`));
}

/** The file's bytes as sent, kept in memory, so that time is not spent on disk or in zlib; null if there is none. */
async function bytesOf(file, compressed, cache) {
  if (!cache.has(file)) {
    const bytes = await readFile(file).catch(() => null);
    cache.set(file, bytes && compressed ? gzip(bytes) : bytes);
  }
  return cache.get(file);
}
