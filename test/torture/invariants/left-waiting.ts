/** Requests that wait for the owner when the daemon is killed still wait in its next run. */

import type { World } from '../world.ts';

/** @returns their ids; null if nobody answers. */
export async function waitingRequests({ owner }: World): Promise<readonly string[] | null> {
  const listed = await owner.ask('desk.list', {}).catch(() => null);
  return listed?.asks.filter(({ waits }) => !waits).map(({ id }) => id) ?? null;
}

/** @param before none if they could not be kept, or nobody answered. */
export async function requestsStillWait(world: World, before: readonly string[] | null): Promise<string[]> {
  const now = new Set(await waitingRequests(world));
  const lost = (before ?? []).filter(id => !now.has(id));
  return lost.length === 0 ? [] : [`${lost.length} of ${before?.length} waiting requests are gone`];
}
