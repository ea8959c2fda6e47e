/** Two connections lead to the same database and the person blocked one: status names the other. */

import { symlinkSync, unlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { samePlaceNotes } from '../../daemon/status.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { shellOf, sqliteAt, sqliteFiles } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

const file = sqliteFiles();

let daemon: DaemonInProcess;
let agent: ControlClient;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  agent = await shellOf(daemon);
});
afterEach(async () => {
  agent.close();
  await daemon.end();
});

describe('a connection saved before its place was blocked', () => {
  test('is named by status if it is the same database', async () => {
    const [path, copy] = [file('before.db'), file('before-copy.db')];
    unlinkSync(copy);
    symlinkSync(path, copy);
    await agent.ask('connections.save', { name: 'Copy', endpoint: sqliteAt(copy) });
    await agent.ask('connections.save', {
      name: 'Shop',
      endpoint: sqliteAt(path),
      externalClients: { level: 'blocked' },
    });
    await agent.ask('connections.save', { name: 'Other', endpoint: sqliteAt(file('other.db')) });
    const { connections, fileIdentity, now } = daemon.ports;
    expect(samePlaceNotes(connections.list(), now(), fileIdentity)).toEqual([
      {
        code: 'same_place',
        sentence:
          'AI clients may use "Copy", which leads to the same place as "Shop", which you keep from them. Block it too, or remove it, if that isn\'t meant.',
      },
    ]);
    await agent.ask('connections.save', { connection: 'Copy', externalClients: { level: 'blocked' } });
    expect(samePlaceNotes(connections.list(), now(), fileIdentity)).toEqual([]);
  });
});
