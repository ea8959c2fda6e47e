/**
 * Holds work for a call to the call's clock: stops it once that time is over, and answers soon
 * afterwards, whatever is still to be killed, rolled back or closed. Knows no engine.
 */

import { CallClock, millisecondsLeft, secondsOf, stopMilliseconds } from './call-clock.ts';
import type { CallContext, DatabaseFailure } from './request.ts';

/** What was stopped can still say how it ended. */
const answerMilliseconds = 250;

/** A wait that took less than this part of a statement's time explains nothing. */
const toldShare = 0.25;

const timeIsOver = Symbol('the time of the call is over');

/** Why an aborted `signal` of {@link inTime} stops the work. */
export function isTimeOver(signal: AbortSignal): boolean {
  return signal.reason === timeIsOver;
}

/** What is told of work whose signal is aborted. */
export function stoppedBy({ signal, timeoutSeconds }: Pick<CallContext, 'signal' | 'timeoutSeconds'>): DatabaseFailure {
  return isTimeOver(signal) ? { kind: 'timeout', seconds: timeoutSeconds } : { kind: 'cancelled' };
}

export type InTime<Context> = Context & { readonly clock: CallClock };

/**
 * @param now monotonic milliseconds.
 * @param work begins before this returns; may go on after the answer. Its signal is also aborted
 *   once the time is over: from then on it must not begin a COMMIT.
 */
export function inTime<Context extends CallContext, T>(
  now: () => number,
  context: Context,
  work: (inTime: InTime<Context>) => Promise<T | DatabaseFailure>,
): Promise<T | DatabaseFailure> {
  const { clock = new CallClock(now, context.timeoutSeconds) } = context;
  const milliseconds = millisecondsLeft({ ...context, clock });
  // A step of a plan comes after others that stay.
  const before = clock.sentToStay;
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  return new Promise((resolve, reject) => {
    const answer = (): void => {
      const mayStay = clock.mayStay && clock.sentToStay > before;
      resolve(mayStay ? unheard(clock) : { kind: 'no_answer', stage: clock.stage, seconds: secondsOf(milliseconds) });
    };
    const stop = (): void => {
      over.abort(timeIsOver);
      timer = setTimeout(answer, answerMilliseconds);
    };
    let timer = setTimeout(stop, milliseconds + stopMilliseconds);
    work({ ...context, clock, signal })
      .then(ended => resolve(withWait(ended, clock)), reject)
      .finally(() => clearTimeout(timer));
  });
}

/** A wait that left the statement much less than the call's time is told beside that time. */
function withWait<T>(ended: T | DatabaseFailure, clock: CallClock): T | DatabaseFailure {
  if (!isTimeout(ended)) return ended;
  const waited = clock.waited();
  return waited < toldShare * ended.seconds * 1_000 ? ended : { ...ended, waited: secondsOf(waited) };
}

function isTimeout(ended: unknown): ended is Extract<DatabaseFailure, { kind: 'timeout' }> {
  return typeof ended === 'object' && ended !== null && 'kind' in ended && ended.kind === 'timeout';
}

function unheard({ stage }: CallClock): DatabaseFailure {
  const what = stage === 'commit' ? 'COMMIT was not answered' : 'nothing was heard of its end';
  return { kind: 'outcome_unknown', reason: `${what} in the time of the call` };
}
