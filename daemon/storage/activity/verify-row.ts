/**
 * Judges rows of the chain one after the other, from a place that is known to be right. Reads and
 * writes nothing.
 */

import { isWhole, sameMac, sealedText, shortened, storedMac, wholeMacOf } from './chain.ts';
import type { StoredRow } from './row.ts';

export interface RowVerdict {
  /** `uncheckable`: its predecessor is gone and with it what its MAC was made over. */
  readonly verdict: 'good' | 'bad' | 'uncheckable';
  /**
   * Number of the first row that should stand between it and the row before; null where none is
   * missing.
   */
  readonly missingFrom: number | null;
}

/** Behind an edited row. Each adds one, and a log that was edited throughout would take hours. */
const mostPredecessors = 8;

/** @param after the row it starts behind; a null MAC makes the first row uncheckable. */
export function chainVerifier(
  key: Buffer,
  after: { readonly number: number; readonly mac: Buffer | null },
): (row: StoredRow) => RowVerdict {
  let expected = after.number + 1;
  let predecessors: readonly Buffer[] = after.mac === null ? [] : [after.mac];
  /** Once a row of this version was good, none of an earlier one follows. */
  let mayBeWhole = after.mac === null || isWhole(after.mac);

  return row => {
    const missingFrom = row.number > expected ? expected : null;
    if (missingFrom !== null) predecessors = [];
    // No forger's way in: the MAC covers the predecessor's, whatever stands in this column.
    if (row.previous !== null) predecessors = [storedMac({ mac: row.previous })];
    const sealed = sealedText(row.number, row);
    const computed = predecessors
      .map(predecessor => wholeMacOf(key, predecessor, sealed))
      .flatMap(mac => (mayBeWhole ? [mac, shortened(mac)] : [shortened(mac)]));
    const isGood = computed.some(mac => sameMac(row.mac, mac));
    if (isGood) mayBeWhole = isWhole(row.mac);
    expected = row.number + 1;
    // Behind a bad row all its MACs count, or editing one row would make the next look edited too.
    predecessors = isGood ? [row.mac] : likeliest([...computed, storedMac(row)]);
    if (computed.length === 0) return { verdict: 'uncheckable', missingFrom };
    return { verdict: isGood ? 'good' : 'bad', missingFrom };
  };
}

/**
 * The first is of a run whose MACs alone were edited; the last ones are of rows whose MACs stand as
 * they were.
 */
function likeliest(macs: readonly Buffer[]): readonly Buffer[] {
  return macs.length > mostPredecessors ? [...macs.slice(0, 1), ...macs.slice(1 - mostPredecessors)] : macs;
}
