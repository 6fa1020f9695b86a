// Whether the host is heard: nothing is entered when somebody falls silent, so the page asks now and then. By that the
// server hears this phone, too, where no line of its own does.

import { part, patience, whenShown } from "./live.js";
import { show } from "./morph.js";

const EVERY_MS = 30_000;

/** Keep what the page says of the host as new as can be. */
export function silence() {
  const place = document.getElementById("silence");
  const { address } = place?.dataset ?? {};
  if (!place || !address) return;
  let number = part.dataset.number;
  const look = async () => {
    if (document.hidden) return;
    const answer = await fetch(address, { cache: "no-store", signal: patience() }).catch(() => null);
    if (answer?.ok) show(place, await answer.text());
  };
  setInterval(look, EVERY_MS);
  let isFirst = true; // the page has just come, and says it already
  addEventListener("companion:connected", () => {
    if (!isFirst) look();
    isFirst = false;
  });
  whenShown(() => {
    const isNew = part.dataset.number !== number;
    number = part.dataset.number;
    if (isNew && place.childElementCount) look();
  });
}
