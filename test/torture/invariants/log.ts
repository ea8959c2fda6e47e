/** The activity log verifies, and nothing of it or of the history disappeared. */

import { rowsBetween } from '../../../daemon/storage/activity/activity-table.ts';
import { locationsIn } from '../../../shared/locations.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import type { World } from '../world.ts';

/** The parts of a row that are checked. */
export interface LoggedRow {
  readonly kind: 'event' | 'attempt' | 'outcome';
  readonly action: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  /** Hexadecimal digits. */
  readonly statementHash: string | null;
  readonly count: number;
}

/** From the store, since a query of the log follows the clock, which faults change. */
export function rowsAfter(world: World, number: number): LoggedRow[] {
  return fromStore(world, store =>
    [...rowsBetween(store, number, Number.MAX_SAFE_INTEGER)].map(
      ({ kind, action, outcome, reason, statement_hash, count }) => ({
        kind,
        action,
        outcome,
        reason,
        count,
        statementHash: statement_hash,
      }),
    ),
  );
}

export async function logIsIntact({ owner }: World): Promise<string[]> {
  const { intact, findings } = await owner.ask('activity.verify', {});
  return intact ? [] : findings.map(({ sentence }) => `activity verify: ${sentence}`);
}

export interface Extent {
  readonly oldestRow: number;
  readonly newestRow: number;
  readonly statements: number;
}

export function extentOfLog(world: World): Extent {
  return fromStore(world, store => {
    const rows = store
      .prepare('select min(number) as oldestRow, max(number) as newestRow from activity')
      .get() as unknown as Extent;
    const statements = Number(store.value('select count(*) from history'));
    return { oldestRow: rows.oldestRow ?? 0, newestRow: rows.newestRow ?? 0, statements };
  });
}

/** Works whichever process has it open. */
function fromStore<Value>({ home }: World, read: (store: SqliteFile) => Value): Value {
  const store = new SqliteFile(locationsIn(home.home).store, { readOnly: true });
  try {
    return read(store);
  } finally {
    store.close();
  }
}

export function nothingWentAway(before: Extent, after: Extent): string[] {
  const wrong: string[] = [];
  if (before.oldestRow > 0 && after.oldestRow > before.oldestRow)
    wrong.push(`the log began with row ${before.oldestRow}, and begins with row ${after.oldestRow}`);
  if (after.statements < before.statements)
    wrong.push(`the history had ${before.statements} statements, and has ${after.statements}`);
  return wrong;
}
