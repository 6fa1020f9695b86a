// The demonstration goes along from table to table: whatever it shows of the last one, it shows of the next.

const LOOK_MS = 3_000;
const { shown = "", table = "" } = document.body.dataset;
let code = table;

async function look() {
  try {
    const answer = await fetch(shown, { cache: "no-store" });
    const next = answer.ok ? await answer.text() : code;
    if (next === code) return;
    for (const frame of document.querySelectorAll("iframe")) frame.src = frame.src.replace(code, next);
    code = next;
  } catch {
    // It is away for a moment.
  }
}

setInterval(look, LOOK_MS);
