// A picture that can be enlarged and moved about in its frame: with the wheel and the mouse, with two
// fingers, or with keys. Brightness and contrast change how it is shown, never the picture.

import { button, h } from "../dom.js";

const MOST = 16;
const STEP = 1.4;
const MOVE_PX = 60;

export class Pan {
  /** `frame` holds one picture at a time, in `content`. */
  constructor(frame) {
    this.frame = frame;
    this.content = h("div", { class: "pan" });
    this.fingers = new Map();
    this.light = { brightness: 100, contrast: 100 };
    this.controls = this.makeControls();
    this.fit();
    frame.addEventListener("wheel", (event) => {
      if (!this.on) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / (event.deltaMode ? 10 : 400)), event);
    }, { passive: false });
    frame.addEventListener("dblclick", (event) => this.on && (this.scale > 1 ? this.fit() : this.zoom(3, event)));
    frame.addEventListener("pointerdown", (event) => {
      if (!this.on) return;
      this.fingers.set(event.pointerId, event);
      frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
  }

  /** Is a picture shown? */
  get on() {
    return this.content.isConnected;
  }

  /** The whole picture, in the middle. */
  fit() {
    this.scale = 1;
    this.x = this.y = 0;
    this.draw();
  }

  /** Enlarge by a factor; what is under the pointer, or in the middle, stays there. */
  zoom(factor, at = null) {
    const box = this.frame.getBoundingClientRect();
    const scale = Math.min(MOST, Math.max(1, this.scale * factor));
    const [x, y] = at ? [at.clientX - box.left - box.width / 2, at.clientY - box.top - box.height / 2] : [0, 0];
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.draw();
  }

  /** Move what is shown. */
  move(x, y) {
    this.x += x;
    this.y += y;
    this.draw();
  }

  /** A key: + and - and 0, and with Shift the arrows; whether it was one. */
  key(event) {
    const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = event.shiftKey ? arrows[event.key] : null;
    if (!this.on) return false;
    if (arrow) this.move(MOVE_PX * arrow[0], MOVE_PX * arrow[1]);
    else if (event.key === "+" || event.key === "=") this.zoom(STEP);
    else if (event.key === "-") this.zoom(1 / STEP);
    else if (event.key === "0") this.reset();
    else return false;
    return true;
  }

  /** As it was: the whole picture, in its own light. */
  reset() {
    for (const input of this.controls.querySelectorAll("input")) input.value = "100";
    this.light = { brightness: 100, contrast: 100 };
    this.fit();
  }

  drag(event) {
    const last = this.fingers.get(event.pointerId);
    if (!last) return;
    const others = [...this.fingers.values()].filter((one) => one.pointerId !== event.pointerId);
    if (others.length) {
      const gap = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY);
      const middle = { clientX: (event.clientX + others[0].clientX) / 2, clientY: (event.clientY + others[0].clientY) / 2 };
      this.zoom(gap(event) / Math.max(1, gap(last)), middle);
    } else {
      this.move(event.clientX - last.clientX, event.clientY - last.clientY);
    }
    this.fingers.set(event.pointerId, event);
  }

  draw() {
    const { width, height } = this.frame.getBoundingClientRect();
    const most = [(width * (this.scale - 1)) / 2, (height * (this.scale - 1)) / 2]; // no further than its edge
    this.x = Math.min(most[0], Math.max(-most[0], this.x));
    this.y = Math.min(most[1], Math.max(-most[1], this.y));
    this.content.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.content.style.filter = `brightness(${this.light.brightness}%) contrast(${this.light.contrast}%)`;
    this.frame.dataset.scale = this.scale.toFixed(2);
  }

  makeControls() {
    const slider = (name, text) => h("label", { class: "slider" }, text,
      h("input", { type: "range", min: "20", max: "300", step: "5", value: "100", on: { input: (event) => {
        this.light[name] = Number(event.target.value);
        this.draw();
      } } }));
    return h("div", { class: "row pan-controls", role: "group", "aria-label": "How the picture is shown" },
      button("−", () => this.zoom(1 / STEP), { "aria-label": "Smaller", title: "Smaller (-)" }),
      button("+", () => this.zoom(STEP), { "aria-label": "Larger", title: "Larger (+)" }),
      slider("brightness", "Brightness"), slider("contrast", "Contrast"),
      button("Reset", () => this.reset(), { class: "quiet", title: "The whole picture in its own light (0)" }));
  }
}
