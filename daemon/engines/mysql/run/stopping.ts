/** Tries on a session whether the server ends a statement that sleeps. */

import type { Answer, CallContext } from '../../engine.ts';
import { type Stops, sleepSeconds, trialCancelMilliseconds, trialLimitMilliseconds } from '../../stopping.ts';
import type { Session } from '../session.ts';
import type { Destination } from './destination.ts';
import { onConnection, type Runner } from './stage.ts';
import { statementLimit } from './time-limits.ts';

const sleep = `SELECT SLEEP(${sleepSeconds})`;

export async function tryStops(runner: Runner, context: CallContext, to: Destination): Promise<Answer<Stops>> {
  return onConnection<Answer<Stops>>(runner, context, to, true, async stage => {
    const { session } = stage.lease;
    const atLimit = (await limit(session)) && (await ended(session, runner.now));
    await session.ask(`SET SESSION ${statementLimit[session.server]} = 0`);
    const sleeping = ended(session, runner.now);
    const cancelling = setTimeout(() => void runner.canceller.interrupt(session, sleeping), trialCancelMilliseconds);
    const atCancel = await sleeping;
    clearTimeout(cancelling);
    return { kind: 'done', value: { atLimit, atCancel } };
  });
}

/** @returns false on a server that has no such limit. */
async function limit(session: Session): Promise<boolean> {
  const name = statementLimit[session.server];
  const most = session.server === 'mariadb' ? trialLimitMilliseconds / 1_000 : trialLimitMilliseconds;
  return (await session.ask(`SET SESSION ${name} = ${most}`)).kind === 'ok';
}

/** A SLEEP that is ended may fail, or give a row as if it had succeeded. */
async function ended(session: Session, now: () => number): Promise<boolean | null> {
  const begun = now();
  const { answer } = await session.query(sleep);
  const elapsed = now() - begun;
  if (answer.kind === 'lost' || elapsed < trialCancelMilliseconds / 2) return null;
  return elapsed < sleepSeconds * 900;
}
