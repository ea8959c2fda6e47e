/**
 * The subcommands of ALTER TABLE and CREATE INDEX that are known to keep what exists: rows, the
 * meaning of names, defaults, other people's writes. Each is listed by its name. One that isn't
 * listed, such as a newer server's, asks.
 */

import { columnEffect, type Effect } from './column-definition.ts';
import { closingParenthesis, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

/** The worst effect of all subcommands, and the first words of the subcommand that has it. */
interface Kept {
  readonly effect: Effect;
  readonly words: string;
}

/** @param tokens what follows the table's name. */
export function keptByAlter(tokens: readonly Token[]): Kept {
  let worst: Kept = { effect: 'keeps', words: '' };
  for (const part of splitAtCommas(tokens)) {
    const effect = effectOf(part);
    if (weight[effect] > weight[worst.effect]) worst = { effect, words: firstWords(part) };
  }
  return worst;
}

const weight: Readonly<Record<Effect, number>> = { keeps: 0, constrains: 1, unknown: 2 };

/** @param tokens from INDEX, or a word before it, on. */
export function keptByIndex(tokens: readonly Token[]): Effect {
  const open = tokens.findIndex(({ key }) => key === '(');
  return open < 0 ? 'unknown' : isPlainList(tokens, open) ? 'keeps' : 'constrains';
}

function effectOf(part: readonly Token[]): Effect {
  const [first, second] = [tokenAt(part, 0), tokenAt(part, 1)];
  if (first.key === 'ADD') return effectOfAdd(part.slice(1));
  // MariaDB: WAIT 5 and NOWAIT, which may also precede the first subcommand.
  if (first.key === 'NOWAIT') return part.length === 1 ? 'keeps' : effectOf(part.slice(1));
  if (first.key === 'WAIT' && second.kind === 'number') return part.length === 2 ? 'keeps' : effectOf(part.slice(2));
  if (first.key === 'FORCE' && part.length === 1) return 'keeps';
  if (['ENABLE', 'DISABLE'].includes(first.key))
    return second.key === 'KEYS' && part.length === 2 ? 'keeps' : 'unknown';
  if (['WITH', 'WITHOUT'].includes(first.key))
    return part.length === 2 && second.key === 'VALIDATION' ? 'keeps' : 'unknown';
  if (partitionMaintenance.has(first.key)) return second.key === 'PARTITION' ? 'keeps' : 'unknown';
  return areOptions(part) ? 'keeps' : 'unknown';
}

const partitionMaintenance = new Set(['ANALYZE', 'CHECK', 'OPTIMIZE', 'REBUILD', 'COALESCE']);

function effectOfAdd(part: readonly Token[]): Effect {
  const [first, second] = [tokenAt(part, 0).key, tokenAt(part, 1).key];
  if (first === 'PARTITION') return 'keeps';
  if (['CONSTRAINT', 'UNIQUE', 'PRIMARY', 'FOREIGN', 'CHECK'].includes(first)) return 'constrains';
  const isOfKind = ['FULLTEXT', 'SPATIAL'].includes(first) || (first === 'VECTOR' && ['INDEX', 'KEY'].includes(second));
  if (isOfKind || first === 'INDEX' || first === 'KEY') return keptByIndex(part);
  const named = first === 'COLUMN' ? 1 : 0;
  const column = part.slice(keywordsAt(part, named, 'IF', 'NOT', 'EXISTS') ? named + 3 : named);
  if (tokenAt(column, 0).key !== '(') return columnEffect(column);
  const end = closingParenthesis(column, 0);
  if (end !== column.length - 1) return 'unknown';
  const effects = splitAtCommas(column.slice(1, end)).map(columnEffect);
  return (['unknown', 'constrains'] as const).find(effect => effects.includes(effect)) ?? 'keeps';
}

/**
 * True for names of columns alone, with the length that is indexed. An expression may fail for a
 * row that is written.
 */
function isPlainList(tokens: readonly Token[], open: number): boolean {
  return splitAtCommas(tokens.slice(open + 1, closingParenthesis(tokens, open))).every(
    element =>
      isName(tokenAt(element, 0)) && (tokenAt(element, 1).key !== '(' || tokenAt(element, 2).kind === 'number'),
  );
}

/** By option, the values that keep what exists. */
const options: ReadonlyMap<string, RegExp> = new Map([
  ['ALGORITHM', /^(DEFAULT|INPLACE|COPY|INSTANT|NOCOPY)$/i],
  ['LOCK', /^(DEFAULT|NONE|SHARED|EXCLUSIVE)$/i],
  ['ENGINE', /^innodb$/i],
  ['COMMENT', /^/],
  ['STATS_PERSISTENT', /^/],
  ['STATS_AUTO_RECALC', /^/],
  ['STATS_SAMPLE_PAGES', /^/],
]);

/** `ENGINE=InnoDB COMMENT 'x'`: blanks separate options, too. */
function areOptions(part: readonly Token[]): boolean {
  let index = 0;
  while (index < part.length) {
    const value = tokenAt(part, index + 1).key === '=' ? index + 2 : index + 1;
    const { text } = tokenAt(part, value);
    if (value >= part.length || options.get(tokenAt(part, index).key)?.test(text) !== true) return false;
    index = value + 1;
  }
  return part.length > 0;
}

function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokenAt(tokens, index);
    if (token.key === '(') {
      const end = Math.min(closingParenthesis(tokens, index), tokens.length - 1);
      parts.at(-1)?.push(...tokens.slice(index, end + 1));
      index = end;
    } else if (token.key === ',') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** @returns the words that people know a subcommand by. */
function firstWords(part: readonly Token[]): string {
  const named = part.findIndex(({ kind }) => kind !== 'word');
  const end = named < 0 ? part.length : named;
  return part
    .slice(0, Math.min(end, 2))
    .map(({ text }) => text.toUpperCase().slice(0, 40))
    .join(' ');
}
