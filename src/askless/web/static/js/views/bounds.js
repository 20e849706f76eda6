// What would hold if one stopped now, and how that has come about, answer by answer.

import { call } from "../api.js";
import { app, hear } from "../app.js";
import { exactly } from "../asking/enough.js";
import { fill, h } from "../dom.js";
import { many, percent, unbroken } from "../words.js";
import { chart } from "./chart.js";

const HIGH = 220;
const TOP = 4; // the plot goes up to so many times what is wanted: above, nobody would stop

/** Show the sentence and the curve in an element, once something is promised; returns how to stop. */
export function bounds(root) {
  const says = h("p", { class: "promised", id: "if-you-stopped-says" });
  const more = h("div", {});
  const place = h("div", {});
  root.append(says, more, place);
  let stop = null;
  const show = (progress) => {
    const enough = progress?.enough;
    root.hidden = !enough;
    if (!enough) return;
    says.textContent = unbroken(enough.says);
    const open = more.querySelector("details")?.open ?? false;
    fill(more, exactly(enough.meaning));
    if (open) more.querySelector("details")?.setAttribute("open", "");
    if (stop === null && enough.share !== null && enough.limit !== null) stop = draw(place);
    place.hidden = enough.share === null;
  };
  const stops = [hear("progress", show)];
  show(app.progress);
  return () => {
    stops.forEach((end) => end());
    stop?.();
  };
}

function draw(root) {
  const recall = app.progress.enough.recall;
  const wanted = () => app.progress.enough?.limit ?? 0;
  const top = (found) => (recall ? 1 : Math.min(1, Math.max(TOP * wanted(), 1.5 * (found.at(-1) ?? 0))));
  return chart(root, {
    high: HIGH,
    legend: [["ours", recall ? "at least so much is found" : "at most so much is wrong"], ["single", "what is wanted"]],
    load: async () => {
      const { answers, share } = await call("bounds");
      const last = share.at(-1);
      const bound = recall ? `At least ${limit(last, Math.floor)} found` : `At most ${limit(last, Math.ceil)} wrong`;
      return {
        data: [answers, share.map((value) => 100 * value), answers.map(() => 100 * wanted())],
        caption: share.length ? `${bound} after ${many(answers.at(-1), "answer")}; ${percent(wanted())} is wanted.` : "The curve begins with the first checks.",
      };
    },
    plan: (axis, colour) => ({
      scales: { x: { time: false }, y: { range: (plot) => [recall ? 50 : 0, 100 * top(plot.data[1].map((value) => value / 100))] } },
      axes: [{ ...axis, label: "answers" }, { ...axis, label: recall ? "% found" : "% wrong", size: 62, incrs: undefined, values: (_, ticks) => ticks.map((tick) => `${+tick.toFixed(2)}`) }],
      series: [
        {},
        { label: "bound", stroke: colour("--positive"), width: 3, points: { show: true, size: 6, fill: colour("--positive") } },
        { label: "wanted", stroke: colour("--negative"), width: 1.5, dash: [7, 5], points: { show: false } },
      ],
    }),
  });
}

/** A limit in per cent, never rounded in its favour. */
function limit(share, round) {
  const places = share < 0.01 ? 1e4 : 1e3;
  return percent(round(places * share) / places, places > 1e3 ? 2 : 1);
}
