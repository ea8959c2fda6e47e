/** Rows by their keys: the statement of ours that reads them, and what it gave. Knows no statement of a client. */

import type { Engine } from '../../access/connection.ts';
import type { Cell, Column, Parameter } from '../database.ts';
import { type CollectedRows, type CutCellNote, collectRows, type PlainCell, type RowCollector } from '../result-set.ts';

export type Key = readonly Parameter[];

/** Rows under the keys asked for. */
export interface Images {
  readonly columns: readonly Column[];
  readonly rows: ReadonlyMap<string, Image>;
  /** False where rows may be missing because they were too large. */
  readonly isWhole: boolean;
}

export interface Image {
  readonly cells: readonly PlainCell[];
  readonly cut: readonly CutCellNote[];
}

export function nameOf(key: Key): string {
  return JSON.stringify(key.map(String));
}

/** Null for a key too long to be told whole, or none at all. */
export function keyOf(cells: readonly Cell[]): Key | null {
  const key: Parameter[] = [];
  for (const cell of cells) {
    if (cell === null || typeof cell === 'object') return null;
    key.push(cell);
  }
  return key;
}

/** @param types of the key's columns, as the engine names them. */
export function imagesSql(
  engine: Engine,
  target: string,
  columns: readonly string[],
  types: readonly string[],
  keys: readonly Key[],
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [];
  const value = (cell: Parameter, index: number): string => {
    if (engine === 'mysql') return mysqlLiteral(cell, types[index] ?? '');
    parameters.push(cell);
    return engine === 'postgres' ? `$${parameters.length}` : '?';
  };
  const conditions = keys.map(
    key => `(${key.map((cell, index) => `r.${columns[index]} = ${value(cell, index)}`).join(' AND ')})`,
  );
  const keyColumns = columns.map(column => `r.${column}`).join(', ');
  // What a locking read sees is what the statement saw; InnoDB keeps its locks when a savepoint is rolled back to.
  const lock = engine === 'mysql' ? ' LOCK IN SHARE MODE' : '';
  return { sql: `SELECT ${keyColumns}, r.* FROM ${target} AS r WHERE ${conditions.join(' OR ')}${lock}`, parameters };
}

/** Hexadecimal, so that no quote, backslash or `sql_mode` can end it. */
function mysqlLiteral(cell: Parameter, type: string): string {
  if (typeof cell === 'number') return String(cell);
  const text = String(cell);
  if (/int|decimal|numeric/i.test(type) && /^-?\d+(\.\d+)?$/.test(text)) return text;
  if (/binary|blob/i.test(type) && /^\\x([0-9a-f]{2})*$/.test(text)) return `x'${text.slice(2)}'`;
  return `_utf8mb4 x'${Buffer.from(text, 'utf8').toString('hex')}'`;
}

export function collectImages(keyLength: number, maxBytes: number): RowCollector & { images(): Images } {
  const collector = collectRows(mostKeys, maxBytes);
  return { ...collector, images: () => imagesOf(collector.collected(), keyLength) };
}

/** More rows than keys can't come; a few more keys are asked for than are shown, since some may prove unchanged. */
export const mostKeys = 10;

function imagesOf(collected: CollectedRows, keyLength: number): Images {
  const rows = new Map<string, Image>();
  for (const [row, cells] of collected.rows.entries()) {
    const key = keyOf(cells.slice(0, keyLength));
    const cut = collected.cutCells.filter(note => note.row === row && note.column >= keyLength);
    if (key === null) continue;
    rows.set(nameOf(key), {
      cells: cells.slice(keyLength),
      cut: cut.map(note => ({ ...note, column: note.column - keyLength })),
    });
  }
  return {
    columns: collected.columns.slice(keyLength),
    rows,
    isWhole: collected.truncatedBy === null,
  };
}
