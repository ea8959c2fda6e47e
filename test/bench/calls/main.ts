/**
 * `make bench`: calls per second, beside the rivals and beside the least that a gateway in Node can
 * cost. Each answer is compared with the floor's before timing starts. ROUNDS=3 and SECONDS=2 set
 * each cell, ENGINES=postgres,sqlite picks engines, WRITE=1 writes docs/benchmarks.md and its
 * pictures. SHORT=1 only checks answers, each workload under a moment's load, without the rivals.
 * BESIDE=FOLDER compares with the daemon of another built checkout, in place of the rivals.
 */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeInto } from '../../docs/generated-part.ts';
import { root } from '../../torture/root.ts';
import { installRivals, type Missing } from '../rivals-folder.ts';
import { type Database, startDatabase, wantedEngines } from './databases.ts';
import { residentMegabytes } from './load/processes.ts';
import { compareAnswers, type Extent, measure } from './matrix.ts';
import { besideTable } from './report/beside.ts';
import { Medians } from './report/medians.ts';
import { type EngineReport, type Memory, page } from './report/page.ts';
import { plot } from './report/plot.ts';
import { startDbhub } from './targets/dbhub.ts';
import { floorNames, startFloors } from './targets/floor.ts';
import { type Sallyport, sallyportNames, startSallyport } from './targets/sallyport.ts';
import type { Target, Undo } from './targets/target.ts';
import { startToolbox } from './targets/toolbox.ts';

const { ROUNDS, BENCH_SECONDS, ENGINES, WRITE, SHORT, BESIDE } = process.env;
const extent: Extent = SHORT
  ? { clientCounts: [8], rounds: 1, seconds: 0.2, warmUpSeconds: 0 }
  : { clientCounts: [1, 8, 32], rounds: Number(ROUNDS || 3), seconds: Number(BENCH_SECONDS || 2), warmUpSeconds: 0.5 };
/** Memory is freed once nobody asks. */
const restSeconds = 60;

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
  const engines = wantedEngines(ENGINES);
  const rivals = SHORT || BESIDE ? null : installRivals(say);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-bench-')));
  undo.push(async () => rmSync(folder, { recursive: true, force: true }));
  const databases: Database[] = [];
  for (const engine of engines) databases.push(await startDatabase(engine, folder, undo));
  const sallyport = await startSallyport(root, databases, undo);
  if (BESIDE) return benchBeside(BESIDE, databases, sallyport);
  const memory = [watchMemory('Sallyport', sallyport.pid)];
  const reports: EngineReport[] = [];
  for (const database of databases) reports.push(await benchEngine(database, folder, rivals, sallyport, memory));
  if (SHORT) return;
  for (const each of memory) each.after();
  await pause(restSeconds * 1000);
  const text = page(
    reports,
    memory.map(each => each.end()),
    rivals ?? new Map(),
    extent,
  );
  say(`\n${text}\n`);
  if (!WRITE) return;
  writeInto(join(root, 'docs', 'benchmarks.md'), 'make bench WRITE=1', `\n${text}\n`);
  for (const { engine, title, medians } of reports)
    writeFileSync(join(root, 'docs', `benchmark-${engine}.svg`), plot(title, medians));
}

/** Times the newer era alone: what differs between two commits seldom depends on the era. */
async function benchBeside(folder: string, databases: readonly Database[], sallyport: Sallyport): Promise<void> {
  const other = await startSallyport(folder, databases, undo);
  for (const database of databases) {
    const [ours, theirs] = [sallyport, other].map(({ targets }) =>
      targets.find(({ engine, name }) => engine === database.engine && name === sallyportNames.modern),
    );
    const floor = (await startFloors(database, undo)).find(({ name }) => name === floorNames.plain);
    if (ours === undefined || theirs === undefined || floor === undefined) throw new Error('A target is missing.');
    const expected = await compareAnswers([floor, ours, theirs]);
    const cells = await measure([ours, theirs], expected, extent, say);
    say(`\n${besideTable(cells, ours, theirs, [database.title, basename(folder)])}\n`);
  }
}

async function benchEngine(
  database: Database,
  folder: string,
  rivals: Missing | null,
  sallyport: Sallyport,
  memory: Watched[],
): Promise<EngineReport> {
  const theirs = await startRivals(database, folder, rivals);
  memory.push(...theirs.map(({ name, pid }) => watchMemory(`${name}, ${database.title}`, pid)));
  const ours = sallyport.targets.filter(({ engine }) => engine === database.engine);
  const targets = [...(await startFloors(database, undo)), ...theirs, ...ours];
  const expected = await compareAnswers(targets);
  say(
    `${database.title}: ${targets.length} targets give the same answers. ${targets.map(({ name }) => name).join(' · ')}`,
  );
  const cells = await measure(targets, expected, extent, say);
  return { title: database.title, engine: database.engine, medians: new Medians(cells) };
}

/** A rival that doesn't start is reported, and the rest runs. */
async function startRivals(database: Database, folder: string, rivals: Missing | null): Promise<Target[]> {
  if (rivals === null) return [];
  const starts = {
    dbhub: () => startDbhub(database, folder, undo),
    'MCP Toolbox': () => startToolbox(database, undo),
  };
  const started: Target[] = [];
  for (const name of ['dbhub', 'MCP Toolbox'] as const) {
    const why = rivals.get(name);
    if (why !== undefined) say(`${name} is missing: ${why}`);
    else started.push(await starts[name]());
  }
  return started;
}

interface Watched {
  after(): void;
  end(): Memory;
}

function watchMemory(name: string, pid: number): Watched {
  const idle = residentMegabytes(pid);
  let after: number | null = null;
  return {
    after: () => {
      after = residentMegabytes(pid);
    },
    end: () => ({ name, idle, after, minuteLater: residentMegabytes(pid) }),
  };
}

async function endAll(): Promise<void> {
  for (const step of undo.splice(0).reverse())
    await step().catch(error => say(`Left behind: ${(error as Error).message}`));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
