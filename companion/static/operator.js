// The operator's page is fetched anew every few seconds while somebody looks at it, and merged into what is there.

import { show, touched } from "./morph.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const everyMs = 1000 * Number(part("renews").dataset.every);
let isAsking = false;
let isLate = false;

/** Show what is not there without script, and whether the figures are old. */
function marked() {
  part("renews").hidden = false;
  part("late").hidden = !isLate;
}

async function look() {
  isAsking = true;
  try {
    const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(2 * everyMs) });
    if (answer.status === 403 || answer.status === 404) location.reload(); // the token has to be typed again
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    isLate = !(answer.ok && page);
    if (answer.ok && page) show(main, page.innerHTML);
  } catch {
    isLate = true;
  } finally {
    isAsking = false;
    marked();
  }
}

main.addEventListener("input", (event) => touched(/** @type {HTMLInputElement} */ (event.target)));
setInterval(() => {
  const isWanted = part("renews").querySelector("input")?.checked;
  if (isWanted && !isAsking && !document.hidden) look();
}, everyMs);
marked();
