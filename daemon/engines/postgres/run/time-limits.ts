/**
 * The time limits of a statement on the server: the lower of ours and the server's own, which
 * database, role or configuration set and a start-up packet would hide.
 */

import { lockMilliseconds, serverSeconds } from '../../call-clock.ts';
import type { CallContext, RehearsalContext, SessionKind, StatementRequest } from '../../engine.ts';

/** Milliseconds; infinite if there is none. */
export interface TimeLimits {
  readonly statement: number;
  readonly lock: number;
}

export const unlimited: TimeLimits = { statement: Number.POSITIVE_INFINITY, lock: Number.POSITIVE_INFINITY };

const rollbackLockMilliseconds = 2_000;
/** How long a trial that gives way to others waits for a lock. */
const trialLockMilliseconds = 200;

type Limited = Pick<CallContext, 'clock' | 'timeoutSeconds'>;

/** Ours, for a statement of whatever kind. */
export function ourLimits(context: Limited): TimeLimits {
  const statement = Math.max(1, Math.ceil(serverSeconds(context) * 1_000));
  return { statement, lock: Math.ceil(lockMilliseconds(statement)) };
}

export function lowerLimits(one: TimeLimits, other: TimeLimits): TimeLimits {
  return { statement: Math.min(one.statement, other.statement), lock: Math.min(one.lock, other.lock) };
}

type Waits = Pick<StatementRequest, 'definition'> & Pick<RehearsalContext, 'givesWay'>;

/** Whether it waits for a lock less long than the call lasts. */
export function isShort(kind: SessionKind, { definition, givesWay }: Waits): boolean {
  return kind === 'rollback' || definition?.waits === false || givesWay === true;
}

/** Ours for this kind, of which the lower counts. */
export function limitsFor(kind: SessionKind, context: Limited & Waits): TimeLimits {
  const ours = ourLimits(context);
  if (!isShort(kind, context)) return ours;
  return { ...ours, lock: context.givesWay === true ? trialLockMilliseconds : rollbackLockMilliseconds };
}
