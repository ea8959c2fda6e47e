/** Splits a list for a shell into messages that fit into a line of the control socket. */

/** A line holds 1 MiB, and in it an item's JSON is escaped once more. */
const mostBytes = 400 * 1024;

/** Groups of the items in their order, each small enough for one message. */
export function groupsOf<Item>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    const last = groups.at(-1);
    if (last === undefined || bytes + size > mostBytes) {
      groups.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return groups;
}
