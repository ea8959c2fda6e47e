/**
 * How much a JSON text holds, counted on its bytes (spec §3): what it would be made into, and
 * whatever walks that, costs time for each member and stack for each level. One pass, no
 * allocation. Whether the text is JSON at all is the parser's to say.
 */

interface JsonExtent {
  /** Members of objects and elements of arrays, at every level together. */
  readonly members: number;
  /** Of objects and arrays within each other. */
  readonly levels: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Stops at the first member or level beyond `most`, so that a text costs no more than it takes to
 * see that it is too large.
 */
export function extentOf(bytes: Uint8Array, most: JsonExtent): JsonExtent {
  let members = 0;
  let depth = 0;
  let levels = 0;
  /** The container that was opened last has shown nothing yet: it may be empty. */
  let isFresh = false;
  for (let index = 0; index < bytes.length && members <= most.members && levels <= most.levels; index += 1) {
    const byte = bytes[index];
    if (byte === undefined || byte <= space) continue;
    const closes = byte === closeBracket || byte === closeBrace;
    if ((isFresh && !closes) || byte === comma) members += 1;
    isFresh = byte === openBracket || byte === openBrace;
    if (isFresh) {
      depth += 1;
      if (depth > levels) levels = depth;
    } else if (closes) depth -= 1;
    else if (byte === quote) index = endOfString(bytes, index);
  }
  return { members, levels };
}

/** @returns where the closing quote stands, or the last byte where there is none. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
