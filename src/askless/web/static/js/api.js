// The one way to the server. A request that failed is a Problem: `lost` when it is not known
// whether the server got it (it should be sent again, with the same key), `locked` when the
// cookie is missing, otherwise refused with a sentence for the person.

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
    this.locked = status === 401;
    this.lost = status === 0 || status === 408 || status === 429 || status >= 500;
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

/** POST for a file: its name and content. */
export async function download(path, body) {
  const response = await send(path, body, 120_000);
  const named = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  return { name: named?.[1] ?? `labels.${body.format}`, blob: await response.blob() };
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
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Problem(0, "The server does not answer.");
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Problem(response.status, problem.detail ?? problem.title ?? `Refused (${response.status}).`);
}
