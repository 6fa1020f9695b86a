// What a phone remembers beyond the page. Where the browser has no room for it, bars it, or has no such place at all,
// it is remembered as long as the page is open.

/** @type {Map<string, string>} */
const unkept = new Map();

/**
 * Ask the browser for what it keeps.
 * @template T
 * @param {(kept: Storage) => T} ask
 * @returns {T | null}
 */
function kept(ask) {
  try {
    return ask(localStorage);
  } catch {
    return null;
  }
}

/** @type {Pick<Storage, "getItem" | "setItem" | "removeItem">} */
export const memory = {
  getItem: (name) => unkept.get(name) ?? kept((all) => all.getItem(name)),
  setItem: (name, value) => {
    unkept.set(name, value);
    kept((all) => {
      all.setItem(name, value);
      unkept.delete(name);
    });
  },
  removeItem: (name) => {
    unkept.delete(name);
    kept((all) => all.removeItem(name));
  },
};
