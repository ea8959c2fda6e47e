/** The part of a long list that fits into one answer, and where the next part begins. */

/** A line of the control socket holds 1 MiB, and a thousand connections are more than that. */
const pageBytes = 512 * 1024;

/** @returns at least one item if there is one; `next` is null at the end. */
export function pageFrom<Item, View>(
  all: readonly Item[],
  from: number,
  viewOf: (item: Item) => View,
): { readonly views: readonly View[]; readonly next: number | null } {
  const views: View[] = [];
  let bytes = 0;
  for (const item of all.slice(from)) {
    const view = viewOf(item);
    bytes += Buffer.byteLength(JSON.stringify(view));
    if (bytes > pageBytes && views.length > 0) break;
    views.push(view);
  }
  const next = from + views.length;
  return { views, next: next < all.length ? next : null };
}
