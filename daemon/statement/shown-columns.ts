/**
 * The columns of a result as an answer names them. SQLite names one by the text of its expression,
 * and has types as they were declared, as long as that is.
 */

import type { Column } from '../engines/engine.ts';
import { beginning } from '../engines/shorten.ts';

/** So much of an expression tells which one it is. */
const usual = 256;
/** No name on another engine is longer. */
const longestOfOthers = 64;
/** Tells 2,000 columns apart. */
const least = 16;
/**
 * Names of 64 characters, of as many columns as another engine has in a table, are told whole in an
 * answer of any size.
 */
const mostBytes = 224 * 1024;

/** @param bytes of the answer. @param most what columns may have of it where it is small. */
export function shownColumns(columns: readonly Column[], bytes: number, most: number = mostBytes): readonly Column[] {
  const asUsual = upTo(usual, columns);
  if (sizeOf(asUsual) <= bytes / 2) return asUsual;
  const shorter = upTo(longestOfOthers, columns);
  return sizeOf(shorter) <= most ? shorter : upTo(least, columns);
}

function upTo(length: number, columns: readonly Column[]): readonly Column[] {
  const isShort = ({ name, type }: Column) => name.length <= length && type.length <= length;
  if (columns.every(isShort)) return columns;
  return columns.map(({ name, type }) => ({ name: beginning(name, length), type: beginning(type, length) }));
}

function sizeOf(columns: readonly Column[]): number {
  return Buffer.byteLength(JSON.stringify(columns));
}
