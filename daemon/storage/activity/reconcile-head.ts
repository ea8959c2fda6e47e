/**
 * Compares the table's end with the anchored head and decides where the chain continues (spec §14).
 * Rows that a crash left beyond the head are adopted if they verify. Missing rows leave a gap in
 * the numbers that no later row fills, so it shows for as long as the log is kept.
 */

import type { DatabaseSync } from 'node:sqlite';
import { parsedJson } from '../../../shared/json.ts';
import { deleteBetween, endOfTable, headCopy, rowsBetween } from './activity-table.ts';
import { type ChainMark, type Head, type HeadSeal, sameMac, sealedTextOf } from './chain.ts';
import { type Incident, rowRange } from './incidents.ts';
import { chainVerifier } from './verify-row.ts';

export interface ReconciledHead {
  /** The row that the next one is chained to. */
  readonly last: ChainMark;
  /** True if that row is not in the table as it was; then the next row carries its MAC. */
  readonly isDetached: boolean;
  readonly incidents: readonly Incident[];
}

export function reconcileHead(database: DatabaseSync, seal: HeadSeal, head: Head): ReconciledHead {
  const { last } = head;
  const end = endOfTable(database) ?? { number: 0, mac: last.mac };
  if (end.number > last.number) return adoptRowsBeyond(database, seal.key, last, end.number);
  if (end.number === last.number) {
    if (end.number === 0 || sameMac(end.mac, last.mac)) return { last, isDetached: false, incidents: [] };
    const reason = `Row ${last.number}, the last, was not the one that was recorded.`;
    return { last, isDetached: true, incidents: [{ action: 'activity.last_row_changed', reason, count: 1 }] };
  }
  return { last, isDetached: true, incidents: [missingEnd(database, seal, head, end.number)] };
}

function adoptRowsBeyond(database: DatabaseSync, key: Buffer, last: ChainMark, end: number): ReconciledHead {
  const good = goodRowsAfter(database, key, last, end);
  const incidents: Incident[] = [];
  if (good.number > last.number) {
    const count = good.number - last.number;
    const reason = `${rowRange(last.number + 1, good.number)} written before an unclean stop, after the head was last kept; intact.`;
    incidents.push({ action: 'activity.adopted', reason, count });
  }
  if (good.number < end) {
    // Otherwise future rows would reuse their numbers.
    const count = deleteBetween(database, good.number, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER);
    const reason = `Behind row ${good.number} stood ${count} that Sallyport had not written so; removed.`;
    incidents.push({ action: 'activity.foreign_rows', reason, count });
  }
  return { last: good, isDetached: false, incidents };
}

function goodRowsAfter(database: DatabaseSync, key: Buffer, last: ChainMark, end: number): ChainMark {
  const verify = chainVerifier(key, last);
  let good = last;
  for (const row of rowsBetween(database, last.number, end)) {
    const { verdict, missingFrom } = verify(row);
    if (verdict !== 'good' || missingFrom !== null) break;
    good = { number: row.number, mac: row.mac };
  }
  return good;
}

/** The copy of the head fits only if the whole database is from that moment. */
function missingEnd(database: DatabaseSync, seal: HeadSeal, head: Head, end: number): Incident {
  const from = Math.max(end, head.tail.number) + 1;
  const rows = rowRange(from, head.last.number);
  const count = head.last.number - from + 1;
  return endOfCopy(database, seal) === end
    ? { action: 'activity.older_copy', reason: `The database was an older copy: it ended before ${rows}.`, count }
    : { action: 'activity.truncated', reason: `The log's end had been cut off: ${rows}.`, count };
}

/** What our key has sealed has our form. */
function endOfCopy(database: DatabaseSync, seal: HeadSeal): number | null {
  const text = sealedTextOf(headCopy(database), seal);
  return text === null ? null : (parsedJson(text) as Pick<Head, 'last'>).last.number;
}
