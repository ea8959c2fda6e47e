/**
 * The register of what Sallyport.app is asked on behalf of other shells: one verdict each, none for
 * its own requests, bounded in number and time.
 */

import { describe, expect, test } from '@jest/globals';
import type { DeskEvent } from '../../../daemon/access/desk/desk.ts';
import { openIncreaseConfirmations } from '../../../daemon/access/privilege-increases/confirmations.ts';
import { deskForTests } from '../desk/desk-for-tests.ts';

const yes = { yes: 'app' } as const;

function register() {
  const events: DeskEvent[] = [];
  const time = deskForTests({}, number => `id-${number}`);
  time.desk.onEvent(event => void events.push(event));
  const confirmations = openIncreaseConfirmations(time.desk);
  return { confirmations, events, time };
}
const asked = { sentence: 'This does it.', facts: [], shell: 'terminal' };
type Register = ReturnType<typeof register>;
const lastOf = (confirmations: Register['confirmations']) => confirmations.pending().at(-1)?.id ?? '';
const never = () => new AbortController().signal;

test('the asking program can’t confirm, whatever it says it is', async () => {
  const { confirmations, events } = register();
  const requester = {};
  const verdict = confirmations.ask(requester, asked, never());
  expect(confirmations.decide(requester, 'id-1', yes)).toBe(false);
  expect(confirmations.decide(requester, 'id-1', 'no')).toBe(false);
  expect(confirmations.pending()).toHaveLength(1);
  expect(confirmations.decide({}, 'id-1', yes)).toBe(true);
  expect(await verdict).toEqual({ kind: 'yes', confirmedBy: 'app' });
  expect(events.map(({ what }) => what)).toEqual(['asked', 'ended']);
});

test('an id is good for one answer', async () => {
  const { confirmations, time } = register();
  const verdict = confirmations.ask({}, asked, never());
  expect(confirmations.decide({}, 'id-2', yes)).toBe(false);
  expect(confirmations.decide({}, 'id-1', 'no')).toBe(true);
  expect(confirmations.decide({}, 'id-1', yes)).toBe(false);
  expect(await verdict).toEqual({ kind: 'no' });
  expect(time.timers.size).toBe(0);
});

test('a denial silences all askers for a minute, an approval none; setting the clock doesn’t change it', async () => {
  const { confirmations, time } = register();
  void confirmations.ask({}, asked, never());
  confirmations.decide({}, 'id-1', 'no');
  time.sleep(59_999);
  time.set = -86_400_000;
  expect(await confirmations.ask({}, asked, never())).toEqual({ kind: 'quiet', secondsLeft: 1 });
  time.set = 86_400_000;
  expect(await confirmations.ask({}, asked, never())).toEqual({ kind: 'quiet', secondsLeft: 1 });
  time.sleep(1);
  void confirmations.ask({}, asked, never());
  confirmations.decide({}, 'id-2', yes);
  void confirmations.ask({}, asked, never());
  expect(confirmations.pending().map(({ id }) => id)).toEqual(['id-3']);
});

test('each further denial or timeout doubles that time, up to an hour; an approval, or an hour, resets it', async () => {
  const { confirmations, time } = register();
  const quietNow = async () => {
    const verdict = await confirmations.ask({}, asked, never());
    return verdict.kind === 'quiet' ? verdict.secondsLeft : verdict.kind;
  };
  const askAndEnd = async (how: 'yes' | 'no' | 'timeout') => {
    const verdict = confirmations.ask({}, asked, never());
    const [{ id } = { id: '' }] = confirmations.pending();
    if (how === 'timeout') time.pass(300_000);
    else confirmations.decide({}, id, how === 'yes' ? yes : how);
    expect((await verdict).kind).toBe(how);
  };
  for (const seconds of [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]) {
    await askAndEnd(seconds % 240 === 0 ? 'timeout' : 'no');
    expect(await quietNow()).toBe(seconds);
    time.sleep(seconds * 1000);
  }
  await askAndEnd('yes');
  await askAndEnd('no');
  expect(await quietNow()).toBe(60);
  time.sleep(60_000 + 3_600_001);
  await askAndEnd('no');
  expect(await quietNow()).toBe(60);
});

test('a denial ends all waiting ones, whoever asked them, each with its own verdict', async () => {
  const { confirmations, events, time } = register();
  const verdicts = [1, 2, 3].map(() => confirmations.ask({}, asked, never()));
  confirmations.decide({}, 'id-2', 'no');
  expect(await Promise.all(verdicts)).toEqual([{ kind: 'no_to_another' }, { kind: 'no' }, { kind: 'no_to_another' }]);
  expect(confirmations.pending()).toEqual([]);
  expect(time.timers.size).toBe(0);
  // The app hears about the one it answered first; the others don't replace it.
  const ended = events.filter(({ what }) => what === 'ended').map(({ ask, because }) => `${ask.id} ${because}`);
  expect(ended).toEqual(['id-2 no', 'id-1 void', 'id-3 void']);
  expect(await confirmations.ask({}, asked, never())).toEqual({ kind: 'quiet', secondsLeft: 60 });
});

test('one shell has one open', async () => {
  const { confirmations, events } = register();
  const requester = {};
  const first = confirmations.ask(requester, asked, never());
  expect(await confirmations.ask(requester, asked, never())).toEqual({ kind: 'one_waits' });
  confirmations.decide({}, 'id-1', yes);
  expect(await first).toEqual({ kind: 'yes', confirmedBy: 'app' });
  void confirmations.ask(requester, asked, never());
  expect(confirmations.pending()).toHaveLength(1);
  expect(events).toHaveLength(3);
});

describe('a program that asks fifty times, each over a connection of its own, in an hour', () => {
  const secondsApart = 72;
  const endings = {
    'and is told no': ({ confirmations }: Register) => confirmations.decide({}, lastOf(confirmations), 'no'),
    'and leaves at once': (_: Register, leaving: AbortController) => leaving.abort(),
    'and is not answered': ({ time }: Register) => time.pass(300_000),
  };
  test.each(Object.entries(endings))('%s', async (_, end) => {
    const registered = register();
    const { confirmations, events, time } = registered;
    for (let times = 0; times < 50; times++) {
      const leaving = new AbortController();
      const verdict = confirmations.ask({}, asked, leaving.signal);
      if (confirmations.pending().length > 0) end(registered, leaving);
      expect((await verdict).kind).not.toBe('yes');
      time.sleep(secondsApart * 1000);
    }
    expect(events.filter(({ what }) => what === 'asked').length).toBeLessThanOrEqual(10);
  });
  test.each(Object.entries(endings))('and at once shows at most one of them, %s', async (_, end) => {
    const registered = register();
    const { confirmations, events } = registered;
    for (let times = 0; times < 50; times++) {
      const leaving = new AbortController();
      const verdict = confirmations.ask({}, asked, leaving.signal);
      if (confirmations.pending().length > 0) end(registered, leaving);
      await verdict;
    }
    expect(events.filter(({ what }) => what === 'asked')).toHaveLength(1);
  });
});

test('time ends it by the timer, or by the clock if the timer is late', async () => {
  const { confirmations, time, events } = register();
  const first = confirmations.ask({}, asked, never());
  time.pass(300_000);
  expect(await first).toEqual({ kind: 'timeout' });
  time.sleep(60_000);
  const second = confirmations.ask({}, asked, never());
  time.sleep(300_000);
  expect(confirmations.decide({}, 'id-2', yes)).toBe(false);
  expect(await second).toEqual({ kind: 'timeout' });
  expect(events.at(-1)).toMatchObject({ what: 'ended', ask: { id: 'id-2' }, because: 'timeout' });
});

test('three wait, from as many shells; if one leaves first, nobody is asked', async () => {
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
