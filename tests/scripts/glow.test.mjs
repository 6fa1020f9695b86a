// What is underlined when a page changes: `companion/static/glow.js`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isNews } from "../../companion/static/glow.js";

const VIEW = { last: ["Anna bids 3."], redo: null };

test("the next move is news, and so are a few that come together", () => {
  assert.equal(isNews(VIEW, VIEW, 1), true);
  assert.equal(isNews(VIEW, VIEW, 3), true);
});

test("what comes first, or again, or after a break of many moves is none", () => {
  assert.equal(isNews(null, VIEW, 1), false);
  assert.equal(isNews(VIEW, VIEW, 0), false);
  assert.equal(isNews(VIEW, VIEW, 4), false);
});

test("what is taken back is none; what comes next is", () => {
  const back = { ...VIEW, redo: { sentence: "Anna bids 3." } };
  assert.equal(isNews(VIEW, back, 1), false);
  assert.equal(isNews(back, VIEW, 1), true);
});
