// How much a window can show in full. Texts stand in columns of equal width, each as high as it
// needs to be: many narrow columns or, for long texts, fewer wide ones. Pictures stand in tiles that
// are large enough to tell them apart. What fits is told to the server with every request, so that
// it asks about no more; src/askless/app/capacity.py has its side.

export const GAP = 12; // between tiles, as in question.css
export const PICTURE = 108; // the side of the smallest tile that a picture is asked about in
export const STILL = 84; // and that may be answered when nobody can send a smaller question
const NARROWEST = 24; // rem: a column holds lines of some 45 characters
const WIDEST = 40; // rem: of some 75 characters

/** The layouts of texts, the narrowest columns first: how many, and how wide in CSS pixels. */
export function layoutsIn(width, rem) {
  const found = [];
  for (let number = Math.max(1, Math.floor((width + GAP) / (NARROWEST * rem + GAP))); number > 0; number -= 1) {
    const wide = Math.floor((width - GAP * (number - 1)) / number);
    found.push({ number, width: Math.min(WIDEST * rem, wide) });
    if (wide >= WIDEST * rem) break;
  }
  return found;
}

/** The most pictures that can be told apart in this space, in tiles of this size at least. */
export function picturesIn(width, height, least = PICTURE) {
  const along = (side) => Math.max(1, Math.floor((side + GAP) / (least + GAP)));
  return along(width) * along(height);
}

/**
 * Cards of these heights in at most so many columns of this height: the places of each column, in
 * reading order, as few columns as will do and of like height; null if they do not fit.
 */
export function pack(heights, most, height) {
  const fewest = sequence(heights, height);
  if (fewest && fewest.length <= most) return even(heights, fewest.length, height);
  const columns = [];
  for (const [place, high] of heights.entries()) {
    const free = columns.find((one) => one.left >= high + GAP);
    if (free) {
      free.places.push(place);
      free.left -= high + GAP;
    } else if (high > height || columns.length === most) {
      return null;
    } else {
      columns.push({ places: [place], left: height - high });
    }
  }
  return columns.map((one) => one.places);
}

/** One card after the other; a new column where the next would be too high. Null if one card is. */
function sequence(heights, height) {
  const columns = [];
  let left = -1;
  for (const [place, high] of heights.entries()) {
    if (high > height) return null;
    if (left < high + GAP) {
      columns.push([]);
      left = height + GAP;
    }
    columns.at(-1).push(place);
    left -= high + GAP;
  }
  return columns;
}

/** The same number of columns, the highest of them as low as can be. */
function even(heights, number, height) {
  let [low, high] = [Math.max(...heights) - 1, height];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    const tried = sequence(heights, middle);
    if (tried && tried.length <= number) high = middle;
    else low = middle;
  }
  return sequence(heights, high);
}
