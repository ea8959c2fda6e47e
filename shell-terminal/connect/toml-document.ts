/**
 * A client's TOML file: finds one table, and where to change it. The parser tells what the file
 * means; the text tells where its statements are. `merge.ts` reads the result back to verify its
 * meaning.
 */

import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { type ClientEntry, entryText, tomlText } from '../../shared/client-configs.ts';
import { isObject } from '../../shared/json.ts';
import { type MemberValue, type OpenDocument, refused } from './document.ts';
import { type Edit, lineEndOf, lineStart, nextLineStart } from './edits.ts';

export const openToml: OpenDocument = (text, entry) => {
  let value: Record<string, unknown>;
  try {
    value = meaningOf(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, reason = ''] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    return refused(`is not TOML (line ${error.line}, column ${error.column}: ${reason})`);
  }
  const servers = value[entry.under];
  return {
    kind: 'opened',
    document: {
      value,
      entry: isObject(servers) ? servers[entry.name] : undefined,
      add: () => [append(text, entry)],
      set: (key, member) => setMember(text, tablesOf(text, entry), [], key, member),
      remove: () => removeTables(text, tablesOf(text, entry)),
    },
  };
};

/**
 * Plain objects: the parser's have no prototype, which a comparison takes for a difference.
 * @throws TomlError
 */
function meaningOf(text: string): Record<string, unknown> {
  return structuredClone(parse(text, { integersAsBigInt: 'asNeeded' }));
}

interface Place {
  readonly offset: number;
  readonly end: number;
}
interface Member extends Place {
  /** Within its table: `['env', 'A']` of `env.A = "b"`. */
  readonly path: readonly string[];
  readonly valueOffset: number;
}
/** A header of our entry, and the statements below it. */
interface Table extends Place {
  /** `['env']` of `[mcp_servers.sallyport.env]`. */
  readonly below: readonly string[];
  readonly members: Member[];
}

function tablesOf(text: string, { under, name }: ClientEntry): readonly Table[] {
  const tables: Table[] = [];
  let isOurs = false;
  for (const { offset, end } of statementsOf(text)) {
    const statement = text.slice(offset, end);
    if (statement.startsWith('[')) {
      const [first, second, ...below] = pathIn(statement);
      isOurs = first === under && second === name && !statement.startsWith('[[');
      if (isOurs) tables.push({ below, offset, end, members: [] });
    } else if (isOurs) {
      const [key = ''] = /^(?:[^"'=]|"(?:[^"\\]|\\.)*"|'[^']*')*=[ \t]*/.exec(statement) ?? [];
      tables.at(-1)?.members.push({ path: pathIn(`${key}0`), offset, end, valueOffset: offset + key.length });
    }
  }
  return tables;
}

/** The path in a header, or in a key whose value is a number. */
function pathIn(statement: string): string[] {
  const path: string[] = [];
  let inner: unknown = parse(statement);
  while (isObject(inner)) {
    const [key] = Object.keys(inner);
    if (key === undefined) break;
    path.push(key);
    inner = inner[key];
  }
  return path;
}

const pieces =
  /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'|#[^\n]*|[^\s"'#[\]{}]+|[\s\S]/g;

/**
 * The statements of a valid TOML text. Each goes on to the end of its line, or further while a
 * string or bracket is open; without a trailing comment.
 */
function statementsOf(text: string): readonly Place[] {
  const statements: Place[] = [];
  let begun: number | null = null;
  let end = 0;
  let open = 0;
  for (const { 0: piece, index } of `${text}\n`.matchAll(pieces)) {
    if (piece === '[' || piece === '{') open += 1;
    if (piece === ']' || piece === '}') open -= 1;
    if (piece.trim() !== '' && !piece.startsWith('#')) {
      begun ??= index;
      end = index + piece.length;
    } else if (piece === '\n' && open === 0 && begun !== null) {
      statements.push({ offset: begun, end });
      begun = null;
    }
  }
  return statements;
}

function append(text: string, entry: ClientEntry): Edit {
  const eol = lineEndOf(text);
  const gap = text.trim() === '' ? '' : eol;
  const missing = text === '' || text.endsWith('\n') ? '' : eol;
  const content = `${missing}${gap}${entryText(entry).replaceAll('\n', eol)}${eol}`;
  return { offset: text.length, length: 0, content };
}

/**
 * Sets a member of the table `below` the entry. Changes nothing if dotted keys or an inline table
 * hold it; only a person can change those.
 */
function setMember(
  text: string,
  tables: readonly Table[],
  below: readonly string[],
  key: string,
  value: MemberValue,
): Edit[] {
  const tableAt = (path: readonly string[]) => tables.find(table => isDeepStrictEqual(table.below, path));
  const table = tableAt(below);
  const found = table?.members.find(({ path }) => path.length === 1 && path[0] === key);
  if (found !== undefined) {
    const { valueOffset: offset, end } = found;
    const isSaid = isDeepStrictEqual(meaningOf(`value = ${text.slice(offset, end)}`).value, value);
    return isSaid ? [] : [{ offset, length: end - offset, content: tomlText(value) }];
  }
  const path = [...below, key];
  if (tableAt(path) !== undefined && typeof value === 'object')
    return Object.entries(value).flatMap(([inner, member]) => setMember(text, tables, path, inner, member));
  if (table === undefined || table.members.some(member => member.path[0] === key)) return [];
  const offset = nextLineStart(text, table.end);
  const missing = text[offset - 1] === '\n' ? '' : lineEndOf(text);
  return [{ offset, length: 0, content: `${missing}${key} = ${tomlText(value)}${lineEndOf(text)}` }];
}

/**
 * Line by line, so comments on their own lines stay. Also removes the blank line before the table
 * if nothing follows it.
 */
function removeTables(text: string, tables: readonly Table[]): Edit[] {
  const edits = tables
    .flatMap(table => [table, ...table.members])
    .map(({ offset, end }) => {
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
