/**
 * Why a call must stop: its caller left, its time is over, or the connection is being closed. The
 * first reason counts. Tells which limit of the server ended its statement.
 */

import { secondsOf, serverSeconds } from '../call-clock.ts';
import type { CallContext, DatabaseFailure } from '../engine.ts';
import { isTimeOver } from '../in-time.ts';
import type { TimeLimits } from './run/time-limits.ts';
import type { Session } from './session.ts';

type StopReason = 'cancelled' | 'closed' | 'timeout';

export interface Watch {
  readonly signal: AbortSignal;
  /** What the call may take. */
  readonly seconds: number;
  /** Null while nothing has stopped the call. */
  reason(): StopReason | null;
  /** The session that it runs in, and the limits in force there. */
  limit(session: Session, limits: TimeLimits): void;
  /** What an end by a limit means; null if that time is not over, so something else ended it. */
  endedBy(limit: 'statement' | 'lock'): DatabaseFailure | null;
  /**
   * True if the server, which has the limit too, has said nothing to anybody since that was over.
   * If several limits are over at once, MariaDB may end some of them two seconds late.
   */
  isSilent(): boolean;
  end(): void;
}

export function watch(context: CallContext, closing: AbortSignal): Watch {
  const controller = new AbortController();
  const seconds = serverSeconds(context);
  const startedAt = performance.now();
  let reason: StopReason | null = null;
  let inForce: TimeLimits | null = null;
  let running: Session | null = null;
  let timer: NodeJS.Timeout | null = null;
  const stop = (why: StopReason): void => {
    reason ??= why;
    controller.abort();
  };
  const cancel = (): void => stop(isTimeOver(context.signal) ? 'timeout' : 'cancelled');
  const close = (): void => stop('closed');
  const ends = [
    [context.signal, cancel],
    [closing, close],
  ] as const;
  for (const [signal, end] of ends) {
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }
  return {
    signal: controller.signal,
    seconds,
    reason: () => reason,
    limit(session, limits) {
      inForce = limits;
      // Nothing else ends it, and what it took back is still to be asked.
      if (!limits.isServers)
        timer ??= setTimeout(() => stop('timeout'), startedAt + seconds * 1_000 - performance.now());
      running = session;
    },
    endedBy(limit) {
      const { seconds: most, servers } = inForce?.[limit] ?? { seconds, servers: null };
      if (performance.now() - startedAt < most * 900) return null;
      const named = servers === null ? {} : { limit: servers };
      const short = inForce?.lock.isShort === true ? { isShort: true as const } : {};
      if (limit === 'lock') return { kind: 'locked', seconds: most, holder: null, ...named, ...short };
      return servers === null
        ? { kind: 'timeout', seconds: secondsOf(most * 1_000) }
        : { kind: 'server_limit', limit: servers };
    },
    isSilent() {
      if (inForce?.isServers !== true || running === null) return false;
      const overdue = running.silentMilliseconds - inForce.statement.seconds * 1_000;
      return overdue >= 0 && running.serverSilentMilliseconds >= overdue;
    },
    end: () => {
      if (timer !== null) clearTimeout(timer);
      for (const [signal, end] of ends) signal.removeEventListener('abort', end);
    },
  };
}
