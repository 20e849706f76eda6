// Progress as it happens, by server-sent events. Only a window that is seen listens: browsers allow
// few connections to one server, and many open tabs must not use them up.

import { app, hear, learnt } from "./app.js";

let source = null;

/** Follow the progress, and show it in the bar at the top. */
export function follow() {
  hear("progress", bar);
  document.addEventListener("visibilitychange", mind);
  mind();
  if (app.progress) bar(app.progress);
}

function mind() {
  if (document.hidden) {
    source?.close();
    source = null;
  } else if (!source || source.readyState === EventSource.CLOSED) {
    source = new EventSource("/api/events");
    source.addEventListener("progress", (event) => learnt("progress", JSON.parse(event.data)));
    source.addEventListener("error", () => setTimeout(mind, 3000));
  }
}

function bar(progress) {
  const part = progress.items ? (100 * (progress.settled + (progress.unsure ?? 0))) / progress.items : 0;
  const element = document.getElementById("bar");
  element.setAttribute("aria-valuenow", Math.floor(part));
  document.getElementById("bar-fill").style.width = `${part}%`;
}
