/**
 * Where the statements of a TOML file begin and end (toml.io/en/v1.0.0). Reads no value: it only has to see what is inside a string,
 * a bracket or a comment, so that nothing there is taken for a table.
 */

export type TomlStatement = TableHeader | Assignment;

interface TableHeader {
  readonly kind: 'table' | 'list';
  readonly path: readonly string[];
  readonly offset: number;
  readonly end: number;
}

export interface Assignment {
  readonly kind: 'assignment';
  readonly path: readonly string[];
  readonly offset: number;
  readonly end: number;
  readonly valueOffset: number;
}

/** @throws TomlError */
export function statementsOf(text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = [];
  let at = 0;
  for (;;) {
    at += /^(?:[ \t\r\n]|#[^\n]*)*/.exec(text.slice(at))?.[0].length ?? 0;
    if (at >= text.length) return statements;
    const statement = text[at] === '[' ? header(text, at) : assignment(text, at);
    statements.push(statement);
    at = statement.end;
    const rest = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.exec(text.slice(at));
    if (rest === null) throw new TomlError(at, 'more than one statement in a line');
    at += rest[0].length;
  }
}

export class TomlError extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

function header(text: string, offset: number): TableHeader {
  const isList = text[offset + 1] === '[';
  const { path, end } = keyAt(text, offset + (isList ? 2 : 1));
  const closing = isList ? ']]' : ']';
  if (!text.startsWith(closing, end)) throw new TomlError(end, 'the name of a table does not end');
  return { kind: isList ? 'list' : 'table', path, offset, end: end + closing.length };
}

function assignment(text: string, offset: number): Assignment {
  const { path, end } = keyAt(text, offset);
  if (text[end] !== '=') throw new TomlError(end, 'an equals sign expected');
  const valueOffset = end + 1 + (/^[ \t]*/.exec(text.slice(end + 1))?.[0].length ?? 0);
  return { kind: 'assignment', path, offset, end: valueEnd(text, valueOffset), valueOffset };
}

/** A dotted key and the blanks behind it. @throws TomlError */
export function keyAt(text: string, offset: number): { readonly path: string[]; readonly end: number } {
  const part = /[ \t]*(?:([A-Za-z0-9_-]+)|("(?:[^"\\\n]|\\[^\n])*")|'([^'\n]*)')[ \t]*/y;
  const path: string[] = [];
  for (let end = offset; ; end += 1) {
    part.lastIndex = end;
    const found = part.exec(text);
    if (found === null) throw new TomlError(end, 'a key expected');
    path.push(found[1] ?? found[3] ?? basicString(found[2] ?? '', end));
    end = part.lastIndex;
    if (text[end] !== '.') return { path, end };
  }
}

/** All but the eight-digit escapes of TOML is JSON; a key with one of those is no key that is looked for here. */
function basicString(quoted: string, offset: number): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw new TomlError(offset, 'a key that only a person can read');
  }
}

const strings = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'/y;

/** @throws TomlError */
export function stringEnd(text: string, offset: number): number {
  strings.lastIndex = offset;
  if (!strings.test(text)) throw new TomlError(offset, 'a string does not end');
  return strings.lastIndex;
}

function valueEnd(text: string, offset: number): number {
  const open: string[] = [];
  let at = offset;
  for (; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") {
      at = stringEnd(text, at) - 1;
    } else if (character === '[' || character === '{') open.push(character === '[' ? ']' : '}');
    else if (character === ']' || character === '}') {
      if (open.pop() !== character) throw new TomlError(at, 'a bracket too many');
    } else if (character === '#' || character === '\n') {
      if (open.length === 0) break;
      if (character === '#') at = Math.max(at, text.indexOf('\n', at) - 1);
    }
  }
  if (open.length > 0) throw new TomlError(offset, 'a bracket does not end');
  const value = text.slice(offset, at).trimEnd();
  if (value === '') throw new TomlError(offset, 'a value expected');
  return offset + value.length;
}
