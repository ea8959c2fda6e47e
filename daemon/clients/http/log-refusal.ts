/**
 * Logs the gate's refusals: the first of a kind at once, further ones within seconds as one line
 * with a count. A flood must not fill the log.
 */

import type { Log } from '../mcp/log.ts';
import { httpLimits } from './http-limits.ts';
import type { HttpRefusal } from './refuse.ts';

interface Counted {
  times: number;
  latest: HttpRefusal;
  readonly timer: NodeJS.Timeout;
}

export function logRefusals(log: Pick<Log, 'info'>, seconds: number = httpLimits.refusalLogSeconds) {
  /** By kind. */
  const open = new Map<string, Counted>();

  function write(key: string): void {
    const counted = open.get(key);
    open.delete(key);
    if (counted === undefined) return;
    clearTimeout(counted.timer);
    const { times, latest } = counted;
    if (times > 0) log.info({ refused: latest, times, withinSeconds: seconds }, 'requests were refused at the gate');
  }

  return {
    refused(refusal: HttpRefusal): void {
      const key = kindOf(refusal);
      const counted = open.get(key);
      if (counted !== undefined) {
        counted.times += 1;
        counted.latest = refusal;
        return;
      }
      log.info({ refused: refusal }, 'a request was refused at the gate');
      open.set(key, { times: 0, latest: refusal, timer: setTimeout(write, seconds * 1000, key).unref() });
    },
    /** Writes the counts and stops counting. */
    close(): void {
      for (const key of [...open.keys()]) write(key);
    },
  };
}

function kindOf(refusal: HttpRefusal): string {
  if (refusal.kind === 'unauthenticated') return `${refusal.kind} ${refusal.reason}`;
  return refusal.kind === 'limited' ? `${refusal.kind} ${refusal.limit}` : refusal.kind;
}
