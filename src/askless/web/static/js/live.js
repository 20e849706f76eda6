// Progress as it happens, and whether anybody is there to tell it.

import { app, hear, update, tell } from "./app.js";
import { host } from "./host.js";

let source = null;

/** Follow the progress, and show it in the bar at the top. `listen` begins to hear of it. */
export function follow(listen = overHttp) {
  hear("progress", bar);
  hear("progress", () => server("here")); // it came with a reply
  listen({ progress: (progress) => update("progress", progress), here: () => server("here"), ended: () => server("ended"), lost: () => app.server === "here" && server("lost") });
  if (app.progress) bar(app.progress);
}

/** By server-sent events. Only a window that is seen listens: browsers allow few connections to one server, and many open tabs must not use them up. */
function overHttp(heard) {
  const mind = () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source || source.readyState === EventSource.CLOSED) {
      source = new EventSource("api/events");
      source.addEventListener("progress", (event) => heard.progress(JSON.parse(event.data)));
      source.addEventListener("open", heard.here);
      source.addEventListener("ended", heard.ended);
      source.addEventListener("error", () => {
        heard.lost();
        setTimeout(mind, 3000);
      });
    }
  };
  document.addEventListener("visibilitychange", mind);
  mind();
}

function server(state) {
  if (app.server === state) return;
  app.server = state;
  tell("server");
}

function bar(progress) {
  const part = progress.items ? (100 * (progress.settled + (progress.unsure ?? 0))) / progress.items : 0;
  const element = host.root.getElementById("bar");
  element.setAttribute("aria-valuenow", Math.floor(part));
  host.root.getElementById("bar-fill").style.width = `${part}%`;
}
