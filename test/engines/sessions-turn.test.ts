/**
 * A call waits for its turn on a connection: it leaves the line with its client, its time or the
 * connection, and frees its place.
 */

import { expect, test } from '@jest/globals';
import { CallClock } from '../../daemon/engines/call-clock.ts';
import type { CallContext } from '../../daemon/engines/engine.ts';
import { isTimeOver } from '../../daemon/engines/in-time.ts';
import { sessionsInTurn } from '../../daemon/engines/sessions-in-turn.ts';
import { call } from './collecting-sink.ts';

const now = () => performance.now();

const contextOf = (principal: string, changes: Partial<CallContext> = {}): CallContext => ({
  ...call,
  principal,
  ...changes,
});

/** Holds one session until told to give it back. */
function holding(sessions: ReturnType<typeof sessionsInTurn>, principal: string) {
  let end = () => {};
  const held = new Promise<void>(resolve => {
    end = resolve;
  });
  return { ended: sessions.within(contextOf(principal), () => held), end: () => end() };
}

test('a client that has already left takes no turn', async () => {
  let ran = false;
  const context = contextOf('a', { signal: AbortSignal.abort() });
  const outcome = await sessionsInTurn(1, now).within(context, async () => {
    ran = true;
  });
  expect([outcome, ran]).toEqual([{ kind: 'cancelled' }, false]);
});

test('the next runs when the one before has ended, even with a failure', async () => {
  const sessions = sessionsInTurn(1, now);
  const first = holding(sessions, 'a');
  const order: string[] = [];
  const second = sessions.within(contextOf('a'), async () => {
    order.push('second');
    throw new Error('broken');
  });
  const third = sessions.within(contextOf('a'), async () => {
    order.push('third');
    return 'done';
  });
  await Promise.resolve();
  expect(order).toEqual([]);
  first.end();
  await expect(second).rejects.toThrow('broken');
  expect(await third).toBe('done');
  expect(order).toEqual(['second', 'third']);
});

test('a call that leaves while waiting, or waits too long, is told so and runs nothing', async () => {
  const sessions = sessionsInTurn(1, now);
  const first = holding(sessions, 'a');
  const leaving = new AbortController();
  const left = sessions.within(contextOf('a', { signal: leaving.signal }), async () => 'ran');
  leaving.abort();
  expect(await left).toEqual({ kind: 'cancelled' });
  const late = await sessions.within(contextOf('a', { timeoutSeconds: 0.01 }), async () => 'ran');
  expect(late).toEqual({ kind: 'no_free_session', seconds: 0.01, sessions: 1, own: 1 });
  first.end();
  await first.ended;
  expect(await sessions.within(contextOf('a'), async () => 'ran')).toBe('ran');
});

test.each([
  ['statement', false, { kind: 'no_answer', stage: 'statement', seconds: 0.05 }],
  ['commit', true, { kind: 'outcome_unknown', reason: 'COMMIT was not answered in the time of the call' }],
] as const)(
  'work that outlasts its call (%s) is stopped, its call is answered, and its session stays taken until its end',
  async (stage, mayStay, told) => {
    const sessions = sessionsInTurn(1, now);
    const { promise: stopped, resolve: stop } = Promise.withResolvers<boolean>();
    const { promise: ending, resolve: end } = Promise.withResolvers<string>();
    const first = sessions.within(contextOf('a', { timeoutSeconds: 0.05 }), ({ clock, signal }) => {
      Object.assign(clock, { stage, mayStay });
      signal.addEventListener('abort', () => stop(isTimeOver(signal)), { once: true });
      return ending;
    });
    expect(await first).toEqual(told);
    expect(await stopped).toBe(true);
    let ran = false;
    const second = sessions.within(contextOf('a'), async () => {
      ran = true;
    });
    await Promise.resolve();
    expect(ran).toBe(false);
    end('late');
    await second;
    expect(ran).toBe(true);
  },
);

test('a call that waits for a limit of the server comes in once that is forgotten', async () => {
  const forgottenAt = performance.now() + 100;
  const sessions = sessionsInTurn(8, now, {
    get most() {
      return performance.now() < forgottenAt ? 1 : Number.POSITIVE_INFINITY;
    },
    get limitedMilliseconds() {
      return Math.max(0, forgottenAt - performance.now());
    },
  });
  const first = holding(sessions, 'a');
  expect(await sessions.within(contextOf('a', { timeoutSeconds: 5 }), async () => 'ran')).toBe('ran');
  expect(performance.now()).toBeGreaterThanOrEqual(forgottenAt);
  first.end();
  await first.ended;
});

test('the end of the connection ends all waits', async () => {
  const sessions = sessionsInTurn(1, now);
  const first = holding(sessions, 'a');
  const waiting = sessions.within(contextOf('a'), async () => 'ran');
  sessions.close();
  expect(await waiting).toMatchObject({ kind: 'not_connected', message: expect.stringContaining('nothing ran') });
  first.end();
  await first.ended;
});

test.each([
  [0.5, 4, { kind: 'timeout', seconds: 4 }],
  [4.2, 0.8, { kind: 'timeout', seconds: 0.8, waited: 4.2 }],
])('of a call that waited %d s a statement was stopped after %d s', async (waited, seconds, told) => {
  let milliseconds = 0;
  const clock = new CallClock(() => milliseconds, 5);
  const ended = await sessionsInTurn(1, now).within(contextOf('a', { timeoutSeconds: 5, clock }), async () => {
    milliseconds += waited * 1_000;
    clock.stage = 'statement';
    milliseconds += seconds * 1_000;
    return { kind: 'timeout', seconds };
  });
  expect(ended).toEqual(told);
});

test('the steps before a stopped one have not waited', async () => {
  let milliseconds = 0;
  const clock = new CallClock(() => milliseconds, 30);
  const step = (seconds: number) =>
    sessionsInTurn(1, now).within(contextOf('a', { timeoutSeconds: 30, clock }), async () => {
      clock.stage = 'statement';
      milliseconds += seconds * 1_000;
      return { kind: 'timeout', seconds };
    });
  await step(14);
  await step(14);
  expect(await step(2)).toEqual({ kind: 'timeout', seconds: 2 });
});
