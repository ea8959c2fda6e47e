/** Judges the rows that are about to be pruned, in a thread of its own. */

import type { DatabaseSync } from 'node:sqlite';
import { type Head, isMac } from './chain.ts';
import type { StoredRow } from './row.ts';
import { rowsBetween } from './table.ts';
import { chainVerifier } from './verify-row.ts';

/** Of the rows behind the tail, up to the boundary. */
export interface VerifiedRows {
  /** Of the boundary's row; null where that is missing, or has none. */
  readonly mac: Buffer | null;
  /** How many are missing or not as they were recorded. */
  readonly faults: number;
}

export function verifyRows(database: DatabaseSync, key: Buffer, tail: Head['tail'], boundary: number): VerifiedRows {
  const verify = chainVerifier(key, tail);
  let final: StoredRow | null = null;
  let present = 0;
  let bad = 0;
  for (const row of rowsBetween(database, tail.number, boundary)) {
    if (verify(row).verdict === 'bad') bad += 1;
    present += 1;
    final = row;
  }
  const missing = boundary - tail.number - present;
  const mac = final?.number === boundary && isMac(final.mac) ? final.mac : null;
  return { mac, faults: bad + missing };
}
