/** Compares what the log's rows state about connections and tokens with what those allow now. */

import { expect, test } from '@jest/globals';
import type { Connection } from '../../daemon/access/connection.ts';
import { noStanding, standingOfConnection, standingOfToken } from '../../daemon/access/standing/standing.ts';
import {
  openStandings,
  type StandingSubject,
  type Stated,
  type StatedRow,
} from '../../daemon/access/standing/standings.ts';
import type { TokenRecord } from '../../daemon/access/tokens/token.ts';
import { connectionWith } from './principals.ts';

const writing = { level: 'readWrite', writeUntil: null } as const;
const writingUntil = (writeUntil: string) => ({ level: 'readWrite', writeUntil }) as const;
const blocked = { level: 'blocked', writeUntil: null } as const;
const begun: StatedRow = { time: 0, id: null, standing: noStanding };

const rowOf = (connection: Connection): StatedRow => ({
  time: 0,
  id: connection.id,
  standing: standingOfConnection(connection),
});

function open(
  { connections = [], tokens = [] }: { connections?: Connection[]; tokens?: TokenRecord[] },
  rows: readonly StatedRow[],
  now = 0,
) {
  const stated: [StandingSubject | null, Stated][] = [];
  const standings = openStandings({
    rows,
    isOlderCopy: false,
    now: () => now,
    connections: { list: () => connections },
    tokens: { list: () => tokens },
    state: (about, what) => void stated.push([about, what]),
  });
  return { standings, stated: () => stated.splice(0), unknown: () => standings.unknown().map(({ what }) => what) };
}

test('a log without such rows, as a new one, starts with the present state', () => {
  const shop = connectionWith({ externalClients: writing });
  const { unknown, stated } = open({ connections: [shop] }, []);
  expect(unknown()).toEqual([]);
  expect(stated().map(([about, { reason }]) => [about?.name, reason])).toEqual([
    [undefined, 'what connections and tokens allow is recorded from here on'],
    ['Shop', 'clients may read and write, AI policy always'],
  ]);
});

test('after that a connection that no row knows was added without Sallyport', () => {
  expect(open({ connections: [connectionWith()] }, [begun]).unknown()).toEqual([
    'the connection "Shop" (clients may only read, AI policy always)',
  ]);
});

test('one that was removed and is there again, too', () => {
  const removed = { ...rowOf(connectionWith()), standing: noStanding };
  expect(open({ connections: [connectionWith()] }, [begun, rowOf(connectionWith()), removed]).unknown()).toHaveLength(
    1,
  );
});

test('the last row counts', () => {
  const shop = connectionWith({ externalClients: writing });
  const rows = [begun, rowOf(connectionWith()), rowOf(shop)];
  expect(open({ connections: [shop] }, rows).unknown()).toEqual([]);
  expect(open({ connections: [shop] }, [...rows, rowOf(connectionWith())]).unknown()).toEqual([
    'what "Shop" allows now: clients may read and write, AI policy always',
  ]);
});

const noon = '2026-11-20T12:00:00.000Z';
const evening = '2026-11-20T18:00:00.000Z';
test.each<[Partial<Connection>, Partial<Connection>, 'told' | 'silent' | 'recorded']>([
  [{ externalClients: writingUntil(noon) }, { externalClients: writing }, 'told'],
  [{ externalClients: writingUntil(noon) }, { externalClients: writingUntil(evening) }, 'told'],
  [{ externalClients: blocked }, {}, 'told'],
  [{ aiPolicy: 'askEachTime' }, {}, 'told'],
  [{ aiPolicy: 'never' }, { aiPolicy: 'askEachTime' }, 'told'],
  [{ aiPolicy: 'askEachTime', externalClients: writing }, {}, 'told'],
  [{}, { filePath: '/data/other.db' }, 'told'],
  [{ externalClients: writing }, { filePath: '/data/other.db' }, 'told'],
  [{}, { password: { kind: 'command', command: 'evil' } }, 'told'],
  [{}, { writeRowLimit: 1_000_000 }, 'told'],
  [{ externalClients: writing }, {}, 'recorded'],
  [{ externalClients: writingUntil(noon) }, {}, 'recorded'],
  [{ externalClients: writingUntil(evening) }, { externalClients: writingUntil(noon) }, 'recorded'],
  [{}, { externalClients: blocked }, 'recorded'],
  [{}, { aiPolicy: 'never' }, 'recorded'],
  [{}, { aiPolicy: 'askEachTime', externalClients: blocked }, 'recorded'],
  [{}, { aiPolicy: 'never', externalClients: writing }, 'told'],
  [{ externalClients: writing }, { aiPolicy: 'askEachTime', filePath: '/data/other.db' }, 'told'],
  [{}, { tags: ['a tag'], revision: 7, updatedAt: '2027-01-01T00:00:00.000Z' }, 'silent'],
])('recorded %j, found %j: %s', (recorded, found, what) => {
  const connections = [connectionWith(found)];
  const { unknown, stated } = open({ connections }, [begun, rowOf(connectionWith(recorded))]);
  expect(unknown()).toHaveLength(what === 'told' ? 1 : 0);
  // Otherwise a store that gives back what was taken meanwhile would look as recorded.
  const rows = stated().map(([about, { standing }]) => [about?.id, standing]);
  expect(rows).toEqual(what === 'recorded' ? connections.map(each => [each.id, standingOfConnection(each)]) : []);
});

const token: TokenRecord = {
  id: '6f7f6a1e-0000-4000-8000-000000000003',
  name: 'Editor',
  prefix: 'sp_abcde',
  salt: 'salt',
  hash: 'hash',
  scope: 'readWrite',
  connections: ['a'],
  confirmInClient: false,
  createdAt: noon,
  lastUsedAt: null,
  expiresAt: evening,
  revokedAt: null,
  client: null,
};
test.each<[Partial<TokenRecord>, boolean]>([
  [{ scope: 'fullAccess' }, true],
  [{ expiresAt: null }, true],
  [{ scope: 'readOnly', expiresAt: null }, true],
  [{ connections: 'all' }, true],
  [{ confirmInClient: true }, true],
  [{ hash: 'of another plaintext' }, true],
  [{ scope: 'readOnly' }, false],
  [{ expiresAt: noon }, false],
  [{ lastUsedAt: evening }, false],
  [{ scope: 'fullAccess', revokedAt: evening }, false],
])('a token that is %j: reported: %j', (found, isTold) => {
  const row = { time: 0, id: token.id, standing: standingOfToken(token) };
  expect(open({ tokens: [{ ...token, ...found }] }, [begun, row]).unknown()).toHaveLength(isTold ? 1 : 0);
});

test('a change accepts only what it leaves no higher than recorded', () => {
  const edited = connectionWith({ externalClients: writing });
  const there = [edited];
  const { standings, unknown } = open({ connections: there }, [begun, rowOf(connectionWith())]);
  expect(standings.ofConnection(edited).standing).toBeNull();
  expect(unknown()).toHaveLength(1);
  there[0] = connectionWith();
  expect(standings.ofConnection(connectionWith()).standing).toEqual(standingOfConnection(connectionWith()));
  expect(unknown()).toEqual([]);
});

test('old records are made again before the log drops them; unknown ones aren’t', () => {
  const other = connectionWith({ id: '6f7f6a1e-0000-4000-8000-000000000002', name: 'Other' });
  const connections = [connectionWith(), other];
  const { standings, stated } = open({ connections }, [begun, rowOf(connectionWith())], 9);
  standings.stateAgain(0);
  expect(stated()).toEqual([]);
  standings.stateAgain(5);
  expect(stated().map(([about]) => about?.name)).toEqual([undefined, 'Shop']);
  standings.stateAgain(5);
  expect(stated()).toEqual([]);
});
