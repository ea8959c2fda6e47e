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
import { membersInline, type Statement, statementsOf } from './toml-text.ts';

export const openToml: OpenDocument = (text, entry) => {
  let value: Record<string, unknown>;
  try {
    value = meaningOf(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, reason = ''] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    return refused(`is not TOML (line ${error.line}, column ${error.column}: ${reason})`);
  }
  const whole = [...entry.under, entry.name];
  return {
    kind: 'opened',
    document: {
      value,
      entry: whole.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value),
      add: () => [addInline(text, entry) ?? append(text, entry)],
      set: (key, member) => setMember(text, tablesOf(text, whole), [], key, member),
      remove: () => removeStatements(text, whole),
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

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((key, at) => path[at] === key);
}

/** A header of our entry, and the statements below it. */
interface Table {
  readonly header: Statement;
  /** `['env']` of `[mcp_servers.sallyport.env]`. */
  readonly below: readonly string[];
  readonly members: Statement[];
}

function tablesOf(text: string, whole: readonly string[]): readonly Table[] {
  const tables: Table[] = [];
  let isOurs = false;
  for (const statement of statementsOf(text)) {
    if (statement.isHeader) {
      isOurs = startsWith(statement.path, whole);
      if (isOurs) tables.push({ header: statement, below: statement.path.slice(whole.length), members: [] });
    } else if (isOurs) tables.at(-1)?.members.push(statement);
  }
  return tables;
}

/** Null unless an inline table holds the servers, which no header may extend. */
function addInline(text: string, { under, name, value }: ClientEntry): Edit | null {
  const holder = within(text, statementsOf(text), under).at(-1);
  if (holder === undefined || holder.path.length !== under.length || text[holder.valueOffset] !== '{') return null;
  const last = membersInline(text, holder).at(-1);
  const members = Object.entries(value).map(([key, member]) => `${key} = ${tomlText(member)}`);
  const content = `${name} = { ${members.join(', ')} }`;
  if (last === undefined) return { offset: holder.valueOffset + 1, length: 0, content: ` ${content} ` };
  return { offset: last.end, length: 0, content: `, ${content}` };
}

/** Statements, from the outermost one, whose inline tables lead to the path or into it. */
function within(text: string, statements: readonly Statement[], path: readonly string[]): readonly Statement[] {
  return statements.flatMap(statement => {
    if (statement.isHeader || !startsWith(path, statement.path)) return [];
    return [statement, ...within(text, membersInline(text, statement), path)];
  });
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
  const found = table?.members.find(({ path, tableDepth }) => path.length === tableDepth + 1 && path.at(-1) === key);
  if (found !== undefined) {
    const { valueOffset: offset, end } = found;
    const isSaid = isDeepStrictEqual(meaningOf(`value = ${text.slice(offset, end)}`).value, value);
    return isSaid ? [] : [{ offset, length: end - offset, content: tomlText(value) }];
  }
  const path = [...below, key];
  if (tableAt(path) !== undefined && typeof value === 'object')
    return Object.entries(value).flatMap(([inner, member]) => setMember(text, tables, path, inner, member));
  if (table === undefined || table.members.some(member => member.path[member.tableDepth] === key)) return [];
  const offset = nextLineStart(text, table.header.end);
  const missing = text[offset - 1] === '\n' ? '' : lineEndOf(text);
  return [{ offset, length: 0, content: `${missing}${key} = ${tomlText(value)}${lineEndOf(text)}` }];
}

/**
 * Line by line, so comments on their own lines stay. Also removes the blank line before the table
 * if nothing follows it.
 */
function removeStatements(text: string, whole: readonly string[]): Edit[] {
  const statements = statementsOf(text);
  const edits = statements
    .filter(({ path }) => startsWith(path, whole))
    .map(({ offset, end }) => {
      const start = lineStart(text, offset);
      return { offset: start, length: nextLineStart(text, end) - start, content: '' };
    });
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return removeInline(text, statements, whole);
  if (text.slice(last.offset + last.length).trim() !== '') return edits;
  const before = /(?<=\n)\r?\n$/.exec(text.slice(0, first.offset));
  if (before === null) return edits;
  return [{ offset: before.index, length: before[0].length, content: '' }, ...edits];
}

/** Members of an inline table, each with the comma after it, or else the one before it. */
function removeInline(text: string, statements: readonly Statement[], whole: readonly string[]): Edit[] {
  const holder = within(text, statements, whole.slice(0, -1)).at(-1);
  if (holder === undefined) return [];
  const members = membersInline(text, holder);
  return members.flatMap((member, at) => {
    if (!startsWith(member.path, whole)) return [];
    const [before, behind] = [members[at - 1], members[at + 1]];
    if (behind !== undefined) return [{ offset: member.offset, length: behind.offset - member.offset, content: '' }];
    const offset = before?.end ?? member.offset;
    return [{ offset, length: member.end - offset, content: '' }];
  });
}
