/**
 * Measures the names and values of a JSON object as they were sent: parsing hides a repeated name
 * and a rounded number.
 */

import { endOfString } from '../mcp/json-extent.ts';

const [quote, comma, colon] = [0x22, 0x2c, 0x3a];
const openers: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
const closers: ReadonlySet<number | undefined> = new Set([0x7d, 0x5d]);

/**
 * @param bytes JSON of an object.
 * @returns the bytes of its longest name or value; for a text, its decoded length.
 */
export function longestPartOf(bytes: Buffer): number {
  let longest = 0;
  let depth = 0;
  let from = 0;
  const end = (at: number): void => {
    longest = Math.max(longest, lengthOf(bytes.toString('utf8', from, at).trim()));
    from = at + 1;
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (openers.has(byte)) {
      depth += 1;
      if (depth === 1) from = at + 1;
    } else if (closers.has(byte)) {
      if (depth === 1) end(at);
      depth -= 1;
    } else if (depth === 1 && (byte === comma || byte === colon)) end(at);
  }
  return longest;
}

function lengthOf(part: string): number {
  return Buffer.byteLength(part.startsWith('"') ? String(JSON.parse(part)) : part);
}
