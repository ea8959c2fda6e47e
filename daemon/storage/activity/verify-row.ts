/**
 * Checks rows of the chain one after another, starting from a trusted place. Reads and writes
 * nothing.
 */

import { macOfText, sameMac, sealedText, storedMac } from './chain.ts';
import type { StoredRow } from './row.ts';

export interface RowVerdict {
  /** `uncheckable`: the row before is gone, and its MAC is needed. */
  readonly verdict: 'good' | 'bad' | 'uncheckable';
  /** Number of the first row missing before this one; null if none is. */
  readonly missingFrom: number | null;
}

/**
 * How many predecessors are tried behind an edited row. Each adds one; a fully edited log would
 * take hours.
 */
const mostPredecessors = 8;

/** @param after where to start; a null MAC makes the first row uncheckable. */
export function chainVerifier(
  key: Buffer,
  after: { readonly number: number; readonly mac: Buffer | null },
): (row: StoredRow) => RowVerdict {
  let expected = after.number + 1;
  let predecessors: readonly Buffer[] = after.mac === null ? [] : [after.mac];

  return row => {
    const missingFrom = row.number > expected ? expected : null;
    if (missingFrom !== null) predecessors = [];
    // A forger gains nothing here: the MAC covers the predecessor's MAC, whatever this column
    // holds.
    if (row.previous !== null) predecessors = [storedMac({ mac: row.previous })];
    const sealed = sealedText(row.number, row);
    const computed = predecessors.map(predecessor => macOfText(key, predecessor, sealed));
    const isGood = computed.some(mac => sameMac(row.mac, mac));
    expected = row.number + 1;
    // Behind a bad row each of its MACs is tried; otherwise one edited row would make the next look
    // edited.
    predecessors = isGood ? [row.mac] : likeliest([...computed, storedMac(row)]);
    if (computed.length === 0) return { verdict: 'uncheckable', missingFrom };
    return { verdict: isGood ? 'good' : 'bad', missingFrom };
  };
}

/**
 * The first belongs to a run whose MACs alone were edited, the last to rows whose MACs are as they
 * were.
 */
function likeliest(macs: readonly Buffer[]): readonly Buffer[] {
  return macs.length > mostPredecessors ? [...macs.slice(0, 1), ...macs.slice(1 - mostPredecessors)] : macs;
}
