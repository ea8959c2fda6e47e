/** In the child: which columns of the open file are masked, and a client kept off them. */

import type { DatabaseSync } from 'node:sqlite';
import type { Masks } from '../../../guard/masks.ts';
import {
  type FileColumn,
  type MaskableObject,
  type MaskedFile,
  maskedFile,
} from '../../../guard/sqlite/masked-file.ts';
import { isMaskedIn, mayName, namedOutOfReach, toldOutOfReach } from '../../../guard/sqlite/masks.ts';
import { isMaintenance } from '../../../guard/sqlite/sight.ts';
import type { DatabaseFailure } from '../../engine.ts';
import { NotInSight, notInSight } from '../failure.ts';
import type { Authorizer } from './authorizer.ts';
import { byDefinitions, headOf, objectOf, type Row } from './sight.ts';

export const masksOn = byDefinitions((masks: Masks, rows, handle) =>
  maskedFile(
    masks,
    rows.map((row): MaskableObject => {
      const object = objectOf(row);
      return { ...object, columns: object.type === 'table' ? columnsOf(handle, object.name) : [] };
    }),
  ),
);

/** Null for a virtual table whose module isn't here. */
function columnsOf(handle: DatabaseSync, table: string): readonly FileColumn[] | null {
  try {
    return handle
      .prepare('select name, hidden, pk from pragma_table_xinfo(?)')
      .all(table)
      .map(({ name, hidden, pk }: Row) => ({
        name: `${name}`,
        isGenerated: hidden === 2 || hidden === 3,
        isKey: pk !== 0,
      }));
  } catch {
    return null;
  }
}

/** Runs `work` for a client: no masked column is read. */
export function withoutMasked<T>(
  handle: Authorizer & { masked(masks: Masks): MaskedFile },
  masks: Masks,
  sql: string,
  work: () => T,
): T | DatabaseFailure {
  const file = handle.masked(masks);
  const head = mayName(sql.toWellFormed(), file) ? headOf(sql) : null;
  if (head !== null && isMaintenance(head)) return work();
  const named = head === null ? null : namedOutOfReach(head, file);
  if (named !== null) return notInSight(named, sql);
  try {
    return handle.seeing(told => toldOutOfReach(told, () => headOf(sql), file), work);
  } catch (error) {
    if (!(error instanceof NotInSight) || error.found.kind !== 'masked') throw error;
    return { kind: 'masked', columns: allRead(handle, sql, file) ?? error.found.columns };
  }
}

/** Every masked column that it reads, so that all of them can be left out at once. */
function allRead(handle: Authorizer, sql: string, file: MaskedFile) {
  try {
    const read = [...handle.readsOf(sql)].map(each => JSON.parse(each) as readonly [string, string]);
    const masked = read.filter(([table, column]) => column !== '' && isMaskedIn(file, table.toLowerCase(), column));
    return masked.length === 0 ? null : masked.map(([table, column]) => ({ schema: null, table, column }));
  } catch {
    return null;
  }
}
