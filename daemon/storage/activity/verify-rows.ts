/** Checks the rows that are about to be pruned, in its own thread. */

import type { DatabaseSync } from 'node:sqlite';
import { type Head, isMac } from './chain.ts';
import type { StoredRow } from './row.ts';
import { rowsBetween } from './table.ts';
import { chainVerifier } from './verify-row.ts';

/** The rows behind the tail, up to the boundary. */
export interface VerifiedRows {
  /** MAC of the row at the boundary; null if it is missing or has none. */
  readonly mac: Buffer | null;
  /** Rows that are missing or not as recorded. */
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
