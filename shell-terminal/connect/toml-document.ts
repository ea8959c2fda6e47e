/**
 * A client's TOML file: one table of it, and where to change it. Tables are found by their text; a file whose servers stand
 * otherwise (an inline table, dotted keys) is refused, never rewritten.
 */

import { type ClientEntry, entryText, tomlText } from '../../shared/client-configs.ts';
import { type MemberValue, type OpenDocument, type Opened, refused } from './document.ts';
import { type Edit, lineEndOf, lineStart, nextLineStart, placeIn } from './edits.ts';
import { type Assignment, statementsOf, TomlError, type TomlStatement } from './toml-statements.ts';

export const openToml: OpenDocument = (text, entry) => {
  try {
    return opened(text, entry, statementsOf(text));
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
  const [header, ...rest] = ours;
  const servers = header === undefined ? {} : { [entry.name]: membersOf(text, ours) };
  const members = rest.filter(statement => statement.kind === 'assignment');
  return {
    kind: 'opened',
    document: {
      value: { others, [entry.under]: servers },
      entry: servers[entry.name],
      add: () => [append(text, entry)],
      set: (key, value) => (header === undefined ? [] : [setMember(text, header, members, key, value)]),
      remove: () => removeTables(text, ours),
    },
  };
}

const byHand = refused('keeps its MCP servers in a way that can only be changed by hand');

/** A value that JSON doesn't read stays the text it is. */
function membersOf(text: string, statements: readonly TomlStatement[]): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  let below: readonly string[] = [];
  for (const statement of statements) {
    if (statement.kind !== 'assignment') below = statement.path.slice(2);
    else members[[...below, ...statement.path].join('.')] = readValue(text.slice(statement.valueOffset, statement.end));
  }
  return members;
}

function readValue(text: string): unknown {
  const inline = /^\{\s*([A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\]|\\.)*")\s*\}$/s.exec(text);
  if (inline !== null) return { [inline[1] ?? '']: readValue(inline[2] ?? '') };
  const literal = text.includes('"') ? text : text.replace(/'([^'\n]*)'/g, (_, inside) => JSON.stringify(inside));
  try {
    return JSON.parse(literal.replace(/,\s*\]$/, ']'));
  } catch {
    return text;
  }
}

function append(text: string, entry: ClientEntry): Edit {
  const eol = lineEndOf(text);
  const gap = text.trim() === '' ? '' : eol;
  const missing = text === '' || text.endsWith('\n') ? '' : eol;
  const content = `${missing}${gap}${entryText(entry).replaceAll('\n', eol)}${eol}`;
  return { offset: text.length, length: 0, content };
}

function setMember(
  text: string,
  header: TomlStatement,
  members: readonly Assignment[],
  key: string,
  value: MemberValue,
): Edit {
  const found = members.find(({ path }) => path.length === 1 && path[0] === key);
  if (found !== undefined)
    return { offset: found.valueOffset, length: found.end - found.valueOffset, content: tomlText(value) };
  const offset = nextLineStart(text, header.end);
  const missing = text[offset - 1] === '\n' ? '' : lineEndOf(text);
  return { offset, length: 0, content: `${missing}${key} = ${tomlText(value)}${lineEndOf(text)}` };
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
