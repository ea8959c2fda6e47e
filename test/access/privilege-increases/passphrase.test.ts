/** The owner passphrase: what is kept of it, three tries, the wait, and what a restart changes of that. */

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
let store: PassphraseStore;
let owner: OwnerPassphrase;

const start = () => loadOwnerPassphrase({ store, now: () => now, randomBytes, cost: { N: 16, r: 1, p: 1 } });

beforeEach(async () => {
  kept = { record: null, tries: { wrong: 0, lastAt: 0 } };
  now = Date.parse('2026-11-20T12:00:00.000Z');
  store = {
    load: async () => kept.record,
    async save(record) {
      kept.record = record;
    },
    async delete() {
      kept.record = null;
    },
    loadTries: async () => kept.tries,
    async saveTries(tries) {
      kept.tries = tries;
    },
  };
  owner = await start();
});

test('none is set at first, and then none is right', async () => {
  expect(owner.isSet()).toBe(false);
  expect((await owner.check('')).kind).toBe('wrong');
  expect((await owner.check('undefined')).kind).toBe('wrong');
});

test('the right one is right, also after a restart and in another Unicode form; nothing of it is kept', async () => {
  const typed = 'pass-wörter sind lang';
  expect(await owner.set(typed)).toBeNull();
  expect(await owner.check(typed)).toEqual({ kind: 'right' });
  const again = await start();
  expect(again.isSet()).toBe(true);
  expect(await again.check(typed.normalize('NFD'))).toEqual({ kind: 'right' });
  expect(kept.record).not.toContain('lang');
  await again.clear();
  expect([again.isSet(), kept.record]).toEqual([false, null]);
});

test('two of the same are kept under two salts', async () => {
  await owner.set(right);
  const first = kept.record;
  await owner.set(right);
  expect(kept.record).not.toBe(first);
});

test.each(['', 'seven77', 'x'.repeat(257), 'with a\ttab', 'with a\u0000null'])('%j is none', async typed => {
  expect(await owner.set(typed)).toMatch(/^A passphrase has .*\.$/);
  expect(owner.isSet()).toBe(false);
});

describe('three wrong ones', () => {
  beforeEach(async () => {
    await owner.set(right);
    for (const triesLeft of [2, 1, 0]) {
      expect(await owner.check('wrong')).toEqual({ kind: 'wrong', triesLeft });
      now += 1_000;
    }
  });

  test('have the right one wait as well, for the rest of 60 s', async () => {
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

  test('wait no longer than 60 s where the clock was set back', async () => {
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

test('guesses sent at once are counted one by one, and before they are looked at', async () => {
  await owner.set(right);
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
  'a damaged record (%j) is no absent one: it is told, and no passphrase is the right one',
  async record => {
    kept.record = record;
    let told = 0;
    const damaged = await loadOwnerPassphrase(
      { store, now: () => now, randomBytes, cost: { N: 16, r: 1, p: 1 } },
      () => {
        told += 1;
      },
    );
    expect([damaged.isSet(), told]).toEqual([true, 1]);
    for (const typed of ['', right, '{}']) expect((await damaged.check(typed)).kind).toBe('wrong');
  },
);
