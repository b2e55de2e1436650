// Bundles each client with its library, minified, as a site would serve it.

import { build } from "esbuild";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLIENTS = fileURLToPath(new URL("clients", import.meta.url));

/** FlexSearch's English preset imports types alone from a file that pulls in a second copy of the library. */
const withoutTypes = {
  name: "without-types",
  setup({ onResolve }) {
    onResolve({ filter: /\/type\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
};

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
    plugins: [withoutTypes],
    logLevel: "warning",
  });
}
