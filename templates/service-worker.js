// Keeps what never changes under its address – style, scripts, drawings, templates – and the page for days without a
// network. Never a page of a table.

const FILES = JSON.parse(`{{ shell|tojson }}`);
const SHELL = `shell-${FILES.join().length}-{{ shell[0].split("/")[2] }}`;
const OFFLINE = "{{ url('install.offline', lang=language) }}";
const TEMPLATES = /^(\/templates\/)[^/]+(\/.*)$/;

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((shell) => shell.addAll([...FILES, OFFLINE]))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(forget)
      // A page is asked for while this script is still being started.
      .then(() => registration.navigationPreload?.enable())
      .then(() => clients.claim()),
  );
});

/** Keep a game's templates, and forget those that stood under another stamp. */
async function keep(request, answer) {
  const shell = await caches.open(SHELL);
  const game = ({ url }) => new URL(url).pathname.replace(TEMPLATES, "$1$2");
  const older = (await shell.keys()).filter((kept) => kept.url !== request.url && game(kept) === game(request));
  await Promise.all([shell.put(request, answer), ...older.map((kept) => shell.delete(kept))]);
}

async function fetched(event) {
  const answer = await fetch(event.request);
  if (answer.ok && TEMPLATES.test(new URL(event.request.url).pathname))
    event.waitUntil(keep(event.request, answer.clone()));
  return answer;
}

addEventListener("fetch", (event) => {
  const { request, preloadResponse } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (FILES.includes(pathname) || TEMPLATES.test(pathname))
    event.respondWith(caches.match(request).then((kept) => kept ?? fetched(event)));
  else if (request.mode === "navigate")
    event.respondWith(
      Promise.resolve(preloadResponse)
        .then((loaded) => loaded ?? fetch(request))
        .catch(() => caches.match(OFFLINE)),
    );
});
