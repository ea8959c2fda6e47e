/** Reads one MySQL or MariaDB data change from its tokens, under the one reading that its server has. */

import { mostSampleRows, openEnd, type Returning, type Verb } from '../data-change.ts';
import type { QualifiedName } from '../types.ts';
import { verbAfterWith } from './query.ts';
import type { Reading } from './reading.ts';
import { nameAt } from './tables.ts';
import { tokenize } from './tokenizer.ts';
import { at, has, indexAtTop, isName, outside, type Token } from './tokens.ts';

export interface MysqlReading extends Returning {
  readonly verb: Verb;
  /** Null for a statement that changes several tables. */
  readonly target: QualifiedName | null;
  /** All behind `SELECT …` of a query for the rows that meet the statement's conditions; null where there is none of this shape. */
  readonly sameRows: string | null;
  /** Columns that an UPDATE may give a value. */
  readonly sets: readonly string[];
  /** Under IGNORE and in an upsert, RETURNING gives rows that were not changed, and counts otherwise. */
  readonly returnsOthers: boolean;
  readonly movesSequence: boolean;
  /** Which stays as it is set when all else is rolled back. */
  readonly setsSequence: boolean;
}

const verbs: ReadonlyMap<string, Verb> = new Map(
  (['insert', 'replace', 'update', 'delete'] as const).map(verb => [verb.toUpperCase(), verb]),
);
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
  const verb = verbs.get(at(tokens, verbAt).key);
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
  const ignores = tokens.slice(verbAt, start).some(token => token.key === 'IGNORE');
  const ownReturning = indexAtTop(tokens, start, returning) < tokens.length;
  return {
    verb,
    target,
    sameRows: target === null || isInsert || hasWith || has(list, 'PORTION') ? null : sameRows(sql, tokens, start, end),
    sets: verb === 'update' ? setNames(tokens.slice(end + 1, indexAtTop(tokens, start, conditions))) : [],
    returnsOthers: ignores || has(tokens, 'ON', 'DUPLICATE', 'KEY'),
    ownReturning,
    open: openEnd(sql, ownReturning, (text, ending) => {
      const [after, added] = [plainTokens(text, reading), plainTokens(ending, reading) ?? []];
      const isAtTop = after !== null && indexAtTop(after, 0, returning) < after.length;
      return isAtTop && shape(after) === shape([...tokens, ...added]);
    }),
    movesSequence: has(tokens, 'NEXT', 'VALUE', 'FOR') || tokens.some((_, index) => isNextValue(tokens, index)),
    setsSequence: tokens.some((_, index) => isCalled(tokens, index, 'SETVAL')),
  };
}

const returning = new Set(['RETURNING']);
const conditions = new Set(['WHERE', 'ORDER', 'LIMIT']);

/** Columns are called NEXT, NEXTVAL and SETVAL too. `s.NEXTVAL` is Oracle's way to write it. */
function isNextValue(tokens: readonly Token[], index: number): boolean {
  const isOracles = at(tokens, index - 1).key === '.' && isNamed(at(tokens, index), 'NEXTVAL');
  return isOracles || isCalled(tokens, index, 'NEXTVAL');
}

function isCalled(tokens: readonly Token[], index: number, name: string): boolean {
  return isNamed(at(tokens, index), name) && at(tokens, index + 1).key === '(';
}

function isNamed(token: Token, name: string): boolean {
  return isName(token) && token.text.toUpperCase() === name;
}

function shape(tokens: readonly Token[]): string {
  return JSON.stringify(tokens.map(({ kind, text }) => [kind, text]));
}

function sameRows(sql: string, tokens: readonly Token[], start: number, end: number): string {
  const slice = (from: number, to: number): string =>
    from >= to ? '' : sql.slice(at(tokens, from).start, at(tokens, to - 1).end);
  const stop = indexAtTop(tokens, start, returning);
  const rest = slice(Math.min(indexAtTop(tokens, start, conditions), stop), stop);
  const isLimited = indexAtTop(tokens, start, new Set(['LIMIT'])) < tokens.length;
  return `FROM ${slice(start, end)}\n${rest}${isLimited ? '' : `\nLIMIT ${mostSampleRows}`}`;
}

/** All names left of an `=`, one that compares too: `a = …, t.b = …`. */
function setNames(tokens: readonly Token[]): readonly string[] {
  const names = outside(tokens);
  return names.flatMap((token, index) =>
    isName(token) && ['=', ':='].includes(at(names, index + 1).key) ? [token.text.toLowerCase()] : [],
  );
}
