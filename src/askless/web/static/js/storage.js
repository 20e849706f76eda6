// The browser's storage. Where it allows none, as some do in a frame of another site, what is kept
// lasts no longer than the page.

class Memory {
  getItem(name) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }

  setItem(name, value) {
    this[name] = String(value);
  }

  removeItem(name) {
    delete this[name];
  }
}

/** Does what is kept outlast the page? */
export const lasts = allowed();

export const local = lasts ? localStorage : new Memory();
export const ofThisTab = lasts ? sessionStorage : new Memory();

function allowed() {
  try {
    return Boolean(localStorage && sessionStorage);
  } catch {
    return false;
  }
}
