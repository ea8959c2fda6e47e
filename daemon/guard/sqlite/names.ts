/**
 * The names in a statement that stand where tables do, by its text alone. It gives too many rather
 * than too few, since a name may also be a common table expression's in a part of the statement.
 * Decides no class.
 */

import { definitionAt, isWordAt } from './definitions.ts';
import { folded, isOperator, isWord, type Token } from './tokenizer.ts';

interface TableName {
  /** Index of the last part of its name. */
  readonly at: number;
  /** Null if none is written. */
  readonly schema: string | null;
  readonly name: string;
  /** `definition`: what DDL makes, changes, or refers to. */
  readonly role: 'source' | 'target' | 'definition';
}

export interface Names {
  readonly tables: readonly TableName[];
  /** Common table expressions of the whole statement. One of a part of it hides no table here. */
  readonly commonTables: ReadonlySet<string>;
  /** Indexes of names whose parenthesis holds columns, not arguments. */
  readonly columnLists: ReadonlySet<number>;
}

const endsList = new Set(
  'where group order limit having union intersect except set values select returning'.split(' '),
);
const beforeStatement = new Set([')', ';', 'explain', 'plan', 'begin']);

interface Group {
  /** Index of its parenthesis. */
  readonly at: number;
  /** True if a comma in it introduces a table. */
  isList: boolean;
  /** True if common table expressions are being declared. */
  isWith: boolean;
  /** Index of the last parenthesis that was opened and closed in it. */
  last: number;
}

export function namesIn(tokens: readonly Token[]): Names {
  const definition = definitionAt(tokens);
  const isOne = !tokens.some(token => isOperator(token, ';'));
  const tables: TableName[] = [];
  const commonTables = new Set<string>();
  const columnLists = new Set<number>();
  const groups: Group[] = [{ at: -1, isList: false, isWith: false, last: -1 }];
  let expected: TableName['role'] | null = null;
  let schema: string | null = null;

  for (const [at, token] of tokens.entries()) {
    const here = groups.at(-1) as Group;
    const role = token.kind === 'word' ? roleBehind(tokens, at) : null;
    if (at === definition) expected = 'definition';
    if (role !== null) {
      expected = role;
      if (token.text !== 'in' && role !== 'definition') here.isList = role === 'source';
    } else if (opensCommonTables(tokens, at) && (expected === null || here.at === at - 1)) {
      here.isWith = true;
      // Anywhere else a list goes on, as it does if this is a name after all.
      if (here.at === at - 1) [here.isList, expected] = [false, null];
    } else if (expected !== 'definition' && isListEnd(tokens, at)) {
      [here.isWith, here.isList, expected] = [false, false, null];
    } else if (isOperator(token, '(')) {
      const declared = here.isWith ? commonTableAt(tokens, at, here.last) : -1;
      columnLists.add(declared);
      if (isOne && declared >= 0 && groups.length === 1) commonTables.add(folded(tokens[declared]?.text ?? ''));
      groups.push({ at, isList: expected !== null, isWith: false, last: -1 });
    } else if (isOperator(token, ')') || isOperator(token, ';')) {
      if (groups.length > 1) (groups.at(-2) as Group).last = (groups.pop() as Group).at;
      if (token.text === ';') here.isList = false;
      expected = null;
    } else if (isOperator(token, ',')) {
      expected = here.isList ? 'source' : null;
    } else if (expected !== null && isNaming(token) && !isModifier(tokens, at)) {
      // A third part is no SQL, but SQLite looks up the first two before it says so.
      if (schema === null && isOperator(tokens[at + 1], '.')) schema = folded(token.text);
      else {
        tables.push({ at, schema, name: folded(token.text), role: expected });
        if (expected !== 'source') columnLists.add(at);
        [expected, schema] = [null, null];
      }
    }
  }
  return { tables, commonTables, columnLists };
}

/** False for a target, and for a name with a schema: SQLite looks those up in the file alone. */
export function isCommonTable({ commonTables }: Names, { role, schema, name }: TableName): boolean {
  return role === 'source' && schema === null && commonTables.has(name);
}

export function isNaming({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name' || kind === 'string';
}

/** What the word says about the name after it; null if it says nothing about a table. */
function roleBehind(tokens: readonly Token[], at: number): TableName['role'] | null {
  const before = tokens[at - 1];
  const text = tokens[at]?.text;
  if (text === 'from') {
    if (isWord(before, 'distinct') && ['is', 'not'].includes(tokens[at - 2]?.text ?? '')) return null;
    return isWord(before, 'delete') ? 'target' : 'source';
  }
  if (text === 'join' || (text === 'in' && !isOperator(tokens[at + 1], '('))) return 'source';
  if (text === 'references') return 'definition';
  const begins = before === undefined || beforeStatement.has(before.text);
  return text === 'into' || (text === 'update' && begins) ? 'target' : null;
}

/** WITH is a name as well: `FROM t WITH, u` names two tables, and `WITH JOIN (u)` two more. */
function opensCommonTables(tokens: readonly Token[], at: number): boolean {
  if (!isWord(tokens[at], 'with')) return false;
  const nameAt = isWordAt(tokens, at + 1, 'recursive') ? at + 2 : at + 1;
  const name = tokens[nameAt];
  const isName = name !== undefined && isNaming(name) && !['join', 'on', 'using'].some(word => isWord(name, word));
  return isName && (isWordAt(tokens, nameAt + 1, 'as') || isOperator(tokens[nameAt + 1], '('));
}

/** WINDOW is a keyword only before a window's definition: `FROM t window, u` names two tables. */
function isListEnd(tokens: readonly Token[], at: number): boolean {
  const { kind, text } = tokens[at] as Token;
  return kind === 'word' && (text === 'window' ? isWordAt(tokens, at + 2, 'as') : endsList.has(text));
}

/** True for `OR IGNORE` after UPDATE. */
function isModifier(tokens: readonly Token[], at: number): boolean {
  return isWordAt(tokens, at, 'or') || (isWordAt(tokens, at - 1, 'or') && isWordAt(tokens, at - 2, 'update'));
}

/**
 * Index of the name of the common table expression whose body opens at `bodyAt`, perhaps after its
 * columns; -1 if there is none.
 */
function commonTableAt(tokens: readonly Token[], bodyAt: number, columnsAt: number): number {
  let as = bodyAt - 1;
  while (isWordAt(tokens, as, 'materialized') || isWordAt(tokens, as, 'not')) as--;
  if (!isWordAt(tokens, as, 'as')) return -1;
  return isOperator(tokens[as - 1], ')') ? columnsAt - 1 : as - 1;
}
