// Which view is shown: the part of the address after #.

import { tell } from "./app.js";
import { fill, h } from "./dom.js";
import { dropWarnings, say } from "./notices.js";
import * as answers from "./views/answers.js";
import * as finish from "./views/finish.js";
import * as gallery from "./views/gallery.js";
import * as label from "./views/label.js";
import * as progress from "./views/progress.js";
import * as review from "./views/review.js";
import * as settings from "./views/settings.js";

const VIEWS = {
  label: ["Label", label], progress: ["Progress", progress], answers: ["Answers", answers],
  gallery: ["Gallery", gallery], review: ["Review", review], finish: ["Finish", finish],
  settings: ["Settings", settings],
};

let unmount = null;

/** Show the view that the address names, now and whenever it changes. */
export function route(main) {
  const tabs = document.getElementById("tabs");
  fill(tabs, Object.entries(VIEWS).map(([name, [title]]) => h("li", {}, h("a", { href: `#${name}` }, title))));
  const change = (event) => {
    const name = location.hash.slice(1);
    if (name === "main") return main.focus(); // the skip link
    const known = VIEWS[name] ? name : "label";
    unmount?.();
    dropWarnings();
    document.body.dataset.view = known;
    for (const link of tabs.querySelectorAll("a")) {
      const here = link.hash === `#${known}`;
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    scrollTo(0, 0);
    unmount = VIEWS[known][1].mount(main) ?? null;
    if (known !== "label") say(VIEWS[known][0]);
    else if (event) document.getElementById("sentence").focus(); // keys are for the question, not for the link
    tell("view", known);
    return undefined;
  };
  addEventListener("hashchange", change);
  change();
}
