/**
 * An agent with nothing but a shell poses as the user who is asked (spec §12, §14): it reads
 * questions from a pipe and answers them itself. Questions aren't asked there, and the log says
 * which program answered, never that a person did. The built commands and a real daemon are used.
 */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { originFrom, processOrigin } from '../../daemon/processes/process-origin.ts';
import { processTable } from '../../daemon/processes/process-table.ts';
import type { ActivityRowView } from '../../shared/control-commands.ts';
import { locationsIn } from '../../shared/locations.ts';
import { readShellSecret } from '../../shell-terminal/shell-secret.ts';
import { type AskedClient, connectClient } from '../journeys/approvals/gate.ts';
import { followOnTerminal, missingForFollower } from '../journeys/terminal/follower-on-terminal.ts';
import { needs, needsLinux } from '../needs.ts';
import { executable, type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { provedPeer, request } from '../shells/raw-peer.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { lineOnTerminal } from '../terminals/on-terminal.mjs';
import { until } from '../waiting/until.ts';

const tool = 'confirm_destructive_operation';
const sql = 'drop table orders';
const notAsked = /^What waits is shown here, but answered in a terminal: .* Nobody is asked here\.$/m;

let home: RealHome;
let client: AskedClient;
let file = '';

beforeAll(async () => {
  home = realHome();
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
  file = join(home.folder, 'shop.db');
  const shop = new SqliteFile(file);
  shop.exec('create table orders (id integer primary key); insert into orders values (1), (2), (3)');
  shop.close();
  const added = await home.run([
    ...['connections', 'add', `sqlite://${file}`, '--name', 'Shop', '--external-clients', 'read-write'],
  ]);
  if (added.code !== 0) throw new Error(added.stderr);
  const minted = ['tokens', 'mint', '--name', 'agent', '--scope', 'full-access'];
  const { token } = await home.json<{ token: string }>(minted);
  const { port } = await home.json<{ port: number }>(['status']);
  client = await connectClient('SDK v2, modern', `http://127.0.0.1:${port}/mcp`, token, null);
}, 60_000);
afterAll(async () => {
  await client?.close();
  await home.run(['stop']);
  await home.clean();
}, 60_000);

function hasOrders(): boolean {
  const shop = new SqliteFile(file, { readOnly: true });
  try {
    return shop.prepare("select 1 from sqlite_schema where name = 'orders'").get() !== undefined;
  } finally {
    shop.close();
  }
}

function heard(child: ChildProcess): { shown: () => string; said: () => string } {
  let shown = '';
  let said = '';
  child.stdout?.on('data', chunk => {
    shown += chunk;
  });
  child.stderr?.on('data', chunk => {
    said += chunk;
  });
  return { shown: () => shown, said: () => said };
}

async function lastRow(category: string, action: string): Promise<ActivityRowView> {
  const rows = await home.json<ActivityRowView[]>(['activity', '--category', category]);
  const row = rows.filter(one => one.action === action).at(-1);
  if (row === undefined) throw new Error(`no row of ${action}`);
  return row;
}

test.each([[[]], [['--json']]])(
  'an agent that follows in a pipe, %j, can’t be asked',
  async options => {
    const follower = home.spawn(['allow', '--follow', ...options]);
    const { shown, said } = heard(follower);
    await until(() => said().endsWith('\n'), 'the follower says where it stands');
    expect(said()).toMatch(notAsked);
    const end = await client.call(tool, { connection: 'Shop', sql });
    // The second time, the first one still waits.
    expect(end).toMatchObject({ isError: true, text: expect.stringMatching(/^denied: /) });
    expect(hasOrders()).toBe(true);
    // The refused request is shown, and no question: it waits for `sallyport allow` on a terminal.
    await until(() => shown().endsWith('\n'), 'the request is shown');
    expect(shown()).toMatch(
      options.length > 0 ? /^\{"event":"asked",.*"waits":false,.*\}\n$/ : /^\n\? (.*\n)+ {2}refused /,
    );
    follower.kill('SIGINT');
  },
  30_000,
);

/**
 * Introduces itself as another program that knows the secret would.
 * @returns whether it counts as one that can ask a person.
 */
async function attachedAs(pid: unknown): Promise<unknown> {
  const locations = locationsIn(home.home);
  const found = readShellSecret(locations.secrets);
  if (found.kind !== 'found') throw new Error(found.kind);
  const peer = await provedPeer(locations.controlSocket, found.secret, { shell: 'app', ...(pid !== null && { pid }) });
  peer.peer.write(`${peer.line(1, request('desk.attach', { answers: true }))}\n`);
  const answer = peer.open(1, await peer.peer.nextLine());
  peer.peer.end();
  return (answer as { result?: { attached?: unknown } } | null)?.result?.attached;
}

test('nor can one that speaks to the control socket itself, with no process, nobody’s or its own', async () => {
  expect(await attachedAs(null)).toBe(false);
  expect(await attachedAs(2 ** 31 - 1)).toBe(false);
  const own = await processOrigin(process.pid);
  expect(await attachedAs(process.pid)).toBe(own?.terminal !== null);
});

needs(missingForFollower()).describe('if somebody follows on a terminal', () => {
  /** Requests of the tests above wait, too. */
  async function openQuestion(): Promise<string> {
    let id: string | undefined;
    await until(async () => {
      const asks = await home.json<{ waits: boolean; id: string }[]>(['allow']);
      id = asks.find(({ waits }) => waits)?.id;
      return id !== undefined;
    }, 'the question is open');
    return String(id);
  }

  test('the approval is recorded with the chain of programs, no terminal, and no user', async () => {
    const follower = await followOnTerminal(home);
    const called = client.call(tool, { connection: 'Shop', sql });
    const id = await openQuestion();
    // The line after the command keeps sh running; else sh would become the command.
    const script = join(home.folder, 'agent.mjs');
    const secret = 'argument-of-mine';
    writeFileSync(
      script,
      `import { spawnSync } from 'node:child_process';
      const { stdout } = spawnSync('sh', ['-c', '"$0" allow yes "$1"; : ${secret}', ...process.argv.slice(2)]);
      process.stdout.write(stdout);`,
    );
    const agent = home.spawnProgram(process.execPath, ['--no-warnings', script, executable, id, secret]);
    await once(agent, 'close');
    expect((await called).isError).toBe(false);
    await follower.end();

    const row = await lastRow('access', 'approval.decide');
    expect(row).toMatchObject({ outcome: 'success', client: 'real client', tokenName: 'agent' });
    const chain = `yes by sallyport \\(process \\d+, started by .*agent\\.mjs, sh\\) without a terminal, without confirmation`;
    expect(row.reason).toMatch(new RegExp(`^${chain}$`));
    const whole = JSON.stringify(await home.json(['activity']));
    expect(whole).not.toMatch(/the user (said|is asked)/);
    expect(whole).not.toContain(secret);
  }, 60_000);

  test('an answer typed on a terminal names that terminal', async () => {
    const shop = new SqliteFile(file);
    shop.exec('create table if not exists orders (id integer primary key)');
    shop.close();
    const follower = await followOnTerminal(home);
    const called = client.call(tool, { connection: 'Shop', sql });
    const id = await openQuestion();
    await until(() => follower.shown().includes(`? ${id} `), 'the question is shown');
    follower.type(`no ${id}`);
    expect((await called).text).toMatch(/^user_cancelled: /);
    await follower.end();
    expect((await lastRow('access', 'approval.decide')).reason).toMatch(
      /^no by sallyport \(process \d+, started by .*\) on \/dev\/pts\/\d+, without confirmation$/,
    );
  }, 60_000);
});

test('a change by a shell names its program in the client’s place', async () => {
  await home.run(['pause']);
  expect((await lastRow('admin', 'pause')).client).toMatch(
    /^sallyport \(process \d+, started by .*\) without a terminal$/,
  );
  await home.run(['resume']);
});

needsLinux.describe('a process', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    // Ends them and everything they started.
    for (const { pid } of children) process.kill(-Number(pid), 'SIGKILL');
  });

  /**
   * Leaves it running.
   * @returns its first line: the id of the process to look at.
   */
  async function started(program: string, words: readonly string[], options: SpawnOptions = {}): Promise<string> {
    const child = spawn(program, words, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr.pipe(process.stderr);
    children.push(child);
    const [told] = await once(child.stdout, 'data');
    return String(told).trim();
  }

  test('is named with the programs that started it, scripts by their own names, without arguments', async () => {
    const told = `console.log(process.pid); setInterval(() => {}, 1000)`;
    const inner = await started('sh', ['-c', `"$0" -e '${told}' geheim; :`, process.execPath]);
    const origin = await processOrigin(Number(inner));
    expect(origin?.programs.slice(-2)).toEqual(['sh', 'node']);
    expect(origin?.programs.length).toBeLessThanOrEqual(12);
    expect(JSON.stringify(origin)).not.toMatch(/geheim|interval/i);
    const above = await processOrigin(process.pid);
    expect(origin?.programs.slice(0, -2).slice(-1)).toEqual(above?.programs.slice(-1));
    expect(origin?.terminal).toBe(above?.terminal);
  });

  test('is named the same way by `ps`, as on a system without /proc', async () => {
    const file = join(home.folder, 'told.mjs');
    writeFileSync(file, 'console.log(process.pid); setInterval(() => {}, 1000)');
    const pid = Number(await started('sh', ['-c', `"$0" --no-warnings ${file} geheim; :`, process.execPath]));
    const [inProc, inTable] = [await processOrigin(pid), await originFrom(await processTable(), pid)];
    expect(inTable?.programs.slice(-2)).toEqual(['sh', 'told.mjs']);
    expect([inTable?.pid, inTable?.terminal]).toEqual([inProc?.pid, inProc?.terminal]);
    expect(inProc?.programs.slice(-2)).toEqual(['sh', 'told.mjs']);
    expect(await originFrom(await processTable(), 2 ** 31 - 1)).toBeNull();
  });

  test('is named with at most twelve programs, the nearest', async () => {
    const file = join(home.folder, 'nested.sh');
    writeFileSync(file, 'if [ "$1" = 0 ]; then echo $$; exec sleep 600; fi\nsh "$0" $(($1 - 1)); :');
    const origin = await processOrigin(Number(await started('sh', [file, '20'])));
    // The innermost may have become `sleep` by now.
    expect(origin?.programs.slice(0, -1)).toEqual(Array.from({ length: 11 }, () => 'nested.sh'));
  });

  test('can’t put our words into its name', async () => {
    const name = 'sallyport) on /dev/pts/3, (\u202e\u001b[2J';
    const told = `console.log(process.pid); setInterval(() => {}, 1000)`;
    const pid = await started(process.execPath, ['-e', told], { argv0: name });
    expect((await processOrigin(Number(pid)))?.programs.at(-1)).toMatch(/^3_+2J$/);
    const titled = `process.title = 'agent --password geheim/geheim'; ${told}`;
    const other = await started(process.execPath, ['-e', titled, 'x'.repeat(100)]);
    expect((await processOrigin(Number(other)))?.programs.at(-1)).toBe('node');
  });

  test('that is nobody’s, dead or another user’s has no name', async () => {
    expect(await processOrigin(2 ** 31 - 1)).toBeNull();
    expect(await processOrigin(0)).toBeNull();
    const dead = spawn('true');
    await once(dead, 'close');
    expect(await processOrigin(Number(dead.pid))).toBeNull();
    const isRoot = process.getuid?.() === 0;
    const others = isRoot ? await started('sh', ['-c', 'echo $$; exec sleep 600'], { uid: 65_534 }) : '1';
    expect(readFileSync(`/proc/${others}/status`, 'utf8')).toContain('Uid:');
    expect(await processOrigin(Number(others))).toBeNull();
  });

  needs(missingForFollower()).test('on a terminal is named with it', async () => {
    const told = await started(...lineOnTerminal('echo "$(tty) $$"; exec sleep 600'));
    const [terminal, pid] = told.split(' ');
    expect(terminal).toMatch(/^\/dev\/pts\/\d+$/);
    expect(await processOrigin(Number(pid))).toMatchObject({ terminal, pid: Number(pid) });
  });
});
