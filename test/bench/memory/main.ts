/**
 * `make bench-memory`: what a daemon and its children hold at the first questions of each engine,
 * under a load, and a minute later. ENGINES=postgres picks engines, ROUNDS=3 daemons are tried,
 * each for SECONDS=30. BESIDE=FOLDER tries the daemon of another built checkout in turn. Exits 1 if
 * a daemon doesn't answer; the figures are judged by their reader.
 */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../../torture/root.ts';
import { type Database, startDatabase, wantedEngines } from '../calls/databases.ts';
import { table, whole } from '../calls/report/tables.ts';
import type { Undo } from '../calls/targets/target.ts';
import { type Extent, type Held, tryMemory } from './trial.ts';

const { ROUNDS, BENCH_SECONDS, ENGINES, BESIDE, REST_SECONDS } = process.env;
const rounds = Number(ROUNDS || 3);
const extent: Extent = { loadSeconds: Number(BENCH_SECONDS || 30), restSeconds: Number(REST_SECONDS || 60) };
const head: readonly (readonly [string, keyof Held])[] = [
  ['Idle', 'idle'],
  ['Peak of the first questions, daemon alone', 'firstPeak'],
  ['Peak, daemon alone', 'peak'],
  ['Peak with its children', 'peakOfAll'],
  ['After the load', 'atEnd'],
  ['A minute later', 'rest'],
];

const undo: Undo = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void endAll().then(() => process.exit(1)));
try {
  await bench();
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
} finally {
  await endAll();
}

async function bench(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-bench-')));
  undo.push(async () => rmSync(folder, { recursive: true, force: true }));
  const databases: Database[] = [];
  for (const engine of wantedEngines(ENGINES)) databases.push(await startDatabase(engine, folder, undo));
  const sides = [['Sallyport', root], ...(BESIDE ? [[`Sallyport at ${basename(BESIDE)}`, BESIDE]] : [])] as const;
  const rows: (readonly [string, Held])[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name = '', checkout = ''] of round % 2 === 0 ? sides : [...sides].reverse()) {
      const held = await tryMemory(checkout, databases, extent);
      rows.push([name, held]);
      process.stdout.write(`  round ${round + 1}, ${name}: ${head.map(([, what]) => whole(held[what])).join(' · ')}\n`);
    }
  }
  const lines = rows
    .sort(([one], [other]) => one.length - other.length)
    .map(([name, held]) => [name, ...head.map(([, what]) => whole(held[what]))]);
  const titles = databases.map(({ title }) => title).join(', ');
  process.stdout.write(`\n${table([`MB, ${titles}`, ...head.map(([title]) => title)], lines)}\n`);
}

async function endAll(): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}
