// The curve of labels against answers, with asking one by one and the information bound beside it.

import { call } from "../api.js";
import { hear } from "../app.js";
import { h } from "../dom.js";
import { count } from "../words.js";

const { uPlot } = globalThis; // a script of its own, before this one
const HIGH = 320;
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Draw the curve into an element and keep it up to date; returns how to stop. */
export function curve(root) {
  const area = h("div", { class: "curve" });
  const caption = h("figcaption", { class: "muted" });
  root.append(area, legend(), caption);
  let plot = null;
  let data = null;
  let due = null;

  const draw = () => {
    plot?.destroy();
    plot = null;
    if (!data || area.clientWidth === 0) return;
    plot = new uPlot(options(area.clientWidth), data, area);
    const canvas = area.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", caption.textContent);
  };
  const load = async () => {
    due = null;
    const got = await call("curve").catch(() => null);
    if (!got) return;
    const { answers, labels, bound } = got;
    data = [answers, labels, bound ?? answers.map(() => null), answers];
    const last = answers.length - 1;
    caption.textContent = last < 1 ? "The curve begins with your first answers."
      : `${count(labels[last])} labels after ${count(answers[last])} answers. One by one it would be ${count(answers[last])}.`;
    if (plot) plot.setData(data);
    else draw();
  };
  const soon = () => (due ??= setTimeout(load, 1000));
  const watch = new ResizeObserver(() => {
    if (plot && area.clientWidth) plot.setSize({ width: area.clientWidth, height: HIGH });
    else draw();
  });
  watch.observe(area);
  dark.addEventListener("change", draw);
  const stop = hear("progress", soon);
  load();
  return () => {
    stop();
    clearTimeout(due);
    watch.disconnect();
    dark.removeEventListener("change", draw);
    plot?.destroy();
  };
}

function options(width) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "13px system-ui, sans-serif",
    labelFont: "13px system-ui, sans-serif",
    values: (_, ticks) => ticks.map(count),
  };
  return {
    width,
    height: HIGH,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    scales: { x: { time: false } },
    axes: [{ ...axis, label: "answers" }, { ...axis, label: "labels", size: 62 }],
    series: [
      {},
      { label: "labels", stroke: colour("--positive"), width: 3, points: { show: false } },
      { label: "bound", stroke: colour("--muted"), width: 1.5, dash: [2, 4], points: { show: false } },
      { label: "one by one", stroke: colour("--negative"), width: 1.5, dash: [7, 5], points: { show: false } },
    ],
  };
}

function legend() {
  const entry = (kind, text) => h("li", {}, h("span", { class: `stroke ${kind}`, "aria-hidden": "true" }), text);
  return h("ul", { class: "legend" }, entry("ours", "your labels"),
    entry("bound", "the most that information allows"), entry("single", "one by one"));
}
