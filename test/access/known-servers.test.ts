import { expect, test } from '@jest/globals';
import { addressesOf, openKnownServers } from '../../daemon/access/known-servers.ts';
import type { KnownServer } from '../../daemon/access/server-identity.ts';
import { IdentityRefused, identityOf } from '../../daemon/engines/server-identity.ts';
import { isLocalhost } from '../../shared/server-hosts.ts';
import { refusedAs } from './identity-said.ts';
import { connectionWith } from './principals.ts';

const scram = { line: 'clear', method: 'proves', key: null, socketOwner: null } as const;
const md5 = { ...scram, method: 'guessable' } as const;
const shop = connectionWith({ host: 'localhost', port: 5432, user: 'ada', password: { kind: 'stored' } });

const at = '2026-11-20T12:00:00.000Z';

async function opened(kept = new Map<string, KnownServer>()) {
  const met: string[] = [];
  const store = {
    load: async () => new Map(kept),
    keep: async (place: string, server: KnownServer) => void kept.set(place, server),
    forget: async (places: readonly string[]) => {
      for (const place of places) kept.delete(place);
    },
  };
  const known = await openKnownServers(store, {
    now: () => Date.parse(at),
    met: (_connection, server, dialled) => void met.push(`${server} ${dialled}`),
  });
  return { known, kept, met };
}

test('what a server has shown outlives the run, and counts for its connection and place alone', async () => {
  const { known, kept } = await opened();
  expect(await known.at(shop, 'localhost:5432').signedIn(scram, '::1')).toBeNull();
  const { known: later } = await opened(kept);
  const draft = { ...shop, id: 'draft', serversOf: shop.id };
  for (const same of [shop, draft]) {
    expect(later.at(same, 'localhost:5432').refusal(md5)).toBe('weaker_method');
    expect(later.at(same, 'localhost:5432').known()?.address).toBe('::1');
  }
  expect(later.at({ ...shop, id: 'other' }, 'localhost:5432').known()).toBeNull();
  // Another port, user or tunnel is another place.
  expect(later.at(shop, 'localhost:5433').refusal(md5)).toBeNull();
  expect(later.at({ ...shop, user: 'bob' }, 'localhost:5432').refusal(md5)).toBeNull();
  const tunnel = { kind: 'ssh', destination: 'bastion', jumps: [], keyFile: null } as const;
  expect(later.at({ ...shop, tunnel }, 'localhost:5432').refusal(md5)).toBeNull();
});

test.each([
  ['localhost', true],
  ['LocalHost', true],
  ['localhost.', true],
  ['localhost.localdomain', true],
  ['db.localhost', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['notlocalhost', false],
  ['localhost.example', false],
])('%s stands for two addresses of this machine: %s', (host, isTwo) => {
  expect(isLocalhost(host)).toBe(isTwo);
});

test('two ports in one folder of sockets are two places', async () => {
  const { known } = await opened();
  const at = (port: number | null) => ({ ...shop, host: null, port, socketPath: '/tmp' });
  const own = { line: 'socket', method: 'proves', key: null, socketOwner: 26 } as const;
  const first = addressesOf(at(5432))[0] ?? '';
  expect(await known.at(at(5432), first).signedIn(own, null)).toBeNull();
  expect(known.of(at(5432))).toMatchObject([{ server: '/tmp:5432', socketOwner: 26 }]);
  for (const port of [7655, null]) {
    const other = addressesOf(at(port))[0] ?? '';
    expect(known.at(at(port), other).known()).toBeNull();
    expect(known.of(at(port))).toEqual([]);
  }
});

test('a server is met once, until it is forgotten; and is told with its proof', async () => {
  const { known, met } = await opened();
  expect(known.of(shop)).toEqual([]);
  for (let sessions = 0; sessions < 3; sessions++) await known.at(shop, 'localhost:5432').signedIn(scram, '::1');
  expect(met).toEqual(['localhost:5432 ::1']);
  expect(known.of(shop)).toEqual([
    {
      server: 'localhost:5432',
      proof: 'password',
      method: 'proves',
      isEncrypted: false,
      keys: [],
      socketOwner: null,
      address: '::1',
      since: at,
    },
  ]);
  expect(known.of({ ...shop, identity: 'any' })).toEqual([]);
  expect(known.of({ ...shop, password: { kind: 'none' } })).toEqual([]);
  await known.forget(shop);
  await known.at(shop, 'localhost:5432').signedIn(scram, null);
  expect(met).toEqual(['localhost:5432 ::1', 'localhost:5432 null']);
});

test('a forgotten place begins anew, and a test of one connection pins for that one alone', async () => {
  const { known } = await opened();
  const open = { ...scram, method: 'asks_nothing' } as const;
  expect(known.at(shop, 'localhost:5432').refusal(open)).toBe('not_tested');
  await known.whilePinning(shop.id, async () => {
    expect(known.at({ ...shop, id: 'other' }, 'localhost:5432').refusal(open)).toBe('not_tested');
    expect(await known.at(shop, 'localhost:5432').signedIn(scram, null)).toBeNull();
  });
  expect(known.of(shop)).toMatchObject([{ server: 'localhost:5432', method: 'proves' }]);
  expect(known.at(shop, 'localhost:5432').refusal(open)).toBe('asks_nothing');
  await known.forget(shop);
  expect(known.of(shop)).toEqual([]);
  expect(known.at(shop, 'localhost:5432').refusal(open)).toBe('not_tested');
});

test.each([
  [{ host: 'Db.Example', port: 5432, socketPath: null }, ['db.example:5432']],
  [{ host: 'h1,h2:5433,[::1]', port: 5432, socketPath: null }, ['h1:5432', 'h2:5433', '[::1]:5432']],
  [{ host: null, port: null, socketPath: '/run/postgresql' }, ['/run/postgresql']],
  [{ host: null, port: 7655, socketPath: '/run/postgresql' }, ['/run/postgresql:7655']],
  [{ host: null, port: 7655, socketPath: '/tmp/.s.PGSQL.7655' }, ['/tmp/.s.PGSQL.7655']],
])('the servers of %j', (place, addresses) => {
  expect(addressesOf(place)).toEqual(addresses);
});

test('an adapter is told in a clause; without a password nothing is judged', async () => {
  const { known } = await opened();
  const memoryAt = (address: string) => known.at(shop, address);
  const identity = identityOf(shop, memoryAt)(shop);
  await identity.signedIn(scram, '127.0.0.1');
  expect(identity.chosenAddress()).toBe('127.0.0.1');
  expect(() => identity.judge(md5)).toThrow(IdentityRefused);
  expect(() => identity.judge(md5)).toThrow(/weaker sign-in than before, so somebody else may answer/);
  expect(() => identityOf(shop, null)(shop).judge(md5)).not.toThrow();
});

test('with any server allowed, the password itself stays off the network', async () => {
  const { known } = await opened();
  const away = { ...shop, identity: 'any', host: 'db.example' } as const;
  const memoryAt = (address: string) => known.at(away, address);
  const reveals = { ...scram, method: 'reveals' } as const;
  expect(() => identityOf(away, memoryAt)(away).judge(reveals)).toThrow(refusedAs('password_would_show'));
  expect(() => identityOf(away, memoryAt)({ ...away, host: '127.0.0.1' }).judge(reveals)).not.toThrow();
  await identityOf(away, memoryAt)(away).signedIn(scram, null);
  expect(known.of(away)).toEqual([]);
});
