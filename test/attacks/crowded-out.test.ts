/**
 * Threat: programs of this user crowd the control socket, so that a person's question is closed
 * under their hands, or a brake doesn't come through (spec §11 Places). The floods are processes of
 * their own; the person's commands are the built ones.
 */

import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { lineageOfConnection } from '../../daemon/processes/connection-lineage.ts';
import { BridgeProcess, modern } from '../bridge/bridge-process.ts';
import { followOnTerminal } from '../journeys/terminal/follower-on-terminal.ts';
import {
  choosing,
  missingForTyping,
  passphrasePrompt,
  runOnTerminal,
} from '../journeys/terminal/typed-on-a-terminal.ts';
import { missingPrograms, needs, needsLinux } from '../needs.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { executeOn } from '../sqlite-file.ts';
import { lineOnTerminal } from '../terminals/on-terminal.mjs';
import { expectWithin } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';

const passphrase = 'correct horse battery';
const mcpExecutable = fileURLToPath(new URL('../../build/bin/sallyport-mcp', import.meta.url));
const program = fileURLToPath(new URL('crowded-out/flood.ts', import.meta.url));
let home: RealHome;
const floods = new Set<ChildProcess>();
const strays = new Set<number>();

beforeAll(async () => {
  home = realHome(0, 'owner');
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
  const shop = `sqlite://${join(home.folder, 'shop.db')}`;
  await home.json(['connections', 'add', shop, '--create', '--name', 'Shop']);
  const set = await runOnTerminal(home, ['passphrase', 'set'], choosing(passphrase));
  if (set.code !== 0) throw new Error(set.shown);
}, 120_000);
afterEach(() => {
  chmodSync(join(home.home, 'secrets.json'), 0o600);
  for (const flood of floods) flood.kill('SIGKILL');
  floods.clear();
  for (const pid of strays) process.kill(pid, 'SIGKILL');
  strays.clear();
});
afterAll(() => home?.clean(), 60_000);

/** Resolves once it has had as many connections. */
async function flooded(kind: string, count: number, pids: readonly number[] = []): Promise<void> {
  const flood = home.spawnProgram(process.execPath, [program, home.home, kind, `${count}`, ...pids.map(String)]);
  floods.add(flood);
  let said = '';
  flood.stdout?.on('data', chunk => {
    said += chunk;
  });
  flood.stderr?.on('data', chunk => {
    said += chunk;
  });
  await until(() => said.includes('full'), `the flood of ${kind} is there: ${said}`, 20);
}

/** Starts programs apart from their parent and from each other. @returns their process ids. */
async function apart(count: number, line: (mark: string) => readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (let made = 0; made < count; made++) {
    const mark = join(home.folder, `apart-${made}-${performance.now()}`);
    const [first = '', ...words] = line(`sh -c 'echo $$ > ${mark}; exec sleep 600'`);
    home.spawnProgram(first, words);
    await until(() => {
      try {
        return readFileSync(mark, 'utf8').endsWith('\n');
      } catch {
        return false;
      }
    }, 'it has begun');
    const pid = Number(readFileSync(mark, 'utf8'));
    found.push(pid);
    strays.add(pid);
  }
  return found;
}
const setsid = (line: string): string[] => ['setsid', '-f', 'sh', '-c', line];
const setsidOnTerminal = (line: string): string[] => ['setsid', '-f', ...lineOnTerminal(line).flat()];

const linux = needs(missingForTyping() ?? missingPrograms(['setsid'], 'apt-get install util-linux'));

// First, as its flood must still be within the requests of a minute that its processes have.
linux.test(
  'however many questions a program asks as ever new bridges, another client’s question is asked',
  async () => {
    const books = join(home.folder, 'books.db');
    executeOn(books, 'create table books (title)');
    await home.json(['connections', 'add', books, '--name', 'Books', '--ai-policy', 'ask']);
    const follower = await followOnTerminal(home);
    await flooded('questions', 64);
    const asks = () => home.json<readonly unknown[]>(['allow', '--json']);
    expect(await asks()).toHaveLength(24);
    const bridge = new BridgeProcess([mcpExecutable], home.home);
    const call = { name: 'execute_query', arguments: { connection: 'Books', sql: 'select 1' } };
    bridge.send(modern(1, 'tools/call', call));
    await until(async () => (await asks()).length === 25, 'it is asked');
    bridge.child.kill();
    await follower.end();
  },
  120_000,
);

// Then, as the others pause.
needsLinux.describe('with the bridges’ token, and a new name for each request, a program keeps nobody out', () => {
  test.each<[string, () => number[]]>([
    ['with its own process id', () => []],
    ['with that of another program', () => [process.pid]],
  ])(
    '%s',
    async (_, pids) => {
      await flooded('renaming', 64, pids());
      for (let round = 0; round < 5; round++) {
        // A bridge that was refused would wait for the end of that minute. One that isn't waits for the
        // daemon alone, which answers a thousand refusals a second meanwhile.
        const began = performance.now();
        expect(await home.run(['query', 'Shop', 'select 1'])).toMatchObject({ code: 0 });
        expectWithin(began, 12_000);
      }
    },
    120_000,
  );
});

needsLinux.test(
  'a program at another address, with the port of ours, isn’t taken for us, nor we for it',
  async () => {
    const taken: Socket[] = [];
    const server = createServer(socket => void taken.push(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ours = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
    try {
      await until(() => taken.length === ours.length, 'ours are taken');
      const other = `const { connect } = require('node:net');
      for (const localPort of process.argv.slice(2))
        connect({ port: process.argv[1], host: '127.0.0.1', localAddress: '127.0.0.2', localPort: +localPort });`;
      const attack = promisify(execFile)(process.execPath, [
        '-e',
        other,
        `${port}`,
        ...ours.map(({ localPort }) => `${localPort}`),
      ]);
      await until(() => taken.length === 2 * ours.length, 'theirs are taken');
      const theirs = taken.slice(ours.length);
      expect(new Set(theirs.map(({ remoteAddress }) => remoteAddress))).toEqual(new Set(['127.0.0.2']));
      const believed = await Promise.all(taken.map(socket => lineageOfConnection(process.pid, socket)));
      for (const socket of taken) socket.destroy();
      await attack;
      expect(believed.map(lineage => lineage !== undefined)).toEqual(taken.map(socket => !theirs.includes(socket)));
    } finally {
      for (const socket of [...ours, ...taken]) socket.destroy();
      server.close();
    }
  },
  30_000,
);

linux.describe('a question that a person has open stays, and others still ask', () => {
  test.each<[string, () => Promise<void>]>([
    ['one program', () => flooded('asking', 200)],
    ['one program that asks nothing', () => flooded('idle', 200)],
    ['seventy apart, each by itself', async () => flooded('asking', 210, await apart(70, setsid))],
    ['seventy apart, each on its terminal', async () => flooded('asking', 210, await apart(70, setsidOnTerminal))],
  ])(
    'beside a flood of %s',
    async (_, flood) => {
      const widen = (name: string) => ['tokens', 'mint', '--name', name, '--scope', 'full-access'];
      let meanwhile: Awaited<ReturnType<typeof runOnTerminal>> | null = null;
      const open = await runOnTerminal(home, widen(`open ${_}`), [
        [
          passphrasePrompt,
          async () => {
            await flood();
            const began = performance.now();
            expect(await home.run(['pause'])).toMatchObject({ code: 0 });
            expectWithin(began, 1_500);
            meanwhile = await runOnTerminal(home, widen(`late ${_}`), [[passphrasePrompt, passphrase]]);
            return passphrase;
          },
        ],
      ]);
      expect(open).toMatchObject({ code: 0 });
      expect(meanwhile).toMatchObject({ code: 0 });
      expect(await home.run(['status'])).toMatchObject({ code: 0 });
    },
    180_000,
  );
});

describe.each([
  ['silent', 64],
  ['half', 64],
  ['churn', 64],
  ['status', 128],
  ['idle', 128],
])('with %s connections, kept up by a program', (kind, count) => {
  test.each([false, true])(
    'each brake comes through; without the secret: %s',
    async isUnproved => {
      const names = Array.from({ length: 5 }, (_, round) => `${kind}-${isUnproved}-${round}`);
      for (const name of names) await home.json(['tokens', 'mint', '--name', name]);
      await flooded(kind, count);
      if (isUnproved) chmodSync(join(home.home, 'secrets.json'), 0o644);
      for (const name of names) {
        for (const brake of [['pause'], ['tokens', 'revoke', name], ['status']]) {
          const began = performance.now();
          expect([brake, await home.run(brake)]).toEqual([brake, expect.objectContaining({ code: 0 })]);
          expectWithin(began, 2_000);
        }
      }
      const [pid] = home.daemons();
      expect(await home.run(['stop'])).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') });
      // The kernel closes a dead process's files a moment later.
      await until(() => !home.daemons().includes(pid ?? 0), 'it is gone', 5);
      chmodSync(join(home.home, 'secrets.json'), 0o600);
      expect(['start', await home.run(['start'])]).toEqual(['start', expect.objectContaining({ code: 0 })]);
    },
    180_000,
  );
});
