/** The person's own command for what waits (spec §12), run by a real shell. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Approvals, openApprovals } from '../../daemon/access/questions/approvals.ts';
import { type AccessRequests, openAccessRequests } from '../../daemon/access/requests/access-requests.ts';
import { runApprovalHook } from '../../daemon/desktop/approval-hook.ts';
import { deskForTests } from '../access/desk/desk-for-tests.ts';
import { principalWith } from '../access/principals.ts';
import { askForAccess } from '../shells/asked-request.ts';
import { here } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';

const secret = 'hunter2-in-a-statement';
const text = `UPDATE customers SET note = '${secret}'`;
const connection = { id: 'shop', name: 'Shop', tags: ['prod'], colour: 'red' };

let folder: string;
let told: string;
let command: string;
let inBackground: string;
let approvals: Approvals;
let requests: AccessRequests;
let logged: string[];
let end: () => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-hook-'));
  told = join(folder, 'told');
  command = `cat >> '${told}'`;
  logged = [];
  const { desk } = deskForTests();
  approvals = openApprovals({ desk, someoneAnswers: () => true, bringShell: null });
  requests = openAccessRequests({ desk, starterOf: async ({ id }) => ({ program: id, lineage: [id] }) });
  inBackground = `sleep 600 & echo $! > '${started()}.new'; mv '${started()}.new' '${started()}';`;
  hook();
});
afterEach(() => {
  end();
  rmSync(folder, { recursive: true, force: true });
});

function hook(limits: NonNullable<Parameters<typeof runApprovalHook>[0]['limits']> = {}): void {
  const log = { warn: (_: object, message: string) => void logged.push(message) };
  end = runApprovalHook({ approvals, requests, command: () => command, log, limits });
}

const started = () => join(folder, 'started');

/** A process that nobody has collected yet still has its id. */
function hasEnded(): boolean {
  try {
    process.kill(Number(readFileSync(started(), 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const lines = () =>
  existsSync(told)
    ? readFileSync(told, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : [];

function question(): void {
  const statement = {
    text,
    class: 'destructive',
    reason: 'DROP removes.',
    reasonParts: [],
    tables: ['customers'],
  } as const;
  const content = { kind: 'statement', client: 'an agent', means: 'Once.', connection, statement } as const;
  void approvals.ask(principalWith(), content, new AbortController().signal);
}

test('each question and request is one JSON object, without its statement and its values', async () => {
  question();
  await askForAccess(requests, { text, client: 'another' });
  await until(() => lines().length === 2, 'two are told');
  expect(lines().map(line => JSON.parse(line))).toMatchObject([
    {
      asks: 'statement',
      waits: true,
      client: 'an agent',
      connection: { name: 'Shop', colour: 'red', tags: ['prod'] },
      statement: { class: 'destructive', tables: ['customers'] },
      look: 'sallyport allow',
    },
    { asks: 'statement', waits: false, client: 'another', statement: { class: 'write' } },
  ]);
  expect(lines().join('\n')).not.toContain(secret);
  expect(logged).toEqual([]);
});

test('what it prints and how it ends answer nothing', async () => {
  command = `cat >> '${told}'; echo yes; echo '{"answer":"yes"}'; exit 3`;
  question();
  await until(() => logged.length > 0, 'its end is logged');
  expect(logged).toEqual(['the command of approval.hook ended with 3']);
  expect(approvals.pending()).toHaveLength(1);
});

test('one that hangs is ended with all that it started, and the next is told', async () => {
  end();
  hook({ patienceMilliseconds: here(300) });
  command = `cat >> '${told}'; ${inBackground} wait`;
  question();
  await askForAccess(requests, { text });
  await until(() => lines().length === 2, 'two are told');
  expect(logged[0]).toMatch(/^the command of approval\.hook ended with SIGKILL/);
  await until(hasEnded, 'what it started has ended');
});

test('what it leaves in the background ends with it', async () => {
  command = inBackground;
  question();
  await until(() => existsSync(started()), 'it has run');
  await until(hasEnded, 'what it left has ended');
  expect(logged).toEqual([]);
});

test('one that the system refuses to start is logged, and the next is told', async () => {
  // More than Linux and macOS take as one argument: Node throws it.
  command = `: ${'x'.repeat(2_000_000)}`;
  question();
  expect(logged).toEqual([expect.stringMatching(/^the command of approval\.hook could not be run: .*E2BIG/)]);
  command = `cat >> '${told}'`;
  await askForAccess(requests, { text });
  await until(() => lines().length === 1, 'one is told');
});

test('in its turn what still waits is told, and one of each asker stands in line', async () => {
  const go = join(folder, 'go');
  command = `cat >> '${told}'; until test -e '${go}'; do sleep 0.05; done`;
  const ask = (client: string) => askForAccess(requests, { text: client, client, principal: { id: client } });
  for (const client of ['first', 'answered', 'second', 'second', 'third']) await ask(client);
  requests.answer(requests.waiting().find(({ facts }) => facts.client === 'answered')?.id ?? '', 'refused');
  writeFileSync(go, '');
  await until(() => lines().length === 3, 'three are told');
  await ask('last');
  await until(() => lines().length === 4, 'the last is told');
  expect(lines().map(line => JSON.parse(line).client)).toEqual(['first', 'second', 'third', 'last']);
});

test('what waited in line for a command that was taken away is not told by the next', async () => {
  const go = join(folder, 'go');
  command = `cat >> '${told}'; until test -e '${go}'; do sleep 0.05; done; exit 3`;
  for (const id of ['first', 'second']) await askForAccess(requests, { text: id, client: id, principal: { id } });
  command = '';
  writeFileSync(go, '');
  await until(() => logged.length > 0, 'the first has ended');
  command = `cat >> '${told}'`;
  await askForAccess(requests, { text: 'third', client: 'third', principal: { id: 'third' } });
  await until(() => lines().length === 2, 'the third is told');
  expect(lines().map(line => JSON.parse(line).client)).toEqual(['first', 'third']);
});

test('without a command nothing runs', async () => {
  command = '';
  question();
  command = `cat >> '${told}'`;
  await askForAccess(requests, { text });
  await until(() => lines().length === 1, 'one is told');
  expect(JSON.parse(lines()[0] ?? '').waits).toBe(false);
});
