/** Whether the person's desk has a place for one more, and who gives way for it. Pure. */

import { crowdOf, hasPart, treeOf } from '../limits/crowd.ts';
import type { Ask, Asker } from './ask.ts';

/** Absent: no limit. */
export interface PlaceLimits {
  readonly perAsker?: number;
  /**
   * Without `crowdGivesWay`, later branches of the processes find their part beyond it, up to as
   * many again, and then the first of each tree.
   */
  readonly perGroup?: number;
  readonly inAll?: number;
  /**
   * How many bytes facts may have as a line on the control socket: of one, of a group, of all that
   * wait.
   */
  readonly bytesEach?: number;
  readonly bytesPerGroup?: number;
  readonly bytesInAll?: number;
  /** A new one takes the place of one whose branch of the processes has more than its own. */
  readonly crowdGivesWay?: boolean;
}

/** @returns null for no place; else who gives way for it, which is mostly nobody. */
export function placeFor<Waiting extends Pick<Ask, 'asker' | 'isOpened' | 'bytes'>>(
  asker: Asker,
  bytes: number,
  waiting: readonly Waiting[],
  limits: PlaceLimits,
): readonly Waiting[] | null {
  const { perAsker = Infinity, perGroup = Infinity, inAll = Infinity, crowdGivesWay = false } = limits;
  const { bytesEach = Infinity, bytesPerGroup = Infinity, bytesInAll = Infinity } = limits;
  const left = (all: readonly Waiting[], most: number): number =>
    all.reduce((sum, one) => sum - one.bytes, most - bytes);
  if (bytes > bytesEach) return null;
  if (waiting.filter(other => other.asker.id === asker.id).length >= perAsker) return null;
  const group = waiting.filter(other => asker.group !== null && other.asker.group === asker.group);
  const groupLeft = left(group, bytesPerGroup);
  const allLeft = left(waiting, bytesInAll);
  const isCrowded = crowdGivesWay ? group.length >= perGroup : !hasPlace(asker, group, perGroup);
  const isGroupFull = isCrowded || groupLeft < 0;
  if (!isGroupFull && waiting.length < inAll && allLeft >= 0) return [];
  if (!crowdGivesWay) return null;
  const asking = { asker };
  const crowd = crowdOf<Pick<Ask, 'asker'>>([...(isGroupFull ? group : waiting), asking], one => one.asker.lineage);
  if (crowd.includes(asking)) return null;
  // One that its person has open stays.
  const least = (crowd as readonly Waiting[]).findLast(({ isOpened }) => !isOpened);
  // Nobody gives way for one that then has no room.
  return least === undefined || Math.min(allLeft, isGroupFull ? groupLeft : 0) + least.bytes < 0 ? null : [least];
}

/** Someone may wait for the answer of each, so none gives way. */
function hasPlace({ lineage }: Asker, group: readonly Pick<Ask, 'asker'>[], perGroup: number): boolean {
  const taken = group.map(({ asker }) => asker.lineage);
  const isFirstOfTree = taken.every(other => treeOf(other) !== treeOf(lineage));
  return hasPart(taken, lineage, perGroup) && (taken.length < 2 * perGroup || isFirstOfTree);
}
