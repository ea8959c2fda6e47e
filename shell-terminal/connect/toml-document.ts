/**
 * A client's TOML file: one table of it, and where to change it. Tables are found by their text; a file whose servers stand
 * otherwise (an inline table, dotted keys) is refused, never rewritten.
 */

import { isDeepStrictEqual } from 'node:util';
import { type ClientEntry, entryText, tomlText } from '../../shared/client-configs.ts';
import { type MemberValue, type OpenDocument, type Opened, refused } from './document.ts';
import { type Edit, lineEndOf, lineStart, nextLineStart, placeIn } from './edits.ts';
import { checkToml } from './toml-check.ts';
import { type Assignment, statementsOf, TomlError, type TomlStatement } from './toml-statements.ts';

export const openToml: OpenDocument = (text, entry) => {
  try {
    const statements = statementsOf(text);
    checkToml(text, statements);
    return opened(text, entry, statements);
  } catch (error) {
    if (error instanceof TomlError) return refused(`is not TOML (${placeIn(text, error.offset)}: ${error.message})`);
    throw error;
  }
};

function opened(text: string, entry: ClientEntry, statements: readonly TomlStatement[]): Opened {
  const ours: TomlStatement[] = [];
  const others: string[] = [];
  let table: readonly string[] = [];
  for (const statement of statements) {
    const isHeader = statement.kind !== 'assignment';
    const path = isHeader ? statement.path : [...table, ...statement.path];
    const isInTable = isHeader ? statement.kind === 'table' : table.length > 1;
    if (isHeader) table = statement.path;
    const isOurs = path[0] === entry.under && (path.length === 1 || path[1] === entry.name);
    if (isOurs && path.length > 1 && isInTable) ours.push(statement);
    else if (isOurs && (!isHeader || statement.kind === 'list' || path.length > 1)) return byHand;
    else others.push(text.slice(statement.offset, statement.end));
  }
  const servers = ours.length === 0 ? {} : { [entry.name]: nested(membersOf(text, ours)) };
  return {
    kind: 'opened',
    document: {
      value: { others, [entry.under]: servers },
      entry: servers[entry.name],
      add: () => [append(text, entry)],
      set: (key, value) => setMember(text, ours, [], key, value),
      remove: () => removeTables(text, ours),
    },
  };
}

const byHand = refused('keeps its MCP servers in a way that can only be changed by hand');

interface Member {
  /** Below the entry: `['env', 'A']` of `A` in `[mcp_servers.sallyport.env]`. */
  readonly path: readonly string[];
  /** {@link aTable} of its header. */
  readonly value: unknown;
}

const aTable = Symbol('a table');

function membersOf(text: string, statements: readonly TomlStatement[]): Member[] {
  let below: readonly string[] = [];
  return statements.flatMap((statement): Member[] => {
    if (statement.kind === 'assignment')
      return [{ path: [...below, ...statement.path], value: memberValue(text, statement) }];
    below = statement.path.slice(2);
    return below.length === 0 ? [] : [{ path: below, value: aTable }];
  });
}

function nested(members: readonly Member[]): Record<string, unknown> {
  const values = new Map<string, unknown>();
  const tables = new Map<string, Member[]>();
  for (const { path, value } of members) {
    const [key = '', ...rest] = path;
    if (rest.length === 0 && value !== aTable) values.set(key, value);
    else tables.set(key, [...(tables.get(key) ?? []), ...(rest.length === 0 ? [] : [{ path: rest, value }])]);
  }
  return Object.fromEntries([...values, ...[...tables].map(([key, inside]) => [key, nested(inside)] as const)]);
}

function memberValue(text: string, { valueOffset, end }: Assignment): unknown {
  return readValue(text.slice(valueOffset, end));
}

function append(text: string, entry: ClientEntry): Edit {
  const eol = lineEndOf(text);
  const gap = text.trim() === '' ? '' : eol;
  const missing = text === '' || text.endsWith('\n') ? '' : eol;
  const content = `${missing}${gap}${entryText(entry).replaceAll('\n', eol)}${eol}`;
  return { offset: text.length, length: 0, content };
}

/** Of the table `below` the entry. Nothing where dotted keys say it, which only a person can change. */
function setMember(
  text: string,
  ours: readonly TomlStatement[],
  below: readonly string[],
  key: string,
  value: MemberValue,
): Edit[] {
  const path = [...below, key];
  const { header, members } = tableOf(ours, below);
  const found = members.find(member => isDeepStrictEqual(member.path, [key]));
  if (found !== undefined) {
    const { valueOffset: offset, end } = found;
    const isSaid = isDeepStrictEqual(memberValue(text, found), value);
    return isSaid ? [] : [{ offset, length: end - offset, content: tomlText(value) }];
  }
  if (tableOf(ours, path).header !== undefined && typeof value === 'object')
    return Object.entries(value).flatMap(([inner, member]) => setMember(text, ours, path, inner, member));
  if (header === undefined || members.some(member => member.path[0] === key)) return [];
  const offset = nextLineStart(text, header.end);
  const missing = text[offset - 1] === '\n' ? '' : lineEndOf(text);
  return [{ offset, length: 0, content: `${missing}${key} = ${tomlText(value)}${lineEndOf(text)}` }];
}

/** The header of the table `below` the entry, and what stands in it. */
function tableOf(
  ours: readonly TomlStatement[],
  below: readonly string[],
): { readonly header: TomlStatement | undefined; readonly members: readonly Assignment[] } {
  const at = ours.findIndex(({ kind, path }) => kind === 'table' && isDeepStrictEqual(path.slice(2), below));
  const behind = at === -1 ? [] : ours.slice(at + 1);
  const next = behind.findIndex(({ kind }) => kind !== 'assignment');
  const inside = next === -1 ? behind : behind.slice(0, next);
  return { header: ours[at], members: inside.filter(statement => statement.kind === 'assignment') };
}

/** Line by line: a comment of its own stays. With the blank line that was put before the table, where nothing stands behind it. */
function removeTables(text: string, statements: readonly TomlStatement[]): Edit[] {
  const edits = statements.map(({ offset, end }) => {
    const start = lineStart(text, offset);
    return { offset: start, length: nextLineStart(text, end) - start, content: '' };
  });
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined || text.slice(last.offset + last.length).trim() !== '') return edits;
  const before = /(?<=\n)\r?\n$/.exec(text.slice(0, first.offset));
  if (before === null) return edits;
  return [{ offset: before.index, length: before[0].length, content: '' }, ...edits];
}

/** A value that JSON doesn't read stays the text it is. */
function readValue(text: string): unknown {
  const table = text.startsWith('{') ? readInlineTable(text) : null;
  if (table !== null) return table;
  const literal = text.includes('"') ? text : text.replace(/'([^'\n]*)'/g, (_, inside) => JSON.stringify(inside));
  try {
    return JSON.parse(literal.replace(/,\s*\]$/, ']'));
  } catch {
    return text;
  }
}

/** One of strings alone, as an environment is; null of any other. */
function readInlineTable(text: string): Readonly<Record<string, unknown>> | null {
  const member = /\s*([A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*')\s*([,}])/y;
  const members: [string, unknown][] = [];
  for (member.lastIndex = 1; ; ) {
    const [, key = '', value = '', end] = member.exec(text) ?? [];
    if (end === undefined) return null;
    members.push([key, readValue(value)]);
    if (end === '}') return member.lastIndex === text.length ? Object.fromEntries(members) : null;
  }
}
