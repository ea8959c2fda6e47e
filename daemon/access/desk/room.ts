/** Whether the person's desk has a place for one more, and who gives way for it. Pure. */

import { crowdOf } from '../limits/crowd.ts';
import type { Ask, Asker } from './ask.ts';

/** Absent: no limit. */
export interface PlaceLimits {
  readonly perAsker?: number;
  readonly perGroup?: number;
  readonly inAll?: number;
  /** A new one takes the place of one whose branch of the processes has more than its own. */
  readonly crowdGivesWay?: boolean;
}

/** @returns null for no place; else who gives way for it, which is mostly nobody. */
export function placeFor<Waiting extends Pick<Ask, 'asker' | 'isOpened'>>(
  asker: Asker,
  waiting: readonly Waiting[],
  { perAsker = Infinity, perGroup = Infinity, inAll = Infinity, crowdGivesWay = false }: PlaceLimits,
): readonly Waiting[] | null {
  if (waiting.filter(other => other.asker.id === asker.id).length >= perAsker) return null;
  const group = waiting.filter(other => asker.group !== null && other.asker.group === asker.group);
  const isGroupFull = group.length >= perGroup;
  if (!isGroupFull && waiting.length < inAll) return [];
  if (!crowdGivesWay) return null;
  const asking = { asker };
  const crowd = crowdOf<Pick<Ask, 'asker'>>([...(isGroupFull ? group : waiting), asking], one => one.asker.lineage);
  if (crowd.includes(asking)) return null;
  // One that its person has open stays.
  const least = (crowd as readonly Waiting[]).findLast(({ isOpened }) => !isOpened);
  return least === undefined ? null : [least];
}
