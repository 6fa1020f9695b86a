// The demonstration goes along from table to table: when another one is shown, the page is fetched anew.

const LOOK_MS = 3_000;
const { shown = "", table = "" } = document.body.dataset;

async function look() {
  try {
    const answer = await fetch(shown, { cache: "no-store" });
    if (answer.ok && (await answer.text()) !== table) location.reload();
  } catch {
    // It is away for a moment.
  }
}

setInterval(look, LOOK_MS);
