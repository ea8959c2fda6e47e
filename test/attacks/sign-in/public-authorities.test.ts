/**
 * Threat: any program may raise a connection's TLS to `verify-ca`, and get a certificate of a public
 * authority for a name of its own. Without a name to check, and without the connection's own
 * authority, such a certificate proves nobody.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { runOn } from '../../engines/postgres/suite.ts';
import { type Chain, makeChain } from '../../servers/certificates.ts';
import { homeWith, secret } from './mysql-home.ts';
import { type Impostor, ok, startImpostor, switchTo } from './mysql-impostor.ts';
import { openPlace, type Place, remembering, served } from './postgres-place.ts';
import { int32, letIn, message } from './postgres-visitor.ts';

const folder = mkdtempSync(join(tmpdir(), 'sallyport-public-'));
const usual = getCACertificates('default');
let chain: Chain;
let place: Place | null = null;
let impostor: Impostor | null = null;

beforeAll(() => {
  chain = makeChain(folder, ['of-the-program.example']);
  setDefaultCACertificates([...usual, readFileSync(chain.rootFile, 'utf8')]);
});
afterEach(async () => {
  await place?.close();
  await impostor?.stop();
  place = impostor = null;
});
afterAll(() => {
  setDefaultCACertificates(usual);
  rmSync(folder, { recursive: true });
});

const tls = (caFile: string | null) => ({ tls: { mode: 'verify-ca', caFile } }) as const;
const stored = { kind: 'stored' } as const;

test.each([
  ['those this computer trusts', false],
  ['the connection’s own', true],
])('PostgreSQL, asked for the password itself, with the authorities %s', async (_, isOwn) => {
  place = await openPlace({ host: '127.0.0.1', port: 0 });
  place.is(async visitor => {
    await visitor.startUp(served(chain));
    visitor.send(message('R', int32(3)));
    await visitor.message();
    visitor.send(letIn);
  });
  const { database } = await remembering(secret, {
    engine: 'postgres',
    filePath: null,
    host: '127.0.0.1',
    port: place.port,
    user: 'anna',
    password: stored,
    ...tls(isOwn ? chain.rootFile : null),
  });
  await runOn(database, 'select 1', { timeoutSeconds: 3 });
  await database.close();
  expect(place.journal.text).toContain('anna');
  expect(place.journal.text.includes(secret)).toBe(isOwn);
});

test.each([
  ['those this computer trusts', false],
  ['the connection’s own', true],
])('MySQL, asked for the password itself, with the authorities %s', async (_, isOwn) => {
  impostor = await startImpostor({
    tls: chain,
    answer: async visit => {
      visit.send(switchTo('mysql_clear_password'));
      await visit.read();
      visit.send(ok);
    },
  });
  const home = await homeWith({ port: impostor.port, ...tls(isOwn ? chain.rootFile : null) });
  await home.client();
  expect(impostor.logins()).toBeGreaterThan(0);
  expect(impostor.packets().some(packet => packet.includes(secret))).toBe(isOwn);
});
