/** The tables a statement names, for people to read: common table expressions and table-valued functions left out. */

import type { QualifiedName } from '../classification.ts';
import type { Token } from './tokenizer.ts';

const introducing = new Set(['from', 'join', 'into', 'update', 'table', 'on', 'references']);
const between = new Set([
  'if',
  'not',
  'exists',
  'or',
  'abort',
  'fail',
  'ignore',
  'replace',
  'rollback',
  'main',
  'only',
]);
const endingList = new Set(
  'where group order limit having window union intersect except set values select returning join'.split(' '),
);

export function tablesIn(tokens: readonly Token[]): readonly QualifiedName[] {
  const commonTables = commonTableNames(tokens);
  const found = new Map<string, QualifiedName>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word' || !introducing.has(token.text)) continue;
    // ON and REFERENCES name a table only in DDL.
    if (token.text === 'on' && tokens[0]?.text !== 'create') continue;
    for (const name of namesFrom(tokens, at + 1)) {
      const key = `${name.schema ?? ''}.${name.name}`;
      if (name.schema !== null || !commonTables.has(name.name)) found.set(key, name);
    }
  }
  return [...found.values()];
}

function* namesFrom(tokens: readonly Token[], start: number): Generator<QualifiedName> {
  let at = start;
  while (tokens[at]?.kind === 'word' && between.has(tokens[at]?.text ?? '') && tokens[at + 1]?.text !== '.') at++;
  for (;;) {
    const name = nameAt(tokens, at);
    if (name !== null) yield name;
    let depth = 0;
    for (; at < tokens.length; at++) {
      const { kind, text } = tokens[at] as Token;
      if (text === '(' && kind === 'operator') depth++;
      if (text === ')' && kind === 'operator' && --depth < 0) return;
      if (depth === 0 && ((kind === 'word' && endingList.has(text)) || text === ';')) return;
      if (depth === 0 && text === ',' && kind === 'operator') break;
    }
    if (at >= tokens.length) return;
    at++;
  }
}

function nameAt(tokens: readonly Token[], at: number): QualifiedName | null {
  const first = tokens[at];
  if (first === undefined || !isName(first)) return null;
  const second = tokens[at + 2];
  const isQualified = tokens[at + 1]?.text === '.' && second !== undefined && isName(second);
  const last = isQualified ? at + 2 : at;
  const isIntoList =
    tokens[at - 1]?.text === 'into' || tokens[at - 1]?.text === 'table' || tokens[at - 1]?.text === 'exists';
  if (tokens[last + 1]?.text === '(' && !isIntoList && tokens[at - 1]?.text !== 'references') return null;
  return isQualified ? { schema: first.text, name: second.text } : { schema: null, name: first.text };
}

function isName(token: Token): boolean {
  if (token.kind === 'word') return token.text !== 'select' && token.text !== 'values';
  return token.kind === 'name' || token.kind === 'string';
}

function commonTableNames(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    const opensBody = token.text === '(' && ['as', 'materialized'].includes(tokens[at - 1]?.text ?? '');
    if (!opensBody) continue;
    let nameEnd = at - 1;
    while (['as', 'materialized', 'not'].includes(tokens[nameEnd]?.text ?? '')) nameEnd--;
    if (tokens[nameEnd]?.text === ')') while (nameEnd > 0 && tokens[nameEnd]?.text !== '(') nameEnd--;
    const name = tokens[tokens[nameEnd]?.text === '(' ? nameEnd - 1 : nameEnd];
    if (name !== undefined && isName(name)) names.add(name.text);
  }
  return names;
}
