/** A process that writes to an activity log as fast as it can until it is killed, and says what it was promised. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';

const root = join(import.meta.dirname, '..', '..', '..');

const program = `
import { randomBytes } from 'node:crypto';
import { openActivityLog } from './daemon/storage/activity/log.js';
import { openFileSecretStore } from './daemon/storage/secrets/file-secret-store.js';
import { openStore } from './daemon/storage/store/store.js';
import { writeSync } from 'node:fs';

process.umask(0o077);
const [home] = process.argv.slice(2);
const store = await openStore(home + '/sallyport.db');
const secrets = openFileSecretStore(home + '/secrets.json', store.id);
const log = await openActivityLog({ store, secrets, now: Date.now, oldBy: Date.now, randomBytes, report: () => {} });
const intent = { category: 'query', action: 'execute_query', principal: 'p', tokenName: 't' };
writeSync(1, 'ready\\n');

async function writes() {
  for (;;) {
    const attempt = await log.attempt(intent);
    writeSync(1, 'attempt ' + attempt.number + '\\n');
    await log.outcome(attempt, { outcome: 'success', rows: 1 });
    writeSync(1, 'outcome ' + attempt.number + '\\n');
  }
}
async function reads() {
  for (;;) {
    for (let turn = 0; turn < 20; turn++) {
      for (let times = 0; times < 20; times++) log.record({ ...intent, outcome: 'success', reason: 'x'.repeat(200) });
      await new Promise(resolve => setImmediate(resolve));
    }
    // A quick processor outruns the disk: what waits is bounded, and rows past that are lost and counted.
    await log.outcome(await log.attempt(intent), { outcome: 'success', rows: 1 });
  }
}
for (let times = 0; times < 3; times++) void writes();
void reads();
`;

/** The daemon's sources as JavaScript: Node 20 runs nothing else. @returns the program's path. */
export function compileWriter(folder: string): string {
  for (const part of ['daemon/access', 'daemon/query', 'daemon/sqlite', 'daemon/storage', 'shared'])
    compileFolder(part, folder);
  for (const file of ['daemon/activity.ts', 'daemon/refusal.ts', 'daemon/disk-fault.ts', 'daemon/one-at-a-time.ts'])
    compileFile(file, folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Of what starts threads, the bundles.
  symlinkSync(join(root, 'build', 'bundle'), join(folder, 'bundle'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const path = join(folder, 'writer.js');
  writeFileSync(path, program);
  return path;
}

function compileFolder(part: string, folder: string): void {
  for (const entry of readdirSync(join(root, part), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.d.ts')) continue;
    compileFile(join(entry.parentPath, entry.name).slice(root.length + 1), folder);
  }
}

function compileFile(file: string, folder: string): void {
  const { code } = transformSync(readFileSync(join(root, file), 'utf8'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  const target = join(folder, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code.replaceAll(/(from '\.[^']*|import\('\.[^']*)\.ts'/g, "$1.js'"));
}

export interface Promised {
  readonly attempts: readonly number[];
  readonly outcomes: readonly number[];
}

/**
 * Lets it run for so long, counted from its start or from when it begins to write, and kills it.
 * @returns the attempts and outcomes it was told were kept.
 */
export async function writeUntilKilled(
  program: string,
  home: string,
  from: 'start' | 'ready',
  milliseconds: number,
): Promise<Promised> {
  const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
  let said = '';
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text;
  });
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  const isReady = new Promise<void>(resolve => {
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text;
      if (said.includes('ready\n')) resolve();
    });
  });
  if (from === 'ready') await Promise.race([isReady, closed]);
  await new Promise(resolve => setTimeout(resolve, milliseconds));
  kill(child);
  await closed;
  if ((from === 'ready' && !said.includes('ready\n')) || complaints !== '')
    throw new Error(`the writer failed: ${complaints}`);
  const numbers = (word: string): number[] =>
    [...said.matchAll(new RegExp(`${word} (\\d+)\n`, 'g'))].map(m => Number(m[1]));
  return { attempts: numbers('attempt'), outcomes: numbers('outcome') };
}

function kill(child: ChildProcess): void {
  child.kill('SIGKILL');
}
