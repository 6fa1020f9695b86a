// A tap is seen before anything else is drawn: what arrives in the moment after it waits until a frame has shown it.

const MOST_MS = 100; // a page that nobody sees has no frames

/** @type {(() => void)[] | null} */
let waiting = null;

/** Let what is to be drawn wait for the next frame. */
export function hold() {
  if (waiting) return;
  waiting = [];
  const timer = setTimeout(go, MOST_MS);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    setTimeout(go); // a frame is shown when its callbacks are through
  });
}

function go() {
  for (const draw of waiting ?? []) queueMicrotask(draw);
  waiting = null;
}

/**
 * Draw now, or when the frame has been shown.
 * @param {() => void} draw
 */
export function soon(draw) {
  if (waiting) waiting.push(draw);
  else draw();
}
