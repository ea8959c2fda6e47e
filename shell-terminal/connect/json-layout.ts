/**
 * Finds where a member goes in a JSON file, with or without comments, and keeps the file's layout.
 */

import { createScanner, type Node } from 'jsonc-parser';
import { type Edit, indentAt, lineEndOf, lineStart, nextLineStart } from './edits.ts';

/** `SyntaxKind` of jsonc-parser, whose enum isn't available at run time. */
const token = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, blank: 15 } as const;

/** Adds a member to an object, after its last one. */
export function addMember(text: string, object: Node, key: string, value: unknown): Edit[] {
  const last = object.children?.at(-1);
  return last === undefined ? addFirst(text, object, key, value) : addAfter(text, object, last, key, value);
}

/**
 * Removes a member with the comma after it, or else the one before it; and its lines, if nothing
 * else is in them.
 */
export function removeMember(text: string, member: Node): Edit[] {
  const end = member.offset + member.length;
  const siblings = member.parent?.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  const { comma } = whatFollows(text, end);
  const former = comma === null && before !== undefined ? whatFollows(text, before.offset + before.length).comma : null;
  const edits = former === null ? [] : [{ offset: former - 1, length: 1, content: '' }];
  // A comment between them stays, on its own line.
  if (comma !== null && text.slice(end, comma - 1).trim() !== '')
    return [
      { offset: member.offset, length: member.length, content: '' },
      { offset: comma - 1, length: 1, content: '' },
    ];
  const from = lineStart(text, member.offset);
  const to = comma ?? end;
  const next = nextLineStart(text, to);
  if (text.slice(from, member.offset).trim() === '' && text.slice(to, next).trim() === '')
    return [...edits, { offset: from, length: next - from, content: '' }];
  const between = former === null ? '?' : text.slice(former, member.offset);
  if (former !== null && between.trim() === '') return [{ offset: former - 1, length: to - former + 1, content: '' }];
  const gap = comma === null ? 0 : (/^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0);
  return [...edits, { offset: member.offset, length: to + gap - member.offset, content: '' }];
}

/**
 * Removes a member with the object that holds it alone. Null if that object holds something else
 * too, even a comment.
 */
export function removeWithHolder(text: string, member: Node): Edit[] | null {
  const holder = member.parent?.parent;
  if (holder?.parent === undefined || !isAlone(text, member)) return null;
  const { offset, length } = holder.parent;
  return isAlone(text, holder) ? [{ offset, length, content: '{}' }] : removeMember(text, holder);
}

/** True if it has no neighbours but blanks and a trailing comma. */
function isAlone(text: string, member: Node): boolean {
  const { offset = 0, length = 0 } = member.parent ?? {};
  const inside = `${text.slice(offset + 1, member.offset)}${text.slice(member.offset + member.length, offset + length - 1)}`;
  return inside.replace(',', '').trim() === '';
}

/** Replaces one value by another. */
export function replaceValue(text: string, node: Node, value: unknown): Edit {
  const content = isOneLine(text) ? spaced(value) : spread(value, indentAt(text, node.offset), text);
  return { offset: node.offset, length: node.length, content };
}

/** For a file that has only comments. */
export function wholeFile(value: unknown, text: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', lineEndOf(text));
}

function addFirst(text: string, object: Node, key: string, value: unknown): Edit[] {
  const from = object.offset + 1;
  const inside = text.slice(from, object.offset + object.length - 1);
  // Only blanks or comments can be there.
  const offset = from + inside.trimEnd().length;
  const length = from + inside.length - offset;
  if (isOneLine(text) && object.parent !== undefined)
    return [{ offset, length, content: compactMember(text, key, value) }];
  const eol = lineEndOf(text);
  const closing = indentAt(text, object.offset);
  const member = memberText(text, key, value, closing + unitOf(text));
  return [{ offset, length, content: `${eol}${member}${eol}${closing}` }];
}

function addAfter(text: string, object: Node, last: Node, key: string, value: unknown): Edit[] {
  const end = last.offset + last.length;
  const { comma, lineEnd } = whatFollows(text, end);
  const missing = comma === null ? [{ offset: end, length: 0, content: ',' }] : [];
  const closing = object.offset + object.length - 1;
  if (!text.slice(object.offset, closing).includes('\n')) {
    const offset = comma ?? end;
    const gap = /\s/.test(text[object.offset + 1] ?? '') || !isOneLine(text) ? ' ' : '';
    return [...missing, { offset, length: 0, content: `${gap}${compactMember(text, key, value)}${comma ? ',' : ''}` }];
  }
  const isFirstInLine = text.slice(lineStart(text, last.offset), last.offset).trim() === '';
  const indent = isFirstInLine ? indentAt(text, last.offset) : indentAt(text, object.offset) + unitOf(text);
  const member = memberText(text, key, value, indent);
  const offset = Math.max(lineEnd, comma ?? 0);
  // The closing brace may be on the last member's line.
  const brace = text.slice(offset, closing).trim() === '' && !text.slice(offset, closing).includes('\n');
  const after = brace ? lineEndOf(text) + indentAt(text, object.offset) : '';
  return [
    ...missing,
    { offset, length: 0, content: `${lineEndOf(text)}${member}${comma === null ? '' : ','}${after}` },
  ];
}

/** After a member: the end of its comma, if it has one, and the end of its line. */
function whatFollows(text: string, from: number): { comma: number | null; lineEnd: number } {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let comma: number | null = null;
  let lineEnd = from;
  let isSameLine = true;
  for (;;) {
    const kind: number = scanner.scan();
    const end = scanner.getPosition();
    if (kind === token.lineBreak) {
      if (comma !== null) break;
      isSameLine = false;
    } else if (kind === token.comma && comma === null) {
      comma = end;
      lineEnd = end;
      isSameLine = true;
    } else if (kind === token.lineComment || kind === token.blockComment) {
      if (isSameLine) lineEnd = end;
    } else if (kind !== token.blank) break;
  }
  return { comma, lineEnd };
}

function memberText(text: string, key: string, value: unknown, indent: string): string {
  return `${indent}${JSON.stringify(key)}: ${spread(value, indent, text)}`;
}

function compactMember(text: string, key: string, value: unknown): string {
  const compact = JSON.stringify({ [key]: value }).slice(1, -1);
  return text.includes(': ') ? `${JSON.stringify(key)}: ${spaced(value)}` : compact;
}

/** `{ "command": "/x" }`, on one line. */
function spaced(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** On several lines; all but the first are indented. */
function spread(value: unknown, indent: string, text: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${lineEndOf(text)}${indent}`);
}

function isOneLine(text: string): boolean {
  return !text.trim().includes('\n');
}

/** One step of indentation, taken from the first indented line. */
function unitOf(text: string): string {
  const [, indent = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  return indent.startsWith('\t') ? '\t' : indent.slice(0, 8);
}
