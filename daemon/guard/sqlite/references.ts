/**
 * The tables that a statement names, as SQLite resolves them: which are read, which are written to or defined, and which names
 * mean a common table expression, by the scopes of those. One walk, under all rules. Classifies no class.
 */

import { definitionAt, isWordAt } from './definitions.ts';
import { closingsOf } from './parentheses.ts';
import { folded, isOperator, type Token } from './tokenizer.ts';

interface TableReference {
  /** Index of the last part of its name. */
  readonly at: number;
  /** Null where none is written. */
  readonly schema: string | null;
  readonly name: string;
  /** `definition`: what DDL makes, changes, or refers to. */
  readonly role: 'source' | 'target' | 'definition';
  /** Never of a target, nor of a name with a schema: SQLite looks those up in the file alone. */
  readonly isCommonTable: boolean;
}

export interface References {
  readonly tables: readonly TableReference[];
  /** Indexes of names whose parenthesis holds columns, not arguments. */
  readonly columnLists: ReadonlySet<number>;
}

interface Group {
  /** Whether a comma in it introduces a table. */
  isList: boolean;
  /** Common table expressions whose scope ends with it. */
  readonly declared: string[];
}

const endsList = new Set(
  'where group order limit having union intersect except set values select returning'.split(' '),
);
const startsStatement = new Set(['explain', 'plan', 'begin']);

export function referencesIn(tokens: readonly Token[]): References {
  const closings = closingsOf(tokens);
  const definition = definitionAt(tokens);
  const tables: TableReference[] = [];
  const columnLists = new Set<number>();
  /** How many open scopes declare a name. */
  const scopes = new Map<string, number>();
  const groups: Group[] = [{ isList: false, declared: [] }];
  let expected: TableReference['role'] | null = null;
  let schema: string | null = null;

  const here = (): Group => groups.at(-1) as Group;
  const declare = (name: string, by: number): void => void scopes.set(name, (scopes.get(name) ?? 0) + by);
  const leave = ({ declared }: Group): void => {
    for (const name of declared) declare(name, -1);
  };
  const refer = (at: number, name: string, role: TableReference['role']): void => {
    const isCommonTable = role === 'source' && schema === null && (scopes.get(name) ?? 0) > 0;
    tables.push({ at, schema, name, role, isCommonTable });
    if (role !== 'source') columnLists.add(at);
  };

  for (const [at, token] of tokens.entries()) {
    const isWord = token.kind === 'word';
    const opened = isWord ? openedBy(tokens, at) : null;
    if (at === definition) expected = 'definition';
    const commonTables = isWord && token.text === 'with' ? commonTablesAt(tokens, at, closings) : [];
    for (const { name, at: place } of commonTables) {
      here().declared.push(name);
      declare(name, 1);
      columnLists.add(place);
    }
    if (commonTables.length > 0) {
      [here().isList, expected] = [false, null];
    } else if (opened !== null) {
      if (opened.isList !== null) here().isList = opened.isList;
      expected = opened.role;
    } else if (isWord && expected !== 'definition' && isListEnd(tokens, at)) {
      [here().isList, expected] = [false, null];
    } else if (isOperator(token, '(')) {
      groups.push({ isList: expected !== null, declared: [] });
    } else if (isOperator(token, ')')) {
      if (groups.length > 1) leave(groups.pop() as Group);
      expected = null;
    } else if (isOperator(token, ';')) {
      for (const group of groups.splice(0, groups.length, { isList: false, declared: [] })) leave(group);
      expected = null;
    } else if (isOperator(token, ',')) {
      expected = here().isList ? 'source' : null;
    } else if (expected !== null && isNaming(token) && !isModifier(tokens, at)) {
      if (isOperator(tokens[at + 1], '.')) schema = folded(token.text);
      else {
        refer(at, folded(token.text), expected);
        [expected, schema] = [null, null];
      }
    }
  }
  return { tables, columnLists };
}

export function isNaming({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name' || kind === 'string';
}

interface Opened {
  readonly role: TableReference['role'];
  /** Null: as before. */
  readonly isList: boolean | null;
}

/** What the word says of the name behind it; null where it says nothing of a table. */
function openedBy(tokens: readonly Token[], at: number): Opened | null {
  const before = tokens[at - 1];
  switch (tokens[at]?.text) {
    case 'from':
      if (isWordAt(tokens, at - 1, 'distinct') && ['is', 'not'].includes(tokens[at - 2]?.text ?? '')) return null;
      return isWordAt(tokens, at - 1, 'delete') ? { role: 'target', isList: false } : { role: 'source', isList: true };
    case 'join':
      return { role: 'source', isList: true };
    case 'in':
      return isOperator(tokens[at + 1], '(') ? null : { role: 'source', isList: null };
    case 'into':
      return { role: 'target', isList: false };
    case 'references':
      return { role: 'definition', isList: null };
    case 'update': {
      const begins =
        before === undefined ||
        (before.kind === 'operator' ? ');'.includes(before.text) : startsStatement.has(before.text));
      return begins ? { role: 'target', isList: false } : null;
    }
    default:
      return null;
  }
}

/** WINDOW is a keyword only before a window's definition: `FROM t window, u` names two tables. */
function isListEnd(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? '';
  if (text === 'window') return isWordAt(tokens, at + 2, 'as');
  return endsList.has(text);
}

/** `OR IGNORE` behind UPDATE. */
function isModifier(tokens: readonly Token[], at: number): boolean {
  return isWordAt(tokens, at, 'or') || (isWordAt(tokens, at - 1, 'or') && isWordAt(tokens, at - 2, 'update'));
}

/** `WITH a AS (…), b(x) AS MATERIALIZED (…)`; nothing where WITH is a name. */
function commonTablesAt(
  tokens: readonly Token[],
  withAt: number,
  closings: readonly (number | undefined)[],
): readonly { readonly name: string; readonly at: number }[] {
  const found: { name: string; at: number }[] = [];
  let at = withAt + 1;
  if (isWordAt(tokens, at, 'recursive') && !isWordAt(tokens, at + 1, 'as') && !isOperator(tokens[at + 1], '(')) at++;
  for (;;) {
    const token = tokens[at];
    if (token === undefined || !isNaming(token)) return found;
    let behind = at + 1;
    if (isOperator(tokens[behind], '(')) behind = (closings[behind] ?? tokens.length) + 1;
    if (!isWordAt(tokens, behind, 'as')) return found;
    behind++;
    if (isWordAt(tokens, behind, 'not')) behind++;
    if (isWordAt(tokens, behind, 'materialized')) behind++;
    if (!isOperator(tokens[behind], '(')) return found;
    found.push({ name: folded(token.text), at });
    behind = (closings[behind] ?? tokens.length) + 1;
    if (!isOperator(tokens[behind], ',')) return found;
    at = behind + 1;
  }
}
