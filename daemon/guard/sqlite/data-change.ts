/**
 * Reads one SQLite data change from its tokens: what it writes to, what it sets, and where it may
 * return more.
 */

import type { Verb } from '../data-change.ts';
import { openEnd, type Returning } from '../data-change.ts';
import { readHead } from './statement.ts';
import { isOperator, isWord, type Token, tokenize } from './tokenizer.ts';

export interface SqliteReading extends Returning {
  readonly verb: Verb;
  /** Folded to lower case, as SQLite compares names. */
  readonly table: string;
  /** Columns that may get a value in existing rows. */
  readonly sets: readonly string[];
  readonly mayReplace: boolean;
}

const verbs: ReadonlySet<string> = new Set(['insert', 'replace', 'update', 'delete']);

/**
 * Null if the text isn't a single data change, or names its table in a way that isn't understood.
 */
export function readSqlite(sql: string): SqliteReading | null {
  const head = readHead(tokenize(sql));
  if (head === null || head.explain !== 'no' || !verbs.has(head.verb)) return null;
  const { body } = head;
  const verb = head.verb as Verb;
  const resolution = isWord(body[0], 'or') ? body[1]?.text : '';
  const target = head.names.tables.find(({ role }) => role === 'target');
  if (target === undefined || (target.schema ?? 'main') !== 'main') return null;
  const rest = head.tokens.slice(target.at + 1);
  const conflict = indexAtTop(rest, token => isWord(token, 'conflict'));
  // A REPLACE may be an upsert, too.
  const isUpsert = conflict >= 0 && rest.slice(conflict).some(token => isWord(token, 'update'));
  const ownReturning = indexAtTop(rest, token => isWord(token, 'returning')) >= 0;
  return {
    verb,
    table: target.name,
    sets: verb === 'update' ? setNames(rest.slice(0, updateEnd(rest))) : isUpsert ? setNames(rest.slice(conflict)) : [],
    mayReplace: isUpsert || verb === 'replace' || resolution === 'replace',
    ownReturning,
    open: openEnd(sql, ownReturning, (text, ending) => {
      const tokens = tokenize(text);
      const isAtTop = indexAtTop(tokens, token => isWord(token, 'returning')) >= 0;
      return isAtTop && JSON.stringify(tokens) === JSON.stringify([...head.tokens, ...tokenize(ending)]);
    }),
  };
}

/**
 * Index where the assignments of an UPDATE have surely ended. A FROM may also be that of IS
 * DISTINCT FROM.
 */
function updateEnd(tokens: readonly Token[]): number {
  const end = indexAtTop(tokens, token => isWord(token, 'where') || isWord(token, 'returning'));
  return end < 0 ? tokens.length : end;
}

/** All names left of an `=`, also of one that compares: `a = …, (b, c) = …`. */
function setNames(tokens: readonly Token[]): readonly string[] {
  let [depth, open] = [0, 0];
  return tokens.flatMap((token, at) => {
    if (isOperator(token, '(') && depth++ === 0) open = at;
    if (isOperator(token, ')')) depth--;
    if (depth > 0 || !(isOperator(token, '=') || isOperator(token, '=='))) return [];
    const start = isOperator(tokens[at - 1], ')') ? open : at - 1;
    return tokens.slice(start, at).flatMap(name => (isNameToken(name) ? [name.text] : []));
  });
}

function indexAtTop(tokens: readonly Token[], found: (token: Token) => boolean): number {
  let depth = 0;
  return tokens.findIndex(token => {
    if (isOperator(token, '(')) depth++;
    if (isOperator(token, ')')) depth--;
    return depth === 0 && found(token);
  });
}

function isNameToken(token: Token | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'name' || token?.kind === 'string';
}
