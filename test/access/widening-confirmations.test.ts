/** The register of what Sallyport.app is asked for other shells: one verdict each, none for oneself, bounded in number and time. */

import { expect, test } from '@jest/globals';
import { confirmationLimits } from '../../daemon/access/confirmation-limits.ts';
import { type ConfirmationEvent, openWideningConfirmations } from '../../daemon/access/widening-confirmations.ts';

function register() {
  const events: ConfirmationEvent[] = [];
  const timers: (() => void)[] = [];
  const clock = { now: Date.parse('2026-11-20T12:00:00.000Z') };
  let made = 0;
  const confirmations = openWideningConfirmations({
    now: () => clock.now,
    newId: () => `id-${++made}`,
    after(milliseconds, run) {
      expect(milliseconds).toBe(300_000);
      timers.push(run);
      return () => void timers.splice(timers.indexOf(run), 1);
    },
    tell: event => void events.push(event),
    limits: confirmationLimits,
  });
  return { confirmations, events, timers, clock };
}
const asked = { sentence: 'This does it.', shell: 'terminal' };
const never = () => new AbortController().signal;

test('who asked does not confirm, whoever it says it is', async () => {
  const { confirmations, events } = register();
  const asker = {};
  const verdict = confirmations.ask(asker, asked, never());
  expect(confirmations.decide(asker, 'id-1', 'yes')).toBe(false);
  expect(confirmations.decide(asker, 'id-1', 'no')).toBe(false);
  expect(confirmations.pending()).toHaveLength(1);
  expect(confirmations.decide({}, 'id-1', 'yes')).toBe(true);
  expect(await verdict).toEqual({ kind: 'yes' });
  expect(events.map(({ kind }) => kind)).toEqual(['asked', 'withdrawn']);
});

test('an id is good for one answer', async () => {
  const { confirmations, timers } = register();
  const verdict = confirmations.ask({}, asked, never());
  expect(confirmations.decide({}, 'id-2', 'yes')).toBe(false);
  expect(confirmations.decide({}, 'id-1', 'no')).toBe(true);
  expect(confirmations.decide({}, 'id-1', 'yes')).toBe(false);
  expect(await verdict).toEqual({ kind: 'no' });
  expect(timers).toEqual([]);
});

test('a no quiets every asker for a minute, a yes nobody; a clock set back does not lengthen it', async () => {
  const { confirmations, clock } = register();
  void confirmations.ask({}, asked, never());
  confirmations.decide({}, 'id-1', 'no');
  clock.now += 59_999;
  expect(await confirmations.ask({}, asked, never())).toEqual({ kind: 'quiet', secondsLeft: 1 });
  clock.now -= 86_400_000;
  void confirmations.ask({}, asked, never());
  confirmations.decide({}, 'id-2', 'yes');
  void confirmations.ask({}, asked, never());
  expect(confirmations.pending().map(({ id }) => id)).toEqual(['id-3']);
});

test('time ends it by the timer, and by the clock before a late timer', async () => {
  const { confirmations, timers, clock, events } = register();
  const first = confirmations.ask({}, asked, never());
  timers[0]?.();
  expect(await first).toEqual({ kind: 'timeout' });
  const second = confirmations.ask({}, asked, never());
  clock.now += 300_000;
  expect(confirmations.decide({}, 'id-2', 'yes')).toBe(false);
  expect(await second).toEqual({ kind: 'timeout' });
  expect(events.at(-1)).toEqual({ kind: 'withdrawn', id: 'id-2', because: 'timeout' });
});

test('three wait; one that has left before it was asked is not asked', async () => {
  const { confirmations } = register();
  const leaving = new AbortController();
  void confirmations.ask({}, asked, leaving.signal);
  void confirmations.ask({}, asked, never());
  void confirmations.ask({}, asked, never());
  expect(await confirmations.ask({}, asked, never())).toEqual({ kind: 'too_many_open' });
  leaving.abort();
  expect(confirmations.pending()).toHaveLength(2);
  expect(await confirmations.ask({}, asked, leaving.signal)).toEqual({ kind: 'cancelled' });
});
