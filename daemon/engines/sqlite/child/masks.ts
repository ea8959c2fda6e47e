/** In the child: which columns of the open file are masked, and a client kept off them. */

import type { DatabaseSync } from 'node:sqlite';
import type { MaskedColumn, Masks } from '../../../guard/masks.ts';
import {
  type FileColumn,
  type MaskableObject,
  type MaskedFile,
  maskedFile,
} from '../../../guard/sqlite/masked-file.ts';
import { mayName, namedOutOfReach, type OutOfReach, toldOutOfReach } from '../../../guard/sqlite/masks.ts';
import { isMaintenance, type Told } from '../../../guard/sqlite/sight.ts';
import { folded } from '../../../guard/sqlite/tokenizer.ts';
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
      .prepare("select name, hidden, pk from temp.pragma_table_xinfo(?, 'main')")
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

/**
 * Runs `work` for a client: no masked column is read.
 * @param isHidden whether a table is out of sight, so that no refusal may name it.
 */
export function withoutMasked<T>(
  handle: Authorizer & { masked(masks: Masks): MaskedFile },
  masks: Masks,
  sql: string,
  isHidden: (table: string) => boolean,
  work: () => T,
): T | DatabaseFailure {
  const file = handle.masked(masks);
  const head = mayName(sql.toWellFormed(), file) ? headOf(sql) : null;
  if (head !== null && isMaintenance(head)) return work();
  const tell = (found: OutOfReach): DatabaseFailure => {
    if (found.kind !== 'masked') return notInSight(found, sql);
    const columns = found.columns.filter(({ table }) => !isHidden(table));
    return notInSight(columns.length === 0 ? { kind: 'behind' } : { kind: 'masked', columns }, sql);
  };
  const named = head === null ? null : namedOutOfReach(head, file);
  if (named !== null) return tell(named);
  try {
    return handle.seeing(told => toldOutOfReach(told, () => headOf(sql), file), work);
  } catch (error) {
    if (!(error instanceof NotInSight) || error.found.kind !== 'masked') throw error;
    return tell({ kind: 'masked', columns: allRead(handle, sql, file) ?? error.found.columns });
  }
}

/** Every masked column that it reads, so that all of them can be left out at once. */
function allRead(handle: Authorizer, sql: string, file: MaskedFile): readonly MaskedColumn[] | null {
  const all = new Map<string, MaskedColumn>();
  const collect = (told: Told): null => {
    const found = toldOutOfReach(told, () => headOf(sql), file);
    for (const column of found?.kind === 'masked' ? found.columns : [])
      all.set(JSON.stringify([column.table, folded(column.column)]), column);
    return null;
  };
  try {
    handle.seeing(collect, () => handle.classify(sql));
    return all.size === 0 ? null : [...all.values()];
  } catch {
    return null;
  }
}
