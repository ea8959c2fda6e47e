/** When the bridge ends: within 200 ms of its client's end, however that shows (spec §15). Ends nothing but this process. */

import { bridgeLimits } from './limits.ts';

/** Also where another process keeps our stdin open: a child whose parent died gets another one. */
export function onParentDeath(listener: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) listener();
  }, bridgeLimits.parentCheckMilliseconds);
  timer.unref();
}
