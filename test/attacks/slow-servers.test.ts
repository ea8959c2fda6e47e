/**
 * Threat: a program with the shell secret, and no passphrase, keeps a turn busy with a server that
 * never answers, so that its person waits to take access away.
 */

import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, test } from '@jest/globals';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { postgresAt } from '../shells/asking.ts';
import { expectWithin } from '../waiting/limits.ts';
import { forgedShell } from './agent-with-a-shell/forged-shell.ts';

let home: RealHome;
let agent: ControlClient;
let silent: Server;

beforeAll(async () => {
  home = realHome(0, 'owner');
  await home.run(['start']);
  silent = createServer(socket => socket.on('error', () => {}));
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  agent = await forgedShell(home.home, 'agent');
}, 60_000);
afterAll(async () => {
  agent?.close();
  await home?.clean();
  silent?.close();
});

test('a connection is blocked at once, however many roles are planned on a silent server', async () => {
  const { port } = silent.address() as AddressInfo;
  await agent.ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example') });
  await agent.ask('connections.save', { name: 'Slow', endpoint: postgresAt('127.0.0.1', port) });
  const planned = Array.from({ length: 4 }, () =>
    agent.ask('connections.role', { connection: 'Slow', role: 'reader', access: 'readOnly', schemas: ['public'] }),
  );
  const settled = Promise.allSettled(planned);
  const owner = await forgedShell(home.home, 'terminal');
  const began = performance.now();
  await owner.ask('connections.save', { connection: 'Shop', externalClients: { level: 'blocked' } });
  expectWithin(began, 3_000);
  owner.close();
  agent.close();
  await settled;
}, 300_000);
