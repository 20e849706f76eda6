// The curve of labels against answers, with asking one by one and the information bound beside it.

import { call } from "../api.js";
import { many } from "../words.js";
import { chart } from "./chart.js";

/** Draw the curve into an element and keep it up to date; returns how to stop. */
export function curve(root) {
  return chart(root, {
    legend: [["ours", "your labels"], ["bound", "the most that information allows"], ["single", "one by one"]],
    load: async () => {
      const { answers, labels, bound } = await call("curve");
      const last = answers.length - 1;
      return {
        data: [answers, labels, bound ?? answers.map(() => null), answers],
        caption: last < 1 ? "The curve begins with your first answers."
          : `${many(labels[last], "label")} from ${many(answers[last], "answer")}. One by one, ${many(labels[last], "label")} would take ${many(labels[last], "answer")}.`,
      };
    },
    plan: (axis, colour) => ({
      scales: { x: { time: false } },
      axes: [{ ...axis, label: "answers" }, { ...axis, label: "labels", size: 62 }],
      series: [
        {},
        { label: "labels", stroke: colour("--positive"), width: 3, points: { show: false } },
        { label: "bound", stroke: colour("--muted"), width: 1.5, dash: [2, 4], points: { show: false } },
        { label: "one by one", stroke: colour("--negative"), width: 1.5, dash: [7, 5], points: { show: false } },
      ],
    }),
  });
}
