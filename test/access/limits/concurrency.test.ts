import { describe, expect, test } from '@jest/globals';
import { type Concurrency, concurrency, type Place, type Slot } from '../../../daemon/access/limits/concurrency.ts';

const limits = { requestsPerMinute: 0, concurrentRequests: 2 };
const token = { id: 'token', isBridge: false };
const bridge = (name: string) => ({ id: `bridge:${name}`, isBridge: true });

/** Collects who gets a slot, in order. */
function waiters(of: Concurrency) {
  const given: string[] = [];
  const slots = new Map<string, Slot>();
  const wait = (principal: { id: string; isBridge: boolean }, name: string): Place | null =>
    of.wait(principal, slot => {
      given.push(name);
      slots.set(name, slot);
    });
  return { given, wait, end: (name: string) => slots.get(name)?.release() };
}

describe('a request that waits for a slot', () => {
  test('gets the next released one, in order of arrival, and passes it on', () => {
    const slots = concurrency(() => limits);
    const [first, second] = [slots.begin(token, 'work'), slots.begin(token, 'work')];
    expect(slots.begin(token, 'work')).toBeNull();
    const { given, wait, end } = waiters(slots);
    for (const name of ['a', 'b', 'c']) wait(token, name);
    expect(given).toEqual([]);
    first?.release();
    first?.release();
    expect(given).toEqual(['a']);
    second?.release();
    end('a');
    expect(given).toEqual(['a', 'b', 'c']);
    expect(slots.begin(token, 'work')).toBeNull();
    end('b');
    expect(slots.begin(token, 'work')).not.toBeNull();
  });

  test('is skipped if it leaves, even if it leaves twice or had its slot', () => {
    const slots = concurrency(() => limits);
    const held = [slots.begin(token, 'work'), slots.begin(token, 'work')];
    const { given, wait } = waiters(slots);
    const places = ['a', 'b', 'c'].map(name => wait(token, name));
    places[1]?.leave();
    places[1]?.leave();
    for (const slot of held) slot?.release();
    places[0]?.leave();
    expect(given).toEqual(['a', 'c']);
    expect(slots.begin(token, 'work')).toBeNull();
  });

  test('is one of 32; 8 more places are for messages, which join the waiting ones as others leave', () => {
    const slots = concurrency(() => limits);
    for (const _ of [1, 2]) slots.begin(token, 'work');
    const { wait } = waiters(slots);
    const places = Array.from({ length: 40 }, (_, number) => wait(token, `${number}`));
    expect(places.map(place => place?.mayWait())).toEqual([...Array(32).fill(true), ...Array(8).fill(false)]);
    expect(wait(token, 'one too many')).toBeNull();
    expect(slots.wait({ id: 'another', isBridge: false }, () => {})).not.toBeNull();
    places[0]?.leave();
    expect(places[32]?.mayWait()).toBe(true);
    expect(wait(token, 'fits now')).not.toBeNull();
  });

  test('enters while another one of its principal waits for a person, and when the limit is raised', () => {
    let most = 1;
    const slots = concurrency(() => ({ ...limits, concurrentRequests: most }));
    slots.begin(token, 'work');
    const { given, wait } = waiters(slots);
    wait(token, 'a');
    wait(token, 'b');
    void slots.whileWaiting(token, () => new Promise(() => {}));
    expect(given).toEqual(['a']);
    most = 2;
    expect(slots.begin(token, 'work')).toBeNull();
    expect(given).toEqual(['a', 'b']);
  });
});

test('bridges take turns for their common share, however many slots one asks for', () => {
  const slots = concurrency(() => limits);
  const held = Array.from({ length: 16 }, (_, number) => slots.begin(bridge(`h${number}`), 'work'));
  expect(slots.begin(bridge('x'), 'work')).toBeNull();
  const { given, wait } = waiters(slots);
  for (const name of ['x1', 'x2', 'x3', 'x4']) wait(bridge('x'), name);
  for (const name of ['y1', 'y2']) wait(bridge('y'), name);
  wait(bridge('z'), 'z1');
  for (const slot of held.slice(0, 5)) slot?.release();
  expect(given).toEqual(['x1', 'y1', 'z1', 'x2', 'y2']);
  // The client has used its share, so the free slot goes to the next one.
  held[5]?.release();
  expect(given).toHaveLength(5);
  expect(slots.begin(bridge('new'), 'work')).not.toBeNull();
});

test('new names of one bridge program don’t add up to more places', () => {
  const slots = concurrency(() => ({ ...limits, concurrentRequests: 1 }));
  for (let number = 0; number < 8; number++) slots.begin(bridge(`h${number}`), 'work');
  let places = 0;
  for (let number = 0; number < 1_000; number++) if (slots.wait(bridge(`${number}`), () => {}) !== null) places += 1;
  expect(places).toBe(320);
});
