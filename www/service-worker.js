// Gives the chat page, and the workers that it starts, the headers of cross-origin isolation, on hosts that can't send
// them: without it a browser gives no shared memory, and a local model runs on one core. It does nothing else: no
// other page of the site is touched, and nothing is cached. The reader switches it on and off (seealso/model/isolate.js).

const HEADERS = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const { pathname } = new URL(registration.scope);

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  if (request.mode === "navigate" ? isChat(request.url) : request.destination === "worker") {
    event.respondWith(answer(request, clientId));
  }
});

async function answer(request, clientId) {
  const response = await fetch(request);
  // An answer that is opaque, such as a redirect for the browser to follow, can't be made anew.
  if (response.status === 0 || !(request.mode === "navigate" || (await isOfChat(clientId)))) {
    return response;
  }
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) {
    headers.set(name, value);
  }
  return new Response(body, { status, statusText, headers });
}

/** Whether a client is the chat page or a worker, which may have workers of its own. */
async function isOfChat(id) {
  const client = await clients.get(id);
  return client !== undefined && (client.type === "worker" || isChat(client.url));
}

function isChat(url) {
  const { origin, pathname: path } = new URL(url);
  return origin === location.origin && [pathname, `${pathname}index.html`].includes(path);
}
