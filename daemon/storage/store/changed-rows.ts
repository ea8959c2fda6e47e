/**
 * The count of changed rows in the store (spec §7): read at the start, increased before each
 * COMMIT.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { ChangedRowsPorts, SpentRows } from '../../statement/changed-rows.ts';
import { keptValue } from './kept-values.ts';
import type { Store } from './store.ts';

const timeShape = z.object({ passed: z.number(), wall: z.number(), uptime: z.number() });

/** In the table `store`. */
const timeKey = 'changed-rows';

export async function changedRowsIn({
  knex,
  ledger,
}: Pick<Store, 'knex' | 'ledger'>): Promise<Pick<ChangedRowsPorts, 'kept' | 'keep'>> {
  const time = timeShape.safeParse(parsedJson((await keptValue({ knex }, 'store', timeKey)) ?? '')).data ?? null;
  const spent: SpentRows[] = await knex('changed_rows').select('account', 'place', 'minute', 'rows');
  return {
    kept: { time, spent },
    keep: (now, added, oldestMinute) =>
      ledger.ask('keepChangedRows', { timeKey, time: JSON.stringify(now) }, added, oldestMinute),
  };
}
