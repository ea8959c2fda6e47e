/** Where in a YAML file lines go in, and how they are indented there. */

import { isCollection, isMap, isPair, isScalar, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { type Edit, lineEndOf, lineStart, nextLineStart } from './edits.ts';

/** Behind the last of a block collection, and behind the comments that belong to that one by their indentation. */
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

/** Below a key that has no value yet. */
export function addBelow(text: string, key: Node, lines: readonly string[]): Edit {
  const column = columnOf(text, startOf(key)) + 2;
  return insertLines(text, nextLineStart(text, startOf(key)), column, lines);
}

/** Behind the last of a flow collection. */
export function addInFlow(flow: YAMLMap | YAMLSeq, content: string): Edit {
  const last = endOfLast(flow);
  if (last === null) return { offset: startOf(flow) + 1, length: 0, content };
  return { offset: last, length: 0, content: `, ${content}` };
}

/** A member in front of the first one. */
export function addMemberFirst(text: string, map: YAMLMap, member: string): Edit {
  const offset = startOf(map);
  if (map.flow) return addInFlow(map, member);
  const content = `${member}${lineEndOf(text)}${' '.repeat(columnOf(text, offset))}`;
  return { offset, length: 0, content };
}

/** An item of a block collection, with its lines; nothing where it shares them. The last one leaves an empty collection. */
export function removeItem(text: string, key: Node, block: YAMLMap | YAMLSeq, item: Node): Edit[] {
  const at = block.items.findIndex(entry => (isPair(entry) ? entry.value : entry) === item);
  const found = block.items[at];
  if (found === undefined || block.flow) return [];
  const offset = lineStart(text, startOf(isPair(found) ? (found.key as Node) : item));
  const end = endOf(item);
  const length = (text[end - 1] === '\n' ? end : nextLineStart(text, end)) - offset;
  const taken = { offset, length, content: '' };
  if (block.items.length > 1) return [taken];
  const colon = endOf(key);
  return text[colon] === ':' ? [{ offset: colon + 1, length: 0, content: isMap(block) ? ' {}' : ' []' }, taken] : [];
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
  // A file without a line feed at its end stays one.
  return { offset, length: 0, content: missing === '' ? `${written}${eol}` : `${missing}${written}` };
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** Of its own last character: the range of a block goes on over what follows it. */
function endOf(node: Node): number {
  const last = isCollection(node) && !node.flow ? endOfLast(node as YAMLMap | YAMLSeq) : null;
  return last ?? node.range?.[1] ?? 0;
}

function endOfLast(collection: YAMLMap | YAMLSeq): number | null {
  const last: unknown = collection.items.at(-1);
  if (last === undefined) return null;
  if (!isPair(last)) return endOf(last as Node);
  const { key, value } = last as Pair<Node, Node | null>;
  return value === null || isEmptyNode(value) ? endOf(key) : endOf(value);
}
