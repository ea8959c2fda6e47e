/** Turns keys and indexes, a row per column in the catalog, into a description's lists. */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { Check, ForeignKey, Index } from '../../engine.ts';
import { expressionText } from './columns.ts';

type Row = readonly (string | null)[];

function cells(rows: readonly Row[], at: number): string[] {
  return rows.map(row => row[at] ?? '');
}

export function foreignKeys(keys: readonly Row[], rules: readonly Row[]): ForeignKey[] {
  const pointing = keys.filter(row => row[3] !== null);
  return [...Map.groupBy(pointing, row => row[0] ?? '').values()].map(rows => {
    const [name, , referencedSchema, referencedTable] = rows[0] ?? [];
    const rule = rules.find(row => row[0] === name);
    return {
      name: name ?? null,
      columns: cells(rows, 1),
      referencedSchema: referencedSchema ?? null,
      referencedTable: referencedTable ?? '',
      referencedColumns: cells(rows, 4),
      onUpdate: rule?.[1] ?? null,
      onDelete: rule?.[2] ?? null,
    };
  });
}

/** True if the catalog hides what the key does: MariaDB's does from an account that only reads. */
export const hidesActions = ({ onUpdate, onDelete }: ForeignKey): boolean => onUpdate === null && onDelete === null;

/** @param ddl the table's, which the account may read all the same. */
export function withActions(key: ForeignKey, ddl: string): ForeignKey {
  const start = `CONSTRAINT ${quoteIdentifier('mysql', key.name ?? '')} FOREIGN KEY (`;
  const line = ddl.split('\n').find(each => each.trimStart().startsWith(start)) ?? '';
  const [, onDelete = null] = / ON DELETE (CASCADE|SET NULL|SET DEFAULT|RESTRICT|NO ACTION)/.exec(line) ?? [];
  const [, onUpdate = null] = / ON UPDATE (CASCADE|SET NULL|SET DEFAULT|RESTRICT|NO ACTION)/.exec(line) ?? [];
  return { ...key, onUpdate, onDelete };
}

/** @param rows name, non-unique, column, method, prefix, collation, expression, state */
export function indexesOf(rows: readonly Row[]): Index[] {
  return [...Map.groupBy(rows, row => row[0] ?? '').values()].map(group => {
    const [name, nonUnique, , method] = group[0] ?? [];
    const unique = nonUnique === '0';
    const isOrdered = method === 'BTREE' || method === 'HASH';
    const kind = isOrdered ? (unique ? 'UNIQUE KEY' : 'KEY') : `${method} KEY`;
    const called = name === 'PRIMARY' ? 'PRIMARY KEY' : `${kind} ${quoteIdentifier('mysql', name ?? '')}`;
    return {
      name: name ?? '',
      columns: cells(group, 2),
      unique,
      method: method ?? null,
      state: group[0]?.[7] ?? null,
      definition: `${called} (${group.map(row => indexed(row, isOrdered)).join(',')})`,
    };
  });
}

/**
 * True if it may be a key of MariaDB WITHOUT OVERLAPS: it ends with the end and the start of its
 * period, which only SHOW CREATE names.
 */
export function mayBePeriod({ unique, columns }: Index, checks: readonly Check[]): boolean {
  const [end, start] = columns.slice(-2).map(name => quoteIdentifier('mysql', name));
  return unique && columns.length > 2 && checks.some(({ expression }) => expression === `${start} < ${end}`);
}

/** @param ddl the table's. */
export function withPeriod(index: Index, ddl: string): Index {
  const start = index.name === 'PRIMARY' ? 'PRIMARY KEY' : `UNIQUE KEY ${quoteIdentifier('mysql', index.name)}`;
  const line = ddl.split('\n').find(each => each.trimStart().startsWith(`${start} (`)) ?? '';
  const list = line
    .trim()
    .slice(start.length + 1)
    .replace(/,$/, '');
  return list.endsWith(' WITHOUT OVERLAPS)') ? { ...index, columns: [list], definition: `${start} ${list}` } : index;
}

/** A spatial index always has a prefix, so it isn't shown. Only MySQL has expressions. */
function indexed([, , column, , prefix, collation, expression]: Row, isOrdered: boolean): string {
  const of = expression ? `(${expressionText(expression, false)})` : quoteIdentifier('mysql', column ?? '');
  const length = isOrdered && prefix ? `(${prefix})` : '';
  return `${of}${length}${collation === 'D' ? ' DESC' : ''}`;
}
