// What a notebook imports (anywidget): it makes modules of the page's own scripts, which come with it in
// `SOURCES` by path, and begins `js/widget.js` in a shadow tree, so that neither its styles nor the
// notebook's reach the other. `askless/labelling/widget_module.py` puts the sources in front of it.

/* global SOURCES, STYLE, ENTRY */

/** A fresh copy of every module, so that two places that show the widget share nothing. */
async function load() {
  const made = new Map();
  const address = (path) => {
    if (!made.has(path)) {
      const source = SOURCES[path].replace(/(\bfrom )"(\.[^"]+)"/g, (_, from, name) =>
        `${from}"${address(new URL(name, `https://x/${path}`).pathname.slice(1))}"`);
      made.set(path, URL.createObjectURL(new Blob([source, `\n//# sourceURL=askless/${path}`], { type: "text/javascript" })));
    }
    return made.get(path);
  };
  try {
    return await import(address(ENTRY));
  } finally {
    for (const url of made.values()) URL.revokeObjectURL(url);
  }
}

/** Requests and events as messages of the widget. */
function makeWire(model) {
  const waiting = new Map();
  const listeners = new Set();
  const hear = (message, buffers) => {
    if (message.event) for (const heard of listeners) heard[message.event]?.(message.data);
    const done = waiting.get(message.id);
    waiting.delete(message.id);
    done?.({ status: message.status, type: message.type, content: buffers[0] ?? "" });
  };
  model.on("msg:custom", hear); // until the model goes: answers may be on their way when nobody looks any more
  return {
    request: (method, address, body, signal) => new Promise((resolve, reject) => {
      const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
      waiting.set(id, resolve);
      signal?.addEventListener("abort", () => waiting.delete(id) && reject(signal.reason));
      model.send({ id, method, address, body });
    }),
    listen: (heard) => {
      listeners.add(heard);
      model.send({ follow: true });
    },
  };
}

/** Whether what is around is dark: by the colour of the first background that is not transparent. */
function isDark(element) {
  for (let one = element; one; one = one.parentElement ?? one.getRootNode().host) {
    const [red, green, blue, alpha = 1] = getComputedStyle(one).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
    if (alpha > 0.5 && red !== undefined) return 0.3 * red + 0.59 * green + 0.11 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

const shown = new Set();

export default {
  async render({ model, el }) {
    const outer = document.createElement("div");
    outer.className = "askless-cell";
    outer.dataset.lmSuppressShortcuts = "true"; // JupyterLab's name for: its keys are its own
    el.append(outer);
    const root = outer.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const dress = () => (outer.style.colorScheme = isDark(el) ? "dark" : "light");
    const themes = new MutationObserver(dress);
    for (const one of [document.documentElement, document.body]) themes.observe(one, { attributes: true });
    const settled = setTimeout(dress, 100); // a theme may still be on its way
    dress();
    const { begin } = await load();
    const wire = makeWire(model);
    shown.add(outer);
    const end = begin(root, { wire, alone: () => shown.size === 1, height: model.get("height") });
    return () => {
      shown.delete(outer);
      clearTimeout(settled);
      themes.disconnect();
      end();
    };
  },
};
