/**
 * The subcommands of ALTER TABLE and CREATE INDEX that are known to keep what exists: rows, the
 * meaning of names, defaults, other people's writes. Each is listed by its name. One that isn't
 * listed, such as a newer server's, asks.
 */

import { columnEffect, type Effect as EffectOfColumn } from './column-definition.ts';
import type { CatalogItem } from './question.ts';
import { closingParenthesis, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';
import { type WiderColumn, widerColumn } from './wider-column.ts';

/**
 * - `rebuilds`: keeps all if the table is in InnoDB already;
 * - `describes`: keeps all if the table has no comment;
 * - `WiderColumn`: keeps all if the column is narrower, and the same otherwise.
 */
type Effect = EffectOfColumn | 'rebuilds' | 'describes' | WiderColumn;

export interface AlteredPart {
  readonly tokens: readonly Token[];
  readonly effects: readonly Effect[];
  /** The words that people know it by. */
  readonly words: string;
}

interface Kept {
  readonly parts: readonly AlteredPart[];
  /** What the catalog is asked about the table. */
  readonly asks: readonly Pick<CatalogItem, 'kind' | 'wider'>[];
}

/** @param tokens what follows the table's name. */
export function keptByAlter(tokens: readonly Token[]): Kept {
  const parts = splitAtCommas(tokens).map(part => ({
    tokens: part,
    effects: effectsOf(part),
    words: firstWords(part),
  }));
  const asks = [...new Set(parts.flatMap(({ effects }) => effects))].map(effect =>
    typeof effect === 'string' ? { kind: asked[effect] } : { kind: 'widened' as const, wider: effect },
  );
  return { parts, asks };
}

const asked = {
  keeps: 'altered',
  constrains: 'constrained',
  rebuilds: 'rebuilt',
  describes: 'described',
  unknown: 'altered',
} as const;

/** @param tokens from INDEX, or a word before it, on. */
export function keptByIndex(tokens: readonly Token[]): EffectOfColumn {
  const open = tokens.findIndex(({ key }) => key === '(');
  return open < 0 ? 'unknown' : isPlainList(tokens, open) ? 'keeps' : 'constrains';
}

function effectsOf(part: readonly Token[]): readonly Effect[] {
  const [first, second] = [tokenAt(part, 0), tokenAt(part, 1)];
  // MariaDB: WAIT 5 and NOWAIT, which may also precede the first subcommand.
  if (first.key === 'NOWAIT') return part.length === 1 ? ['keeps'] : effectsOf(part.slice(1));
  if (first.key === 'WAIT' && second.kind === 'number') return part.length === 2 ? ['keeps'] : effectsOf(part.slice(2));
  return optionsOf(part) ?? [effectOf(part, first, second)];
}

function effectOf(part: readonly Token[], first: Token, second: Token): Effect {
  if (first.key === 'ADD') return effectOfAdd(part.slice(1));
  if (first.key === 'FORCE' && part.length === 1) return 'keeps';
  // A full-text search needs its index.
  if (['ENABLE', 'DISABLE'].includes(first.key))
    return second.key === 'KEYS' && part.length === 2 ? 'rebuilds' : 'unknown';
  if (['WITH', 'WITHOUT'].includes(first.key))
    return part.length === 2 && second.key === 'VALIDATION' ? 'keeps' : 'unknown';
  if (partitionMaintenance.has(first.key)) return second.key === 'PARTITION' ? 'keeps' : 'unknown';
  return widerColumn(part) ?? 'unknown';
}

const partitionMaintenance = new Set(['ANALYZE', 'CHECK', 'OPTIMIZE', 'REBUILD', 'COALESCE']);

function effectOfAdd(part: readonly Token[]): EffectOfColumn {
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

/** By option: which values keep what exists, and what they do. */
const options: ReadonlyMap<string, readonly [RegExp, Effect]> = new Map([
  ['ALGORITHM', [/^(DEFAULT|INPLACE|COPY|INSTANT|NOCOPY)$/i, 'keeps']],
  ['LOCK', [/^(DEFAULT|NONE|SHARED|EXCLUSIVE)$/i, 'keeps']],
  ['ENGINE', [/^innodb$/i, 'rebuilds']],
  ['COMMENT', [/^/, 'describes']],
  ['STATS_PERSISTENT', [/^/, 'keeps']],
  ['STATS_AUTO_RECALC', [/^/, 'keeps']],
  ['STATS_SAMPLE_PAGES', [/^/, 'keeps']],
]);

/**
 * `ENGINE=InnoDB COMMENT 'x'`: blanks separate options, too.
 * @returns null if something else is among them.
 */
function optionsOf(part: readonly Token[]): readonly Effect[] | null {
  const effects: Effect[] = [];
  for (let index = 0; index < part.length; ) {
    const value = tokenAt(part, index + 1).key === '=' ? index + 2 : index + 1;
    const [kept, effect] = options.get(tokenAt(part, index).key) ?? [];
    if (value >= part.length || effect === undefined || kept?.test(tokenAt(part, value).text) !== true) return null;
    effects.push(effect);
    index = value + 1;
  }
  return effects.length > 0 ? effects : null;
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

function firstWords(part: readonly Token[]): string {
  const end = part.findIndex(token => !isName(token));
  return part
    .slice(0, Math.min(end < 0 ? part.length : end, 4))
    .map(({ text }) => text.slice(0, 64))
    .join(' ');
}
