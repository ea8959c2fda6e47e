import { expect, test } from '@jest/globals';
import { mostSessions, nextInTurn, type Standing, sharesOf } from '../../daemon/engines/session-turns.ts';

const shared = 4;
const standing = (principal: string | null, changes: Partial<Standing> = {}): Standing => ({
  principal,
  held: 0,
  waitingSince: 1,
  lastTurn: 0,
  ...changes,
});
const next = (standings: readonly Standing[], busy = 0) =>
  nextInTurn(standings, busy, sharesOf(shared, Number.POSITIVE_INFINITY))?.principal;

test('one principal may hold all the shared sessions, and no more', () => {
  expect(next([standing('a', { held: 3 })], 3)).toBe('a');
  expect(next([standing('a', { held: 4 })], 4)).toBeUndefined();
});

test('one session beyond them is for a client without one, and one more for the owner', () => {
  expect(next([standing('a', { held: 4 }), standing('b')], 4)).toBe('b');
  expect(next([standing('a', { held: 4 }), standing('b', { held: 1 }), standing('c')], 5)).toBeUndefined();
  expect(next([standing('c'), standing(null)], 5)).toBe(null);
  expect(next([standing(null, { held: 1 })], 5)).toBeUndefined();
  expect(next([standing(null)], mostSessions(shared))).toBeUndefined();
});

test('a client that holds fewer goes first, whoever asked first', () => {
  expect(next([standing('a', { held: 2, waitingSince: 1 }), standing('b', { held: 1, waitingSince: 9 })], 3)).toBe('b');
});

test('among equals the one without a turn for longest; one that waits for nothing gets none', () => {
  const a = standing('a', { waitingSince: 1, lastTurn: 8 });
  expect(next([a, standing('b', { waitingSince: 7 })])).toBe('b');
  expect(next([a, standing('b', { waitingSince: 9 })])).toBe('a');
  expect(next([standing('a', { waitingSince: null })])).toBeUndefined();
});

test('a stream of newcomers overtakes nobody twice', () => {
  const served: (string | null | undefined)[] = [];
  let events = 10;
  let lastTurn = 9;
  for (let round = 0; round < 6; round += 1) {
    events += 1;
    const found = next([
      standing('a', { waitingSince: 1, lastTurn }),
      standing(`new ${round}`, { waitingSince: events }),
    ]);
    served.push(found);
    events += 1;
    if (found === 'a') lastTurn = events;
  }
  expect(served.filter(found => found === 'a').length).toBeGreaterThanOrEqual(3);
});
