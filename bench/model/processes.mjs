// The processes of a browser, and the memory that they took, as Linux tells it.

import { readFile } from "node:fs/promises";

/** The browser's processes of these types: `renderer` for pages, `GPU` for what simulates a graphics processor. */
export async function processes(browser, types) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => types.includes(type)).map(({ id }) => id);
}

/** The most memory that any of the browser's pages ever had resident, in bytes; its libraries are counted. */
export async function peak(browser) {
  const peaks = (await processes(browser, ["renderer"])).map(async (id) => {
    const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
    return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  });
  return Math.max(0, ...(await Promise.all(peaks)));
}
