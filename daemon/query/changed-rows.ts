/**
 * Whether a write may be committed, by the rows that it changed (spec §7, Destructive by count), and the account of what each
 * token changed within the hour. Text can't tell a WHERE that restricts; the rows can.
 */

import type { Changes, TableChange } from './database.ts';

/** Whose account it is: a bridge that is started anew is another principal, but has the same token. */
interface Holder {
  readonly tokenId: string;
  readonly connectionId: string;
}

/** @returns what can be given back where the COMMIT is known not to have happened; or a sentence without a full stop: why not. */
type Reservation =
  | { readonly kind: 'reserved'; readonly giveBack: () => void }
  | { readonly kind: 'refused'; readonly why: string };

export interface ChangedRows {
  /** @param most rows of one table in an hour. Counts nothing where it refuses. */
  reserve(holder: Holder, changes: Changes, most: number): Reservation;
}

const windowMinutes = 60;
const minuteMilliseconds = 60_000;
/** A token that changes rows of more tables within the hour is refused: forgetting one would begin its account anew. */
const tablesPerToken = 2_000;

/** Rows by minute; those of one minute leave the account together, once the last of them is an hour old. */
type Account = Map<number, number>;

/** @param elapsed milliseconds of a clock that is never set. */
export function changedRows(elapsed: () => number): ChangedRows {
  /** By token, then by connection and table. */
  const holders = new Map<string, Map<string, Account>>();
  let sweptAt = 0;

  return {
    reserve({ tokenId, connectionId }, { tables, uncounted }, most) {
      const minute = Math.floor(elapsed() / minuteMilliseconds);
      if (minute > sweptAt) forgetBefore(minute - windowMinutes);
      sweptAt = minute;
      const accounts = holders.get(tokenId) ?? new Map<string, Account>();
      const keyOf = ({ table }: TableChange) => JSON.stringify([connectionId, table]);
      const spentOn = (change: TableChange) => sum(accounts.get(keyOf(change))?.values() ?? []);
      if (uncounted !== null) return refused(`not all that it changes can be counted, because ${uncounted}`);
      const over = tables.map(change => refusalOf(change, most, spentOn(change))).find(why => why !== null);
      if (over != null) return refused(over);
      const opened = tables.filter(change => !accounts.has(keyOf(change))).length;
      if (accounts.size + opened > tablesPerToken) {
        return refused(`this token has changed rows of ${accounts.size} tables within the hour already`);
      }
      if (tables.length > 0) holders.set(tokenId, accounts);
      for (const change of tables) add(accounts, keyOf(change), minute, rowsOf(change));
      const giveBack = () => tables.forEach(change => void add(accounts, keyOf(change), minute, -rowsOf(change)));
      return { kind: 'reserved', giveBack };
    },
  };

  function forgetBefore(minute: number): void {
    for (const [tokenId, accounts] of holders) {
      for (const [table, account] of accounts) {
        for (const at of account.keys()) if (at < minute) account.delete(at);
        if (account.size === 0) accounts.delete(table);
      }
      if (accounts.size === 0) holders.delete(tokenId);
    }
  }
}

function add(accounts: Map<string, Account>, key: string, minute: number, rows: number): void {
  const account: Account = accounts.get(key) ?? new Map();
  accounts.set(key, account.set(minute, (account.get(minute) ?? 0) + rows));
}

function refusalOf(change: TableChange, most: number, spent: number): string | null {
  const { table, isEmptied, isChangedWhole } = change;
  const what = `"${table.replaceAll('"', '""')}" (${rowWords(change)})`;
  if (isEmptied) return `it would have emptied ${what}`;
  if (isChangedWhole) return `it would have changed every row of ${what}`;
  if (spent + rowsOf(change) <= most) return null;
  const before = spent === 0 ? '' : `, and ${counted(spent)} were changed already`;
  return `it would have changed too many rows of ${what}: a token may change ${counted(most)} of a table in an hour${before}`;
}

/** `1,204 rows deleted`; `1 row updated, 3 rows deleted`. */
function rowWords({ updated, deleted }: TableChange): string {
  const parts = updated > 0 ? [`${counted(updated)} updated`] : [];
  return [...parts, ...(deleted > 0 ? [`${counted(deleted)} deleted`] : [])].join(', ');
}

function counted(rows: number): string {
  return `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
}

function rowsOf({ updated, deleted }: TableChange): number {
  return updated + deleted;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function refused(why: string): Reservation {
  return { kind: 'refused', why };
}
