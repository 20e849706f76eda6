// A plot that is drawn to the width there is, in the colours of the page, and kept up to date.

import { hear } from "../app.js";
import { h } from "../dom.js";
import { count } from "../words.js";

const { uPlot } = globalThis; // a script of its own, before this one
const HIGH = 320;
const WHOLE = [1, 10, 100, 1000, 10000, 100000, 1e6].flatMap((ten) => [ten, 2 * ten, 5 * ten]);
const dark = matchMedia("(prefers-color-scheme: dark)");

/**
 * Draw into an element; returns how to stop.
 *   load()        resolves to { data, caption }, or null where there is nothing to draw
 *   legend        pairs of a kind of stroke and what it stands for
 *   plan(axis, colour)   the axes, scales and series, given a plain axis and the colours by name
 */
export function chart(root, { load, legend, plan, high = HIGH }) {
  const area = h("div", { class: "curve" });
  area.style.minHeight = `${high}px`;
  const caption = h("figcaption", { class: "muted" });
  root.append(area, keys(legend), caption);
  let plot = null;
  let data = null;
  let due = null;

  const draw = () => {
    plot?.destroy();
    plot = null;
    if (!data || area.clientWidth === 0) return;
    plot = new uPlot({ width: area.clientWidth, height: high, legend: { show: false }, cursor: { y: false, points: { size: 7 } }, ...plan(axis(), colour) }, data, area);
    const canvas = area.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", caption.textContent);
  };
  const refresh = async () => {
    due = null;
    const got = await load().catch(() => null);
    if (!got) return;
    data = got.data;
    caption.textContent = got.caption;
    area.querySelector("canvas")?.setAttribute("aria-label", got.caption);
    if (plot) plot.setData(data);
    else draw();
  };
  const soon = () => (due ??= setTimeout(refresh, 1000));
  const watch = new ResizeObserver(() => {
    if (plot && area.clientWidth) plot.setSize({ width: area.clientWidth, height: high });
    else draw();
  });
  watch.observe(area);
  dark.addEventListener("change", draw);
  const stop = hear("progress", soon);
  refresh();
  return () => {
    stop();
    clearTimeout(due);
    watch.disconnect();
    dark.removeEventListener("change", draw);
    plot?.destroy();
  };
}

/** A colour of the page as a canvas knows it: light or dark is decided by then. */
function colour(name) {
  const probe = document.body.appendChild(h("span"));
  probe.style.color = `var(${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** An axis that counts: there is no half answer. */
function axis() {
  return {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "13px system-ui, sans-serif",
    labelFont: "13px system-ui, sans-serif",
    incrs: WHOLE,
    values: (_, ticks) => ticks.map(count),
  };
}

function keys(legend) {
  return h("ul", { class: "legend" }, ...legend.map(([kind, text]) => h("li", {}, h("span", { class: `stroke ${kind}`, "aria-hidden": "true" }), text)));
}
