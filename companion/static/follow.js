// A page beside the table – its seats, its door – is fetched anew whenever the table moves on, and merged into what is
// there: a half-typed name stays.

import { patience } from "./live.js";
import { show, touched } from "./morph.js";

const AGAIN_MS = 5_000;
const SILENCE_MS = 30_000; // nothing is entered when somebody falls silent

/**
 * Keep the page as new as the table.
 * @param {string} address of an event stream that tells when to look
 */
export function follow(address) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const page = location.href;
  let isAsking = false;
  let isLate = false;

  const ask = async () => {
    isLate = isAsking;
    if (isAsking) return;
    isAsking = true;
    try {
      const answer = await fetch(page, { cache: "no-store", signal: patience() });
      const { body, documentElement } = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = body.querySelector("main");
      // Another page says why this one cannot be had. Who sits down here is led on by the form that said so.
      if (body.dataset.beside !== address || answer.redirected || !found) return;
      if (documentElement.lang === document.documentElement.lang) show(main, found.innerHTML);
      else location.reload();
    } catch {
      // No network: the stream opens again when it is back.
    } finally {
      isAsking = false;
      if (isLate) ask();
    }
  };
  /** @type {EventSource | undefined} */
  let stream;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again;
  const open = () => {
    clearTimeout(again);
    stream?.close();
    stream = new EventSource(address);
    stream.addEventListener("part", ask);
    stream.onerror = () => {
      if (stream?.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_MS);
    };
  };
  addEventListener("pagehide", () => stream?.close());
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    open();
    ask();
  });
  main.addEventListener("input", (event) => touched(/** @type {HTMLInputElement} */ (event.target)));
  setInterval(() => {
    if (!document.hidden) ask();
  }, SILENCE_MS);
  open();
}
