/**
 * Finds where the one statement begins and ends, what it is at the top, and the tables that it
 * names. Decides no class.
 */

import type { QualifiedName } from '../types.ts';
import { definedKindAt, statementAt } from './definitions.ts';
import { isCommonTable, type Names, namesIn } from './names.ts';
import { isOperator, isWord, type Token } from './tokenizer.ts';

export interface Head {
  readonly explain: 'no' | 'explain' | 'query plan';
  /** The first word that says what is done, after EXPLAIN and common table expressions. */
  readonly verb: string;
  /** Everything after the verb. */
  readonly body: readonly Token[];
  /** The whole statement, without semicolons around it. */
  readonly tokens: readonly Token[];
  readonly names: Names;
  /** For people to read, without common table expressions and table-valued functions. */
  readonly tables: readonly QualifiedName[];
  readonly isDml: boolean;
}

const dml = new Set(['insert', 'replace', 'update', 'delete']);
const afterCommonTables = new Set(['select', 'values', ...dml]);

/** Null for more than one statement. */
export function readHead(all: readonly Token[]): Head | null {
  const tokens = oneStatement(all);
  if (tokens === null) return null;
  const explain = !isWord(tokens[0], 'explain') ? 'no' : isWord(tokens[1], 'query') ? 'query plan' : 'explain';
  const start = statementAt(tokens);
  const verbAt = isWord(tokens[start], 'with') ? mainVerb(tokens, start) : start;
  const verb = tokens[verbAt]?.kind === 'word' ? (tokens[verbAt]?.text ?? '') : '';
  const names = namesIn(tokens);
  return {
    explain,
    verb,
    body: tokens.slice(verbAt + 1),
    tokens,
    names,
    tables: tablesOf(tokens, names),
    isDml: dml.has(verb),
  };
}

function oneStatement(all: readonly Token[]): readonly Token[] | null {
  let [start, end] = [0, all.length];
  while (isSemicolon(all[start])) start++;
  while (end > start && isSemicolon(all[end - 1])) end--;
  const tokens = all.slice(start, end);
  const firstEnd = isTrigger(tokens)
    ? tokens.findIndex((token, at) => isWord(token, 'end') && isSemicolon(tokens[at - 1]))
    : -1;
  // A trigger's body has semicolons of its own. It ends at the END that follows one.
  if (firstEnd !== -1) return firstEnd === tokens.length - 1 ? tokens : null;
  return tokens.some(isSemicolon) ? null : tokens;
}

function isTrigger(tokens: readonly Token[]): boolean {
  const start = statementAt(tokens);
  return isWord(tokens[start], 'create') && isWord(tokens[definedKindAt(tokens, start)], 'trigger');
}

function tablesOf(tokens: readonly Token[], names: Names): readonly QualifiedName[] {
  const found = new Map<string, QualifiedName>();
  for (const each of names.tables) {
    const { at, schema, name, role } = each;
    const isCall = role === 'source' && tokens[at + 1]?.text === '(';
    if (!isCommonTable(names, each) && !isCall) found.set(`${schema ?? ''}.${name}`, { schema, name });
  }
  return [...found.values()];
}

function mainVerb(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as Token;
    if (kind === 'operator' && text === '(') depth++;
    if (kind === 'operator' && text === ')') depth--;
    // `replace` may also name a common table. After the verb comes INTO.
    const isVerb =
      kind === 'word' && afterCommonTables.has(text) && (text !== 'replace' || isWord(tokens[at + 1], 'into'));
    if (depth === 0 && isVerb) return at;
  }
  return tokens.length;
}

function isSemicolon(token: Token | undefined): boolean {
  return isOperator(token, ';');
}
