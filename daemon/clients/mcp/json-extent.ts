/**
 * Measures a JSON text on its bytes (spec §3): parsing and walking it costs time for each member
 * and stack for each level. One pass, no allocation. The parser decides whether it is JSON.
 */

interface JsonExtent {
  /** Members of objects and elements of arrays, on all levels together. */
  readonly members: number;
  /** Nesting of objects and arrays. */
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
 * Stops at the first member or level beyond `most`, so a too large text costs no more than finding
 * that out.
 */
export function extentOf(bytes: Uint8Array, most: JsonExtent): JsonExtent {
  let members = 0;
  let depth = 0;
  let levels = 0;
  /** The innermost container has shown nothing yet: it may be empty. */
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

/** @returns the index of the closing quote, or of the last byte if there is none. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}
