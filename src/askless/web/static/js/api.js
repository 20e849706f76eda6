// The one way to the server, over whatever carries requests here (`host.fetch`). A request that failed is a Problem: `refused` when askless itself
// said that this very request will never do, with a sentence for the person; `locked` when the
// cookie is missing or another session's; otherwise it is `lost`: nobody knows whether it was
// taken, or something else answered in askless's place, and it should be sent again, with its key.

import { host } from "./host.js";

export class Problem extends Error {
  /** `told` is what askless said; null where nobody, or somebody else, answered. */
  constructor(status, told = null) {
    super(told?.detail ?? "The server does not answer.");
    this.locked = status === 401;
    this.refused = told?.again === false;
    this.lost = !this.locked && !this.refused;
    this.offline = told === null;
  }
}

let session = null;

/** From now on every request says which session its page belongs to. */
export function speakFor(id) {
  session = id;
}

/** GET, or POST where there is a body; the reply as JSON. */
export async function call(path, body) {
  const response = await send(path, body);
  return response.json();
}

/** POST for a file: its name and content, and what there is to say about it. */
export async function download(path, body) {
  const response = await send(path, body, 600_000);
  const named = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  const notes = decodeURIComponent(response.headers.get("Askless-Notes") ?? "");
  return { name: named?.[1] ?? `labels.${body.format}`, blob: await response.blob(), notes };
}

/** A fresh key: it stands for one thing done, however often it is sent. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send(path, body, wait_ms = 15_000) {
  const options = { signal: AbortSignal.timeout(wait_ms), credentials: "same-origin" };
  if (body !== undefined) {
    options.method = "POST";
    options.headers = { "Content-Type": "application/json" };
    if (session) options.headers["Askless-Session"] = session;
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await host.fetch(`/api/${path}`, options);
  } catch {
    throw new Problem(0);
  }
  if (response.ok) return response;
  const ours = response.headers.get("Content-Type")?.startsWith("application/problem+json");
  throw new Problem(response.status, ours ? await response.json().catch(() => null) : null);
}
