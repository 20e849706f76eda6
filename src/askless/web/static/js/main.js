// The beginning: who we are, what is to be labelled, and which view the address asks for.

import { call, speakFor } from "./api.js";
import { app, hear, update } from "./app.js";
import { firstMinute } from "./asking/definition.js";
import { Flow } from "./asking/flow.js";
import { Outbox } from "./asking/outbox.js";
import { claimTab, onlyWindow } from "./asking/tab.js";
import { see } from "./host.js";
import { follow } from "./live.js";
import { notice, screen } from "./notices.js";
import { route } from "./router.js";
import { onOutbox, status, watch } from "./saved.js";
import { labelName } from "./words.js";

const main = document.getElementById("main");

begin();

async function begin() {
  app.tab = await claimTab();
  try {
    update("session", await call("session"));
  } catch (problem) {
    if (problem.locked) return locked();
    if (!problem.lost) return screen(main, "This did not work", problem.message);
    screen(main, "Waiting for the server", "Start it again with the command you used; this page goes on by itself.");
    return void setTimeout(begin, 1500);
  }
  speakFor(app.session.id);
  document.title = `${labelName(app.session, true)}? · askless`;
  app.outbox = new Outbox(app.session.id, app.tab, onOutbox);
  app.flow = new Flow(app.outbox, () => onlyWindow(app.tab));
  await app.outbox.adopt();
  watch();
  if (!app.session.definition_confirmed) await firstMinute();
  hear("dispute", () => notice("This contradicts an earlier answer. The items concerned are asked again.", {
    kind: "bad", act: see("See both", "answers"), stay: true,
  }));
  route(main);
  follow();
  try {
    const alone = Boolean(navigator.locks) && (await app.flow.alone()); // without locks that takes a second
    await app.flow.start(alone); // what a closed window held is asked here
    status();
  } catch (problem) {
    if (problem.locked) locked();
    else screen(main, "This did not work", problem.message);
  }
}

function locked() {
  screen(main, "Open the link that the command printed",
    "This address works only with the token in that link, so that nobody else can see or change your labels.");
}
