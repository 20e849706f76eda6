// What surrounds a question: the app's own page, unless whoever begins says otherwise
// (`widget.js`, in a cell of a notebook). All that differs between the two is here.

export const host = {
  /** Where the elements are: the document, or a shadow tree. */
  root: document,
  /** Who hears keys. */
  keys: document,
  /** Where a dialog is put. */
  get dialogs() {
    return document.body;
  },
  /** The room for everything: its size, and where it ends in the window. */
  box: () => ({ width: innerWidth, height: innerHeight, bottom: innerHeight }),
  /** Show the beginning of what is too high for the room. */
  toTop: () => scrollTo(0, 0),
  /** Send a request, as `fetch` does. */
  fetch: (address, options) => fetch(below(address), options),
  /** Have an image element show what is at this address. */
  load: (image, address) => void (image.src = below(address)),
  /** Why nobody can see the whole question; empty if they can. */
  hidden: () => "",
  /** Go to another view; null where there is none. */
  go: (view) => void (location.hash = `#${view}`),
  /** What to do when everything is settled. */
  end: "Look over the labels that are likeliest to be wrong, then take your labels home.",
  /** How to go on when askless has ended. */
  ended: "To go on, start it again, and this page goes on by itself:",
  /** What is said when nobody answers. */
  silent: "Offline",
};

/** An address of askless as seen from the page: a proxy may serve that under any path. */
function below(address) {
  return address.replace(/^\//, "");
}

/** What a notice offers to do: see this view, where there are views. */
export function see(text, view) {
  return host.go && [text, () => host.go(view)];
}

/** The element that has the focus. */
export function focused() {
  return host.root.activeElement;
}
