/** Reads one SQLite data change from its tokens: what it writes to, what it sets, and how to make it return more. */

import { isWord, readHead } from '../classification/sqlite/statement.ts';
import { type Token, tokenize } from '../classification/sqlite/tokenizer.ts';
import { type Verb, withEnding } from './plan.ts';

export interface SqliteReading {
  readonly verb: Verb;
  /** Folded to lower case, as SQLite compares names. */
  readonly table: string;
  /** Columns of rows that were there that get a value; null where that can't be told. */
  readonly sets: readonly string[] | null;
  readonly mayReplace: boolean;
  readonly ownReturning: boolean;
}

const verbs: ReadonlySet<string> = new Set(['insert', 'replace', 'update', 'delete']);

/** Null where the text is no single data change, or names its table in a way that isn't understood. */
export function readSqlite(sql: string): SqliteReading | null {
  const head = readHead(tokenize(sql));
  if (head === null || head.explain !== 'no' || !verbs.has(head.verb)) return null;
  const { body } = head;
  const verb = head.verb as Verb;
  let at = 0;
  const resolution = isWord(body[at], 'or') ? (body[1]?.text ?? '') : '';
  if (resolution !== '') at += 2;
  if (verb !== 'update') {
    if (!isWord(body[at], verb === 'delete' ? 'from' : 'into')) return null;
    at += 1;
  }
  if (isOperator(body[at + 1], '.')) {
    if (!isNameToken(body[at]) || body[at]?.text !== 'main') return null;
    at += 2;
  }
  const table = body[at];
  if (table === undefined || !isNameToken(table)) return null;
  const rest = body.slice(at + 1);
  const conflict = indexAtTop(rest, token => isWord(token, 'conflict'));
  const isUpsert = verb === 'insert' && conflict >= 0 && rest.slice(conflict).some(token => isWord(token, 'update'));
  return {
    verb,
    table: table.text,
    sets: verb === 'update' ? setNames(rest) : isUpsert ? setNames(rest.slice(conflict)) : [],
    mayReplace: isUpsert || verb === 'replace' || resolution === 'replace',
    ownReturning: indexAtTop(rest, token => isWord(token, 'returning')) >= 0,
  };
}

/** @param list what to return, in SQL. Null where the text can't be shown to be the same statement with it. */
export function withReturning(sql: string, reading: SqliteReading, list: string): string | null {
  const ending = reading.ownReturning ? `, ${list}` : `RETURNING ${list}`;
  const wanted = JSON.stringify([...(readHead(tokenize(sql))?.tokens ?? []), ...tokenize(ending)]);
  return withEnding(
    sql,
    ending,
    text => JSON.stringify(tokenize(text)) === wanted && readSqlite(text)?.ownReturning === true,
  );
}

/** `SET a = …, (b, c) = …`. Null for anything else behind SET. */
function setNames(tokens: readonly Token[]): readonly string[] | null {
  const start = indexAtTop(tokens, token => isWord(token, 'set'));
  if (start < 0) return null;
  const names: string[] = [];
  let expects = true;
  let depth = 0;
  for (let at = start + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (
      depth === 0 &&
      token?.kind === 'word' &&
      ['where', 'from', 'returning', 'order', 'limit', 'on'].includes(token.text)
    ) {
      return names;
    }
    if (expects) {
      const list = assigned(tokens, at);
      if (list === null) return null;
      names.push(...list.names);
      at = list.end;
      expects = false;
    } else if (isOperator(token, '(')) depth++;
    else if (isOperator(token, ')')) depth--;
    else if (depth === 0 && isOperator(token, ',')) expects = true;
  }
  return names;
}

/** @returns the names left of `=` and its place. */
function assigned(tokens: readonly Token[], at: number): { readonly names: string[]; readonly end: number } | null {
  if (!isOperator(tokens[at], '(')) {
    const name = tokens[at];
    return isNameToken(name) && isOperator(tokens[at + 1], '=') ? { names: [name?.text ?? ''], end: at + 1 } : null;
  }
  const names: string[] = [];
  for (let place = at + 1; isNameToken(tokens[place]); place += 2) {
    names.push(tokens[place]?.text ?? '');
    if (isOperator(tokens[place + 1], ')') && isOperator(tokens[place + 2], '=')) return { names, end: place + 2 };
    if (!isOperator(tokens[place + 1], ',')) return null;
  }
  return null;
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

function isOperator(token: Token | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}
