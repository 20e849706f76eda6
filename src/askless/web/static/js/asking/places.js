// Where tiles go. Places are stable: after a plain no the tiles that remain stay where they were,
// and the size of the grid changes only when the number of tiles changes a lot.

/** Letters for tiles: none that is a command (d i n u y z), then digits. */
export const LETTERS = [..."abcefghjklmopqrstvwx1234567890"];

const CAPACITIES = [1, 2, 3, 4, 6, 8, 9, 12, 15, 16, 18, 20, 24, 28, 30];

/**
 * Slots for these items: an item's index or null for each place, at most `most` of them.
 * With `stay`, items that were in `before` keep their places and the others take free ones.
 */
export function slotsFor(items, before, stay, most) {
  if (stay && before.length <= most && before.some((item) => item !== null && items.includes(item))) {
    const slots = before.map((item) => (items.includes(item) ? item : null));
    for (const item of items.filter((one) => !before.includes(one))) {
      const free = slots.indexOf(null);
      if (free < 0) slots.push(item);
      else slots[free] = item;
    }
    return slots;
  }
  const capacity = Math.min(most, keptCapacity(items.length, before.length));
  return Array.from({ length: capacity }, (_, place) => items[place] ?? null);
}

/** How many columns and rows make the largest tiles of this shape in this space. */
export function shape(places, width, height, { gap = 12, aspect = 1, largest = 640 } = {}) {
  let best = { columns: 1, rows: places, width: 0 };
  for (let columns = 1; columns <= places; columns += 1) {
    const rows = Math.ceil(places / columns);
    const wide = Math.min((width - gap * (columns - 1)) / columns, largest);
    const high = Math.min((height - gap * (rows - 1)) / rows, largest / aspect);
    const tile = Math.min(wide, high * aspect);
    if (tile > best.width + 0.5) best = { columns, rows, width: tile };
  }
  return { ...best, width: Math.max(1, Math.floor(best.width)) };
}

/** The old capacity where it still fits well, so that tiles do not jump in size. */
function keptCapacity(wanted, before) {
  if (wanted > 1 && wanted <= before && 2 * wanted > before) return before;
  return CAPACITIES.find((capacity) => capacity >= wanted) ?? wanted;
}
