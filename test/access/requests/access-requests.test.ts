/**
 * The access requests that wait for the person (spec §12): bounded, counted, ended by time and by
 * each change of what refused them.
 */

import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type AccessRequests,
  type KeptRequest,
  openAccessRequests,
  type RequestedCall,
  type Starter,
} from '../../../daemon/access/requests/access-requests.ts';
import { accountOf, type Principal } from '../../../daemon/access/tokens/token.ts';
import { askForAccess } from '../../shells/asked-request.ts';
import { deskForTests, type TestDesk } from '../desk/desk-for-tests.ts';
import { principalWith } from '../principals.ts';

let time: TestDesk;
let requests: AccessRequests;
const refused = { revision: 1, level: 'readOnly' };
const minutes = (count: number) => count * 60_000;

beforeEach(() => {
  time = deskForTests();
  requests = openAccessRequests({ desk: time.desk, starterOf });
});

function asked(change: Partial<RequestedCall> = {}): RequestedCall {
  const statement = { text: 'UPDATE t SET n = $1', parameters: ['x'], schema: 'public', database: null };
  const principal = principalWith({ isBridge: true });
  return { principal, client: 'Claude', tool: 'execute_query', connectionId: 'c1', statement, ...change };
}

describe('over a restart', () => {
  test('what waits is kept after each change, without what its person was shown', async () => {
    let kept: readonly KeptRequest[] = [];
    requests = openAccessRequests({
      desk: time.desk,
      starterOf,
      keep: async all => {
        kept = all;
        return new Set(all.map(({ id }) => id));
      },
    });
    expect(await askForAccess(requests)).toBe(true);
    requests.open('id1', { words: { lines: [], note: null }, figures: 1 });
    const later = deskForTests();
    const next = openAccessRequests({ desk: later.desk, starterOf, left: JSON.parse(JSON.stringify(kept)) });
    expect(next.waiting()).toMatchObject([{ id: 'id1', state: 'waiting', facts: { shown: null }, runsLeft: 0 }]);
    expect(next.askedBefore(asked(), refused)?.state).toBe('waiting');
    requests.answer('id1', 'granted', 1);
    expect(kept).toEqual([]);
    await askForAccess(requests, { text: 'another' });
    time.pass(minutes(15));
    expect(kept).toEqual([]);
    later.sleep(minutes(15));
    expect(next.waiting()).toEqual([]);
  });

  test('a request that the store does not take says so', async () => {
    requests = openAccessRequests({ desk: time.desk, starterOf, keep: async () => new Set() });
    const content = { connection: { id: 'c1', name: 'Shop', tags: [], colour: null }, means: null, classified: null };
    const asking = requests.ask(asked(), refused, { ...content, lacks: 'connection_level', runsBy: 'client' });
    expect(await asking).toBe('in memory');
  });
});

describe('a request', () => {
  test('is counted if it is sent again, and takes no second place', async () => {
    await askForAccess(requests);
    for (let time = 0; time < 100; time += 1) expect(requests.askedBefore(asked(), refused)?.state).toBe('waiting');
    expect(requests.waiting()).toMatchObject([{ id: 'id1', times: 101 }]);
  });

  test.each([
    ['another text', asked({ statement: { text: 'x', parameters: ['x'], schema: 'public', database: null } })],
    ['other parameters', asked({ statement: { ...(asked().statement as object), parameters: ['y'] } as never })],
    ['a number for a text', asked({ statement: { ...(asked().statement as object), parameters: [1] } as never })],
    ['another schema', asked({ statement: { ...(asked().statement as object), schema: null } as never })],
    ['another connection', asked({ connectionId: 'c2' })],
    ['another client', asked({ client: 'Cursor' })],
    ['another token', asked({ principal: principalWith({ tokenId: 'other' }) })],
    ['another tool', asked({ tool: 'confirm_destructive_operation' })],
  ])('differs from one of %s', async (_, other) => {
    await askForAccess(requests);
    requests.answer('id1', 'granted', 1);
    expect(requests.askedBefore(other, refused)).toBeNull();
  });

  test('continues for the same client over another bridge process and another bridge token', async () => {
    await askForAccess(requests);
    requests.answer('id1', 'granted', 1);
    const principal = principalWith({ isBridge: true, id: 'bridge:pid-2-x', tokenId: 'rotated' });
    expect(requests.askedBefore(asked({ principal }), refused)?.state).toBe('granted');
  });

  test('is void once its connection, level or scope changes, granted or not', async () => {
    for (const answer of ['waiting', 'granted'] as const) {
      for (const circumstances of [
        { revision: 2, level: 'readOnly' },
        { revision: 1, level: 'readWrite' },
      ]) {
        await askForAccess(requests);
        const id = requests.waiting().at(-1)?.id ?? '';
        if (answer === 'granted') requests.answer(id, 'granted', 1);
        expect(requests.askedBefore(asked(), circumstances)).toBeNull();
        expect(requests.take(id)).toBe(false);
      }
    }
    await askForAccess(requests);
    const principal = principalWith({ isBridge: true, scope: 'fullAccess' });
    expect(requests.askedBefore(asked({ principal }), refused)).toBeNull();
  });

  test('ends a quarter of an hour after it was first asked, answered or not, however often it is sent', async () => {
    await askForAccess(requests);
    await askForAccess(requests, { text: 'granted' });
    requests.answer('id2', 'granted', 1);
    time.sleep(minutes(14));
    expect(requests.askedBefore(asked(), refused)?.state).toBe('waiting');
    time.sleep(minutes(1));
    expect(requests.waiting()).toEqual([]);
    expect(requests.askedBefore(asked(), refused)).toBeNull();
    expect(requests.take('id2')).toBe(false);
  });

  test('disappears with its connection and with its token, but not with the bridge’s hourly token', async () => {
    await askForAccess(requests);
    await askForAccess(requests, { principal: { isBridge: false, tokenId: 'mine' } });
    requests.forgetToken(principalWith().tokenId);
    expect(requests.waiting()).toHaveLength(2);
    requests.forgetToken('mine');
    expect(requests.waiting()).toHaveLength(1);
    requests.showConnection({ id: 'c1', name: 'Store', tags: [], colour: null });
    expect(requests.waiting()[0]?.facts.connection).toEqual({ id: 'c1', name: 'Store', tags: [], colour: null });
    requests.forgetConnection('c1');
    expect(requests.waiting()).toEqual([]);
  });
});

describe('an answer', () => {
  test('counts once', async () => {
    await askForAccess(requests);
    expect(requests.answer('id1', 'granted', 1)).toBe(true);
    expect(requests.answer('id1', 'refused')).toBe(false);
    expect(requests.find('id1')).toBeNull();
  });

  test('allows as many runs as it says, and one more if a run left nothing', async () => {
    await askForAccess(requests);
    requests.answer('id1', 'granted', 2);
    expect([requests.take('id1'), requests.take('id1'), requests.take('id1')]).toEqual([true, true, false]);
    expect(requests.askedBefore(asked(), refused)?.state).toBe('used');
    requests.giveBack('id1');
    expect([requests.take('id1'), requests.take('id1')]).toEqual([true, false]);
  });

  test('may be given again if the person’s own run left nothing', async () => {
    await askForAccess(requests);
    requests.answer('id1', 'ran');
    requests.giveBack('id1');
    expect(requests.waiting()).toHaveLength(1);
    requests.answer('id1', 'refused');
    requests.giveBack('id1');
    expect(requests.waiting()).toEqual([]);
  });

  test.each(['refused', 'ran'] as const)('%s is reported until its end', async state => {
    await askForAccess(requests);
    requests.answer('id1', state);
    expect(requests.take('id1')).toBe(false);
    time.sleep(minutes(10));
    expect(requests.askedBefore(asked(), refused)?.state).toBe(state);
  });
});

/**
 * Program 7 started `bridge:pid-7-x`, and its child 8 started `bridge:pid-7.8-x`; nobody knows who
 * started `bridge:x`.
 */
async function starterOf(principal: Principal): Promise<Starter> {
  const tree = principal.isBridge ? /pid-([\d.]+)-/.exec(principal.id)?.[1] : undefined;
  if (tree === undefined) return { program: null, lineage: [accountOf(principal)] };
  return { program: 'any name', lineage: ['session', 'terminal', ...tree.split('.')] };
}

describe('the figures of what it takes', () => {
  const shown = { words: { lines: ['empties t (2 rows)'], note: null }, figures: 2 };

  test('are stored only while it waits', async () => {
    await askForAccess(requests);
    expect(requests.find('id1')).toMatchObject({ facts: { shown: null, found: null } });
    expect(requests.open('id1', shown)).toMatchObject({ state: 'waiting', facts: { shown } });
    requests.answer('id1', 'granted', 2);
    expect(requests.open('id1', shown)).toBeNull();
    expect(requests.open('nothing', shown)).toBeNull();
  });

  test.each(['granted', 'ran'] as const)('were exceeded: %s must be opened again', async state => {
    await askForAccess(requests);
    requests.open('id1', shown);
    requests.answer('id1', state, 3);
    if (state === 'granted') expect(requests.take('id1')).toBe(true);
    expect(requests.hold('id1', 40)).toBe(true);
    expect(requests.waiting()).toMatchObject([{ id: 'id1', facts: { shown: null, found: 40 }, runsLeft: 0 }]);
    expect(requests.take('id1')).toBe(false);
  });

  test('of an ended or refused request start no wait', async () => {
    await askForAccess(requests);
    requests.answer('id1', 'refused');
    expect(requests.hold('id1', 40)).toBe(false);
    await askForAccess(requests, { text: 'x' });
    time.sleep(minutes(15));
    expect(requests.hold('id2', 40)).toBe(false);
    expect(requests.waiting()).toEqual([]);
  });
});

describe('at most', () => {
  const change = (at: number) => ({ text: `UPDATE t SET n = ${at}` });
  async function takenOf(count: number, from: (at: number) => Parameters<typeof askForAccess>[1]): Promise<number> {
    let taken = 0;
    for (let at = 0; at < count; at += 1) if (await askForAccess(requests, { ...change(at), ...from(at) })) taken += 1;
    return taken;
  }

  test.each([
    ['whose bridges one program started', (at: number) => ({ principal: { id: `bridge:pid-7-${at}` } })],
    ['whose bridges nobody knows', (at: number) => ({ principal: { id: `bridge:${at}` } })],
    ['of one token', (at: number) => ({ principal: { isBridge: false, tokenId: 'mine', id: `mine ${at}` } })],
  ])('five of a client %s wait, whatever it calls itself', async (_, from) => {
    expect(await takenOf(100, at => ({ ...from(at), client: `client ${at}` }))).toBe(5);
    // Twenty requests at the same moment get no more places.
    const others = Array.from({ length: 20 }, (_, at) =>
      askForAccess(requests, { ...change(at), client: `other ${at}`, principal: { id: 'bridge:pid-9-x' } }),
    );
    expect((await Promise.all(others)).filter(Boolean)).toHaveLength(5);
    expect(await takenOf(1, () => ({ principal: { id: 'bridge:pid-8-x' }, client: 'an honest one' }))).toBe(1);
  });

  test('twenty wait in all', async () => {
    expect(await takenOf(100, at => ({ principal: { id: `bridge:pid-${at}-x` } }))).toBe(20);
    requests.answer(requests.waiting()[0]?.id ?? '', 'refused');
    expect(await takenOf(1, () => ({ client: 'an honest one' }))).toBe(1);
  });

  const bridge = (pids: string, client = 'an honest one') => ({ principal: { id: `bridge:pid-${pids}-x` }, client });
  const waitingOf = (client: string) => requests.waiting().filter(({ facts }) => facts.client === client).length;

  test('those of a crowded tree give way, newest first, and none that is open', async () => {
    const crowd = (at: number) => bridge(`${Math.floor(at / 5)}`, `crowd ${at}`);
    expect(await takenOf(20, crowd)).toBe(20);
    const shown = { words: { lines: [], note: null }, figures: 1 };
    requests.open(requests.waiting().at(-1)?.id ?? '', shown);
    const heard: unknown[] = [];
    requests.onChanged(made => heard.push(made?.facts.client));
    expect(requests.unkept()).toBe(0);
    expect(await takenOf(1, () => bridge('9'))).toBe(1);
    expect(requests.unkept()).toBe(1);
    expect([waitingOf('an honest one'), waitingOf('crowd 19'), waitingOf('crowd 18')]).toEqual([1, 1, 0]);
    // The displaced one's end is told, too.
    expect([requests.waiting().length, heard]).toEqual([20, [undefined, 'an honest one']]);
    // Whoever has most gets nothing by asking more, and an open one stays.
    expect(await takenOf(3, () => bridge('0', 'crowd again'))).toBe(0);
    expect(requests.unkept()).toBe(4);
    for (const { id } of requests.waiting()) requests.open(id, shown);
    expect(await takenOf(1, () => bridge('10', 'a late one'))).toBe(0);
    expect(requests.waiting()).toHaveLength(20);
  });

  test('a program in the tree of another that fills its places gets one all the same', async () => {
    expect(await takenOf(9, at => bridge(`7.8.${at}`, `child ${at}`))).toBe(5);
    expect(await takenOf(1, () => bridge('7.9'))).toBe(1);
    expect([waitingOf('an honest one'), requests.waiting().length]).toEqual([1, 5]);
    expect(await takenOf(1, () => bridge('7.8.99', 'child again'))).toBe(0);
  });

  test('two equal ones sent at once take one place', async () => {
    expect(await Promise.all([askForAccess(requests), askForAccess(requests)])).toEqual([true, true]);
    expect(requests.waiting()).toMatchObject([{ times: 2 }]);
  });

  test('two hundred are remembered, and those that wait stay', async () => {
    await askForAccess(requests, { client: 'patient' });
    for (let at = 0; at < 300; at += 1) {
      await askForAccess(requests, { text: `UPDATE t SET n = ${at}` });
      requests.answer(`id${at + 2}`, 'refused');
    }
    expect(requests.waiting()).toMatchObject([{ facts: { client: 'patient' } }]);
    const first = { ...asked().statement, text: 'UPDATE t SET n = 0' } as never;
    expect(requests.askedBefore(asked({ statement: first }), refused)).toBeNull();
  });
});
