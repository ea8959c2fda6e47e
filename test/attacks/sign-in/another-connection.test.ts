/**
 * Threat: a program with the shell secret, and no passphrase, answers in a server's place, and makes
 * it known by a connection and a password of its own. What was shown to that password says nothing
 * about the server of anybody else's.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ControlClient } from '../../../shell-terminal/control-client.ts';
import { describeWithPostgres } from '../../engines/postgres/suite.ts';
import { type Chain, makeChain } from '../../servers/certificates.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { postgresAt } from '../../shells/asking.ts';
import { forgedShell } from '../agent-with-a-shell/forged-shell.ts';
import { openPlace, type Place, served, throughTo } from './postgres-place.ts';
import { int32, letIn, message } from './postgres-visitor.ts';

const password = 'not-to-be-read';
const clearText = message('R', int32(3));

describeWithPostgres('in the place of a server that was known,', suite => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-another-'));
  let chain: Chain;
  let home: RealHome;
  let agent: ControlClient;
  let place: Place;

  beforeAll(async () => {
    chain = makeChain(folder, ['localhost']);
    home = realHome(0, 'owner');
    await home.run(['start']);
    agent = await forgedShell(home.home, 'terminal');
    await suite.server.psql(`create role anna login password '${password}'`);
  }, 60_000);
  afterAll(async () => {
    agent?.close();
    await home?.clean();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    place = await openPlace({ host: '127.0.0.1', port: 0 });
    place.is(throughTo(suite.server.port));
  });
  afterEach(async () => {
    for (const { id } of (await agent.ask('connections.list', {})).connections) {
      await agent.ask('connections.delete', { connection: id });
    }
    await place.close();
  });

  const here = () => ({ ...postgresAt('localhost', place.port), database: 'postgres' });
  /** Its certificate is by an authority of its own, of which its own connection knows. */
  const own = () => ({
    name: 'Own',
    endpoint: here(),
    tls: { mode: 'verify-full' as const, caFile: chain.rootFile },
    password: { kind: 'stored' as const, value: 'of-the-program' },
  });

  async function saveVictim(): Promise<void> {
    await agent.ask('connections.save', {
      name: 'Shop',
      endpoint: here(),
      password: { kind: 'stored', value: password },
    });
  }

  function impostor(says: Buffer): void {
    place.cut();
    place.is(async visitor => {
      await visitor.startUp(served(chain));
      visitor.send(says);
      for (;;) {
        await visitor.message();
        visitor.send(letIn);
      }
    });
  }

  async function expectNotRead(): Promise<void> {
    impostor(clearText);
    place.journal.clear();
    await agent.ask('connections.test', { connection: 'Shop' });
    expect(place.journal.text).toContain('anna');
    expect(place.journal.text).not.toContain(password);
  }

  test.each([
    ['a draft', () => agent.ask('connections.try', own())],
    [
      'a connection of its own',
      async () => {
        await agent.ask('connections.save', own());
        return agent.ask('connections.test', { connection: 'Own' });
      },
    ],
    [
      'a draft of that connection with a password of its own',
      () => agent.ask('connections.try', { ...own(), connection: 'Shop', name: 'Shop' }),
    ],
  ])('%s makes no other key known', async (_, tries) => {
    await saveVictim();
    expect(await agent.ask('connections.test', { connection: 'Shop' })).toMatchObject({ reachable: true });
    impostor(letIn);
    await tries();
    await expectNotRead();
  });

  test('nor before that connection is saved', async () => {
    impostor(letIn);
    await agent.ask('connections.save', own());
    await agent.ask('connections.test', { connection: 'Own' });
    await saveVictim();
    impostor(clearText);
    place.journal.clear();
    await home.here(['query', 'Shop', 'select 1']);
    expect(place.journal.text).toContain('anna');
    expect(place.journal.text).not.toContain(password);
  });

  test('nor is a connection without a password opened to any server, for one that is saved later', async () => {
    await agent.ask('connections.save', { name: 'Shop', endpoint: here() });
    await expect(agent.ask('connections.save', { connection: 'Shop', identity: 'any' })).rejects.toThrow(
      /signs "Shop" in to any server at its address/,
    );
  });
});
