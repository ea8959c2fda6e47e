/**
 * Reads what a model means by its arguments, as far as the tool's published schema allows. Some
 * clients write null, an empty text or an empty list for an absent value, quote numbers and
 * booleans, and send a list as JSON text. The elements of a list stay as they are: there null and
 * "5" are values. Judges nothing.
 */

import { isObject, parsedJson } from '../../../shared/json.ts';
import { extentOf } from './json-extent.ts';
import { inexactNumberIn } from './json-numbers.ts';
import type { CatalogEntry } from './tool-catalog.ts';

type Given = Readonly<Record<string, unknown>>;

interface Meant {
  readonly given: Given;
  /** A number, as written, that would be rounded in a list sent as text. */
  readonly inexact: { readonly argument: string; readonly number: string } | null;
}

/** @param given with names that the tool has. */
export function meantArguments({ inputSchema }: CatalogEntry, given: Given): Meant {
  const { properties = {}, required = [] } = inputSchema;
  const meant: [string, unknown][] = [];
  let inexact: Meant['inexact'] = null;
  for (const [argument, value] of Object.entries(given)) {
    const schema = properties[argument];
    const type = isObject(schema) ? schema.type : undefined;
    const read = typeof value === 'string' && type === 'array' ? listIn(value) : valueIn(value, type);
    if (read !== value && Array.isArray(read)) {
      const number = inexactNumberIn(String(value));
      if (number !== null) inexact = { argument, number };
    }
    if (required.includes(argument) || !isNotGiven(read)) meant.push([argument, read]);
  }
  return { given: Object.fromEntries(meant), inexact };
}

/** What some clients write for an absent member. */
export function isNotGiven(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A whole number as JSON writes it; of 16 digits at most, about what a double holds exactly. */
const wholeDecimal = /^(?:0|-?[1-9]\d{0,15})$/;
const truthValues = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
]);

function valueIn(value: unknown, type: unknown): unknown {
  if (type === 'boolean') return truthValues.get(value) ?? value;
  if ((type !== 'number' && type !== 'integer') || typeof value !== 'string') return value;
  return wholeDecimal.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** As much as an unquoted request may hold (spec §3). */
const mostInList = { members: 10_000, levels: 64 };

/** The text itself if it is no list. */
function listIn(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return text;
  const { members, levels } = extentOf(Buffer.from(text), mostInList);
  if (members > mostInList.members || levels > mostInList.levels) return text;
  const read = parsedJson(text);
  return Array.isArray(read) ? read : text;
}
