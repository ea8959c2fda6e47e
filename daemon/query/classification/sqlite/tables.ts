/** The tables a statement names, for people to read: common table expressions and table-valued functions left out. */

import type { QualifiedName } from '../classification.ts';
import { depthChange } from './condition-tokens.ts';
import { closingsOf } from './parentheses.ts';
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
  const nextInList = listSteps(tokens);
  const found = new Map<string, QualifiedName>();
  const seen = new Set<number>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word' || !introducing.has(token.text)) continue;
    // ON and REFERENCES name a table only in DDL.
    if (token.text === 'on' && tokens[0]?.text !== 'create') continue;
    // What follows a place already seen was seen with it.
    for (let place = afterModifiers(tokens, at + 1); place >= 0 && !seen.has(place); place = nextInList[place] ?? -1) {
      seen.add(place);
      const name = nameAt(tokens, place);
      if (name === null) continue;
      const key = `${name.schema ?? ''}.${name.name}`;
      if (name.schema !== null || !commonTables.has(name.name)) found.set(key, name);
    }
  }
  return [...found.values()];
}

function afterModifiers(tokens: readonly Token[], start: number): number {
  let at = start;
  while (tokens[at]?.kind === 'word' && between.has(tokens[at]?.text ?? '') && tokens[at + 1]?.text !== '.') at++;
  return at;
}

/** For each token where the list that it stands in goes on: behind the next comma of its own nesting; -1 where the list ends first. */
function listSteps(tokens: readonly Token[]): readonly number[] {
  const closings = closingsOf(tokens, depthChange);
  const steps: number[] = new Array(tokens.length);
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { kind, text } = tokens[at] as Token;
    const opens = kind === 'operator' && text === '(';
    const ends = text === ';' || (kind === 'word' && endingList.has(text)) || (kind === 'operator' && text === ')');
    if (opens) steps[at] = steps[(closings[at] ?? tokens.length) + 1] ?? -1;
    else if (ends) steps[at] = -1;
    else steps[at] = kind === 'operator' && text === ',' ? at + 1 : (steps[at + 1] ?? -1);
  }
  return steps;
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
