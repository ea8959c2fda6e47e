/**
 * Who is connected now (spec §11 clients), counted at the real HTTP server: by principal, in either
 * era, opened and ended.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Admission } from '../../../daemon/access/limits/admission.ts';
import { presenceLimits, presentClients } from '../../../daemon/access/limits/present-clients.ts';
import { principalWith } from '../../access/principals.ts';
import { until } from '../../waiting/until.ts';
import { unlimitedAdmission } from './admission-for-tests.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { initialize, legacy, modern, openSession, send } from './wire.ts';

describe('at the server', () => {
  let admission: Admission;
  let server: RunningServer;
  beforeEach(async () => {
    admission = unlimitedAdmission();
    server = await runServer({}, admission);
  });
  afterEach(() => server.stop());
  const present = () => admission.clients.list();

  test('nobody until a client with a token has asked', async () => {
    expect((await send(server.url, modern(`sp_${'x'.repeat(43)}`, 'tools/list'))).status).toBe(401);
    expect(present()).toEqual([]);
    const token = await server.token();
    expect((await send(server.url, modern(token, 'tools/list'))).status).toBe(200);
    await until(() => present()[0]?.openRequests === 0, 'answered');
    expect(present()).toMatchObject([
      {
        id: server.idOf(token),
        tokenName: 'test',
        isBridge: false,
        client: 'wire test',
        protocol: '2026-07-28',
        sessions: 0,
      },
    ]);
  });

  test('an older client is present by its session, until its token is revoked', async () => {
    const token = await server.token();
    expect((await send(server.url, legacy(token, initialize('2025-06-18')))).status).toBe(200);
    await until(() => present()[0]?.protocol === '2025-06-18', 'said which revision');
    await openSession(server.url, token);
    await until(() => present()[0]?.openRequests === 0, 'answered');
    expect(present()).toMatchObject([{ client: 'old client', protocol: '2025-11-25', sessions: 2 }]);
    await server.tokens.revoke(server.idOf(token));
    expect(present()).toEqual([]);
  });

  test('each bridge process counts as one', async () => {
    for (const name of ['1'.repeat(32), '2'.repeat(32), '1'.repeat(32)]) {
      const headers = { 'Sallyport-Bridge': name };
      expect((await send(server.url, modern(server.bridgeToken, 'tools/list', {}, { headers }))).status).toBe(200);
    }
    await until(() => present().every(({ openRequests }) => openRequests === 0), 'answered');
    expect(present().map(({ isBridge }) => isBridge)).toEqual([true, true]);
  });
});

describe('the count', () => {
  test('drops a client that hasn’t asked for ten minutes, unless something is open', () => {
    let now = 0;
    const clients = presentClients(
      () => now,
      () => true,
    );
    clients.begin(principalWith({ id: 'gone' })).end();
    const open = clients.begin(principalWith({ id: 'open' }));
    const endSession = clients.sessionOpened(principalWith({ id: 'session' }));
    now += presenceLimits.recentSeconds * 1000;
    expect(clients.list().map(({ id }) => id)).toEqual(['session', 'open']);
    open.end();
    endSession();
    expect(clients.list().map(({ id }) => id)).toEqual(['open']);
    now += presenceLimits.recentSeconds * 1000;
    expect(clients.list()).toEqual([]);
    clients.begin(principalWith({ id: 'gone' })).end();
    expect(clients.list()).toMatchObject([{ id: 'gone', sinceMilliseconds: 0 }]);
  });

  test('drops a bridge whose process is gone, unless something of it is open', () => {
    const alive = new Set([7, 8]);
    const clients = presentClients(
      () => 0,
      pid => alive.has(pid),
    );
    const bridge = (id: string) => clients.begin(principalWith({ id: `bridge:${id}`, isBridge: true }));
    const open = bridge('pid-7-aaaa');
    for (const id of ['pid-8-bbbb', '3c5b9c0e-of-an-older-version']) bridge(id).end();
    clients.begin(principalWith({ id: 'bridge:pid-9-of-no-bridge' })).end();
    const listed = () =>
      clients
        .list()
        .map(({ id }) => id.replace('bridge:', ''))
        .sort();
    const others = ['3c5b9c0e-of-an-older-version', 'pid-9-of-no-bridge'];
    expect(listed()).toEqual([others[0], 'pid-7-aaaa', 'pid-8-bbbb', others[1]]);
    alive.clear();
    expect(listed()).toEqual([others[0], 'pid-7-aaaa', others[1]]);
    open.end();
    expect(listed()).toEqual(others);
  });

  test('is limited, and keeps those with something open', () => {
    const clients = presentClients(
      () => 0,
      () => true,
    );
    clients.begin(principalWith({ id: 'open' }));
    for (let made = 0; made < presenceLimits.remembered * 2; made += 1) {
      clients.begin(principalWith({ id: `bridge:${made}` })).end();
    }
    expect(clients.list()).toHaveLength(presenceLimits.remembered);
    expect(clients.list().some(({ id }) => id === 'open')).toBe(true);
  });
});
