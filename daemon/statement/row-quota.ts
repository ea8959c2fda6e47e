/**
 * Whether a write may be committed, by the rows that it changed (spec §7, Destructive by count),
 * and how many rows each token changed within the hour, over restarts too. The text doesn't tell
 * how much a WHERE restricts; the rows do.
 */

import { createHash } from 'node:crypto';
import type { RowCounts, TableChange } from '../engines/engine.ts';
import { type AccountTime, accountTime, type Clocks } from './account-time.ts';
import { refusalOf, refusalOfAdded, rowsOf } from './refused-change.ts';
import { SpentByPlace, type SpentRows } from './spent-rows.ts';

/** The account that is charged, on one connection. */
export interface QuotaHolder {
  /**
   * The token's id; one account for all tokens of the bridge, which change with each start and
   * hour.
   */
  readonly account: string;
  readonly connectionId: string;
}

export type Reservation =
  /** `giveBack`: call it if the COMMIT certainly did not happen. */
  | { readonly kind: 'reserved'; readonly giveBack: () => void }
  /** `why`: a sentence without a full stop. */
  | { readonly kind: 'refused'; readonly why: string }
  /** They could not be stored, so a restart would forget them. */
  | { readonly kind: 'unkept' };

export interface RowQuota {
  /**
   * @param most rows of one table in an hour.
   * @returns why they would be refused, a sentence without a full stop; null if they would not.
   */
  refusal(holder: QuotaHolder, changes: RowCounts, most: number): string | null;
  /** Resolves once they are stored. Counts nothing if it refuses. */
  reserve(holder: QuotaHolder, changes: RowCounts, most: number): Promise<Reservation>;
}

export interface RowQuotaPorts {
  /** From earlier runs. */
  readonly kept: { readonly time: AccountTime | null; readonly spent: readonly SpentRows[] };
  readonly clocks: () => Clocks;
  /**
   * Adds to the stored rows and deletes older minutes. Once it resolves, the program's end loses
   * none of them.
   */
  keep(time: AccountTime, spent: readonly SpentRows[], oldestMinute: number): Promise<void>;
  readonly report: (error: unknown) => void;
}

const windowMinutes = 60;
const minuteMilliseconds = 60_000;
/** Beyond this a token is refused: forgetting a table would restart its count. */
const tablesPerAccount = 2_000;

/**
 * Rows that a token may add to a table in an hour, for each that it may change: what is added is
 * not lost, but fills disks and reports.
 */
const addedPerChanged = 50;

export function rowQuota({ kept, clocks, keep, report }: RowQuotaPorts): RowQuota {
  const changed = new SpentByPlace();
  /** Not kept over restarts: a client can't cause one. */
  const added = new SpentByPlace();
  let time = kept.time ?? {
    passed: kept.spent.reduce((newest, { minute }) => Math.max(newest, minute), 0) * minuteMilliseconds,
    ...clocks(),
  };
  let sweptAt = minuteNow();
  for (const each of kept.spent) add(changed, each);

  function minuteNow(): number {
    time = accountTime(time, clocks());
    return Math.floor(time.passed / minuteMilliseconds);
  }

  function refusal(
    { account, connectionId }: QuotaHolder,
    { tables, uncounted, added: adds = [] }: RowCounts,
    most: number,
  ): string | null {
    const minute = minuteNow();
    if (minute > sweptAt) for (const each of [changed, added]) each.forgetBefore(minute - windowMinutes);
    sweptAt = minute;
    if (uncounted !== null) return `not all that it changes can be counted, because ${uncounted}`;
    const placed = (table: string) => placeOf(connectionId, table);
    const over =
      tables.map(change => refusalOf(change, most, changed.rowsOf(account, placed(change.table)))).find(isRefusal) ??
      adds
        .map(each => refusalOfAdded(each, most * addedPerChanged, added.rowsOf(account, placed(each.table))))
        .find(isRefusal);
    if (over !== undefined) return over;
    for (const [spent, of] of [
      [changed, tables],
      [added, adds],
    ] as const) {
      const { now, with: afterwards } = spent.placesWith(
        account,
        of.map(({ table }) => placed(table)),
      );
      if (afterwards > tablesPerAccount && afterwards > now)
        return `this client has changed rows of ${now} tables within the hour already`;
    }
    return null;
  }

  return {
    refusal,

    async reserve(holder, changes, most) {
      const why = refusal(holder, changes, most);
      if (why !== null) return { kind: 'refused', why };
      const [minute, oldest] = [sweptAt, sweptAt - windowMinutes];
      const spent = changes.tables
        .map(change => ({ ...spentBy(holder, change), minute }))
        .filter(({ rows }) => rows > 0);
      const addedNow = (changes.added ?? []).map(({ table, rows }) => ({
        account: holder.account,
        place: placeOf(holder.connectionId, table),
        minute,
        rows,
      }));
      const count = (sign: 1 | -1): void => {
        for (const each of spent) add(changed, { ...each, rows: sign * each.rows });
        for (const each of addedNow) add(added, { ...each, rows: sign * each.rows });
      };
      // Right away: another write may ask while these are being stored.
      count(1);
      if (spent.length === 0) return { kind: 'reserved', giveBack: () => count(-1) };
      try {
        await keep(time, spent, oldest);
      } catch (error) {
        report(error);
        count(-1);
        return { kind: 'unkept' };
      }
      const giveBack = () => {
        count(-1);
        const returned = spent.map(each => ({ ...each, rows: -each.rows }));
        void keep(time, returned, oldest).catch(report);
      };
      return { kind: 'reserved', giveBack };
    },
  };

  function add(to: SpentByPlace, spent: SpentRows): void {
    // Giving back rows of a forgotten minute would give rows for free.
    if (spent.minute >= sweptAt - windowMinutes) to.add(spent);
  }
}

function isRefusal(why: string | null): why is string {
  return why !== null;
}

function spentBy({ account, connectionId }: QuotaHolder, change: TableChange): Omit<SpentRows, 'minute'> {
  return { account, place: placeOf(connectionId, change.table), rows: rowsOf(change) };
}

function placeOf(connectionId: string, table: string): string {
  return createHash('sha256')
    .update(JSON.stringify([connectionId, table]))
    .digest('base64url');
}
