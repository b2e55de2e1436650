// Bundles each client with its library, minified, as a site would serve it.

import { build } from "esbuild";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLIENTS = fileURLToPath(new URL("clients", import.meta.url));

/** Writes `<dir>/<engine>.js` for each engine. */
export async function bundleClients(engines, dir) {
  await build({
    entryPoints: engines.map(({ name }) => join(CLIENTS, `${name}.mjs`)),
    outdir: dir,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    // seealso's own files are served as they ship.
    external: ["/seealso-code/*"],
    logLevel: "warning",
  });
}
