// Pictures, fetched and decoded before they are shown. The very element that was decoded is the
// one put into the page, so that a prepared question is painted in the next frame.

import { host } from "../host.js";

const KEPT = 1000; // tiles, a few kilobytes each: more than a page may ask for in advance
const kept = new Map(); // address -> {image, come, here}

/** Where an item's picture is. The checksum makes the address change when the file does. */
function pictureAddress(item, size = "tile") {
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
  mind(image);
  host.load(image, pictureAddress(item, size));
  return image;
}

/** Has a picture come? Resolves when it is decoded, fails when it cannot be shown. */
export function decoded(image) {
  const come = image.complete && image.src ? Promise.resolve() : new Promise((resolve, reject) => {
    image.addEventListener("load", resolve, { once: true });
    image.addEventListener("error", reject, { once: true });
  });
  return come.then(() => image.decode());
}

/** Have every picture of a question decoded; never fails. */
export function ready(question) {
  return Promise.all(pictured(question).map(async (item) => {
    const { image, come } = entry(item);
    await come;
    await image.decode().catch(() => {});
  }));
}

/** Have every picture of a question in the browser, with nobody waiting for it; never fails. */
export function fetched(question) {
  return Promise.all(pictured(question).map((item) => entry(item, "low").come));
}

/** Are they all here already? */
export function isHere(question) {
  return pictured(question).every((item) => kept.get(pictureAddress(item))?.here);
}

function pictured(question) {
  return (question?.items ?? []).filter((item) => item.picture);
}

function entry(item, priority = "auto") {
  const address = pictureAddress(item);
  let found = kept.get(address);
  if (found) {
    kept.delete(address);
  } else {
    const image = new Image();
    image.alt = "";
    image.draggable = false;
    image.fetchPriority = priority;
    found = { image, here: false };
    found.come = new Promise((resolve) => {
      image.addEventListener("load", () => resolve((found.here = true)));
      image.addEventListener("error", () => resolve(kept.delete(address))); // the next one tries again
    });
    mind(image);
    host.load(image, address);
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
