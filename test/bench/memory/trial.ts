/**
 * One daemon's memory from its start to its rest: the first questions of each engine, a load, and a
 * minute without clients.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../calls/databases.ts';
import { Client, isResult } from '../calls/load/client.ts';
import { peakMegabytes, residentMegabytes } from '../calls/load/processes.ts';
import { sallyportNames, startSallyport } from '../calls/targets/sallyport.ts';
import type { Target, Undo } from '../calls/targets/target.ts';
import { accountCount } from '../calls/workloads.ts';

/** Megabytes; null if the system doesn't tell. In the order of the table's columns. */
export interface Held {
  readonly idle: number | null;
  /** The daemon alone, after the first questions. */
  readonly firstPeak: number | null;
  /** The daemon alone, ever. */
  readonly peak: number | null;
  /** With its children, in the moment when they held the most. */
  readonly peakOfAll: number | null;
  readonly atEnd: number | null;
  readonly rest: number | null;
}

export interface Extent {
  readonly loadSeconds: number;
  readonly restSeconds: number;
}

const clientCount = 8;
const firstQuestions = 5;
/** V8 compiles in the background what ran often; it takes some seconds. */
const settleSeconds = 4;
/** Of the load's statements one in so many asks for 10,000 rows. */
const largeEvery = 20;
const lookMilliseconds = 200;

/** @param folder of the checkout whose daemon it is. */
export async function tryMemory(folder: string, databases: readonly Database[], extent: Extent): Promise<Held> {
  const undo: Undo = [];
  try {
    const { pid, targets } = await startSallyport(folder, databases, undo);
    const asked = targets.filter(({ name }) => name === sallyportNames.modern);
    await pause(1_000);
    const idle = residentMegabytes(pid);
    let peakOfAll = idle;
    const look = (): void => {
      const now = residentMegabytes(pid);
      if (now !== null && now > (peakOfAll ?? 0)) peakOfAll = now;
    };
    const looking = setInterval(look, lookMilliseconds);
    undo.push(async () => clearInterval(looking));
    for (const target of asked) await askFirst(target);
    await pause(settleSeconds * 1_000);
    const firstPeak = peakMegabytes(pid);
    for (const target of asked) await loadWithNew(target, extent.loadSeconds / asked.length);
    look();
    const atEnd = residentMegabytes(pid);
    await pause(extent.restSeconds * 1_000);
    return { idle, firstPeak, peak: peakMegabytes(pid), peakOfAll, atEnd, rest: residentMegabytes(pid) };
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function askFirst(target: Target): Promise<void> {
  const client = await Client.open(target);
  for (let asked = 0; asked < firstQuestions; asked++) await askNew(client, target, asked);
  await client.close();
}

/** No statement comes twice, so each is parsed. */
async function loadWithNew(target: Target, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  let asked = firstQuestions;
  const clients = await Promise.all(Array.from({ length: clientCount }, (_, index) => Client.open(target, index)));
  await Promise.all(
    clients.map(async client => {
      while (performance.now() < until) await askNew(client, target, asked++);
      await client.close();
    }),
  );
}

async function askNew(client: Client, target: Target, number: number): Promise<void> {
  const from = (number * 7) % accountCount;
  const rows = number % largeEvery === largeEvery - 1 ? 10_000 : 20;
  const sql = `SELECT a.aid, a.filler, (SELECT max(b.abalance) FROM accounts AS b WHERE b.aid = a.aid + ${number}) AS most
    FROM accounts AS a WHERE a.aid BETWEEN ${from} AND ${from + rows} AND a.abalance <> ${number} ORDER BY a.aid DESC`;
  const answer = await client.caller({ name: `statement ${number}`, sql })();
  if (!isResult(answer)) throw new Error(`${target.name}: ${answer.body.toString('utf8', 0, 300)}`);
}
