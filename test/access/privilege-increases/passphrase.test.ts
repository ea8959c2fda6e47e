/**
 * The owner passphrase: what is stored of it, the three tries, the wait, and how a restart changes
 * that.
 */

import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  loadOwnerPassphrase,
  type OwnerPassphrase,
  type PassphraseStore,
  type PassphraseTries,
} from '../../../daemon/access/privilege-increases/passphrase.ts';

const right = 'correct horse battery';
let kept: { record: string | null; tries: PassphraseTries };
let now: number;
let ran: number;
let store: PassphraseStore;
let owner: OwnerPassphrase;

const by = 'sallyport (process 7, started by bash) on /dev/pts/3';
let rootSays: string | null;
const ports = () => ({
  store,
  now: () => now,
  ranMilliseconds: () => ran,
  isConfirmedByRoot: (id: string) => rootSays === id,
  randomBytes,
  newId: () => 'reset-1',
  cost: { N: 16, r: 1, p: 1 },
});
const start = () => loadOwnerPassphrase(ports());
const pass = (milliseconds: number): void => {
  now += milliseconds;
  ran += milliseconds;
};

beforeEach(async () => {
  kept = { record: null, tries: { wrong: 0, lastAt: 0 } };
  now = Date.parse('2026-11-20T12:00:00.000Z');
  ran = 1_000;
  rootSays = null;
  store = {
    load: async () => kept.record,
    async save(record) {
      kept.record = record;
    },
    loadTries: async () => kept.tries,
    async saveTries(tries) {
      kept.tries = tries;
    },
  };
  owner = await start();
});

test('at first none is set, and no text is right', async () => {
  expect(owner.state()).toBe('none');
  expect((await owner.check('')).kind).toBe('wrong');
  expect((await owner.check('undefined')).kind).toBe('wrong');
});

test('the right one is right, also after a restart and in another Unicode form; it is never stored itself', async () => {
  const typed = 'pass-wörter sind lang';
  expect(await owner.set(typed, by)).toBeNull();
  expect(await owner.check(typed)).toEqual({ kind: 'right' });
  const again = await start();
  expect(again.state()).toBe('set');
  expect(await again.check(typed.normalize('NFD'))).toEqual({ kind: 'right' });
  expect(kept.record).not.toContain('lang');
  await again.switchOff(by);
  expect([again.state(), (await again.check(typed)).kind, (await start()).state()]).toEqual(['off', 'wrong', 'off']);
});

test('two equal ones are stored with different salts', async () => {
  await owner.set(right, by);
  const first = kept.record;
  await owner.set(right, by);
  expect(kept.record).not.toBe(first);
});

test.each(['', 'seven77', 'x'.repeat(257), 'with a\ttab', 'with a\u0000null'])('%j isn’t a passphrase', async typed => {
  expect(await owner.set(typed, by)).toMatch(/^A passphrase has .*\.$/);
  expect(owner.state()).toBe('none');
});

describe('three wrong ones', () => {
  beforeEach(async () => {
    await owner.set(right, by);
    for (const triesLeft of [2, 1, 0]) {
      expect(await owner.check('wrong')).toEqual({ kind: 'wrong', triesLeft });
      now += 1_000;
    }
  });

  test('make the right one wait too, for the rest of 60 s', async () => {
    expect(await owner.check(right)).toEqual({ kind: 'wait', seconds: 59 });
    now += 58_999;
    expect((await owner.check(right)).kind).toBe('wait');
    now += 1;
    expect(await owner.check(right)).toEqual({ kind: 'right' });
    expect(await owner.check('wrong')).toEqual({ kind: 'wrong', triesLeft: 2 });
  });

  test('are remembered by the next run', async () => {
    expect((await (await start()).check(right)).kind).toBe('wait');
  });

  test('wait at most 60 s if the clock was set back', async () => {
    now -= 86_400_000;
    expect(await owner.check(right)).toEqual({ kind: 'wait', seconds: 60 });
    now += 60_000;
    expect(await owner.check(right)).toEqual({ kind: 'right' });
  });

  test('give three more after the wait', async () => {
    now += 60_000;
    for (const triesLeft of [2, 1, 0]) expect(await owner.check('no')).toEqual({ kind: 'wrong', triesLeft });
    expect((await owner.check(right)).kind).toBe('wait');
  });
});

test('guesses sent at once are counted one by one, before they are checked', async () => {
  await owner.set(right, by);
  const checks = await Promise.all(['a', 'b', 'c', right, right].map(typed => owner.check(typed)));
  expect(checks.map(({ kind }) => kind)).toEqual(['wrong', 'wrong', 'wrong', 'wait', 'wait']);
  now += 60_000;
  const counted: number[] = [];
  const save = store.saveTries;
  store.saveTries = async tries => {
    counted.push(tries.wrong);
    return save(tries);
  };
  expect((await owner.check(right)).kind).toBe('right');
  expect(counted).toEqual([1, 0]);
});

test.each(['', 'null', '{}', '{"version":1,"cost":{"N":16,"r":1,"p":1},"salt":"AA","hash":""}'])(
  'a damaged record (%j) doesn’t count as absent: it is reported, and no passphrase is right',
  async record => {
    kept.record = record;
    let told = 0;
    const damaged = await loadOwnerPassphrase(ports(), () => {
      told += 1;
    });
    expect([damaged.state(), told]).toEqual(['set', 1]);
    for (const typed of ['', right, '{}']) expect((await damaged.check(typed)).kind).toBe('wrong');
  },
);

test('who chose it is stored until the person confirms that it was them, and afterwards', async () => {
  await owner.set(right, by);
  const at = '2026-11-20T12:00:00.000Z';
  expect((await start()).chosen()).toEqual({ at, by, confirmedAt: null });
  now += 60_000;
  await owner.confirmChosen();
  expect((await start()).chosen()).toEqual({ at, by, confirmedAt: '2026-11-20T12:01:00.000Z' });
  await owner.set('another of mine', 'a program');
  expect(owner.chosen()).toMatchObject({ by: 'a program', confirmedAt: null });
});

describe('a reset', () => {
  const forgotten = right;
  const next = 'the one I will remember';
  beforeEach(async () => {
    await owner.set(forgotten, by);
    expect(await owner.beginReset(next, 'a program')).toBeNull();
  });

  test('keeps the old one for a day; until then the new one is wrong', async () => {
    expect(owner.reset()).toMatchObject({ by: 'a program', countsAt: '2026-11-21T12:00:00.000Z' });
    pass(86_399_000);
    expect((await owner.check(next)).kind).toBe('wrong');
    pass(1_000);
    // Reported from then on, even before anybody types it.
    expect([owner.reset(), owner.chosen()?.by, owner.chosen()?.confirmedAt]).toEqual([
      null,
      'a reset by a program',
      null,
    ]);
    expect((await owner.check(next)).kind).toBe('right');
    expect(owner.chosen()).toMatchObject({ by: 'a reset by a program', confirmedAt: null });
    expect((await owner.check(forgotten)).kind).toBe('wrong');
  });

  test('counts by the time that the daemon runs: neither a set clock nor a stopped daemon shortens it', async () => {
    now += 30 * 86_400_000;
    expect((await owner.check(next)).kind).toBe('wrong');
    const later = await start();
    expect(later.reset()).toMatchObject({ countsAt: '2026-12-21T12:00:00.000Z' });
    now -= 60 * 86_400_000;
    pass(86_400_000 - 1);
    expect(later.reset()).not.toBeNull();
    pass(1);
    expect(later.reset()).toBeNull();
  });

  test('still counts after a restart', async () => {
    pass(86_400_000);
    const later = await start();
    expect(later.reset()).toBeNull();
    expect((await later.check(forgotten)).kind).toBe('wrong');
    expect((await later.check(next)).kind).toBe('right');
  });

  test('ends if somebody types the old one', async () => {
    expect((await owner.check(forgotten)).kind).toBe('right');
    expect(owner.reset()).toBeNull();
    pass(2 * 86_400_000);
    expect((await owner.check(next)).kind).toBe('wrong');
    expect((await (await start()).check(forgotten)).kind).toBe('right');
  });

  test('started again waits another day, and gives no more tries', async () => {
    await owner.check('a guess');
    pass(80_000);
    await owner.beginReset('of an agent', 'an agent');
    pass(86_400_000 - 80_000);
    expect((await owner.check('of an agent')).kind).toBe('wrong');
    expect((await owner.check(next)).kind).toBe('wrong');
  });

  test('takes effect at once if root confirms exactly this reset', async () => {
    rootSays = 'another reset';
    expect((await owner.check(next)).kind).toBe('wrong');
    rootSays = 'reset-1';
    expect(owner.reset()).toBeNull();
    expect((await owner.check(next)).kind).toBe('right');
  });

  test('refuses a text that can’t be a passphrase', async () => {
    expect(await owner.beginReset('short', by)).toMatch(/^A passphrase has /);
    expect(owner.reset()).toMatchObject({ by: 'a program' });
  });
});

test('if none is set, or it is off, a new one takes effect at once', async () => {
  expect(await owner.beginReset(right, by)).toBeNull();
  expect([owner.state(), owner.reset()]).toEqual(['set', null]);
  await owner.switchOff(by);
  expect(await owner.beginReset(right, by)).toBeNull();
  expect([owner.state(), (await owner.check(right)).kind]).toEqual(['set', 'right']);
});
