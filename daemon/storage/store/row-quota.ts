/**
 * The count of changed rows in the store (spec §7): read at the start, increased before each
 * COMMIT.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { RowQuotaPorts } from '../../statement/row-quota.ts';
import type { SpentRows } from '../../statement/spent-rows.ts';
import { keptValue } from './kept-values.ts';
import type { Store } from './store.ts';

const timeShape = z.object({ passed: z.number(), wall: z.number(), uptime: z.number() });

/** A key in the table `store`. */
const timeKey = 'changed-rows';

export async function rowQuotaIn({
  knex,
  ledger,
}: Pick<Store, 'knex' | 'ledger'>): Promise<Pick<RowQuotaPorts, 'kept' | 'keep'>> {
  const time = timeShape.safeParse(parsedJson((await keptValue({ knex }, 'store', timeKey)) ?? '')).data ?? null;
  const spent: SpentRows[] = await knex('changed_rows').select('account', 'place', 'minute', 'rows');
  return {
    kept: { time, spent },
    keep: (now, added, oldestMinute) =>
      ledger.ask('storeRowQuota', { timeKey, time: JSON.stringify(now) }, added, oldestMinute),
  };
}
