/** Reads one MySQL or MariaDB data change from its tokens, under the one reading that its server has. */

import type { QualifiedName } from '../classification/classification.ts';
import { verbAfterWith } from '../classification/mysql/query.ts';
import type { Reading } from '../classification/mysql/reading.ts';
import { nameAt, touchedTables } from '../classification/mysql/tables.ts';
import { tokenize } from '../classification/mysql/tokenizer.ts';
import { at, closing, has, isName, type Token } from '../classification/mysql/tokens.ts';
import { type Verb, withEnding } from './plan.ts';

export interface MysqlReading {
  readonly verb: Verb;
  /** Everything the statement may write to; one name where `target` is given. */
  readonly writes: readonly QualifiedName[];
  /** Null for a statement that changes several tables. */
  readonly target: QualifiedName | null;
  /** `FROM` and all behind it of a query for the same rows; null where there is none of this shape. */
  readonly sameRows: { readonly from: string; readonly rest: string; readonly isLimited: boolean } | null;
  /** Columns of rows that were there that get a value; null where that can't be told. */
  readonly sets: readonly string[] | null;
  readonly isUpsert: boolean;
  /** IGNORE and its like, under which rows may be passed over. */
  readonly ignores: boolean;
  readonly ownReturning: boolean;
  readonly movesSequence: boolean;
  readonly setsSequence: boolean;
}

const verbs: Readonly<Record<string, Verb>> = {
  INSERT: 'insert',
  REPLACE: 'replace',
  UPDATE: 'update',
  DELETE: 'delete',
};
const modifiers = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'QUICK', 'INTO']);
const severalTables = new Set(['JOIN', 'STRAIGHT_JOIN', 'USING', ',', '*']);
const listEnds = new Set(['SET', 'WHERE', 'ORDER', 'LIMIT', 'RETURNING']);

/** @param sqlMode the server's own; readings differ by it. */
export function readingOf(version: string, sqlMode: string): Reading {
  const modes = new Set(sqlMode.split(','));
  return {
    ansiQuotes: modes.has('ANSI_QUOTES'),
    backslash: modes.has('NO_BACKSLASH_ESCAPES') ? 'literal' : 'escapes',
    // Decides executable comments alone, and a statement with one is not read here.
    server: { flavor: /mariadb/i.test(version) ? 'mariadb' : 'mysql', version: 0, digits: 5 },
  };
}

/** Null where the text can't be cut, or holds an executable comment. */
export function plainTokens(text: string, reading: Reading): readonly Token[] | null {
  const cut = tokenize(text, reading);
  if (cut.kind === 'failure' || cut.hasExecutableComment) return null;
  const tokens = cut.tokens.filter(token => token.kind !== 'hint');
  return tokens.at(-1)?.key === ';' ? tokens.slice(0, -1) : tokens;
}

/** Null where the text is no single data change whose tables can be told. */
export function readMysql(sql: string, reading: Reading): MysqlReading | null {
  const tokens = plainTokens(sql, reading);
  if (tokens === null) return null;
  const hasWith = at(tokens, 0).key === 'WITH';
  const verbAt = hasWith ? verbAfterWith(tokens, 0) : 0;
  const verb = verbs[at(tokens, verbAt).key];
  if (verb === undefined) return null;
  let start = verbAt + 1;
  while (modifiers.has(at(tokens, start).key)) start++;
  const isPlainDelete = verb === 'delete' && at(tokens, start).key === 'FROM';
  if (isPlainDelete) start++;
  const named = nameAt(tokens, start);
  const isInsert = verb === 'insert' || verb === 'replace';
  const end = isInsert ? start : indexAtTop(tokens, start, listEnds);
  const list = tokens.slice(start, end);
  const isSingle =
    named !== null &&
    (isInsert || ((verb === 'update' || isPlainDelete) && !list.some(token => severalTables.has(token.key))));
  const target = isSingle ? named.name : null;
  const isUpsert = verb === 'insert' && has(tokens, 'ON', 'DUPLICATE', 'KEY', 'UPDATE');
  const setAt = isUpsert
    ? tokens.findIndex((_, index) => has(tokens.slice(index, index + 4), 'ON', 'DUPLICATE', 'KEY', 'UPDATE')) + 3
    : indexAtTop(tokens, start, new Set(['SET']));
  return {
    verb,
    writes: target === null ? touchedTables(tokens) : [target],
    target,
    sameRows: target === null || isInsert || hasWith || has(list, 'PORTION') ? null : sameRows(sql, tokens, start, end),
    sets: verb === 'update' || isUpsert ? setNames(tokens, setAt + 1) : [],
    isUpsert,
    ignores: tokens.slice(verbAt, start).some(token => token.key === 'IGNORE'),
    ownReturning: indexAtTop(tokens, start, new Set(['RETURNING'])) < tokens.length,
    movesSequence: tokens.some(token => /^(nextval|next)$/i.test(token.text) && token.kind !== 'string'),
    setsSequence: tokens.some(token => /^setval$/i.test(token.text) && token.kind !== 'string'),
  };
}

/** @param list what to return, in SQL. Null where the text can't be shown to be the same statement with it. */
export function withReturning(sql: string, own: boolean, list: string, reading: Reading): string | null {
  const ending = own ? `, ${list}` : `RETURNING ${list}`;
  const shape = (tokens: readonly Token[] | null) => tokens?.map(({ kind, text }) => [kind, text]) ?? null;
  const [statement, added] = [shape(plainTokens(sql, reading)), shape(plainTokens(ending, reading))];
  if (statement === null || added === null) return null;
  const wanted = JSON.stringify([...statement, ...added]);
  return withEnding(
    sql,
    ending,
    text =>
      JSON.stringify(shape(plainTokens(text, reading))) === wanted && readMysql(text, reading)?.ownReturning === true,
  );
}

function sameRows(sql: string, tokens: readonly Token[], start: number, end: number): MysqlReading['sameRows'] {
  const slice = (from: number, to: number): string =>
    from >= to ? '' : sql.slice(at(tokens, from).start, at(tokens, to - 1).end);
  const rest = indexAtTop(tokens, start, new Set(['WHERE', 'ORDER', 'LIMIT']));
  const stop = indexAtTop(tokens, start, new Set(['RETURNING']));
  return {
    from: slice(start, end),
    rest: slice(Math.min(rest, stop), stop),
    isLimited: indexAtTop(tokens, start, new Set(['LIMIT'])) < tokens.length,
  };
}

/** Outside parentheses; the number of tokens where there is none. */
function indexAtTop(tokens: readonly Token[], from: number, keys: ReadonlySet<string>): number {
  for (let index = from; index < tokens.length; index++) {
    const { key } = at(tokens, index);
    if (key === '(') index = closing(tokens, index);
    else if (keys.has(key)) return index;
  }
  return tokens.length;
}

/** `a = …, t.b = …`. Null for anything else. */
function setNames(tokens: readonly Token[], from: number): readonly string[] | null {
  const names: string[] = [];
  let expects = true;
  for (let index = from; index < tokens.length; index++) {
    const { key } = at(tokens, index);
    if (!expects && listEnds.has(key)) break;
    if (expects) {
      while (isName(at(tokens, index)) && at(tokens, index + 1).key === '.') index += 2;
      const sign = at(tokens, index + 1).key;
      if (!isName(at(tokens, index)) || (sign !== '=' && sign !== ':=')) return null;
      names.push(at(tokens, index).text.toLowerCase());
      index++;
      expects = false;
    } else if (key === '(') index = closing(tokens, index);
    else if (key === ',') expects = true;
  }
  return names;
}
