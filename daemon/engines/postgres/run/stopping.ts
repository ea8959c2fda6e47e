/** Tries on a session of its own whether the server ends a statement that sleeps. */

import type { Answer, CallContext } from '../../engine.ts';
import { type Stops, sleepSeconds, trialCancelMilliseconds, trialLimitMilliseconds } from '../../stopping.ts';
import { queryCanceled } from '../failure.ts';
import { isSession, type Pool } from '../pool.ts';
import type { RoundTripEnd } from '../session.ts';
import { limits } from '../wire/bounds.ts';
import { plainRollback } from '../wire/round-trip.ts';
import { cancel } from './cancel.ts';

/** A cancel dials first: its statement sleeps until a server that takes cancels has taken it. */
const cancelledSeconds = Math.ceil((trialCancelMilliseconds + limits.cancelMilliseconds) / 1_000);

const sleep = (seconds: number) => ({ sql: `SELECT pg_catalog.pg_sleep(${seconds})`, parameters: [] });
const limited = ['BEGIN', `SET LOCAL statement_timeout = ${trialLimitMilliseconds}`].map(sql => ({
  sql,
  parameters: [],
}));

export async function tryStops(pool: Pool, context: CallContext): Promise<Answer<Stops>> {
  const session = await pool.acquire(context, 'any');
  if (!isSession(session)) return session;
  const silent = setTimeout(() => session.destroy(), context.timeoutSeconds * 1_000);
  const { now } = pool.ports;
  try {
    const asked = now();
    await session.roundTrip([plainRollback]);
    const distance = now() - asked;
    const begun = now();
    const atLimit = ended(await session.roundTrip([...limited, sleep(sleepSeconds)]), now() - begun - distance);
    await session.roundTrip([plainRollback]);
    const slept = now();
    const sleeping = session.roundTrip([sleep(cancelledSeconds)]);
    const cancelling = setTimeout(() => pool.background(cancel(session)), trialCancelMilliseconds);
    const atCancel = ended(await sleeping, now() - slept - distance);
    clearTimeout(cancelling);
    return { kind: 'done', value: { atLimit, atCancel } };
  } finally {
    clearTimeout(silent);
    // A cancel under way would hit the next statement.
    session.close();
  }
}

/** @returns null if it failed with something else, or did not sleep. */
function ended(end: RoundTripEnd, elapsed: number): boolean | null {
  if (end.kind !== 'ready') return null;
  if (end.error !== null) return end.error.code === queryCanceled ? true : null;
  return elapsed < trialCancelMilliseconds ? null : false;
}
