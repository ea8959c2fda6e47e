/** Rows and bytes of one table, counted only where that is cheap: both mean reading every page of the table. */

import { quoteIdentifier } from '../../query/identifiers.ts';
import { type LookUp, numberOrNull } from './look-up.ts';

const cheapFileBytes = 64 * 1024 * 1024;

interface TableSize {
  readonly rowCount: number | null;
  /** The table and its indexes, whole pages. */
  readonly bytes: number | null;
}

export async function measure(lookUp: LookUp, schema: string, table: string, type: string): Promise<TableSize> {
  if (type !== 'table' || schema !== 'main') return { rowCount: null, bytes: null };
  const [file] = await lookUp('select page_count * page_size from pragma_page_count(), pragma_page_size()');
  if ((numberOrNull(file?.[0]) ?? Number.POSITIVE_INFINITY) > cheapFileBytes) return { rowCount: null, bytes: null };
  const [count] = await lookUp(`select count(*) from main.${quoteIdentifier('sqlite', table)}`);
  const [bytes] = await lookUp(
    `select sum(d.pgsize) from main.sqlite_schema as s
     join dbstat as d on d.name = s.name and d.schema = 'main' and d.aggregate = true
     where s.tbl_name = ? and s.type in ('table', 'index')`,
    table,
  );
  return { rowCount: numberOrNull(count?.[0]), bytes: numberOrNull(bytes?.[0]) };
}
