/**
 * What is pushed when lists change (spec §11 Pushed): only to shells that asked, one line however
 * much has changed, and nothing more to a shell that doesn't read.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { until } from '../waiting/until.ts';
import { shellOf, sqliteAt, sqliteFiles } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { provedPeer, request } from './raw-peer.ts';

const file = sqliteFiles();

let daemon: DaemonInProcess;
let shell: ControlClient;
let heard: string[];
beforeEach(async () => {
  daemon = await startDaemonInProcess({ limits: { changesPauseMilliseconds: 50 } });
  shell = await listening();
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

async function listening(): Promise<ControlClient> {
  const client = await shellOf(daemon);
  const methods: string[] = [];
  heard = methods;
  client.onNotification(({ method, params }) => {
    expect(params).toEqual({});
    methods.push(method);
  });
  return client;
}

/**
 * Changes the settings and waits until that is reported and written: by then all earlier changes
 * are reported.
 */
async function settingsChangedLast(): Promise<void> {
  await shell.ask('settings.set', { key: 'results.maxRows', value: 8 });
  await until(() => heard.includes('settings.changed'), 'the change of the settings is told');
  await shell.ask('settings.list', {});
}

const mint = (name: string, confirmInClient = false) =>
  shell.ask('tokens.mint', { name, scope: 'readOnly', connections: 'all', expires: 1, confirmInClient });

test('a shell that didn’t ask hears nothing', async () => {
  await mint('a');
  await shell.ask('connections.save', { name: 'One', endpoint: sqliteAt(file('one.db')) });
  // A push would come before this answer.
  await shell.ask('settings.list', {});
  expect(heard).toEqual([]);
});

test('each kind of change is told to shells that asked, whoever makes it', async () => {
  const other = await listening();
  const told = heard;
  await other.ask('changes.follow', {});
  const { id } = await mint('a');
  await until(() => told.at(-1) === 'tokens.changed', 'changed tokens are told');
  await shell.ask('connections.save', { name: 'One', endpoint: sqliteAt(file('one.db')) });
  await until(() => told.at(-1) === 'connections.changed', 'changed connections are told');
  await shell.ask('settings.set', { key: 'results.maxRows', value: 7 });
  await until(() => told.at(-1) === 'settings.changed', 'changed settings are told');
  for (const narrow of [
    () => shell.ask('tokens.revoke', { id }),
    () => shell.ask('tokens.delete', { id }),
    () => shell.ask('connections.delete', { connection: 'One' }),
  ]) {
    const before = told.length;
    await narrow();
    await until(() => told.length > before, 'it is told');
  }
  expect(told).toEqual([
    'tokens.changed',
    'connections.changed',
    'settings.changed',
    'tokens.changed',
    'tokens.changed',
    'connections.changed',
  ]);
  other.close();
});

test('the bridge’s token comes and goes without a report', async () => {
  await shell.ask('changes.follow', {});
  daemon.tokens.mintBridgeToken(60);
  daemon.tokens.endBridgeTokens();
  await settingsChangedLast();
  expect(heard).toEqual(['settings.changed']);
});

test('a hundred changes at once are two lines, and the activity is followed too', async () => {
  await shell.ask('activity.follow', {});
  await shell.ask('changes.follow', {});
  const rows: unknown[] = [];
  const changes: string[] = [];
  shell.onNotification(({ method, params }) => {
    if (method === 'activity.appended') rows.push(params?.rows);
    else changes.push(method);
  });
  await Promise.all(Array.from({ length: 30 }, (_, index) => mint(`t${index}`)));
  await until(() => rows.flat().length >= 30, 'the activity is told');
  await shell.ask('settings.set', { key: 'results.maxRows', value: 8 });
  await until(() => changes.at(-1) === 'settings.changed', 'what came last is told');
  changes.pop();
  expect(changes.length).toBeGreaterThanOrEqual(2);
  expect(changes.length).toBeLessThan(30);
});

test('one that asked twice is told once', async () => {
  await shell.ask('changes.follow', {});
  await shell.ask('changes.follow', {});
  await mint('a');
  await settingsChangedLast();
  expect(heard).toEqual(['tokens.changed', 'settings.changed']);
});

test('one that never reads is owed one line of each, and isn’t cut off for it', async () => {
  const { peer, line } = await provedPeer(daemon.socketPath, String(daemon.secrets.get('shell/secret')));
  peer.write(`${line(1, request('changes.follow', {}))}\n`);
  await peer.nextLine();
  peer.socket.pause();
  // Filled first, since the system's own buffer for a reader isn't ours to count.
  for (let index = 2; index < 12; index += 1) peer.write(`${line(index, request('settings.list', {}, index))}\n`);
  for (let index = 0; index < 2_000; index += 1) {
    daemon.tokens.mintUnkept({
      ...{ name: 'x', scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false, client: null },
    });
    if (index % 100 === 0) await new Promise(resolve => setTimeout(resolve, 5));
  }
  let isOver = false;
  void peer.closed.then(() => {
    isOver = true;
  });
  await shell.ask('status', {});
  expect(isOver).toBe(false);
  peer.socket.resume();
  const told: string[] = [];
  for (let answers = 0; answers < 10; ) {
    const read = await peer.nextLine();
    const { method } = JSON.parse(String(JSON.parse(String(read)).message));
    if (method === undefined) answers += 1;
    else told.push(method);
  }
  expect(told.length).toBeLessThan(100);
  expect(new Set(told).size).toBeLessThanOrEqual(1);
  peer.end();
});
