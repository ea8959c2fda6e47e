/**
 * Which columns have few values, as the server's statistics tell (spec §9). Reads the rows of
 * `Dialect.commonValues`; asks nothing itself.
 */

import type { Cell } from '../engines/row-text.ts';
import { looksSecret } from './secret-columns.ts';

export interface FewValues {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** Sorted. */
  readonly values: readonly string[];
}

export const mostValues = 20;
export const longestValue = 60;

export const asOfAnalyze = 'as of the last ANALYZE';

/** Shares are sums of 32-bit floats: a rare value that is missing among them has more. */
const leastTogether = 0.9999;

/** Leaves out columns of which not all values are known, and those that look secret. */
export function fewValues(rows: readonly (readonly Cell[])[]): readonly FewValues[] {
  const ofColumns = Map.groupBy(rows, ([schema, table, column]) => JSON.stringify([schema, table, column]));
  return [...ofColumns.values()].flatMap(ofOne => {
    // With its partitions, a table has more than its own rows.
    const [schema, table, column, , nulls, shares, list] = ofOne.find(row => row[3] === true) ?? ofOne[0] ?? [];
    if (typeof shares !== 'string' || typeof list !== 'string' || looksSecret(String(column))) return [];
    const together = (JSON.parse(shares) as number[]).reduce((sum, share) => sum + share, Number(nulls));
    const values = JSON.parse(list) as string[];
    const areFew =
      values.length > 0 && values.length <= mostValues && values.every(({ length }) => length <= longestValue);
    if (!areFew || together < leastTogether) return [];
    return [{ schema: String(schema), table: String(table), column: String(column), values: values.toSorted() }];
  });
}
