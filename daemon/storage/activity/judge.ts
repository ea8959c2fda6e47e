/** Judges rows of the chain one after the other, from a place that is known to be right. Reads and writes nothing. */

import { sameMac, shortened, storedMac, wholeMacOf } from './chain.ts';
import type { StoredRow } from './row.ts';

export interface Judgement {
  /** `uncheckable`: its predecessor is gone and with it what its MAC was made over. */
  readonly verdict: 'good' | 'bad' | 'uncheckable';
  /** Number of the first row that should stand between it and the row before; null where none is missing. */
  readonly missingFrom: number | null;
}

/** Of a long run of edited rows each adds some: a log that was edited throughout would take hours. */
const mostPredecessors = 8;

/** @param after the row it starts behind; a null MAC makes the first row uncheckable. */
export function chainJudge(
  key: Buffer,
  after: { readonly number: number; readonly mac: Buffer | null },
): (row: StoredRow) => Judgement {
  let expected = after.number + 1;
  let predecessors: readonly Buffer[] = after.mac === null ? [] : [after.mac];

  return row => {
    const missingFrom = row.number > expected ? expected : null;
    if (missingFrom !== null) predecessors = [];
    // No forger's way in: the MAC covers the predecessor's, whatever stands in this column.
    if (row.previous !== null) predecessors = [storedMac({ mac: row.previous })];
    const computed = predecessors.map(predecessor => wholeMacOf(key, predecessor, row.number, row));
    const isGood = computed.some(mac => sameMac(row.mac, shortened(mac)) || sameMac(row.mac, mac));
    expected = row.number + 1;
    // Behind a bad row all its MACs count, or editing one row would make the next look edited too.
    const ways = [storedMac(row), ...computed.flatMap(mac => [shortened(mac), mac])];
    predecessors = isGood ? [row.mac] : ways.slice(0, mostPredecessors);
    if (computed.length === 0) return { verdict: 'uncheckable', missingFrom };
    return { verdict: isGood ? 'good' : 'bad', missingFrom };
  };
}
