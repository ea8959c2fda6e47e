/** The order of a fair queue, and with it whose call gets a session: the rules alone. */

import { expect, test } from '@jest/globals';
import { mostSessions, rankOf, sharesOf } from '../daemon/engines/session-turns.ts';
import { FairQueue, notNow, type Queued } from '../daemon/fair-queue.ts';

interface Named extends Queued {
  readonly name: string;
}

/** `a1 a2 b1`: two of a's, then one of b's. */
function queueOf(names: string): FairQueue<Named> {
  const queue = new FairQueue<Named>();
  for (const name of names.split(' ')) queue.add({ principal: name.slice(0, -1), name });
  return queue;
}

function allOf(queue: FairQueue<Named>, rank: (work: Named) => number = () => 0): string {
  const taken: string[] = [];
  for (let next = queue.next(rank); next !== null; next = queue.next(rank)) taken.push(next.name);
  return taken.join(' ');
}

test('principals take turns, and one’s own work stays in its order', () => {
  expect(allOf(queueOf('a1 a2 a3 b1 b2 c1'))).toBe('a1 b1 c1 a2 b2 a3');
});

test('the least rank goes first, and what may not begin stays where it is', () => {
  const queue = queueOf('a1 b1 c1 b2');
  const ranks: Readonly<Record<string, number>> = { a: 2, b: 1, c: notNow };
  expect(allOf(queue, ({ principal }) => ranks[`${principal}`] ?? 0)).toBe('b1 b2 a1');
  expect(allOf(queue)).toBe('c1');
});

test('what has left gets no turn', () => {
  const queue = queueOf('a1 b1 a2');
  const [first] = queue.waiting;
  expect([first && queue.remove(first), first && queue.remove(first)]).toEqual([true, false]);
  expect(allOf(queue)).toBe('b1 a2');
});

test('a stream of newcomers overtakes nobody twice', () => {
  const queue = queueOf('a1 a2 a3 a4');
  const taken: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    queue.add({ principal: `new ${round}`, name: `new ${round}` });
    taken.push(queue.next(() => 0)?.name ?? 'nothing');
  }
  expect(taken).toEqual(['a1', 'new 0', 'a2', 'new 1', 'new 2', 'a3', 'new 3', 'new 4']);
});

const shared = 4;
const enough = sharesOf(shared, Number.POSITIVE_INFINITY);

test('one principal may hold all the shared sessions, and no more', () => {
  expect(rankOf('a', 3, 3, enough)).toBe(3);
  expect(rankOf('a', 4, 4, enough)).toBe(notNow);
});

test('one session beyond them is for a client without one, and one more for the owner', () => {
  expect(rankOf('b', 0, 4, enough)).toBe(0);
  expect([rankOf('b', 1, 5, enough), rankOf('c', 0, 5, enough)]).toEqual([notNow, notNow]);
  expect([rankOf(null, 0, 5, enough), rankOf(null, 1, 5, enough)]).toEqual([0, notNow]);
  expect(rankOf(null, 0, mostSessions(shared), enough)).toBe(notNow);
});

test('of few sessions one is kept, of two none', () => {
  expect([1, 2, 3, 5].map(most => sharesOf(shared, most))).toEqual([
    { shared: 1, newcomer: 1, owner: 1 },
    { shared: 2, newcomer: 2, owner: 2 },
    { shared: 2, newcomer: 3, owner: 3 },
    { shared: 3, newcomer: 4, owner: 5 },
  ]);
});
