/**
 * Threat: SIGUSR1 opens Node's debugger, which needs no password. A program that may send the
 * signal could run code in the daemon, in the process that holds the keychain's answers, or in the
 * command that waits for the owner passphrase.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { startChild } from '../../daemon/engines/sqlite/session.ts';
import { isAlive } from '../../shared/process-alive.ts';
import { programCommand } from '../../shared/programs.ts';
import { legacy, pause } from '../bridge/bridge-process.ts';
import { bin, RealHome } from '../bridge/real-home.ts';
import { missingForTyping } from '../journeys/terminal/typed-on-a-terminal.ts';
import { needs, needsLinux } from '../needs.ts';
import { executable } from '../shell-terminal/real-home.ts';
import { lineOnTerminal } from '../terminals/on-terminal.mjs';
import { here, lateError } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';
import { catchesSigusr1, commandOf, familyOf, portsOf, threadsOf } from './processes.ts';

const built = join(import.meta.dirname, '..', '..', 'build');
const passphrase = 'correct horse battery staple';
/** Longer than Node takes to open it after the signal, even on a busy machine. */
const openingMilliseconds = 300;

let home: RealHome;
let started: ChildProcess[];
beforeEach(() => {
  home = new RealHome();
  started = [];
});
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  await home.clean();
});

function start(file: string, words: readonly string[] = [], more: Record<string, string> = {}): ChildProcess {
  const child = spawn(file, words, { env: { ...home.environment, ...more } });
  child.stderr?.resume();
  child.stdout?.resume();
  child.stdin?.on('error', () => {});
  started.push(child);
  return child;
}

/** @returns everything that the child has said so far. */
function heard(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', text => {
      said += text;
    });
  return () => said;
}

async function daemonOf(
  file: string,
  words: readonly string[] = [],
  more: Record<string, string> = {},
): Promise<number> {
  const { pid = 0 } = start(file, words, more);
  await until(() => home.handshake()?.pid === pid, 'the daemon is ready');
  return pid;
}

/** To each thread, since the debugger's thread and ours belong to one process. */
async function signal(pid: number): Promise<void> {
  for (let time = 0; time < 5; time++) {
    for (const thread of threadsOf(pid)) process.kill(thread, 'SIGUSR1');
    await pause(10);
  }
  await pause(openingMilliseconds);
}

/**
 * Sends it from the first moment when Node would open the debugger until long after the command's
 * own code runs.
 */
async function signalFromTheStart(
  pid: number,
): Promise<{ readonly seen: readonly number[]; readonly left: readonly number[] }> {
  const begun = performance.now();
  while (!catchesSigusr1(pid))
    if (performance.now() - begun > here(5_000)) throw lateError(performance.now() - begun, 'Node catches the signal');
  const seen = new Set<number>();
  const end = performance.now() + 200;
  while (performance.now() < end && isAlive(pid)) {
    process.kill(pid, 'SIGUSR1');
    for (const port of portsOf(pid)) seen.add(port);
  }
  await pause(openingMilliseconds);
  return { seen: [...seen], left: portsOf(pid) };
}

const onLinux = needsLinux.test;
const onTerminal = needs(missingForTyping()).test;

onLinux(
  'the daemon, its threads and SQLite’s process with its watchdog stay shut, and go on',
  async () => {
    const pid = await daemonOf(join(bin, 'sallyportd'));
    await home.here('demo');
    const ask = () => home.here('query', 'Demo', 'select count(*) from customers', '--json');
    const before = await ask();
    const family = familyOf(pid);
    expect(family.map(commandOf)).toContainEqual(expect.stringContaining('sqlite-worker'));
    for (const each of family) await signal(each);
    expect(family.map(each => [isAlive(each), portsOf(each)])).toEqual(
      family.map(each => [true, each === pid ? [home.handshake()?.port] : []]),
    );
    const rows = (text: string) => JSON.parse(text).rows;
    expect(rows(await ask())).toEqual(rows(before));
    expect(familyOf(pid)).toEqual(family);
  },
  60_000,
);

onLinux(
  'a bridge stays shut, and goes on',
  async () => {
    const bridge = home.bridge();
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'any', version: '1' } };
    expect((await bridge.ask(legacy(1, 'initialize', client))).result).toBeDefined();
    const { pid = 0 } = bridge.child;
    await signal(pid);
    expect(portsOf(pid)).toEqual([]);
    expect((await bridge.ask(legacy(2, 'tools/list'))).result).toBeDefined();
    expect(bridge.stderr).not.toContain('ebugger');
  },
  60_000,
);

onTerminal(
  'a window that takes answers stays shut, and goes on',
  async () => {
    await daemonOf(join(bin, 'sallyportd'));
    const terminal = start(...lineOnTerminal(`'${executable}' allow --follow`));
    const shown = heard(terminal);
    await until(() => shown().includes('Questions are asked here'), 'the window is there');
    const asking = familyOf(terminal.pid ?? 0).find(pid => commandOf(pid).includes('node')) ?? 0;
    await signal(asking);
    expect([isAlive(asking), portsOf(asking)]).toEqual([true, []]);
    expect(shown()).not.toContain('ebugger');
    terminal.stdin?.write('\u0003');
    await until(() => !isAlive(asking), 'Ctrl-C ends it');
  },
  60_000,
);

onTerminal(
  'a command that waits for the passphrase stays shut, and takes what is typed',
  async () => {
    await daemonOf(join(bin, 'sallyportd'));
    const terminal = start(...lineOnTerminal(`'${executable}' passphrase set`));
    const shown = heard(terminal);
    await until(() => shown().includes('passphrase: '), 'it asks for the passphrase');
    const family = familyOf(terminal.pid ?? 0);
    const asking = family.find(pid => commandOf(pid).includes('node')) ?? 0;
    await signal(asking);
    expect([isAlive(asking), portsOf(asking)]).toEqual([true, []]);
    terminal.stdin?.write(`${passphrase}\r`);
    await until(() => shown().includes('again: '), 'it asks for it again');
    await signal(asking);
    expect([isAlive(asking), portsOf(asking)]).toEqual([true, []]);
    terminal.stdin?.write(`${passphrase}\r`);
    await until(() => shown().includes('passphrase is set'), 'it has taken it');
    expect(shown()).not.toContain('ebugger');
  },
  60_000,
);

const each: readonly (readonly [string, string, readonly string[]])[] = [
  ['the daemon', 'sallyportd', []],
  ['the command', 'sallyport', ['allow', '--follow']],
  ['the bridge', 'sallyport-mcp', []],
];

for (const [who, file, words] of each)
  onLinux(
    `signals from its first moment on: ${who} never listens`,
    async () => {
      if (file === 'sallyport') await daemonOf(join(bin, 'sallyportd'));
      const { pid = 0 } = start(join(bin, file), words);
      const { seen, left } = await signalFromTheStart(pid);
      expect(isAlive(pid)).toBe(true);
      expect([...seen].filter(port => port !== home.handshake()?.port)).toEqual([]);
      expect(left.filter(port => port !== home.handshake()?.port)).toEqual([]);
    },
    60_000,
  );

onLinux(
  'signals from its first moment on: SQLite’s process never listens',
  async () => {
    const child = startChild(programCommand('sqlite-worker'));
    try {
      const isChild = (each: number) => commandOf(each).includes('sqlite-worker');
      await until(() => familyOf(process.pid).some(isChild), 'it is there');
      const pid = familyOf(process.pid).find(isChild) ?? 0;
      expect(await signalFromTheStart(pid)).toEqual({ seen: [], left: [] });
      expect(isAlive(pid)).toBe(true);
    } finally {
      child.kill();
      await child.gone;
    }
  },
  60_000,
);

/**
 * In the npm package and the app Node gets no option, so it may open before any of our code runs.
 */
for (const [who, file, words] of each)
  onLinux(
    `signals from its first moment on: ${who}, run by any Node, is soon shut again`,
    async () => {
      if (file === 'sallyport') await daemonOf(join(bin, 'sallyportd'));
      const { pid = 0 } = start(join(built, 'npm', file), words);
      const { left } = await signalFromTheStart(pid);
      expect(isAlive(pid)).toBe(true);
      expect(left.filter(port => port !== home.handshake()?.port)).toEqual([]);
    },
    60_000,
  );

onLinux(
  'a wish in the environment opens nothing, and one on Node’s own command line does',
  async () => {
    const any = '--inspect=127.0.0.1:0';
    for (const file of ['bin/sallyportd', 'npm/sallyportd']) {
      const pid = await daemonOf(join(built, file), [], { NODE_OPTIONS: any });
      expect(portsOf(pid)).toEqual([home.handshake()?.port]);
      await home.end('SIGTERM');
    }
    const debugged = await daemonOf(process.execPath, [any, join(bin, 'sallyportd')]);
    await pause(openingMilliseconds);
    expect(portsOf(debugged)).toHaveLength(2);
    const bridge = start(process.execPath, [any, join(bin, 'sallyport-mcp')]);
    await until(() => portsOf(bridge.pid ?? 0).length === 1, 'the bridge can be debugged');
  },
  60_000,
);

onLinux(
  'the daemon that a command or a bridge launches gets no wish of theirs',
  async () => {
    const any = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };
    for (const [file, words] of [
      ['sallyport', ['start']],
      ['sallyport-mcp', []],
    ] as const) {
      const starter = start(join(built, 'npm', file), words, any);
      starter.stdin?.write(`${JSON.stringify(legacy(1, 'tools/list'))}\n`);
      await until(() => home.handshake() !== null, 'the daemon is ready');
      const pid = home.handshake()?.pid ?? 0;
      expect(portsOf(pid)).toEqual([home.handshake()?.port]);
      // A bridge whose listing has no answer yet would start the daemon again.
      starter.kill('SIGKILL');
      await until(() => !isAlive(starter.pid ?? 0), 'whoever started it has gone');
      await home.end('SIGTERM');
    }
  },
  60_000,
);
