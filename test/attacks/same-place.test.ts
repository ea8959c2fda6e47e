/** Two connections lead to the same database and the person blocked one: status names the other. */

import { linkSync, mkdtempSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { samePlacePart } from '../../daemon/access/privilege-increases/same-place.ts';
import { samePlaceNotes } from '../../daemon/status.ts';
import { openSeenFiles } from '../../daemon/storage/seen-files.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { connectionWith } from '../access/principals.ts';
import { needs } from '../needs.ts';
import { hangFolder, missingForHangingFolder } from '../servers/hanging-folder.ts';
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

needs(missingForHangingFolder()).test('one whose file was never seen, as another hangs, may be any', async () => {
  const [held, copy, other] = [file('held.db'), file('held-copy.db'), file('free.db')];
  unlinkSync(copy);
  linkSync(held, copy);
  const hung = mkdtempSync('/tmp/sallyport-hung-');
  const at = (name: string, filePath: string, more = {}) => connectionWith({ id: name, name, filePath, ...more });
  const blocked = at('Held', held, { externalClients: { level: 'blocked', writeUntil: null } });
  const others = [at('Hung', join(hung, 'shop.db')), blocked].map(connection => {
    return { connection, isRemoved: false, wasTakenAway: false };
  });
  const seen = openSeenFiles();
  const saved = async (path: string) => {
    const late = await seen.look([path, ...others.map(({ connection }) => connection.filePath ?? '')]);
    expect(late).not.toContain(path);
    return samePlacePart(null, at('New', path), Date.now(), { others, fileIdentity: seen.identity })?.phrase;
  };
  const answers = await hangFolder(hung);
  try {
    expect(await saved(copy)).toBe('may give clients more access to the place of "Held", as a file has not answered');
  } finally {
    await answers();
    rmdirSync(hung);
  }
  expect(await saved(copy)).toBe('gives clients more access to the place of "Held"');
  expect(await saved(other)).toBe(undefined);
});
