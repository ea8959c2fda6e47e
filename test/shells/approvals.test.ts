/**
 * Open questions on the control socket (spec §11, §12): who is attached, who is told, and the one
 * answer that each question gets.
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { QuestionContent } from '../../daemon/access/questions/approvals.ts';
import type { ControlNotification } from '../../shared/control.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { principalWith } from '../access/principals.ts';
import { until } from '../waiting/until.ts';
import { shellOf } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';
import { askedIn, endedIn, nothingElse } from './desk-pushes.ts';
import { rawPeer, request } from './raw-peer.ts';

let daemon: DaemonInProcess;
const shells: ControlClient[] = [];
beforeEach(async () => {
  daemon = await startDaemonInProcess();
});
afterEach(async () => {
  for (const shell of shells.splice(0)) shell.close();
  expect(daemon.reported).toEqual([]);
  await daemon.end();
});

async function connect(answers: boolean): Promise<{ shell: ControlClient; heard: ControlNotification[] }> {
  const shell = await shellOf(daemon);
  shells.push(shell);
  const heard: ControlNotification[] = [];
  shell.onNotification(notification => heard.push(notification));
  if (answers) await shell.ask('desk.attach', { answers: true });
  return { shell, heard };
}

const shown = { text: 'drop\ntable t', class: 'destructive' } as const;
const content: QuestionContent = {
  kind: 'statement',
  client: 'a client',
  means: 'Once.',
  connection: { id: 'shop', name: 'Shop', tags: [], colour: null },
  statement: { ...shown, reason: 'DROP removes.', reasonParts: [], tables: ['t'] },
};
const ask = (signal = new AbortController().signal) => daemon.approvals.ask(principalWith(), content, signal);

describe('attached', () => {
  test('is a shell that said so, until it says otherwise or is gone', async () => {
    const { shell } = await connect(false);
    expect(await ask()).toEqual({ kind: 'nobody' });
    await shell.ask('desk.attach', { answers: true });
    expect(daemon.control.someoneAnswers()).toBe(true);
    await shell.ask('desk.attach', { answers: false });
    expect(daemon.control.someoneAnswers()).toBe(false);
    await shell.ask('desk.attach', { answers: true });
    shell.close();
    await until(() => !daemon.control.someoneAnswers(), 'the shell is detached');
    expect(await ask()).toEqual({ kind: 'nobody' });
  });

  test('isn’t a shell without a terminal, whatever it wants; it sees the open questions', async () => {
    for (const originOf of [
      async () => null,
      async (pid: number) => ({ pid, terminal: null, programs: ['claude', 'bash', 'sallyport'], lineage: [] }),
    ]) {
      const other = await startDaemonInProcess({ originOf });
      const shell = await shellOf(other, 'app');
      expect(await shell.ask('desk.attach', { answers: true })).toEqual({ asks: [], attached: false });
      expect(other.control.someoneAnswers()).toBe(false);
      shell.close();
      await other.end();
    }
  });

  test('is Sallyport.app, which has no terminal', async () => {
    const originOf = async () => null;
    const mac = await startDaemonInProcess({ platform: 'darwin', backend: () => 'keychain', originOf });
    const shell = await shellOf(mac, 'app');
    expect(await shell.ask('desk.attach', { answers: true })).toEqual({ asks: [], attached: true });
    expect(mac.control.someoneAnswers()).toBe(true);
    shell.close();
    await mac.end();
  });

  test('isn’t anything without the proof of a shell', async () => {
    const peer = await rawPeer(daemon.socketPath);
    peer.send(request('desk.attach', { answers: true }));
    expect(await peer.next()).toMatchObject({ error: { code: -33009 } });
    peer.end();
    expect(daemon.control.someoneAnswers()).toBe(false);
  });
});

describe('a question', () => {
  test('is pushed to each proved shell, in full; so is its end', async () => {
    const [attached, other] = [await connect(true), await connect(false)];
    const verdict = ask();
    const [{ id } = { id: '' }] = daemon.approvals.pending();
    await until(() => other.heard.length === 1, 'the question was pushed');
    expect(other.heard[0]).toEqual({
      jsonrpc: '2.0',
      method: 'desk.changed',
      params: {
        waiting: 1,
        asked: {
          id,
          kind: 'statement',
          title: { text: expect.stringContaining('destructive'), parts: [expect.anything()] },
          waits: true,
          client: 'a client',
          token: 'a token',
          connection: { id: 'shop', name: 'Shop', tags: [], colour: null },
          lacks: null,
          runsBy: 'client',
          // The statement says it.
          means: null,
          statement: { ...shown, characters: 12, lines: 2, parameters: [], schema: null, database: null },
          sentence: null,
          facts: [
            ['Calls itself', 'a client'],
            ['Token', 'a token'],
            ['Connection', 'Shop'],
            ['Tables', 't'],
            ['Length', '12 characters, 2 lines'],
            ['Why', 'DROP removes.'],
          ].map(([label, value]) => expect.objectContaining({ label, value })),
          pairing: null,
          answers: ['yes', 'no'],
          times: 1,
          askedAt: '2026-11-20T12:00:00.000Z',
          expiresAt: '2026-11-20T12:05:00.000Z',
        },
        ended: null,
      },
    });
    expect((await other.shell.ask('desk.list', {})).asks).toEqual(other.heard.flatMap(askedIn));
    expect(await other.shell.ask('desk.decide', { ids: [id], answer: 'yes' })).toEqual({
      ids: [id],
      answer: 'yes',
      ...nothingElse,
    });
    expect(await verdict).toEqual({ kind: 'yes' });
    const ended = { id, because: 'yes' };
    const end = { jsonrpc: '2.0', method: 'desk.changed', params: { waiting: 0, asked: null, ended } };
    await until(() => attached.heard.length === 2, 'its end was pushed');
    expect(attached.heard).toEqual([other.heard[0], end]);
  });

  test('and its answer are on record, with who answered', async () => {
    const { shell } = await connect(true);
    const passphrase = 'correct horse battery';
    const answered = async (answer: 'yes' | 'no', typed?: string): Promise<unknown> => {
      const verdict = ask();
      const [{ id } = { id: '' }] = daemon.approvals.pending();
      await shell.ask('desk.decide', { ids: [id], answer }, typed);
      await verdict;
      return daemon.recorded.filter(({ action }) => action === 'approval.decide').at(-1);
    };
    const who = `sallyport (process ${process.pid}, started by bash) on /dev/pts/3`;
    const row = { client: 'a client', tokenName: 'a token' };
    expect(await answered('yes')).toMatchObject({ ...row, reason: `yes by ${who}, without confirmation` });
    await shell.ask('passphrase.set', { passphrase });
    const confirmed = `yes by ${who}, confirmed with the owner passphrase`;
    expect(await answered('yes', passphrase)).toMatchObject({ ...row, outcome: 'success', reason: confirmed });
    expect(await answered('no')).toMatchObject({
      ...row,
      outcome: 'denied',
      reason: `no by ${who}, without confirmation`,
    });
    expect(daemon.recorded.find(({ action }) => action === 'increase')).toMatchObject({ client: who });
  });

  test('gets one answer of two shells', async () => {
    const [first, second] = [await connect(true), await connect(true)];
    const verdict = ask();
    const [{ id } = { id: '' }] = daemon.approvals.pending();
    const answers = await Promise.allSettled([
      first.shell.ask('desk.decide', { ids: [id], answer: 'no' }),
      second.shell.ask('desk.decide', { ids: [id], answer: 'yes' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: -33007, message: expect.stringMatching(/^What was chosen no longer waits: .*\.$/) },
    });
    expect((await verdict).kind).toBe(answers[0]?.status === 'fulfilled' ? 'no' : 'yes');
  });

  test('outlives the shell that was attached', async () => {
    const { shell } = await connect(true);
    const verdict = ask();
    shell.close();
    await until(() => !daemon.control.someoneAnswers(), 'the shell is detached');
    const again = await connect(false);
    const { asks } = await again.shell.ask('desk.attach', { answers: true });
    expect(asks).toHaveLength(1);
    await again.shell.ask('desk.decide', { ids: [asks[0]?.id ?? ''], answer: 'yes' });
    expect(await verdict).toEqual({ kind: 'yes' });
  });

  test('ends with its request', async () => {
    const { shell, heard } = await connect(true);
    const aborting = new AbortController();
    const verdict = ask(aborting.signal);
    const [{ id } = { id: '' }] = daemon.approvals.pending();
    aborting.abort();
    expect(await verdict).toEqual({ kind: 'cancelled' });
    await until(() => heard.length === 2, 'its end was pushed');
    expect(heard.flatMap(endedIn)).toEqual([{ id, because: 'cancelled' }]);
    await expect(shell.ask('desk.decide', { ids: [id], answer: 'yes' })).rejects.toThrow(/no longer waits/);
  });
});

test.each<[string, unknown]>([
  ['desk.decide', {}],
  ['desk.decide', { ids: ['x'], answer: 'maybe' }],
  ['desk.decide', { ids: [], answer: 'yes' }],
  ['desk.decide', { ids: ['x', 'x'], answer: 'yes' }],
  ['desk.decide', { ids: [7], answer: 'yes' }],
  ['desk.attach', {}],
  ['desk.attach', { answers: 'yes' }],
  ['desk.list', { all: true }],
])('%s with %j gets -32602', async (method, params) => {
  const { shell } = await connect(false);
  await expect(shell.ask(method as 'desk.decide', params as never)).rejects.toMatchObject({ code: -32602 });
});
