/**
 * Whether a write may be committed, by the rows that it changed (spec §7, Destructive by count),
 * and how many rows each token changed within the hour, over restarts too. The text doesn't tell
 * how much a WHERE restricts; the rows do.
 */

import { createHash } from 'node:crypto';
import type { Changes, TableChange } from '../engines/engine.ts';
import { type AccountTime, accountTime, type Clocks } from './account-time.ts';
import { refusalOf, rowsOf } from './refused-change.ts';

/** Whose account it is. */
export interface Holder {
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

export interface ChangedRows {
  /**
   * @param most rows of one table in an hour.
   * @returns why they would be refused, a sentence without a full stop; null if they would not.
   */
  refusal(holder: Holder, changes: Changes, most: number): string | null;
  /** Resolves once they are stored. Counts nothing if it refuses. */
  reserve(holder: Holder, changes: Changes, most: number): Promise<Reservation>;
}

/** Rows of one table that were changed in one minute of the account's time. */
export interface SpentRows {
  readonly account: string;
  /** A hash of connection and table: names may be long, and must not outlive the history. */
  readonly place: string;
  readonly minute: number;
  /** Negative for rows that are given back. */
  readonly rows: number;
}

export interface ChangedRowsPorts {
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
 * Rows by minute; the rows of a minute leave the account together, once the last is an hour old.
 */
type Minutes = Map<number, number>;

export function changedRows({ kept, clocks, keep, report }: ChangedRowsPorts): ChangedRows {
  /** By account, then by place. */
  const accounts = new Map<string, Map<string, Minutes>>();
  let time = kept.time ?? {
    passed: kept.spent.reduce((newest, { minute }) => Math.max(newest, minute), 0) * minuteMilliseconds,
    ...clocks(),
  };
  let sweptAt = minuteNow();
  kept.spent.forEach(add);

  function minuteNow(): number {
    time = accountTime(time, clocks());
    return Math.floor(time.passed / minuteMilliseconds);
  }

  function refusal({ account, connectionId }: Holder, { tables, uncounted }: Changes, most: number): string | null {
    const minute = minuteNow();
    if (minute > sweptAt) forgetBefore(minute - windowMinutes);
    sweptAt = minute;
    if (uncounted !== null) return `not all that it changes can be counted, because ${uncounted}`;
    const places = accounts.get(account) ?? new Map<string, Minutes>();
    const spentOn = ({ table }: TableChange) => sum(places.get(placeOf(connectionId, table))?.values() ?? []);
    const over = tables.map(change => refusalOf(change, most, spentOn(change))).find(why => why !== null);
    if (over !== undefined) return over;
    const opened = tables.filter(({ table }) => !places.has(placeOf(connectionId, table))).length;
    return places.size + opened > tablesPerAccount
      ? `this token has changed rows of ${places.size} tables within the hour already`
      : null;
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
      if (spent.length === 0) return { kind: 'reserved', giveBack: () => {} };
      const returned = spent.map(each => ({ ...each, rows: -each.rows }));
      // Right away: another write may ask while these are being stored.
      spent.forEach(add);
      try {
        await keep(time, spent, oldest);
      } catch (error) {
        report(error);
        returned.forEach(add);
        return { kind: 'unkept' };
      }
      const giveBack = () => {
        returned.forEach(add);
        void keep(time, returned, oldest).catch(report);
      };
      return { kind: 'reserved', giveBack };
    },
  };

  function add({ account, place, minute, rows }: SpentRows): void {
    // Giving back rows of a forgotten minute would give rows for free.
    if (minute < sweptAt - windowMinutes) return;
    const places = accounts.get(account) ?? new Map<string, Minutes>();
    const minutes: Minutes = places.get(place) ?? new Map();
    accounts.set(account, places.set(place, minutes.set(minute, (minutes.get(minute) ?? 0) + rows)));
  }

  function forgetBefore(oldest: number): void {
    for (const [account, places] of accounts) {
      for (const [place, minutes] of places) {
        for (const at of minutes.keys()) if (at < oldest) minutes.delete(at);
        if (minutes.size === 0) places.delete(place);
      }
      if (places.size === 0) accounts.delete(account);
    }
  }
}

function spentBy({ account, connectionId }: Holder, change: TableChange): Omit<SpentRows, 'minute'> {
  return { account, place: placeOf(connectionId, change.table), rows: rowsOf(change) };
}

function placeOf(connectionId: string, table: string): string {
  return createHash('sha256')
    .update(JSON.stringify([connectionId, table]))
    .digest('base64url');
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
