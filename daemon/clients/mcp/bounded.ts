/** Keeps what a client shows to a model as small as an answer (spec §7), and still JSON. */

import { jsonOfContent } from '../../engines/row-text.ts';
import { wholeCharacters } from '../../engines/shorten.ts';

/** Shorter texts stay whole: the long ones make the size. */
const shortText = 200;
/**
 * An object with more members is a list by name and may lose its tail; the members of a smaller one
 * all matter.
 */
const mostMembers = 40;

/**
 * First it halves texts longer than a sixteenth of the whole, the longest first, so one as long as
 * a book takes no table's place; then whatever is largest.
 * @param rest how to get what was left out; said only then.
 * @returns `content` itself if it fits.
 */
export function boundedContent(content: Record<string, unknown>, bytes: number, rest: string): Record<string, unknown> {
  const { next_cursor: more, cut: _, ...shown } = content;
  const whole = jsonOfContent(shown);
  if (Buffer.byteLength(whole) <= bytes && more === undefined) return content;
  const room = bytes - Buffer.byteLength(rest) - 16;
  const parts = partOf(JSON.parse(whole));
  while (parts.size > room) {
    const largest =
      largestIn(parts, part => part.kind === 'text' && isCuttable(part) && part.size > bytes / 16) ??
      largestIn(parts, isCuttable);
    if (largest === null) break;
    halve(largest);
    weigh(parts);
  }
  return { cut: rest, ...(contentOf(parts) as Record<string, unknown>) };
}

/**
 * Each with its size as JSON. Texts are measured once: printing everything for each cut would block
 * everybody, as long as printing ten large tables a hundred times.
 */
type Part =
  | { readonly kind: 'text'; text: string; size: number }
  | { readonly kind: 'array' | 'object'; members: readonly Member[]; size: number }
  | { readonly kind: 'other'; readonly value: unknown; readonly size: number };

interface Member {
  readonly name: string;
  readonly part: Part;
}

function partOf(value: unknown): Part {
  if (typeof value === 'string') return { kind: 'text', text: value, size: sizeOf(value) };
  if (typeof value !== 'object' || value === null) return { kind: 'other', value, size: sizeOf(value) };
  const members = Object.entries<unknown>({ ...value }).map(([name, inner]) => ({ name, part: partOf(inner) }));
  const part: Part = { kind: Array.isArray(value) ? 'array' : 'object', members, size: 0 };
  weigh(part);
  return part;
}

/** Sums its members again. */
function weigh(part: Part): void {
  if (part.kind !== 'array' && part.kind !== 'object') return;
  part.size = 2;
  for (const { name, part: inner } of part.members) {
    weigh(inner);
    part.size += inner.size + 1 + (part.kind === 'object' ? sizeOf(name) + 1 : 0);
  }
}

/** The largest part that `isOne` accepts, without looking inside such parts. */
function largestIn(part: Part, isOne: (part: Part) => boolean): Part | null {
  if (isOne(part)) return part;
  if (part.kind !== 'array' && part.kind !== 'object') return null;
  let largest: Part | null = null;
  for (const { part: inner } of part.members) {
    if (inner.size <= (largest?.size ?? 0)) continue;
    const found = largestIn(inner, isOne);
    if (found !== null && found.size > (largest?.size ?? 0)) largest = found;
  }
  return largest;
}

function isCuttable(part: Part): boolean {
  if (part.kind === 'text') return part.text.length > shortText;
  return part.kind !== 'other' && part.members.length > (part.kind === 'array' ? 1 : mostMembers);
}

function halve(part: Part): void {
  if (part.kind === 'text') {
    part.text = wholeCharacters(part.text, Math.floor(part.text.length / 2));
    part.size = sizeOf(part.text);
  } else if (part.kind !== 'other') part.members = part.members.slice(0, Math.floor(part.members.length / 2));
}

function contentOf(part: Part): unknown {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'other') return part.value;
  const inner = part.members.map(member => [member.name, contentOf(member.part)] as const);
  return part.kind === 'array' ? inner.map(([, value]) => value) : Object.fromEntries(inner);
}

/**
 * The first items that fit into so many bytes; at least one, so a cursor advances.
 * @param shown what is answered of one.
 */
export function firstFitting<Item>(
  items: readonly Item[],
  bytes: number,
  shown: (item: Item) => unknown = item => item,
): readonly Item[] {
  let size = 0;
  const end = items.findIndex(item => {
    size += sizeOf(shown(item)) + 1;
    return size > bytes;
  });
  return end === -1 ? items : items.slice(0, Math.max(1, end));
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
