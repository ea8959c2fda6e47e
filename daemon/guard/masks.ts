/**
 * Which columns of a connection its clients may not read (spec §6): a person's patterns, matched
 * against names. Where a name leaves it open, the column is masked.
 */

import { folded, matches } from './sight.ts';

/**
 * `table.column`, `schema.table.column` with `*` for any run of characters, or `/word|word/`: a
 * column of any table whose name contains one of the words; `^` and `$` stand for its ends. Case
 * doesn't count.
 */
export type MaskPattern = string;

/** What a connection's clients may not read, and what they may use whatever it reads. */
export interface Masks {
  /** At least one. */
  readonly columns: readonly MaskPattern[];
  /** Views and functions that aren't looked into, as in a `Sight`. */
  readonly show: readonly string[];
}

/** `schema` is null on an engine without schemas, or if it isn't known. */
export interface MaskedColumn {
  readonly schema: string | null;
  readonly table: string;
  readonly column: string;
}

const longestPattern = 200;
const words = /^\/\^?[\p{L}\p{N}_]+\$?(?:\|\^?[\p{L}\p{N}_]+\$?)*\/$/u;

/** @returns a clause on what is wrong with a pattern; null for a good one. */
export function maskPatternProblem(pattern: MaskPattern): string | null {
  if (pattern.length > longestPattern) return `a pattern has at most ${longestPattern} characters`;
  if (words.test(pattern)) return null;
  if (pattern.startsWith('/')) return 'between slashes stand words, with | between them';
  if (pattern !== pattern.trim() || /\p{C}/u.test(pattern)) return 'a pattern begins and ends with a visible character';
  if (/["'`[\]%?,;/\\|]/.test(pattern)) return '* alone stands for other characters; names are written without quotes';
  const parts = pattern.split('.');
  return parts.length < 2 || parts.length > 3 || parts.includes('')
    ? 'a pattern is table.column, schema.table.column or /word/'
    : null;
}

/**
 * @param schema null if it isn't known.
 * @param table null if it isn't known.
 */
export function isMasked(
  masks: readonly MaskPattern[],
  schema: string | null,
  table: string | null,
  column: string,
): boolean {
  return masks.some(pattern => {
    if (pattern.startsWith('/')) return hasWord(pattern.slice(1, -1), column);
    const [name = '', of = '*', within = '*'] = pattern.split('.').reverse();
    const may = (asked: string, text: string | null): boolean => text === null || matches(asked, text);
    // A name may itself have a point.
    if (table !== null && matches(pattern, `${table}.${column}`)) return true;
    if (table !== null && schema !== null && matches(pattern, `${schema}.${table}.${column}`)) return true;
    return matches(name, column) && may(of, table) && may(within, schema);
  });
}

/** True if a column of that table is masked, or could be. */
export function mayHaveMasked(masks: readonly MaskPattern[], schema: string | null, table: string): boolean {
  return masks.some(pattern => {
    if (pattern.startsWith('/')) return true;
    // A table whose own name has a point isn't told apart from a schema with its table.
    if (table.includes('.')) return true;
    const [, of = '*', within = '*'] = pattern.split('.').reverse();
    return matches(of, table) && (schema === null || matches(within, schema));
  });
}

/** What `next` lets clients read and `former` didn't, as far as the patterns tell: each is one. */
export function unmaskings(former: readonly MaskPattern[], next: readonly MaskPattern[]): readonly string[] {
  const kept = new Set(next.map(folded));
  return former.filter(pattern => !kept.has(folded(pattern))).map(pattern => `no longer masks ${pattern}`);
}

function hasWord(alternatives: string, column: string): boolean {
  const name = folded(column);
  return alternatives.split('|').some(alternative => {
    const word = folded(alternative.replace(/^\^/, '').replace(/\$$/, ''));
    const [atStart, atEnd] = [alternative.startsWith('^'), alternative.endsWith('$')];
    if (atStart && atEnd) return name === word;
    if (atStart) return name.startsWith(word);
    return atEnd ? name.endsWith(word) : name.includes(word);
  });
}
