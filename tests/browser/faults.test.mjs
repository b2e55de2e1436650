// Servers fail. Each fault leads to an answer from what is left, or to an error that says what to do,
// and when the server is well again, "Try again" is enough.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { TWO_DOMAINS, ask, box, packs, read, ready, settled } from "./support/chat.mjs";
import { launch, newPage } from "./support/browser.mjs";
import { missing, send, serve, silent, webPage } from "./support/server.mjs";
import { copySite, readCatalog, replaceIndex, temporary } from "./support/site.mjs";

const CATALOG = "/packs-static/catalog.json";
const PHOTOSYNTHESIS = "/packs-static/plants/wiki/concepts/photosynthesis.md";
const ALL_PLANTS = "/packs-static/plants/*";

/** What the server does with a file: half of it, said to be all. */
const half = (response, bytes) => send(response, 200, bytes.subarray(0, bytes.length >> 1));

/** What the server does with a file: half of it, and then the connection ends. */
const cut = (response, bytes) => {
  response.writeHead(200, { "content-length": bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
};

/** What the server does with a file: it never ends, and nothing is said of its length. */
const endless = (response) => {
  const more = () => response.write("Photosynthesis. ".repeat(1 << 14), more);
  response.on("error", () => {});
  more();
};

const broken = (response) => send(response, 500, "Something went wrong.\n");

describe("faults", () => {
  let browser;

  before(async () => {
    browser = await launch();
  });

  after(() => browser?.close());

  /** A page on a copy of the site that is the test's own. */
  const open = async (t, { change, faults = [], timeoutMs } = {}) => {
    const { folder, remove } = await temporary();
    await copySite(folder);
    await change?.(folder);
    const server = await serve(folder);
    for (const [path, fault] of faults) {
      server.faults.set(path, fault);
    }
    const { page, context, said } = await newPage(browser);
    t.after(async () => {
      await context.close();
      await server.close();
      await remove();
    });
    await page.goto(server.url);
    if (timeoutMs) {
      await page.locator("see-also").evaluate((element, ms) => element.setAttribute("timeout-ms", ms), timeoutMs);
    }
    return { page, server, said };
  };

  describe("of one page leave an answer from the others", () => {
    const cases = [
      ["is not there", missing, "there is no such file on the server"],
      ["is never sent", silent, "no answer within"],
      ["is an error of the server", broken, "the server answered with status 500"],
      ["breaks off", cut, "the server can't be reached"],
      ["is the server's start page", webPage, "the server answered with a web page"],
    ];
    for (const [what, fault, why] of cases) {
      test(`that ${what}`, async (t) => {
        const { page } = await open(t, { faults: [[PHOTOSYNTHESIS, fault]], timeoutMs: 400 });
        const turn = await ask(page, "What is photosynthesis?");
        const answer = await read(turn);
        assert.deepEqual(packs(answer.cited), ["plants"], answer.text);
        assert.ok(!answer.sources.includes("plants/concepts/photosynthesis.md"));
        const notice = await turn.locator(".notices [data-code=page-lost]").textContent();
        assert.ok(notice.includes("plants/wiki/concepts/photosynthesis.md") && notice.includes(why), notice);
      });
    }
  });

  test("of a page without an end are given up at the size allowed", async (t) => {
    const { page, server } = await open(t, { faults: [[PHOTOSYNTHESIS, endless]] });
    const turn = await ask(page, "What is photosynthesis?");
    assert.deepEqual(packs((await read(turn)).cited), ["plants"]);
    const notice = await turn.locator(".notices [data-code=page-lost]").textContent();
    assert.match(notice, /photosynthesis\.md: larger than the 4194304 bytes allowed/);
    assert.ok(server.log.some(({ path }) => path === PHOTOSYNTHESIS), "the connection is still open");
  });

  test("of a whole domain leave the answer of the other, and say so", async (t) => {
    const { page } = await open(t, { faults: [[ALL_PLANTS, missing]] });
    const turn = await ask(page, "Compare Hadrian with photosynthesis");
    const answer = await read(turn);
    assert.deepEqual(packs(answer.cited), ["history/roman-emperors"]);
    assert.match(answer.text, /Nothing in the pages that were read answers this part\./);
    assert.ok((await turn.locator("[data-code=page-lost]").count()) > 0);
  });

  test("of all pages are not said to be an empty answer, and pass", async (t) => {
    const { page, server } = await open(t, { faults: [[ALL_PLANTS, missing]] });
    const turn = await ask(page, "What is photosynthesis?");
    assert.equal(await turn.locator(".answer").innerText(), "No answer: pages that may hold it could not be read.");
    server.faults.clear();
    await turn.getByRole("button", { name: "Try again" }).click();
    await turn.locator(".cite").first().waitFor();
    assert.deepEqual(packs((await read(turn)).cited), ["plants"]);
  });

  test("a page that changed since the index was built is read as it is now, and marked", async (t) => {
    const changed = (response, bytes) => send(response, 200, `${bytes}\nPhotosynthesis was written about again.\n`);
    const { page } = await open(t, { faults: [[PHOTOSYNTHESIS, changed]] });
    const turn = await ask(page, "What is photosynthesis?");
    assert.match(await turn.locator("[data-code=page-changed]").textContent(), /`seealso build` brings the index up to date/);
    const source = turn.locator(".source", { hasText: "plants/concepts/photosynthesis.md" }).first();
    assert.ok((await source.locator(".badge").allTextContents()).includes("changed since indexed"));
  });

  describe("of the catalog or the index say what to do", () => {
    const version = (number) => (bytes) => {
      const other = Buffer.from(bytes);
      other.writeUInt16LE(number, 8);
      return other;
    };
    const oldCatalog = (response, bytes) => send(response, 200, JSON.stringify({ ...JSON.parse(bytes), version: 1 }));
    const index = async (site) => (await readCatalog(site)).index;
    const cases = [
      ["no catalog", { faults: [[CATALOG, missing]] },
        "no-catalog", /there is no catalog\.json here; run `seealso build`/],
      ["a catalog that is HTML", { faults: [[CATALOG, webPage]] },
        "bad-catalog", /catalog\.json is an HTML page.*run `seealso build` and upload catalog\.json and index\//],
      ["a catalog that is cut short", { faults: [[CATALOG, half]] },
        "bad-catalog", /catalog\.json can't be read.*build it again with `seealso build`/],
      ["a server in trouble", { faults: [[CATALOG, broken]] },
        "network", /catalog\.json: the server answered with status 500/],
      ["an index that is not there", { change: async (site) => rm(await index(site)) },
        "no-index", /index\/.*upload index\/ together with catalog\.json/],
      ["an index that is cut short", { faults: [["/packs-static/index/*", half]] },
        "bad-index", /index\/.*upload it again, or rebuild with `seealso build`/],
      ["an index that is cut short and catalogued so",
        { change: (site) => replaceIndex(site, (bytes) => bytes.subarray(0, bytes.length >> 1)) },
        "bad-index", /index\/.*does not unpack to what it announces.*upload it again, or rebuild/s],
      ["an index of a later version", { change: (site) => replaceIndex(site, version(99)) },
        "version", /index\/.*version 99.*rebuild it with `seealso build`/s],
      ["an index of version 1", { change: (site) => replaceIndex(site, version(1)) },
        "version", /index\/.*version 1,.*rebuild it with `seealso build`/s],
      ["a catalog of version 1", { faults: [[CATALOG, oldCatalog]] },
        "version", /catalog\.json has format version 1,.*rebuild it with `seealso build`/],
      ["an engine that is not there", { faults: [["/seealso/seealso_bg.wasm.deflate", missing]] },
        "engine", /check that seealso_bg\.wasm\.deflate and seealso_answer_bg\.wasm\.deflate lie beside see-also\.js/],
      ["a worker that is not there", { faults: [["/seealso/worker.js", missing]] },
        "worker", /Its files must lie beside see-also\.js/],
    ];
    for (const [what, setting, code, message] of cases) {
      test(what, async (t) => {
        const { page } = await open(t, setting);
        const alert = page.getByRole("alert");
        await alert.waitFor();
        assert.equal(await alert.getAttribute("data-code"), code, await alert.innerText());
        assert.match(await alert.innerText(), message);
        // The same where somebody asks nevertheless.
        const turn = await ask(page, "What is photosynthesis?");
        assert.equal(await turn.locator(".error").getAttribute("data-code"), code);
        assert.match(await turn.locator(".error").innerText(), message);
      });
    }

    test("and are over when the server is well again", async (t) => {
      const { page, server } = await open(t, { faults: [[CATALOG, missing], ["/seealso/seealso_bg.wasm.deflate", missing]] });
      const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
      await page.locator(".error[data-code=engine]").waitFor();
      server.faults.delete("/seealso/seealso_bg.wasm.deflate");
      await again.click();
      await page.locator(".error[data-code=no-catalog]").waitFor();
      server.faults.clear();
      await again.click();
      await ready(page);
      assert.ok((await read(await ask(page, "What is photosynthesis?"))).citations > 0);
    });
  });

  test("damaged bytes that the browser may keep for ever are asked for anew", async (t) => {
    let damaged = 0;
    const once = (response, bytes) => {
      response.setHeader("cache-control", "max-age=31536000, immutable");
      damaged += 1;
      return damaged === 1 ? half(response, bytes) : send(response, 200, bytes);
    };
    const { page, server } = await open(t, { faults: [["/packs-static/index/*", once]] });
    await ready(page);
    assert.ok((await read(await ask(page, "What is photosynthesis?"))).citations > 0);
    const paths = server.log.filter(({ path }) => path.startsWith("/packs-static/index/")).map(({ path }) => path);
    assert.deepEqual(paths, [paths[0], paths[0]], "one damaged, one sound");
  });

  test("offline after load: what was read before still answers, the rest says to check the connection", async (t) => {
    const { page, server } = await open(t);
    const online = await read(await ask(page, "What is photosynthesis?"));
    await server.close();
    const turn = await ask(page, "What is photosynthesis?");
    const offline = await read(turn);
    assert.deepEqual(offline, online);
    await turn.getByText(/^Sources/).click();
    await turn.locator(".source > summary").first().click();
    await turn.locator(".page-body").waitFor();

    const other = await ask(page, "Who was Augustus?");
    assert.equal(await other.locator(".answer").innerText(), "No answer: pages that may hold it could not be read.");
    assert.match(await other.locator("[data-code=page-lost]").first().textContent(), /check the connection/);
  });

  test("offline before the index is there: the error says to check the connection", async (t) => {
    const { page, server } = await open(t, { faults: [[CATALOG, (response) => response.destroy()]] });
    await page.getByRole("alert").waitFor();
    await server.close();
    const turn = await ask(page, "What is photosynthesis?");
    assert.match(await turn.locator(".error").innerText(), /can't be reached.*check the connection/s);
  });

  test("a question that waits for a silent server is stopped by the reader", async (t) => {
    const { page, server } = await open(t, { faults: [[ALL_PLANTS, silent]] });
    await ready(page);
    await box(page).fill("What is photosynthesis?");
    await box(page).press("Enter");
    await page.getByText("Reading whole pages").waitFor();
    await page.keyboard.press("Escape");
    const turn = await settled(page);
    assert.match(await turn.innerText(), /Stopped\./);
    server.faults.clear();
    await turn.getByRole("button", { name: "Try again" }).click();
    await turn.locator(".cite").first().waitFor();
  });

  test("a newer question takes the place of one that waits", async (t) => {
    const { page } = await open(t, { faults: [[ALL_PLANTS, silent]] });
    await ready(page);
    await box(page).fill("What is photosynthesis?");
    await box(page).press("Enter");
    await page.getByText("Reading whole pages").waitFor();
    const second = await ask(page, TWO_DOMAINS);
    assert.ok((await read(second)).citations > 0);
    assert.match(await page.getByRole("article").first().innerText(), /Stopped\./);
  });
});
