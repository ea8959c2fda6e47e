/** Clients that send calls for a while, each its next once the last is answered. */

import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../targets/target.ts';
import type { Rows, Workload } from '../workloads.ts';
import { Client, isResult, resultOf } from './client.ts';
import { processorMilliseconds } from './processes.ts';

export interface Measured {
  readonly callsPerSecond: number;
  readonly medianMilliseconds: number;
  readonly p99Milliseconds: number;
  /** Of the target's processes, not of the database server; null if the system doesn't tell. */
  readonly processorMilliseconds: number | null;
}

/**
 * @returns the rows of one call.
 * @throws if the answer is an error.
 */
export async function ask(target: Target, workload: Workload): Promise<Rows> {
  const client = await Client.open(target);
  try {
    return target.rowsOf(resultOf(await client.caller(workload)()));
  } finally {
    await client.close();
  }
}

/**
 * @throws if an answer is an error, or much shorter than the first, which must hold the expected
 *   rows.
 */
export async function load(
  target: Target,
  workload: Workload,
  expected: Rows,
  { clients, seconds, warmUpSeconds }: { clients: number; seconds: number; warmUpSeconds: number },
): Promise<Measured> {
  const opened = await Promise.all(Array.from({ length: clients }, (_, index) => Client.open(target, index)));
  const [first] = opened;
  if (first === undefined) throw new Error('A load needs a client.');
  const answer = await first.caller(workload)();
  mustBeRight(target, workload, target.rowsOf(resultOf(answer)), expected);
  const leastBytes = answer.body.length * 0.95 - 20;
  const took: number[] = [];
  const from = performance.now() + warmUpSeconds * 1000;
  const to = from + seconds * 1000;
  const busy = new Promise<number | null>(resolve => {
    const before = setTimeout(() => {
      const atFirst = processorMilliseconds(target.pid);
      setTimeout(() => {
        const atLast = processorMilliseconds(target.pid);
        resolve(atFirst === null || atLast === null ? null : atLast - atFirst);
      }, seconds * 1000);
    }, warmUpSeconds * 1000);
    before.ref();
  });
  await Promise.all(
    opened.map(async client => {
      const call = client.caller(workload);
      for (let began = performance.now(); began < to; ) {
        const answer = await call();
        const ended = performance.now();
        if (!isResult(answer) || answer.body.length < leastBytes)
          throw new Error(`${target.name}, ${workload.name}: ${answer.body.toString('utf8', 0, 300)}`);
        if (ended > from && ended <= to) took.push(ended - began);
        began = ended;
      }
    }),
  );
  const used = await busy;
  await Promise.all(opened.map(client => client.close()));
  took.sort((a, b) => a - b);
  return {
    callsPerSecond: took.length / seconds,
    medianMilliseconds: took[Math.floor(took.length / 2)] ?? Number.NaN,
    p99Milliseconds: took[Math.floor(took.length * 0.99)] ?? Number.NaN,
    processorMilliseconds: used === null ? null : used / took.length,
  };
}

export function mustBeRight(target: Target, workload: Workload, rows: Rows, expected: Rows): void {
  if (isDeepStrictEqual(rows, expected)) return;
  const at = expected.findIndex((row, index) => !isDeepStrictEqual(row, rows[index]));
  const difference = `row ${at + 1} of ${rows.length} is ${JSON.stringify(rows[at])}, not ${JSON.stringify(expected[at])}`;
  throw new Error(`${target.name}, ${workload.name}: a wrong answer: ${difference}`);
}
