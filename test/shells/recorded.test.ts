/**
 * What a shell's commands leave in the activity log, without any secret of theirs; and its pages
 * over the socket.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { english } from '../../daemon/guard/reason.ts';
import { shownElse } from '../../daemon/shells/increase-gate.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { until } from '../waiting/until.ts';
import { postgresAt, shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeAll(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
});
afterAll(async () => {
  shell.close();
  await daemon.end();
});

const standing = { level: 'readOnly', until: null, policy: 'always', digest: expect.stringMatching(/^[0-9a-f]{16}$/) };

test('each change is one row, a question is none, and no row has a secret', async () => {
  const password = { kind: 'stored', value: 'geheim one' } as const;
  const { id } = await shell.ask('connections.save', { name: 'Shop', endpoint: postgresAt('db.example'), password });
  await shell.ask('connections.save', { connection: 'Shop', rowLimit: 7, password });
  const minted = { scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false } as const;
  const token = await shell.ask('tokens.mint', { name: 'Editor', ...minted });
  await shell.ask('tokens.list', {});
  await shell.ask('settings.set', { key: 'results.maxRows', value: 5000 });
  await expect(shell.ask('settings.set', { key: 'results.maxRows', value: 'geheim two' })).rejects.toThrow();
  await shell.ask('tokens.revoke', { id: token.id });
  await expect(shell.ask('tokens.revoke', { id: 'nobody' })).rejects.toThrow();
  await shell.ask('pause', {});
  await shell.ask('passphrase.set', { passphrase: 'geheim three and four' });
  await expect(shell.ask('resume', {}, 'geheim five and six')).rejects.toThrow();
  await shell.ask('connections.delete', { connection: 'Shop' });

  const connection = { id, name: 'Shop' };
  expect(daemon.recorded).toMatchObject([
    {
      category: 'admin',
      action: 'connection.add',
      outcome: 'success',
      connection,
      reason: 'clients may only read, AI policy always',
      standing,
    },
    {
      action: 'connection.change',
      connection,
      reason: 'changed: rowLimit, password; clients may only read, AI policy always',
      standing,
    },
    {
      action: 'token.mint',
      principal: token.id,
      tokenName: 'Editor',
      reason: 'readOnly, connections: all, until 2026-11-21T12:00:00.000Z',
      standing: { ...standing, until: '2026-11-21T12:00:00.000Z', policy: null },
    },
    { action: 'setting.change', outcome: 'success', reason: 'results.maxRows is 5000' },
    { action: 'token.revoke', outcome: 'success', principal: token.id, tokenName: 'Editor' },
    { action: 'token.revoke', outcome: 'denied', reason: expect.stringContaining('There is no token') },
    { action: 'pause', outcome: 'success' },
    { action: 'passphrase.set', outcome: 'success' },
    // By the gate of privilege increases, and only by it.
    { category: 'access', action: 'increase', outcome: 'denied' },
    // One that comes back in a stopped store is more than that.
    { action: 'connection.delete', outcome: 'success', connection, standing: { level: 'none' } },
  ]);
  // The person's shell has the place of a client.
  const who = `sallyport (process ${process.pid}, started by bash) on /dev/pts/3`;
  expect([...new Set(daemon.recorded.map(({ client }) => client))]).toEqual([
    who,
    // What gave more access while the passphrase was off.
    `${who}, without confirmation`,
  ]);
  expect(JSON.stringify(daemon.recorded)).not.toMatch(/geheim/);
  expect(JSON.stringify(daemon.recorded)).not.toContain(token.token);
});

test('each row names its request; a fault has one too, with the id from the log and the answer', async () => {
  await shell.ask('pause', {});
  await shell.ask('history.clear', {}, 'geheim three and four');
  const [paused, confirmed, cleared] = daemon.recorded.slice(-3);
  expect(cleared).toMatchObject({ action: 'history.clear', outcome: 'success', reason: '2 statements' });
  expect(confirmed).toMatchObject({ action: 'increase', requestId: cleared?.requestId });
  expect(paused?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(cleared?.requestId).not.toBe(paused?.requestId);

  Object.assign(daemon.ports, { history: { clear: () => Promise.reject(new Error('geheim')) } });
  const fault = await shell.ask('history.clear', {}, 'geheim three and four').catch((error: Error) => error.message);
  const row = daemon.recorded.at(-1);
  expect(row).toMatchObject({ category: 'access', action: 'request', outcome: 'error' });
  expect(row?.reason).toBe('internal_failure: history.clear');
  expect(fault).toContain(String(row?.requestId));
  expect(fault).not.toContain('geheim');
});

test('that a command of the person’s is set is a row, without the command', async () => {
  await shell.ask('settings.set', { key: 'approval.hook', value: 'notify --key geheim' }, 'geheim three and four');
  await shell.ask('settings.set', { key: 'approval.hook', value: '' });
  const changes = daemon.recorded.filter(({ action }) => action === 'setting.change').slice(-2);
  expect(changes.map(({ reason }) => reason)).toEqual(['approval.hook is set', 'approval.hook is none']);
  expect(JSON.stringify(daemon.recorded)).not.toContain('--key');
});

test('a change is answered once its row is on the disk', async () => {
  const { flush } = daemon.ports.activity;
  let write = (): void => {};
  const written = new Promise<void>(resolve => {
    write = resolve;
  });
  Object.assign(daemon.ports.activity, { flush: () => written.then(flush) });
  let isAnswered = false;
  const answer = shell.ask('pause', {}).then(() => {
    isAnswered = true;
  });
  await until(() => daemon.recorded.at(-1)?.action === 'pause', 'the row of the pause');
  await shell.ask('status', {});
  expect(isAnswered).toBe(false);
  write();
  await answer;
  Object.assign(daemon.ports.activity, { flush });
  // What was shown before this pause allows nothing.
  const passphrase = 'geheim three and four';
  await expect(shell.ask('resume', {}, passphrase)).rejects.toThrow(english(shownElse));
  await shell.ask('resume', {}, passphrase);
});

test('a refused question leaves a row, with what was asked for', async () => {
  await shell.ask('connections.save', { name: 'Payroll', endpoint: postgresAt('db.example') });
  await shell.ask('connections.save', { connection: 'Payroll', externalClients: { level: 'blocked' } });
  const asked = [
    () => shell.ask('history.query', { connection: 'Payroll', limit: 10 }),
    () => shell.ask('connections.show', { connection: 'Payrol' }),
    () => shell.ask('desk.decide', { ids: ['nobody asked'], answer: 'no' }),
  ];
  const before = daemon.recorded.length;
  for (const ask of asked) await expect(ask()).rejects.toThrow();
  const denied = { category: 'access', action: 'request', outcome: 'denied' };
  expect(daemon.recorded.slice(before)).toMatchObject([
    { ...denied, reason: expect.stringMatching(/^history\.query: AI clients may not read "Payroll" unasked/) },
    { ...denied, reason: expect.stringMatching(/^connections\.show: There is no connection "Payrol"/) },
    {
      category: 'admin',
      action: 'request.answer',
      outcome: 'denied',
      reason: expect.stringMatching(/^What was chosen no longer waits/),
    },
  ]);
  // A request in the wrong form asked for nothing.
  await expect(shell.ask('history.query', { limit: 0 })).rejects.toThrow();
  expect(daemon.recorded).toHaveLength(before + asked.length);
});

test("a row's statement is asked for by its hash, around the time of the row, and on connections that are hidden not at all", async () => {
  const questions: unknown[] = [];
  const { history } = daemon.ports;
  const search = async (asked: unknown) => {
    questions.push(asked);
    return [];
  };
  Object.assign(daemon.ports, { history: { search } });
  const of = { hash: 'ab'.repeat(32), time: '2026-11-20T12:00:00.000Z' };
  await shell.ask('history.query', { of, limit: 1 });
  Object.assign(daemon.ports, { history });
  expect(questions).toMatchObject([
    {
      statementHash: of.hash,
      since: Date.parse('2026-11-20T11:59:00.000Z'),
      until: Date.parse('2026-11-20T13:00:00.000Z'),
      connections: expect.any(Array),
      limit: 1,
    },
  ]);
  await expect(shell.ask('history.query', { of: { ...of, hash: 'select 1' }, limit: 1 })).rejects.toThrow(/64 hex/);
});

test('each row says in words what was done', async () => {
  const { rows } = await shell.ask('activity.query', { limit: 1_000 });
  expect(rows.find(({ action }) => action === 'connection.add')?.what).toBe('Add a connection');
  expect(rows.find(({ action }) => action === 'resume')?.what).toBe('Resume');
});

test('more than fits into one message comes in pages without a gap', async () => {
  const wide = { category: 'tool', action: 'a tool', outcome: 'error', reason: '\u0001'.repeat(1_000) } as const;
  for (let times = 0; times < 400; times++) daemon.ports.activity.record({ ...wide, client: '\u0001'.repeat(256) });
  const numbers: number[] = [];
  let pages = 0;
  for (let before: number | null = null; ; pages++) {
    const page: Awaited<ReturnType<typeof ask>> = await ask(before);
    numbers.push(...page.rows.map(({ number }) => number));
    before = page.older;
    if (before === null) break;
  }
  expect(pages).toBeGreaterThan(2);
  expect(numbers.length).toBeGreaterThan(400);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) - index));

  function ask(before: number | null) {
    return shell.ask('activity.query', { limit: 1_000, before });
  }
});

test('what was taken and not kept pauses, and says so whatever kept it from the store', async () => {
  const broken = new Error('geheim');
  const { save } = daemon.connectionStore;
  Object.assign(daemon.connectionStore, { save: () => Promise.reject(broken) });
  const pauses = daemon.ports.pauseCount();
  const narrow = { connection: 'Payroll', externalClients: { level: 'blocked' }, aiPolicy: 'never' } as const;
  const said = await shell.ask('connections.save', narrow).catch((error: Error) => error.message);
  Object.assign(daemon.connectionStore, { save });
  const row = daemon.recorded.at(-1);
  expect(said).toBe(
    `Paused, not narrowed, since that could not be stored. The daemon's log says why under request ${row?.requestId}; look there, then do it again and run \`sallyport resume\`.`,
  );
  expect(row).toMatchObject({ action: 'connection.change', outcome: 'denied', reason: said });
  expect(daemon.ports.pauseCount()).toBe(pauses + 1);
  expect(daemon.reported).toContain(broken);
});
