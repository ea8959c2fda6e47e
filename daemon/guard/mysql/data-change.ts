/**
 * Reads one MySQL or MariaDB data change from its tokens, in the one way that its server reads it.
 */

import { mostSampleRows, openEnd, type Returning } from '../data-change.ts';
import { calledFunctions } from './calls.ts';
import { sequenceMove, verbAfterWith } from './query.ts';
import type { Reading } from './reading.ts';
import { type RowChange, rowChangeAt } from './row-change.ts';
import { tokenize } from './tokenizer.ts';
import { hasKeywords, indexAtTop, isName, outsideParentheses, type Token, tokenAt } from './tokens.ts';

export interface MysqlDataChange extends Returning, Pick<RowChange, 'verb' | 'target'> {
  /**
   * What follows `SELECT …` in a query for the rows that meet the statement's conditions; null if
   * there is no such query.
   */
  readonly sameRows: string | null;
  /** Columns that an UPDATE may set. */
  readonly sets: readonly string[];
  /**
   * True for IGNORE and for an upsert: RETURNING then gives rows that weren't changed, too, and
   * counts differently.
   */
  readonly returnsOthers: boolean;
  readonly movesSequence: boolean;
  /** A sequence that is set stays so when all else is rolled back. */
  readonly setsSequence: boolean;
}

/** @param sqlMode the server's own; it decides how a text is read. */
export function readingOf(version: string, sqlMode: string): Reading {
  const modes = new Set(sqlMode.split(','));
  return {
    ansiQuotes: modes.has('ANSI_QUOTES'),
    backslash: modes.has('NO_BACKSLASH_ESCAPES') ? 'literal' : 'escapes',
    // This only matters for executable comments, and a statement with one isn't read here.
    server: { flavor: /mariadb/i.test(version) ? 'mariadb' : 'mysql', version: 0, digits: 5 },
  };
}

/** Null if the text can't be cut, or holds an executable comment. */
export function plainTokens(text: string, reading: Reading): readonly Token[] | null {
  const cut = tokenize(text, reading);
  if (cut.kind === 'failure' || cut.hasExecutableComment) return null;
  const tokens = cut.tokens.filter(token => token.kind !== 'hint');
  return tokens.at(-1)?.key === ';' ? tokens.slice(0, -1) : tokens;
}

/** Null if the text isn't a single data change whose tables are known. */
export function readDataChange(sql: string, reading: Reading): MysqlDataChange | null {
  const tokens = plainTokens(sql, reading);
  if (tokens === null) return null;
  const hasWith = tokenAt(tokens, 0).key === 'WITH';
  const change = rowChangeAt(tokens, hasWith ? verbAfterWith(tokens, 0) : 0);
  if (change === null) return null;
  const { verb, target, tablesAt } = change;
  const called = new Set(calledFunctions(tokens).map(({ name }) => name.toUpperCase()));
  const ownReturning = indexAtTop(tokens, tablesAt, returning) < tokens.length;
  return {
    verb,
    target,
    sameRows: target === null || hasWith ? null : sameRows(sql, tokens, change),
    sets: setNames(change.assignments),
    returnsOthers: change.ignores || hasKeywords(tokens, 'ON', 'DUPLICATE', 'KEY'),
    ownReturning,
    open: openEnd(sql, ownReturning, (text, ending) => {
      const [after, added] = [plainTokens(text, reading), plainTokens(ending, reading) ?? []];
      const isAtTop = after !== null && indexAtTop(after, 0, returning) < after.length;
      return isAtTop && shape(after) === shape([...tokens, ...added]);
    }),
    movesSequence: sequenceMove(tokens) !== null || called.has('NEXTVAL'),
    setsSequence: called.has('SETVAL'),
  };
}

const returning = new Set(['RETURNING']);
const conditions = new Set(['WHERE', 'ORDER', 'LIMIT']);

function shape(tokens: readonly Token[]): string {
  return JSON.stringify(tokens.map(({ kind, text }) => [kind, text]));
}

function sameRows(sql: string, tokens: readonly Token[], { verb, tablesAt, tablesEnd }: RowChange): string | null {
  if (verb === 'insert' || verb === 'replace' || hasKeywords(tokens.slice(tablesAt, tablesEnd), 'PORTION')) return null;
  const slice = (from: number, to: number): string =>
    from >= to ? '' : sql.slice(tokenAt(tokens, from).start, tokenAt(tokens, to - 1).end);
  const stop = indexAtTop(tokens, tablesAt, returning);
  const rest = slice(Math.min(indexAtTop(tokens, tablesAt, conditions), stop), stop);
  const isLimited = indexAtTop(tokens, tablesAt, new Set(['LIMIT'])) < tokens.length;
  return `FROM ${slice(tablesAt, tablesEnd)}\n${rest}${isLimited ? '' : `\nLIMIT ${mostSampleRows}`}`;
}

/** All names left of an `=`, also of one that compares: `a = …, t.b = …`. */
function setNames(tokens: readonly Token[]): readonly string[] {
  const names = outsideParentheses(tokens);
  return names.flatMap((token, index) =>
    isName(token) && ['=', ':='].includes(tokenAt(names, index + 1).key) ? [token.text.toLowerCase()] : [],
  );
}
