/**
 * The approval sheet in a real terminal (spec §10, §16): the built command draws it on a pty, and
 * keys answer it.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { lineOnTerminal } from '../../terminals/on-terminal.mjs';
import { until } from '../../waiting/until.ts';
import { missingForTyping } from '../terminal/typed-on-a-terminal.ts';

const challenge = createHash('sha256').update('y'.repeat(43)).digest('base64url');
const keys = { enter: '\r', escape: '\u001b', end: '\u001b[F', left: '\u001b[D', right: '\u001b[C', down: '\u001b[B' };
const interrupt = '\u0003';
/** Longer than Approve ignores keys. */
const heard = 900;

needs(missingForTyping()).describe('the sheet of a pairing', () => {
  let home: RealHome;
  let client: Server;
  let demo: string;
  const answers: URL[] = [];
  const sheets = new Set<ChildProcess>();
  beforeAll(async () => {
    home = realHome();
    const started = await home.run(['start']);
    if (started.code !== 0) throw new Error(started.stderr);
    await home.run(['demo']);
    demo = (await home.json<{ id: string }[]>(['connections', 'list']))[0]?.id ?? '';
    await home.run(['connections', 'add', 'postgres://u@127.0.0.1:9/x', '--name', 'Other']);
    client = createServer((request, response) => {
      answers.push(new URL(request.url ?? '', 'http://127.0.0.1'));
      response.end();
    });
    await new Promise<void>(resolve => client.listen(0, '127.0.0.1', resolve));
  }, 30_000);
  afterAll(async () => {
    for (const sheet of sheets) sheet.kill('SIGKILL');
    client?.close();
    await home.run(['stop']);
    await home.clean();
  }, 30_000);
  beforeEach(() => {
    answers.length = 0;
  });

  function link(changes: Record<string, string> = {}): string {
    const { port } = client.address() as AddressInfo;
    const redirect = `http://127.0.0.1:${port}/cb`;
    return `sallyport://integrations/pair?${new URLSearchParams({ client: 'Ed', challenge, redirect, scopes: 'readOnly', ...changes })}`;
  }

  interface Sheet {
    shown(): string;
    type(...typed: string[]): void;
    drawn(): Promise<void>;
    readonly ended: Promise<number | null>;
    readonly child: ChildProcess;
  }

  interface Window {
    readonly columns?: number;
    readonly rows?: number;
    readonly environment?: Record<string, string>;
  }

  /** Text written to it is typed, its output is shown. */
  function open(address: string, { columns = 80, rows = 24, environment = {} }: Window = {}): Sheet {
    const command = `stty cols ${columns} rows ${rows}; exec '${executable}' open '${address}'`;
    const child = spawn(...lineOnTerminal(command), {
      env: {
        PATH: process.env.PATH,
        HOME: home.folder,
        SALLYPORT_HOME: home.home,
        TERM: 'xterm',
        TZ: 'UTC',
        ...environment,
      },
    });
    sheets.add(child);
    let shown = '';
    child.stdout.on('data', chunk => {
      shown += chunk;
    });
    child.stdin.on('error', () => {});
    return {
      child,
      shown: () => shown,
      type: (...typed) => void child.stdin.write(typed.join('')),
      drawn: () => until(() => shown.includes('[ Deny ]'), 'the sheet is drawn'),
      ended: new Promise(resolve =>
        child.once('close', code => {
          sheets.delete(child);
          resolve(code);
        }),
      ),
    };
  }

  const isOnApprove = (sheet: Sheet): boolean => /> .{0,5}\[ Approve \]/.test(sheet.shown());
  const tokens = (): Promise<{ name: string; scope: string; connections: unknown }[]> => home.json(['tokens', 'list']);

  test('keys typed before it is drawn approve nothing; later ones give what they choose', async () => {
    const sheet = open(link(), { columns: 60 });
    sheet.type(keys.end, keys.left, keys.enter, keys.enter);
    await sheet.drawn();
    await wait(heard);
    expect(answers).toEqual([]);
    // To the top, one scope up, the second connection ticked, then to Approve.
    sheet.type('\u001b[H', keys.right, keys.down, keys.down, keys.down, keys.down, ' ', keys.end, keys.left);
    await until(() => isOnApprove(sheet), 'Approve has the focus');
    await wait(heard);
    sheet.type(keys.enter);
    expect(await sheet.ended).toBe(0);
    expect(sheet.shown()).toMatch(/Approved\. Ed fetches its token now; `sallyport tokens list`\r?\nshows it\./);
    expect(answers.map(({ searchParams }) => [...searchParams.keys()])).toEqual([['code']]);
    const [token] = await tokens();
    expect(token).toMatchObject({ name: 'Ed', scope: 'readWrite', connections: [{ name: 'Other' }] });
  }, 30_000);

  test.each([
    ['Esc', keys.escape],
    ['Ctrl-C', interrupt],
    ['Enter on Deny', `${keys.end}${keys.enter}`],
  ])(
    '%s denies',
    async (_key, typed) => {
      const before = (await tokens()).length;
      const sheet = open(link());
      await sheet.drawn();
      await wait(heard);
      sheet.type(typed);
      expect(await sheet.ended).toBe(0);
      expect(answers.map(({ search }) => search)).toEqual(['?error=denied&error_description=user_denied']);
      expect(sheet.shown()).toContain('Denied. Ed was told so and got nothing.');
      expect(await tokens()).toHaveLength(before);
    },
    30_000,
  );

  test('Approve does nothing while no connection is ticked', async () => {
    const sheet = open(link({ 'connection-ids': '00000000-0000-4000-8000-000000000000' }));
    await sheet.drawn();
    await wait(heard);
    sheet.type(keys.end, keys.left, keys.enter, keys.enter);
    await until(() => sheet.shown().includes('Tick a connection to approve.'), 'it says what is missing');
    sheet.type(interrupt);
    await sheet.ended;
    // The keys before the last one did nothing.
    expect(answers.map(({ search }) => search)).toEqual(['?error=denied&error_description=user_denied']);
  }, 30_000);

  test.each([
    ['Ctrl-D', '\u0004'],
    ['Esc with Enter behind it', `${keys.escape}\r`],
  ])(
    '%s denies, even with the cursor on Approve, and after a paste and a Ctrl-Z without effect',
    async (_key, typed) => {
      const before = (await tokens()).length;
      const sheet = open(link({ 'connection-ids': demo }));
      await sheet.drawn();
      await wait(heard);
      sheet.type('\u001a', keys.end, keys.left, '\u001b[200~\r\u001b[201~');
      await until(() => isOnApprove(sheet), 'Approve has the focus');
      expect(answers).toEqual([]);
      sheet.type(typed);
      expect(await sheet.ended).toBe(0);
      expect(answers.map(({ search }) => search)).toEqual(['?error=denied&error_description=user_denied']);
      expect(await tokens()).toHaveLength(before);
    },
    30_000,
  );

  test('counts down', async () => {
    const sheet = open(link());
    await sheet.drawn();
    await until(() => /4:5[89] left[\s\S]*4:5[678] left/.test(sheet.shown()), 'the clock goes on');
    sheet.type(interrupt);
    await sheet.ended;
  }, 30_000);

  test('closing its window opens nothing, and the next one gets its turn', async () => {
    const first = open(link());
    await first.drawn();
    const second = open(link({ client: 'Second' }));
    await until(() => second.shown().includes('Another pairing request is open'), 'it waits');
    expect(second.shown()).not.toContain('[ Deny ]');
    first.child.kill('SIGKILL');
    await second.drawn();
    await wait(heard);
    second.type(keys.escape);
    expect(await second.ended).toBe(0);
    expect(answers).toHaveLength(1);
  }, 30_000);

  test('in a small window without colour nothing is coloured, and a hostile name moves nothing', async () => {
    const name = '\u001b[2J\u001b[H[ Approve ]\u202e\u0007';
    const sheet = open(link({ client: name }), { columns: 40, rows: 12, environment: { NO_COLOR: '1' } });
    await sheet.drawn();
    sheet.type(interrupt);
    await sheet.ended;
    const shown = sheet.shown();
    expect(shown).toContain('calls itself \\u{1b}[2J\\u{1b}[H');
    expect(
      shown
        .split('\u001b[')
        .slice(1)
        .filter(sequence => /^[0-9;]*m/.test(sequence)),
    ).toEqual([]);
    for (const raw of ['\u202e', '\u0007', '\u001b[2J\u001b[H[ App']) expect(shown).not.toContain(raw);
  }, 30_000);

  test('a terminal that can’t move its cursor is told how else to answer', async () => {
    const sheet = open(link(), { environment: { TERM: 'dumb' } });
    expect(await sheet.ended).toBe(1);
    expect(sheet.shown()).toMatch(/TERM=dumb[\s\S]*answer with --approve/);
  }, 30_000);
});
