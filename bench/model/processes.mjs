// The processes of a browser, and the memory and the time that they took, as Linux tells it.

import { readFile, readdir } from "node:fs/promises";

/** The browser's processes of these types: `renderer` for pages, `GPU` for what simulates a graphics processor. */
async function processes(browser, types) {
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

/** Tells the milliseconds of processor time that pages and simulated device have had, which other load on the machine hardly changes. */
export async function cpuMeter(browser) {
  const ids = await processes(browser, ["renderer", "GPU"]);
  return async () => {
    const threads = ids.map(async (id) => {
      const tasks = await readdir(`/proc/${id}/task`).catch(() => []);
      const times = await Promise.all(tasks.map((task) => readFile(`/proc/${id}/task/${task}/schedstat`, "utf8").catch(() => "0")));
      return times.reduce((sum, line) => sum + Number(line.split(" ")[0]), 0);
    });
    return (await Promise.all(threads)).reduce((sum, ns) => sum + ns, 0) / 1e6;
  };
}
