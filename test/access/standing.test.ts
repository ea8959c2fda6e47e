/** Compares what the log's rows say about connections with what those allow now. */

import { expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import { openStandings, type Stated, type StatedRow } from '../../daemon/access/standing/standings.ts';
import { standingIn, standingOfConnection, standingText } from '../../daemon/access/standing/words.ts';
import { connectionWith } from './principals.ts';

const writing = { level: 'readWrite', writeUntil: null } as const;
const begun: StatedRow = { number: 1, time: 0, id: null, reason: 'from here on (state 0000000000000000)' };

const rowOf = (connection: Connection, number: number, before = ''): StatedRow => ({
  ...{ number, time: 0, id: connection.id },
  reason: before + standingText(standingOfConnection(connection)),
});

function open(connections: Connection[], rows: readonly StatedRow[], now = 0) {
  const stated: [Stated | null, string][] = [];
  const standings = openStandings({
    ...{ rows, isOlderCopy: false, now: () => now },
    connections: { list: () => connections },
    tokens: { list: () => [] },
    state: (about, reason) => void stated.push([about, reason]),
  });
  return { standings, stated: () => stated.splice(0), unknown: () => standings.unknown().map(({ what }) => what) };
}

test('a log without entries on it, as from an earlier version, starts with the present state', () => {
  const shop = connectionWith({ externalClients: writing });
  const { unknown, stated } = open([shop], [{ number: 3, time: 0, id: shop.id, reason: 'changed: rowLimit' }]);
  expect(unknown()).toEqual([]);
  expect(stated().map(([about, reason]) => [about?.name, standingIn(reason)?.words])).toEqual([
    [undefined, 'what connections and tokens allow is recorded from here on'],
    ['Shop', 'clients may read and write, AI policy always'],
  ]);
});

test('after that a connection that no row knows was added without Sallyport', () => {
  expect(open([connectionWith()], [begun]).unknown()).toEqual([
    'the connection "Shop" (clients may only read, AI policy always)',
  ]);
});

test('the last row counts, in any order', () => {
  const shop = connectionWith({ externalClients: writing });
  const rows = [rowOf(shop, 3, 'changed: externalClients; '), rowOf(connectionWith(), 2), begun];
  expect(open([shop], rows).unknown()).toEqual([]);
  expect(open([shop], [rowOf(connectionWith(), 4), ...rows]).unknown()).toEqual([
    'what "Shop" allows now: clients may read and write, AI policy always',
  ]);
});

test.each<[Partial<Connection>, Partial<Connection>, boolean]>([
  [
    { externalClients: { level: 'readWrite', writeUntil: '2026-11-20T12:00:00.000Z' } },
    { externalClients: writing },
    true,
  ],
  [{ externalClients: { level: 'blocked', writeUntil: null } }, {}, true],
  [{ aiPolicy: 'askEachTime' }, {}, true],
  [{}, { filePath: '/data/other.db' }, true],
  [{}, { password: { kind: 'command', command: 'evil' } }, true],
  [{}, { writeRowLimit: 1_000_000 }, true],
  [{ externalClients: writing }, {}, false],
  [{}, { externalClients: { level: 'blocked', writeUntil: null } }, false],
  [{}, { tags: ['a tag'], revision: 7, updatedAt: '2027-01-01T00:00:00.000Z' }, false],
])('recorded %j, found %j: reported: %j', (recorded, found, isTold) => {
  const { unknown } = open([connectionWith(found)], [begun, rowOf(connectionWith(recorded), 2)]);
  expect(unknown().length).toBe(isTold ? 1 : 0);
});

test('a change accepts only what it leaves no higher than recorded', () => {
  const edited = connectionWith({ externalClients: writing });
  const there = [edited];
  const { standings, unknown } = open(there, [begun, rowOf(connectionWith(), 2)]);
  expect(standingIn(standings.ofConnection(edited))).toBeNull();
  expect(unknown()).toHaveLength(1);
  there[0] = connectionWith();
  expect(standingIn(standings.ofConnection(connectionWith()))).not.toBeNull();
  expect(unknown()).toEqual([]);
});

test('old records are made again before the log drops them; unknown ones aren’t', () => {
  const other = connectionWith({ id: '6f7f6a1e-0000-4000-8000-000000000002', name: 'Other' });
  const { standings, stated } = open([connectionWith(), other], [begun, rowOf(connectionWith(), 2)], 9);
  standings.stateAgain(0);
  expect(stated()).toEqual([]);
  standings.stateAgain(5);
  expect(stated().map(([about]) => about?.name)).toEqual([undefined, 'Shop']);
  standings.stateAgain(5);
  expect(stated()).toEqual([]);
});
