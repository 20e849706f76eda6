// Which window this is. The id lives in sessionStorage, so a reload keeps it and another tab has
// its own. A lock tells a reload from a duplicated tab, which would copy the id.

import { newKey } from "../api.js";
import { lasts, ofThisTab } from "../storage.js";

const NAME = `askless.tab${location.pathname}`; // a proxy may serve several sessions at one origin
const locks = lasts ? navigator.locks : null;
const PATIENCE_MS = 400; // a page that is being left lets go of its lock within this
const RELOAD_MS = 5000; // and one that is being reloaded surely does, even on a busy machine

/** This window's id, held for as long as the page lives. */
export async function claimTab() {
  const old = ofThisTab.getItem(NAME);
  const [came] = performance.getEntriesByType("navigation");
  if (old && (await hold(old, came?.type === "reload" ? RELOAD_MS : PATIENCE_MS))) return old;
  const fresh = newKey().slice(0, 12);
  ofThisTab.setItem(NAME, fresh);
  if (locks) await tryLock(`${NAME}.${fresh}`);
  else mine.add(fresh); // nobody else can have it: no need to ask
  return fresh;
}

/** Is no page using this id? Then it is held by this one from now on. */
export async function hold(id, patience_ms = 0) {
  const until = performance.now() + patience_ms;
  for (;;) {
    if (await (locks ? tryLock(`${NAME}.${id}`) : tryCall(id))) return true;
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Is no other window of this browser open here? */
export async function onlyWindow(tab) {
  if (!locks) return channel !== null && !(await anybody(null));
  const { held } = await locks.query();
  const windows = held.filter((lock) => lock.name.startsWith(`${NAME}.`));
  const mine = windows.find((lock) => lock.name === `${NAME}.${tab}`)?.clientId;
  return windows.every((lock) => lock.clientId === mine);
}

function tryLock(name) {
  return new Promise((resolve) => {
    locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => {}); // kept until the page goes
    });
  });
}

// --- Without locks: over plain http from another machine browsers have none. Windows ask one
// another instead, and whoever holds an id says so.

const ANSWER_MS = 1000; // the other window may be busy
const mine = new Set();
const channel = locks || !lasts ? null : new BroadcastChannel(NAME);

channel?.addEventListener("message", ({ data }) => {
  const held = data.id === null ? mine.size > 0 : mine.has(data.id);
  if (data.ask && held) channel.postMessage({ answer: data.ask });
});

async function tryCall(id) {
  if (!mine.has(id) && (await anybody(id))) return false;
  mine.add(id);
  return true;
}

/** Does another window hold this id, or any at all? */
function anybody(id) {
  if (channel === null) return false; // nothing is shared here: nobody can tell
  const ask = newKey();
  return new Promise((resolve) => {
    const listen = ({ data }) => data.answer === ask && done(true);
    const done = (found) => {
      channel.removeEventListener("message", listen);
      resolve(found);
    };
    channel.addEventListener("message", listen);
    channel.postMessage({ ask, id });
    setTimeout(() => done(false), ANSWER_MS);
  });
}
