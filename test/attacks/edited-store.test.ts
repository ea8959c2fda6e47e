/**
 * Threat: while Sallyport is stopped, a program of the same user edits the store so that clients
 * may do more than anybody allowed. No program can prevent that (SECURITY.md), but Sallyport
 * reports it until the edit is undone.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ActivityRowView, StatusResult, TokenView } from '../../shared/control-commands.ts';
import { noteText } from '../../shared/note.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { SqliteFile } from '../sqlite-file.ts';

let home: RealHome;
beforeEach(async () => {
  home = realHome();
  expect((await home.run(['start'])).code).toBe(0);
  for (const name of ['Shop', 'Other'])
    expect((await home.here(['connections', 'add', `postgres://clerk@127.0.0.1:1/${name}`, '--name', name])).code).toBe(
      0,
    );
  expect((await home.here(['tokens', 'mint', '--name', 'Editor', '--scope', 'read-only'])).code).toBe(0);
});
afterEach(() => home.clean());

async function whileStopped(work: () => void): Promise<void> {
  expect((await home.run(['stop'])).code).toBe(0);
  work();
  expect((await home.run(['start'])).code).toBe(0);
}

function edit(sql: string, ...values: readonly string[]): void {
  const store = new SqliteFile(join(home.home, 'sallyport.db'));
  expect(store.prepare(sql).run(...values).changes).toBe(1);
  store.close();
}

async function told(): Promise<string[]> {
  const { notes } = await home.json<StatusResult>(['status']);
  return notes.filter(({ code }) => code === 'unknown_to_log').map(noteText);
}

async function problems(): Promise<string[]> {
  const { stdout } = await home.here(['doctor', '--json']);
  const { checks }: { checks: { name: string; ok: boolean; says: string }[] } = JSON.parse(stdout);
  return checks.filter(check => !check.ok && check.name === 'access').map(({ says }) => says);
}

const raise = `update connections set record = json_set(record, '$.externalClients.level', 'readWrite') where name = ?`;
const raised = `The activity log doesn't know what "Shop" allows now: clients may read and write, AI policy always.`;

test('changes by our own commands are known over restarts, and a crash', async () => {
  expect((await home.here(['connections', 'set', 'Shop', '--external-clients', 'blocked'])).code).toBe(0);
  await whileStopped(() => {});
  expect([await told(), await problems()]).toEqual([[], []]);
  expect((await home.here(['connections', 'set', 'Shop', '--external-clients', 'read-only'])).code).toBe(0);
  await home.end('SIGKILL');
  expect((await home.run(['start'])).code).toBe(0);
  expect([await told(), await problems()]).toEqual([[], []]);
}, 60_000);

test('a level that was raised while stopped is reported by status, doctor and the log until it is undone', async () => {
  await whileStopped(() => edit(raise, 'Shop'));
  expect(await told()).toEqual([expect.stringContaining(raised)]);
  expect(await problems()).toEqual([expect.stringContaining(raised)]);
  const rows = await home.json<ActivityRowView[]>(['activity', '--category', 'admin']);
  expect(rows).toContainEqual(
    expect.objectContaining({
      action: 'access.state',
      outcome: 'error',
      reason: raised.replace('activity log', 'log'),
    }),
  );

  // Neither another start nor a change of something else clears the report.
  for (const words of [
    ['--row-limit', '7'],
    ['--external-clients', 'read-write'],
  ])
    expect((await home.here(['connections', 'set', 'Shop', ...words])).code).toBe(0);
  await whileStopped(() => {});
  expect(await told()).toEqual([expect.stringContaining(raised)]);

  await home.here(['connections', 'set', 'Shop', '--external-clients', 'read-only']);
  expect(await told()).toEqual([]);
  await whileStopped(() => {});
  expect([await told(), await problems()]).toEqual([[], []]);
}, 60_000);

test('a level that was lowered earlier and raised while stopped is lowered again', async () => {
  await home.here(['connections', 'set', 'Shop', '--external-clients', 'blocked']);
  await whileStopped(() => edit(raise, 'Shop'));
  expect(await problems()).toEqual([expect.stringContaining('The store gave AI clients more of "Shop"')]);
  const { externalClients } = await home.json<{ externalClients: { level: string } }>(['connections', 'show', 'Shop']);
  expect(externalClients.level).toBe('blocked');
}, 60_000);

test('an address, a policy, a time and a whole connection too', async () => {
  const set = (field: string) => `update connections set record = json_set(record, '$.${field}', ?) where name = ?`;
  const asked = ['connections', 'add', 'postgres://clerk@127.0.0.1:1/asked', '--name', 'Asked', '--ai-policy', 'ask'];
  expect((await home.here(asked)).code).toBe(0);
  await whileStopped(() => edit(set('host'), 'evil.example', 'Shop'));
  expect(await told()).toEqual([expect.stringContaining('where "Shop" leads, or how it is reached')]);
  await whileStopped(() => {
    edit(set('host'), '127.0.0.1', 'Shop');
    edit(set('aiPolicy'), 'always', 'Asked');
    // Less is no alarm.
    edit(set('aiPolicy'), 'askEachTime', 'Other');
    edit(
      `insert into connections (id, name, revision, record)
      select '00000000-0000-4000-8000-000000000000', 'New', revision, record from connections where name = ?`,
      'Shop',
    );
  });
  expect(await told()).toEqual([
    expect.stringContaining('what "Asked" allows now: clients may only read, AI policy always'),
    expect.stringContaining('the connection "New" (clients may only read'),
  ]);
}, 60_000);

test('that one wall is enough for reads', async () => {
  await whileStopped(() =>
    edit(`update connections set record = json_set(record, '$.walls', 'one') where name = ?`, 'Shop'),
  );
  expect(await told()).toHaveLength(1);
}, 60_000);

test('that a table is hidden no more', async () => {
  expect((await home.here(['connections', 'set', 'Shop', '--hide', 'audit_log'])).code).toBe(0);
  await whileStopped(() =>
    edit(`update connections set record = json_remove(record, '$.sight') where name = ?`, 'Shop'),
  );
  expect(await told()).toHaveLength(1);
}, 60_000);

test('that a column is masked no more', async () => {
  expect((await home.here(['connections', 'set', 'Shop', '--mask', 'users.email'])).code).toBe(0);
  await whileStopped(() =>
    edit(`update connections set record = json_remove(record, '$.masks') where name = ?`, 'Shop'),
  );
  expect(await told()).toHaveLength(1);
}, 60_000);

test('what a CA file held, but not that its owner took another', async () => {
  const caFile = join(home.folder, 'ca.pem');
  writeFileSync(caFile, 'one');
  const set = ['connections', 'set', 'Shop', '--tls', 'verify-full', '--ca', caFile];
  expect((await home.here(set)).code).toBe(0);
  writeFileSync(caFile, 'another');
  // It can't be reached, and counts all the same.
  expect((await home.here(['connections', 'trust', 'Shop'])).stdout).toBe('');
  await whileStopped(() => {});
  expect([await told(), await problems()]).toEqual([[], []]);
  await whileStopped(() =>
    edit(`update connections set record = json_set(record, '$.tls.caFileDigest', 'a third') where name = ?`, 'Shop'),
  );
  expect(await told()).toHaveLength(1);
}, 60_000);

test('a removed connection that was restored in the store', async () => {
  await home.here(['connections', 'remove', 'Shop']);
  await whileStopped(() => edit('update connections set removed_at = null where name = ?', 'Shop'));
  const tookBack = 'The store gave AI clients more of "Shop" than you had left them; that was undone.';
  expect((await home.json<StatusResult>(['status'])).notes.map(noteText)).toContainEqual(
    expect.stringContaining(tookBack),
  );
  expect(await problems()).toEqual([expect.stringContaining(tookBack)]);
  expect((await home.here(['connections', 'show', 'Shop'])).code).not.toBe(0);
  const rows = await home.json<ActivityRowView[]>(['activity', '--category', 'admin']);
  expect(rows).toContainEqual(
    expect.objectContaining({
      action: 'access.state',
      outcome: 'error',
      connection: expect.objectContaining({ name: 'Shop' }),
    }),
  );
}, 60_000);

test('a token that got more access in the secrets', async () => {
  const tokens = await home.json<TokenView[]>(['tokens', 'list']);
  await whileStopped(() => {
    const path = join(home.home, 'secrets.json');
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('readOnly', 'fullAccess'));
  });
  expect(await told()).toEqual([expect.stringContaining('that token "Editor" has: fullAccess, connections: all')]);
  await home.here(['tokens', 'revoke', tokens[0]?.id ?? '']);
  expect(await told()).toEqual([]);
}, 60_000);
