// A plain static file server: folders below prefixes, whole files, streamed.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

const START_PAGE = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>bench</title>';

/** Serves `mounts`, a map from prefixes to folders. Pages that are not isolated have one thread. */
export async function serve(mounts, { isolated }) {
  const server = createServer(async ({ url, method }, response) => {
    const path = decodeURIComponent(new URL(url, "http://bench").pathname);
    if (isolated) {
      response.setHeader("cross-origin-opener-policy", "same-origin").setHeader("cross-origin-embedder-policy", "require-corp");
    }
    if (path === "/") {
      response.setHeader("content-type", TYPES[".html"]).end(START_PAGE);
      return;
    }
    const prefix = Object.keys(mounts).find((each) => path.startsWith(each));
    const file = prefix && join(mounts[prefix], normalize(`/${path.slice(prefix.length)}`));
    const size = file && (await stat(file).then((found) => found.size, () => null));
    if (!size) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-length": size, etag: `"${size}"` });
    method === "HEAD" ? response.end() : createReadStream(file).pipe(response);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}
