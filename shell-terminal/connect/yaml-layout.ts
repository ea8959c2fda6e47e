/** Where lines go into a YAML file, and how they are indented. */

import { isCollection, isMap, isPair, isScalar, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { type Edit, lineEndOf, lineStart, nextLineStart } from './edits.ts';

/**
 * Adds lines after the last item of a block collection, and after comments that belong to it by
 * indentation.
 */
export function addLines(text: string, block: YAMLMap | YAMLSeq, lines: readonly string[]): Edit {
  const column = columnOf(text, startOf(block));
  const end = endOf(block);
  let offset = text[end - 1] === '\n' ? end : nextLineStart(text, end);
  for (;;) {
    const [line = ''] = /^ *#[^\n]*(\n|$)/.exec(text.slice(offset)) ?? [];
    if (line === '' || line.indexOf('#') <= column) break;
    offset += line.length;
  }
  return insertLines(text, offset, column, lines);
}

/** Adds lines below a key that has no value yet. */
export function addBelow(text: string, key: Node, lines: readonly string[]): Edit {
  const column = columnOf(text, startOf(key)) + 2;
  return insertLines(text, nextLineStart(text, startOf(key)), column, lines);
}

/** Adds after the last item of a flow collection. */
export function addInFlow(flow: YAMLMap | YAMLSeq, content: string): Edit {
  const last = endOfLast(flow);
  if (last === null) return { offset: startOf(flow) + 1, length: 0, content };
  return { offset: last, length: 0, content: `, ${content}` };
}

/** Adds a member before the first one. */
export function addMemberFirst(text: string, map: YAMLMap, member: string): Edit {
  const offset = startOf(map);
  if (map.flow) return addInFlow(map, member);
  const content = `${member}${lineEndOf(text)}${' '.repeat(columnOf(text, offset))}`;
  return { offset, length: 0, content };
}

/**
 * Turns an empty flow collection, or a null, into a block of lines: people write and read those.
 */
export function addInPlace(text: string, key: Node, flow: Node, lines: readonly string[]): Edit[] {
  const from = startOf(flow);
  const line = text.slice(lineStart(text, from), from);
  const blank = line.length - line.trimEnd().length;
  const taken = { offset: from - blank, length: endOf(flow) - from + blank, content: '' };
  return [taken, addBelow(text, key, lines)];
}

/** True if it is on one line, empty, and its key isn't in braces. */
export function isBareEmpty(text: string, root: YAMLMap, flow: Node): boolean {
  return root.flow !== true && /^(?:[{[][ \t]*[}\]]|~|null)$/i.test(text.slice(startOf(flow), endOf(flow)));
}

/**
 * Removes an item of a collection; in a block with its lines. The last item goes with its key, or
 * leaves an empty collection if a comment or braces are around it.
 * @param isBare true if the collection stays even when empty.
 */
export function removeItem(
  text: string,
  root: YAMLMap,
  key: Node,
  block: YAMLMap | YAMLSeq,
  item: Node,
  isBare: boolean,
): Edit[] {
  const at = block.items.findIndex(entry => (isPair(entry) ? entry.value : entry) === item);
  const found = block.items[at];
  if (found === undefined) return [];
  if (block.items.length === 1 && root.flow !== true && !isBare) {
    const whole = wholeLines(text, startOf(key), endOf(item), block.flow === true);
    const around = text.slice(endOf(key) + 1, startOf(isPair(found) ? (found.key as Node) : item));
    if (whole !== null && /^[\s{[-]*$/.test(around)) return [whole];
  }
  const start = startOf(isPair(found) ? (found.key as Node) : item);
  if (block.flow) return removeFromFlow(text, block, at, start, endOf(item));
  const offset = lineStart(text, start);
  const end = endOf(item);
  const length = (text[end - 1] === '\n' ? end : nextLineStart(text, end)) - offset;
  const taken = { offset, length, content: '' };
  if (block.items.length > 1) return [taken];
  const colon = endOf(key);
  return text[colon] === ':' ? [{ offset: colon + 1, length: 0, content: isMap(block) ? ' {}' : ' []' }, taken] : [];
}

/** Null if the lines hold something else too. */
function wholeLines(text: string, start: number, end: number, isFlow: boolean): Edit | null {
  const offset = lineStart(text, start);
  const next = text[end - 1] === '\n' ? end : nextLineStart(text, end);
  const behind = text.slice(end, next).trim();
  const isWhole = text.slice(offset, start) === '' && (isFlow ? /^[}\]]$/.test(behind) : behind === '');
  return isWhole ? { offset, length: next - offset, content: '' } : null;
}

/** With the comma after it, or else the one before it. No edits if a comment is in between. */
function removeFromFlow(text: string, flow: YAMLMap | YAMLSeq, at: number, start: number, end: number): Edit[] {
  const [before, behind] = [flow.items[at - 1], flow.items[at + 1]];
  const from = behind === undefined && before !== undefined ? endOfEntry(before) : start;
  const to = behind === undefined ? end : startOf(isPair(behind) ? (behind.key as Node) : (behind as Node));
  const isBare = /^[\s,]*$/.test(text.slice(from, start)) && /^[\s,]*$/.test(text.slice(end, to));
  return isBare ? [{ offset: from, length: to - from, content: '' }] : [];
}

export function replaceNode(node: Node, content: string): Edit {
  return { offset: startOf(node), length: endOf(node) - startOf(node), content };
}

export function isEmptyNode(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && endOf(node) === startOf(node));
}

function insertLines(text: string, offset: number, column: number, lines: readonly string[]): Edit {
  const eol = lineEndOf(text);
  const missing = offset > 0 && text[offset - 1] !== '\n' ? eol : '';
  const written = lines.map(line => `${' '.repeat(column)}${line}`).join(eol);
  // A file without a line feed at its end keeps that.
  return { offset, length: 0, content: missing === '' ? `${written}${eol}` : `${missing}${written}` };
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** The end of its own last character: a block's range also covers what follows it. */
function endOf(node: Node): number {
  const last = isCollection(node) && !node.flow ? endOfLast(node as YAMLMap | YAMLSeq) : null;
  return last ?? node.range?.[1] ?? 0;
}

function endOfLast(collection: YAMLMap | YAMLSeq): number | null {
  const last: unknown = collection.items.at(-1);
  return last === undefined ? null : endOfEntry(last);
}

function endOfEntry(entry: unknown): number {
  if (!isPair(entry)) return endOf(entry as Node);
  const { key, value } = entry as Pair<Node, Node | null>;
  return value === null || isEmptyNode(value) ? endOf(key) : endOf(value);
}
