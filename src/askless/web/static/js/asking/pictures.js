// Pictures, fetched and decoded before they are shown. The very element that was decoded is the
// one put into the page, so that a prepared question is painted in the next frame.

const KEPT = 400;
const kept = new Map(); // address -> {image, ready}

/** Where an item's picture is. The checksum makes the address change when the file does. */
export function pictureAddress(item, size = "tile") {
  const version = item.checksum ? `&v=${encodeURIComponent(item.checksum.slice(0, 8))}` : "";
  return `/api/items/${item.item}/picture?size=${size}${version}`;
}

/** The image element for a tile; the same one for the same item. */
export function tilePicture(item) {
  return entry(item).image;
}

/** A fresh image element, for where the item may already be shown elsewhere. */
export function picture(item, size = "tile") {
  const image = new Image();
  image.alt = "";
  image.decoding = "async";
  image.draggable = false;
  image.src = pictureAddress(item, size);
  mind(image);
  return image;
}

/** Have every picture of a question decoded; never fails. */
export function ready(question) {
  const shown = (question?.items ?? []).filter((item) => item.picture);
  return Promise.all(shown.map((item) => entry(item).ready));
}

/** Are they all here already? */
export function isReady(question) {
  return question.items.every((item) => !item.picture || entry(item).image.complete);
}

function entry(item) {
  const address = pictureAddress(item);
  let found = kept.get(address);
  if (found) {
    kept.delete(address);
  } else {
    const image = new Image();
    image.alt = "";
    image.draggable = false;
    image.src = address;
    mind(image);
    found = { image, ready: image.decode().catch(() => kept.delete(address)) };
  }
  kept.set(address, found); // newest last
  if (kept.size > KEPT) {
    const [oldest, { image }] = kept.entries().next().value;
    if (!image.isConnected) kept.delete(oldest);
  }
  return found;
}

/** Tiny pictures are enlarged with sharp pixels; one that cannot be shown says so. */
function mind(image) {
  image.addEventListener("load", () => {
    image.classList.toggle("tiny", Math.max(image.naturalWidth, image.naturalHeight) < 96);
  });
  image.addEventListener("error", () => image.classList.add("broken"));
}
