/**
 * What waits for the person, whatever its kind (spec §12): one answer each, in time, by the clock
 * that nobody sets; places and quiet by kind.
 */

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AskKind } from '../../../daemon/access/desk/ask.ts';
import type { AsksOf, DeskEvent, NewAsk } from '../../../daemon/access/desk/desk.ts';
import { askLimits } from '../../../daemon/access/desk/kinds.ts';
import { maxControlLineBytes } from '../../../shared/control.ts';
import { deskForTests, type TestDesk } from './desk-for-tests.ts';

interface Facts {
  readonly says: string;
}

const kinds = Object.keys(askLimits) as AskKind[];
/** For who shows what waits, and can't mean an ask of another kind. */
const others = kinds.flatMap(kind => kinds.filter(other => other !== kind).map(other => [kind, other] as const));
const lifetime = (kind: AskKind): number => askLimits[kind].lifetimeSeconds * 1000;

let time: TestDesk;
let told: string[];
const asksOf = (kind: AskKind): AsksOf<Facts> => time.desk.of<Facts>(kind);
const never = new AbortController().signal;

function by(asker: unknown, change: Partial<NewAsk<Facts>> = {}): NewAsk<Facts> {
  return { asker: { id: asker, group: null, lineage: [] }, key: null, about: 'c1', facts: { says: 'x' }, ...change };
}

beforeEach(() => {
  time = deskForTests();
  told = [];
  for (const kind of kinds) {
    const hear = ({ what, ask, because, by: who }: DeskEvent<Facts>): void =>
      void told.push([what, ask.kind, ask.id, because, who].filter(part => part !== null).join(' '));
    asksOf(kind).onEvent(hear);
  }
});

describe.each(kinds)('an ask of the kind %s', kind => {
  test('is answered once, and only its own listeners hear of it', async () => {
    const waits = asksOf(kind).ask(by('a'), never);
    expect(asksOf(kind).waiting()).toMatchObject([{ id: 'id1', kind, state: 'waiting', facts: { says: 'x' } }]);
    expect([1, 2].map(() => asksOf(kind).move('id1', 'yes', {}, 'Ann'))).toEqual([true, false]);
    expect(asksOf(kind).move('id1', 'no')).toBe(false);
    expect((await waits?.ended)?.because).toBe('yes');
    expect(told).toEqual([`asked ${kind} id1`, `ended ${kind} id1 yes Ann`]);
    expect([asksOf(kind).waiting(), asksOf(kind).find('id1')]).toEqual([[], null]);
  });

  test('is remembered after its answer only if its client asks again', () => {
    asksOf(kind).ask(by('a'), never);
    asksOf(kind).move('id1', 'no');
    expect(asksOf(kind).all()).toHaveLength(kind === 'request' ? 1 : 0);
    expect(time.timers.size).toBe(kind === 'request' ? 1 : 0);
  });

  test('ends in time by its timer, which is told', async () => {
    const waits = asksOf(kind).ask(by('a'), never);
    time.pass(lifetime(kind) - 1);
    expect(asksOf(kind).waiting()).toHaveLength(1);
    time.pass(1);
    expect((await waits?.ended)?.because).toBe('timeout');
    expect(told.at(-1)).toBe(`ended ${kind} id1 timeout`);
  });

  test.each(['yes', 'no', 'run', 'hold', 'void'] as const)(
    'takes no %s after its time, if the timer slept',
    async move => {
      const waits = asksOf(kind).ask(by('a'), never);
      time.sleep(lifetime(kind));
      expect(asksOf(kind).move('id1', move)).toBe(false);
      expect((await waits?.ended)?.because).toBe('timeout');
      expect(asksOf(kind).find('id1')).toBeNull();
    },
  );

  test.each([-86_400_000, 86_400_000])('lives as long if somebody sets the clock by %d ms', by_ => {
    asksOf(kind).ask(by('a'), never);
    time.set = by_;
    time.sleep(lifetime(kind) - 1);
    expect(asksOf(kind).waiting()).toHaveLength(1);
    time.sleep(1);
    expect(asksOf(kind).waiting()).toEqual([]);
  });

  test('ends when who waits for it has left, before anybody hears more', async () => {
    const shell = new AbortController();
    const waits = asksOf(kind).ask(by('a'), shell.signal);
    shell.abort();
    expect(told.at(-1)).toBe(`ended ${kind} id1 cancelled`);
    expect((await waits?.ended)?.because).toBe('cancelled');
    expect(asksOf(kind).move('id1', 'yes')).toBe(false);
    expect(time.timers.size).toBe(0);
  });

  test('is told as ended before its waiter goes on', async () => {
    const waits = asksOf(kind).ask(by('a'), never);
    void waits?.ended.then(() => told.push('the waiter goes on'));
    asksOf(kind).move('id1', 'yes');
    await waits?.ended;
    expect(told.slice(1)).toEqual([`ended ${kind} id1 yes`, 'the waiter goes on']);
  });
});

test.each(others)('an answer to the kind %s doesn’t reach one of the kind %s', (kind, other) => {
  asksOf(kind).ask(by('a'), never);
  expect(asksOf(other).find('id1')).toBeNull();
  expect(asksOf(other).change('id1', { facts: { says: 'y' } })).toBeNull();
  for (const move of ['yes', 'no', 'run', 'void', 'hold'] as const) expect(asksOf(other).move('id1', move)).toBe(false);
  expect(asksOf(kind).find('id1')?.facts).toEqual({ says: 'x' });
});

describe('those who ask the same by one key', () => {
  test('wait for one ask, until the last has left', async () => {
    const calls = [1, 2, 3].map(() => new AbortController());
    const waits = calls.map(({ signal }) => asksOf('question').ask(by('a', { key: 'k' }), signal));
    expect(asksOf('question').waiting()).toMatchObject([{ id: 'id1', times: 3 }]);
    calls[0]?.abort();
    calls[2]?.abort();
    expect((await waits[0]?.ended)?.because).toBe('cancelled');
    expect(asksOf('question').find('id1')).not.toBeNull();
    asksOf('question').move('id1', 'yes');
    expect((await waits[1]?.ended)?.because).toBe('yes');
    expect(told).toEqual(['asked question id1', 'ended question id1 yes']);
  });

  test('take one place, whatever stands against another ask', () => {
    const ask = (key: string) => asksOf('question').ask(by('a', { key }), never);
    expect(['1', '2', '3', '4', '2'].map(key => ask(key)?.ask.id ?? null)).toEqual(['id1', 'id2', 'id3', null, 'id2']);
    asksOf('question').move('id1', 'no');
    expect([ask('3')?.ask.id, ask('5') ?? null]).toEqual(['id3', null]);
  });

  test('find the answer of one that is remembered, and begin anew only by asking', () => {
    asksOf('request').ask(by('a', { key: 'k' }));
    asksOf('request').move('id1', 'no');
    expect(asksOf('request').all()).toMatchObject([{ key: 'k', state: 'refused' }]);
    expect(asksOf('request').ask(by('a', { key: 'k' }))?.ask).toMatchObject({ id: 'id2', times: 1 });
    expect(asksOf('request').all()).toHaveLength(1);
  });
});

describe('one that outlived a restart', () => {
  const restored = (left: number): number => {
    const now = time.elapsed() + time.set;
    const former = { id: 'former', askedAt: now + left - lifetime('request'), expiresAt: now + left, times: 4 };
    asksOf('request').ask(by('a', { former }));
    return asksOf('request').waiting().length;
  };

  test('keeps its id, its count and the rest of its time', () => {
    expect(restored(60_000)).toBe(1);
    expect(asksOf('request').find('former')).toMatchObject({ times: 4, state: 'waiting', isOpened: false });
    time.sleep(60_000);
    expect(asksOf('request').find('former')).toBeNull();
  });

  test.each([
    ['is gone if its time is over', 0],
    ['is gone if the clock was set back, so that nobody knows its age', 86_400_000],
  ])('%s', (_, left) => {
    expect(restored(left)).toBe(0);
  });
});

describe('quiet', () => {
  const ends = ['yes', 'no', 'timeout', 'cancelled', 'void'] as const;
  /** Seconds of quiet after each end. */
  test.each([
    ['question', [0, 60, 0, 0, 0]],
    ['increase', [0, 60, 60, 5, 0]],
    ['request', [0, 0, 0, 0, 0]],
    ['pairing', [0, 0, 0, 0, 0]],
    ['form', [0, 60, 0, 0, 0]],
  ] as const)('after an ask of the kind %s', (kind, seconds) => {
    const found = ends.map((end, at) => {
      time = deskForTests();
      asksOf(kind).ask(by('a'), never);
      asksOf(kind).move('id1', end);
      const quiet = asksOf(kind).whyNot(by('b'));
      expect(quiet?.kind ?? 'none').toBe((seconds[at] ?? 0) > 0 ? 'quiet' : 'none');
      return quiet?.kind === 'quiet' ? quiet.secondsLeft : 0;
    });
    expect(found).toEqual(seconds);
  });

  test('is about what was denied, of questions to shells and through clients alike, and no other kind’s', () => {
    asksOf('question').ask(by('a', { about: 'c1' }), never);
    asksOf('question').move('id1', 'no');
    for (const about of ['c1', 'c2'])
      expect(kinds.filter(kind => asksOf(kind).whyNot(by('b', { about }))?.kind === 'quiet')).toEqual(
        about === 'c1' ? ['question', 'form'] : [],
      );
  });

  test('of a question isn’t ended by a yes to another question, and doesn’t grow', () => {
    for (const id of ['id1', 'id2', 'id3']) asksOf('question').ask(by(id), never);
    asksOf('question').move('id1', 'no');
    asksOf('question').move('id2', 'yes');
    expect(asksOf('question').whyNot(by('b', { about: 'c1' }))).toMatchObject({ secondsLeft: 60 });
    asksOf('question').move('id3', 'no');
    expect(asksOf('question').whyNot(by('b', { about: 'c1' }))).toMatchObject({ secondsLeft: 60 });
  });

  test('a shorter one never replaces a longer one', () => {
    const shell = new AbortController();
    asksOf('increase').ask(by('a'), shell.signal);
    asksOf('increase').ask(by('b'), never);
    asksOf('increase').move('id2', 'no');
    time.sleep(1_000);
    shell.abort();
    expect(asksOf('increase').whyNot(by('c'))).toMatchObject({ secondsLeft: 59 });
  });
});

describe('places', () => {
  const takenOf = (kind: AskKind, count: number, of: (at: number) => NewAsk<Facts>): number =>
    Array.from({ length: count }, (_, at) => asksOf(kind).ask(of(at), never)).filter(one => one !== null).length;

  test.each([
    ['question', 3, Number.POSITIVE_INFINITY],
    ['form', 3, Number.POSITIVE_INFINITY],
    ['increase', 3, 3],
    ['pairing', 4, 4],
  ] as const)('of the kind %s: %d for one asker, %d for all', (kind, own, all) => {
    expect(takenOf(kind, 30, () => by('a'))).toBe(own);
    expect(takenOf(kind, 30, at => by(`other ${at}`))).toBe(Math.min(30, all - Math.min(own, all)));
    const [first] = asksOf(kind).waiting();
    asksOf(kind).move(first?.id ?? '', 'yes');
    expect(takenOf(kind, 1, () => by('a'))).toBe(1);
  });

  test('a group shares its own, and the others keep theirs', () => {
    const bridge = (at: number) => by(`bridge ${at}`, { asker: { id: `bridge ${at}`, group: 'bridges', lineage: [] } });
    expect(takenOf('question', 30, bridge)).toBe(24);
    expect(takenOf('question', 2, () => by('a token'))).toBe(2);
  });

  test('of a group that one has filled, the other processes find their part', () => {
    let asked = 0;
    const takes = (count: number, ...processes: string[]) =>
      takenOf('question', count, () =>
        by(++asked, { asker: { id: asked, group: 'bridges', lineage: ['session', 'no terminal', ...processes] } }),
      );
    expect(takes(30, 'flood')).toBe(24);
    expect(takes(30, 'shell', 'client')).toBe(12);
    expect([takes(1, 'flood'), takes(1, 'shell', 'client')]).toEqual([0, 0]);
    // One for each process of its tree, but together no more than as many again.
    expect([...Array(30).keys()].reduce((all, child) => all + takes(1, 'flood', `${child}`), 0)).toBe(12);
    expect([takes(30, 'apart'), takes(1, 'apart', 'child')]).toEqual([1, 0]);
    expect(asksOf('question').waiting()).toHaveLength(49);
  });

  test('an ask without a place displaces none that its person has open', () => {
    const of = (tree: string, at: number) =>
      by(tree, { key: `${tree} ${at}`, asker: { id: tree, group: tree, lineage: [tree] } });
    for (const tree of ['a', 'b', 'c', 'd']) expect(takenOf('request', 9, at => of(tree, at))).toBe(5);
    for (const { id } of asksOf('request').waiting()) asksOf('request').change(id, { isOpened: true });
    expect(takenOf('request', 1, at => of('e', at))).toBe(0);
    const least = asksOf('request').waiting().at(-1)?.id ?? '';
    asksOf('request').change(least, { isOpened: false });
    expect(takenOf('request', 1, at => of('e', at))).toBe(1);
    expect(told.slice(-2)).toEqual([`ended request ${least} void`, `asked request id${21}`]);
  });
});

test('a card that reads otherwise is told of while it waits', () => {
  asksOf('request').ask(by('a'));
  asksOf('request').change('id1', { facts: { says: 'y' } }, true);
  asksOf('request').change('id1', { facts: { says: 'z' } });
  asksOf('request').move('id1', 'no');
  asksOf('request').change('id1', { facts: { says: 'too late' } }, true);
  expect(told).toEqual(['asked request id1', 'changed request id1', 'ended request id1 no']);
});

describe('what is long on the control socket', () => {
  const feeds = (count: number, asker: string): NewAsk<Facts> => ({
    ...by(asker),
    asker: { id: asker, group: asker, lineage: [asker] },
    facts: { says: '\n'.repeat(count) },
  });

  test.each(['question', 'request'] as const)('and blinds the desk, is no %s', kind => {
    expect(asksOf(kind).ask(feeds(400_000, 'a'), never)).toBeNull();
    expect(asksOf(kind).ask(feeds(30_000, 'a'), never)).not.toBeNull();
    expect(asksOf(kind).waiting()).toHaveLength(1);
  });

  test('has no more than its part, and all together fits into one line', () => {
    const askers = Array.from({ length: 20 }, (_, at) => `asker ${at}`);
    for (const kind of ['question', 'request'] as const)
      for (const asker of askers) for (let n = 0; n < 3; n++) asksOf(kind).ask(feeds(30_000, asker), never);
    const all = (['question', 'request'] as const).flatMap(kind => asksOf(kind).waiting());
    expect(all.length).toBeGreaterThan(4);
    expect(JSON.stringify(JSON.stringify(all)).length).toBeLessThan(maxControlLineBytes - 200_000);
    for (const asker of askers)
      expect(
        asksOf('request')
          .waiting()
          .filter(ask => ask.asker.id === asker).length,
      ).toBeLessThan(2);
    expect(asksOf('request').ask(feeds(10, 'late'), never)).not.toBeNull();
  });
});

test('a listener that throws keeps no other from hearing, nor the one who waits', async () => {
  const desk = deskForTests();
  const heard: string[] = [];
  const fault = new Error('a listener’s own');
  const questions = desk.desk.of<Facts>('question');
  questions.onEvent(() => {
    throw fault;
  });
  questions.onEvent(({ what }) => void heard.push(what));
  const waits = questions.ask(by('a'), never);
  questions.move('id1', 'yes');
  expect((await waits?.ended)?.because).toBe('yes');
  expect(heard).toEqual(['asked', 'ended']);
  expect(desk.reported).toEqual([fault, fault]);
});

test('the answered that are remembered are those answered last, whenever they were asked', () => {
  const desk = deskForTests({ request: { remembered: 2 } });
  const requests = desk.desk.of<Facts>('request');
  for (const asker of ['a', 'b', 'c']) requests.ask(by(asker));
  for (const id of ['id3', 'id2', 'id1']) requests.move(id, 'yes', { runsLeft: 2 });
  expect(requests.all().map(({ id }) => id)).toEqual(['id1', 'id2']);
  expect(requests.move('id1', 'take')).toBe(true);
  expect(requests.move('id1', 'hold')).toBe(true);
  expect(requests.all()).toMatchObject([{ id: 'id1', state: 'waiting' }, { id: 'id2' }]);
});

test('one that finds no place is counted once, however often it is sent, until it has one', () => {
  const desk = deskForTests({ request: { perGroup: 9, inAll: 1, crowdGivesWay: false } });
  const requests = desk.desk.of<Facts>('request');
  requests.ask(by('a', { key: 'first' }));
  for (let time = 0; time < 3; time++) requests.ask(by('a', { key: 'again' }));
  requests.ask(by('a', { key: 'other' }));
  expect(requests.unkept()).toBe(2);
  requests.move('id1', 'yes');
  requests.ask(by('a', { key: 'again' }));
  expect(requests.unkept()).toBe(1);
  desk.pass(lifetime('request'));
  expect(requests.unkept()).toBe(0);
});
