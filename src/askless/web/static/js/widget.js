// The question in a cell of a notebook: the same view, grid and flow as on the page, in a shadow tree,
// with requests that travel as the widget's own messages. `widget_loader.js` begins it, once for each place
// where the widget is shown.

import { call, newKey } from "./api.js";
import { app, hear, tell, update } from "./app.js";
import { Flow } from "./asking/flow.js";
import { Outbox } from "./asking/outbox.js";
import { hold } from "./asking/tab.js";
import { h } from "./dom.js";
import { host } from "./host.js";
import { follow } from "./live.js";
import { notice, screen } from "./notices.js";
import { onOutbox, status, watch } from "./saved.js";
import { mount } from "./views/label.js";

const AGAIN_MS = 1500;
const MARGIN = 24; // CSS pixels of the notebook that stay in view around it
const LEAST = 420; // CSS pixels: lower than this nothing can be asked about
const FRAMED = 0.6; // of the screen: how high it may be in a frame
const SEEN = 0.98; // of the sentence and of the tiles must be in the window

/**
 * Begin in a shadow tree. `wire` carries messages: `request(method, address, body, signal)` resolves to
 * { status, type, content }, `listen(heard)` tells of events; `alone()` says whether this is the only place
 * where the widget is shown; `height` is how high it may be. Returns how to end.
 */
export function begin(root, { wire, alone, height }) {
  const main = h("main", { id: "main" });
  const element = h("div", { class: "cell", tabindex: "0", role: "group", "aria-label": "askless" },
    h("div", { class: "line" },
      h("div", { class: "notices", id: "notices", role: "region", "aria-label": "Notices" }),
      h("p", { class: "saved", id: "saved", data: { state: "quiet" } }, h("span", { class: "dot", "aria-hidden": "true" }), h("span", { id: "saved-text" })),
      h("div", { class: "bar", id: "bar", role: "progressbar", "aria-label": "Items settled", "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "0" },
        h("div", { class: "bar-fill", id: "bar-fill" }))),
    h("div", { class: "standing", id: "standing", role: "region", "aria-label": "Messages that stay" }),
    main,
    h("p", { class: "unseen", id: "live", role: "status", "aria-live": "polite" }));
  root.append(element);
  const room = new Room(root.host, height);
  const sight = new Sight(element);
  let ended = false;
  Object.assign(host, {
    root, keys: element, box: () => element.getBoundingClientRect(), toTop: () => {}, go: null,
    hidden: () => sight.hidden, silent: "The kernel does not answer", ended: "To go on, run the cell again.",
    end: "Your labels are in labels(), a method of this widget: call it in the next cell.",
    fetch: async (address, { method = "GET", body, signal }) => {
      if (ended && !/^\/api\/(tell|unsure)$/.test(address)) return new Promise(() => {}); // nobody looks any more
      const { status: code, type, content } = await wire.request(method, address, body ?? null, signal);
      return new Response(content, { status: code, headers: { "Content-Type": type } });
    },
    load: async (image, address) => {
      try {
        const response = await host.fetch(address, {});
        if (!response.ok) throw new Error();
        const url = URL.createObjectURL(await response.blob());
        image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
        image.src = url;
      } catch {
        image.dispatchEvent(new Event("error"));
      }
    },
  });
  Object.defineProperty(host, "dialogs", { value: element });
  const away = keepKeys(root.host, element);
  start(main, wire, alone).then(() => sight.follow(main.querySelectorAll(".ask-head, .grid")));
  return () => {
    ended = true;
    away();
    room.end();
    sight.end();
  };
}

async function start(main, wire, alone) {
  app.tab = newKey().slice(0, 12);
  await hold(app.tab);
  try {
    update("session", await call("session"));
  } catch (problem) {
    if (!problem.lost) return screen(main, "This did not work", problem.message);
    screen(main, "Waiting for the kernel", "It is busy with another cell, or has ended: then run the cell again.");
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return start(main, wire, alone);
  }
  main.replaceChildren();
  app.outbox = new Outbox(app.session.id, app.tab, onOutbox);
  app.flow = new Flow(app.outbox, async () => alone());
  await app.outbox.adopt();
  watch();
  hear("dispute", () => notice("This contradicts an earlier answer. The items concerned are asked again.", { kind: "bad", stay: true }));
  mount(main);
  follow((heard) => wire.listen(heard));
  try {
    await app.flow.start(alone());
    status();
  } catch (problem) {
    screen(main, "This did not work", problem.message);
  }
  return undefined;
}

/** Keys that are pressed inside are for the question alone; and nobody's focus is lost while a button is hidden. */
function keepKeys(outer, element) {
  const stop = (event) => event.stopPropagation();
  for (const name of ["keydown", "keyup", "keypress"]) outer.addEventListener(name, stop);
  let inside = false;
  const enter = () => (inside = true);
  const leave = (event) => (inside = event.composedPath().includes(outer));
  element.addEventListener("focusin", enter);
  document.addEventListener("focusin", leave);
  document.addEventListener("pointerdown", leave, true);
  const back = () => {
    if (inside && !host.root.activeElement && [null, document.body].includes(document.activeElement)) element.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(back);
  observer.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "disabled"] });
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", leave);
    document.removeEventListener("pointerdown", leave, true);
  };
}

/** How high the cell is: as it was asked for, and no higher than what scrolls it shows at once. */
class Room {
  constructor(outer, height) {
    this.outer = outer;
    this.height = height;
    this.watch = new ResizeObserver(() => this.fit());
    this.frame = requestAnimationFrame(() => this.begin()); // it is in the document by then
  }

  /** The outermost of what scrolls it is the notebook's; in a frame, which is as high as what is in it, nobody can tell. */
  begin() {
    for (let one = this.outer.parentElement; one; one = one.parentElement ?? one.getRootNode().host) {
      if (/auto|scroll/.test(getComputedStyle(one).overflowY)) this.pane = one;
    }
    this.watch.observe(this.pane ?? document.documentElement);
    this.fit();
  }

  fit() {
    const whole = window === window.top ? innerHeight : FRAMED * screen.availHeight;
    const most = (this.pane?.clientHeight || whole) - MARGIN;
    this.outer.style.height = `${Math.max(LEAST, Math.min(this.height, most))}px`;
  }

  end() {
    cancelAnimationFrame(this.frame);
    this.watch.disconnect();
  }
}

/** Are the sentence and the tiles in the window, or has the notebook scrolled some of them out of it? */
class Sight {
  constructor(element) {
    this.hidden = "";
    this.parts = new Map(); // element -> the share of it that is seen
    this.watch = new IntersectionObserver((changes) => {
      for (const { target, intersectionRatio } of changes) this.parts.set(target, intersectionRatio);
      const before = this.hidden;
      this.hidden = [...this.parts.values()].every((share) => share >= SEEN) ? "" : "Scroll until the whole question is in view";
      if (this.hidden !== before && app.flow) tell("ahead");
    }, { threshold: [0, 0.5, 0.9, SEEN, 1] });
    for (const name of ["focusin", "keydown"]) element.addEventListener(name, () => this.hidden && element.scrollIntoView({ block: "nearest" }));
  }

  /** Look at these from now on. */
  follow(parts) {
    for (const part of parts) this.watch.observe(part);
  }

  end() {
    this.watch.disconnect();
  }
}
