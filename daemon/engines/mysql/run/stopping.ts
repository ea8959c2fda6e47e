/** Tries on a session whether the server ends a statement that sleeps. */

import type { Answer, CallContext } from '../../engine.ts';
import { cellsOf, type RowText } from '../../row-text.ts';
import { type Stops, sleepSeconds, trialCancelMilliseconds, trialLimitMilliseconds } from '../../stopping.ts';
import type { Session } from '../session.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';
import type { Destination } from './destination.ts';
import { onConnection, type Runner } from './stage.ts';
import { statementLimit } from './time-limits.ts';

const sleep = `SELECT SLEEP(${sleepSeconds})`;

export async function tryStops(runner: Runner, context: CallContext, to: Destination): Promise<Answer<Stops>> {
  return onConnection<Answer<Stops>>(runner, context, to, true, async stage => {
    const { session } = stage.lease;
    const limited = await limit(session);
    const atLimit = limited.kind === 'ok' ? await ended(session, runner.now) : limited.kind === 'error' ? false : null;
    await session.ask(`SET SESSION ${statementLimit[session.server]} = 0`);
    // Dialled first: a kill that comes when the sleep is over would say nothing.
    if (!(await runner.canceller.warm(session))) return { kind: 'done', value: { atLimit, atCancel: null } };
    const sleeping = ended(session, runner.now);
    const cancelling = setTimeout(() => void runner.canceller.interrupt(session, sleeping), trialCancelMilliseconds);
    const atCancel = await sleeping;
    clearTimeout(cancelling);
    return { kind: 'done', value: { atLimit, atCancel } };
  });
}

/** @returns an error on a server that has no such limit. */
function limit(session: Session): Promise<ServerAnswer> {
  const name = statementLimit[session.server];
  const most = session.server === 'mariadb' ? trialLimitMilliseconds / 1_000 : trialLimitMilliseconds;
  return session.ask(`SET SESSION ${name} = ${most}`);
}

/**
 * A SLEEP that is ended fails, or gives 1; some servers give 0 as if it had succeeded. The time
 * alone tells little: a distant server's answer may take a second.
 */
async function ended(session: Session, now: () => number): Promise<boolean | null> {
  const begun = now();
  let slept: unknown;
  const row = (given: RowText): boolean => {
    [slept] = cellsOf(given);
    return true;
  };
  const { answer } = await session.query(sleep, { columns: () => {}, row });
  const elapsed = now() - begun;
  if (answer.kind === 'lost' || elapsed < trialCancelMilliseconds / 2) return null;
  return answer.kind === 'error' || `${slept}` !== '0' || elapsed < sleepSeconds * 900;
}
