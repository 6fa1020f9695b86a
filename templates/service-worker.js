// Keeps the shell: style, scripts and the page for days without a network. Never a page of a table.

const FILES = JSON.parse(`{{ shell|tojson }}`);
const SHELL = `shell-${FILES.join().length}-{{ shell[0].split("/")[2] }}`;
const OFFLINE = "{{ url('install.offline') }}";

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
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
});
