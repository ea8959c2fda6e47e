/**
 * How a terminal answers what waits (spec §12): what reaches a real daemon for each answer, and what
 * a person is shown before. test/journeys/approvals/ types them on real terminals.
 */

import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { answersTo, give, giveById } from '../../shell-terminal/desk/answers.ts';
import { type Ask, asAsked, waitingAsks } from '../../shell-terminal/desk/asks.ts';
import { openRequests } from '../../shell-terminal/desk/opened-requests.ts';
import { attach } from '../../shell-terminal/desk/watch.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';
import { principalWith } from '../access/principals.ts';
import { askForAccess } from '../shells/asked-request.ts';
import { postgresAt, shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

let daemon: DaemonInProcess;
let client: ControlClient;
let terminal: Terminal;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  client = await shellOf(daemon);
  await client.ask('desk.attach', { answers: true });
  terminal = { stdout: new PassThrough({ encoding: 'utf8' }), environment: {} } as unknown as Terminal;
});
afterEach(async () => {
  client.close();
  await daemon.end();
});

const shown = (): string => String((terminal.stdout as unknown as PassThrough).read() ?? '');

async function opened(...texts: readonly string[]): Promise<readonly Ask[]> {
  for (const text of texts) await askForAccess(daemon.accessRequests, { text });
  return openRequests(terminal, client, await waitingAsks(client));
}

function question(name = 'Shop') {
  const connection = { id: name, name, tags: [], colour: null };
  const content = { kind: 'first_use', client: 'a client', means: 'Read.', connection, statement: null } as const;
  return daemon.approvals.ask(principalWith(), content, new AbortController().signal);
}

test('a request is shown in full before its answer, where no passphrase will be', async () => {
  await opened('UPDATE t SET n = $1');
  const card = shown();
  for (const part of ['| UPDATE t SET n = $1', '"x"', 'changes 3 rows of public.t', 'calls itself'])
    expect(card).toContain(part);
});

test.each([1, 3])('a yes allows it %d times, and no more', async times => {
  const asked = await opened('UPDATE t SET n = $1');
  expect(await give(client, asked, 'yes', times)).toMatchObject({ said: [expect.stringMatching(/^Allowed\./)] });
  const id = asked[0]?.id ?? '';
  const taken = Array.from({ length: 4 }, () => daemon.accessRequests.take(id));
  expect(taken.filter(Boolean)).toHaveLength(times);
});

test.each(['yes', 'no'] as const)('%s to two questions is that to each', async said => {
  const verdicts = [question(), question('Store')];
  await give(client, await waitingAsks(client), said);
  expect(await Promise.all(verdicts)).toEqual([{ kind: said }, { kind: said }]);
});

describe('by its id', () => {
  test('a yes runs what its client may not, and allows what it may', async () => {
    const ran: unknown[] = [];
    daemon.ran = ({ statement }) => {
      ran.push(statement?.text);
      return {};
    };
    await askForAccess(daemon.accessRequests, { text: 'UPDATE t SET n = $1' });
    await askForAccess(daemon.accessRequests, { text: 'DELETE FROM t', runsBy: 'owner' });
    for (const { id } of await waitingAsks(client))
      expect(await giveById(terminal, client, id, true, false)).toMatchObject({ problem: null });
    expect(ran).toEqual(['DELETE FROM t']);
  });

  test('a no to a question is one', async () => {
    const verdict = question();
    const [asked] = await waitingAsks(client);
    expect(await giveById(terminal, client, asked?.id ?? '', false, false)).toMatchObject({
      said: ['Denied.'],
    });
    expect(await verdict).toEqual({ kind: 'no' });
  });
});

test('more access for a while is offered for writes to one connection that is read only, and for nothing else', async () => {
  const [asked] = await opened('UPDATE t SET n = $1');
  if (asked?.statement == null) throw new Error('There is no statement.');
  const offers = (...asks: readonly Ask[]): boolean => answersTo(asks).some(([answer]) => answer === '30m');
  expect(offers(asked)).toBe(true);
  expect(offers(asked, asked)).toBe(true);
  expect(offers({ ...asked, statement: { ...asked.statement, class: 'destructive' } })).toBe(false);
  expect(offers({ ...asked, lacks: 'token_scope' })).toBe(false);
  expect(offers(asked, { ...asked, connection: { ...asked.connection, id: 'c2' } })).toBe(false);
});

test('more access lasts half an hour, until midnight, or until it is ended', async () => {
  const { id } = await client.ask('connections.save', { name: 'Store', endpoint: postgresAt('db') });
  const [asked] = await opened('UPDATE t SET n = $1');
  if (asked === undefined) throw new Error('Nothing waits.');
  const secondsOf = async (answer: '30m' | 'tonight' | 'always') => {
    await give(client, [{ ...asked, connection: { ...asked.connection, id } }], answer);
    const { writeUntil, now } = (await client.ask('connections.show', { connection: id })).externalClients;
    expect(now).toBe('readWrite');
    return writeUntil === null ? null : (Date.parse(writeUntil) - daemon.now) / 1000;
  };
  expect(await secondsOf('30m')).toBe(1800);
  const seconds = await secondsOf('tonight');
  expect(new Date(Date.now() + Number(seconds) * 1000).getHours()).toBe(0);
  expect(await secondsOf('always')).toBeNull();
});

test('those that are run go in the order in which they were asked, whatever the list’s', async () => {
  const [asked] = await opened('UPDATE t SET n = $1');
  if (asked === undefined) throw new Error('Nothing waits.');
  const [first, second] = ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:01.000Z'].map(askedAt => ({
    ...asked,
    askedAt,
  }));
  expect(asAsked([second, first].flatMap(ask => ask ?? []))).toEqual([first, second]);
});

test('what ended while its list was on the way is not shown', async () => {
  const verdict = question();
  const [asked] = await waitingAsks(client);
  const listeners: Parameters<ControlClient['onNotification']>[0][] = [];
  // The daemon's own messages; only their order is ours.
  client.onNotification(told => {
    for (const listener of listeners) listener(told);
  });
  const late = Object.assign(Object.create(client), {
    onNotification: (listener: (typeof listeners)[number]) => void listeners.push(listener),
    async ask(...asks: Parameters<ControlClient['ask']>) {
      const answer = await client.ask(...asks);
      await client.ask('desk.decide', { ids: [asked?.id ?? ''], answer: 'no' });
      return answer;
    },
  }) as ControlClient;
  const ended: string[] = [];
  const told = { asked: () => {}, ended: ({ id }: { readonly id: string }) => void ended.push(id) };
  expect(await attach(late, told, true)).toEqual({ asks: [], attached: true });
  expect(ended).toEqual([asked?.id]);
  expect(await verdict).toEqual({ kind: 'no' });
});
