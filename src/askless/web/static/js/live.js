// Progress as it happens, by server-sent events. Only a window that is seen listens: browsers allow
// few connections to one server, and many open tabs must not use them up.

import { app, hear, update, tell } from "./app.js";

let source = null;

/** Follow the progress, and show it in the bar at the top. */
export function follow() {
  hear("progress", bar);
  hear("progress", () => server("here")); // it came with a reply
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
    source.addEventListener("progress", (event) => update("progress", JSON.parse(event.data)));
    source.addEventListener("open", () => server("here"));
    source.addEventListener("ended", () => server("ended"));
    source.addEventListener("error", () => {
      if (app.server === "here") server("lost");
      setTimeout(mind, 3000);
    });
  }
}

function server(state) {
  if (app.server === state) return;
  app.server = state;
  tell("server");
}

function bar(progress) {
  const part = progress.items ? (100 * (progress.settled + (progress.unsure ?? 0))) / progress.items : 0;
  const element = document.getElementById("bar");
  element.setAttribute("aria-valuenow", Math.floor(part));
  document.getElementById("bar-fill").style.width = `${part}%`;
}
