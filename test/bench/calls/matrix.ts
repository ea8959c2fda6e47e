/**
 * Runs each target with each workload and number of clients in rounds, so a busy moment of the
 * machine affects all alike.
 */

import { ask, load, type Measured, mustBeRight } from './load/load.ts';
import { floorNames } from './targets/floor.ts';
import type { Target } from './targets/target.ts';
import { type Rows, type Workload, workloads } from './workloads.ts';

export interface Cell {
  readonly target: Target;
  readonly workload: Workload;
  readonly clients: number;
  /** One per round. */
  readonly rounds: Measured[];
}

export interface Extent {
  readonly clientCounts: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export type Expected = ReadonlyMap<Workload, Rows>;

/**
 * What each engine's floor answers to each workload.
 * @throws if a target answers something else.
 */
export async function compareAnswers(targets: readonly Target[]): Promise<Expected> {
  const floor = targets.find(({ name }) => name === floorNames.plain);
  if (floor === undefined) throw new Error('Answers are compared with those of the floor.');
  const expected = new Map<Workload, Rows>();
  for (const workload of workloads) {
    const rows = await ask(floor, workload);
    if (rows.length === 0) throw new Error(`${floor.name}, ${workload.name}: no rows.`);
    expected.set(workload, rows);
    for (const target of targets) mustBeRight(target, workload, await ask(target, workload), rows);
  }
  return expected;
}

/**
 * @param targets of one engine.
 * @throws at the first wrong answer.
 */
export async function measure(
  targets: readonly Target[],
  expected: Expected,
  extent: Extent,
  say: (text: string) => void,
) {
  const cells: Cell[] = [];
  for (const workload of workloads)
    for (const clients of extent.clientCounts)
      for (const target of targets) cells.push({ target, workload, clients, rounds: [] });
  for (let round = 0; round < extent.rounds; round++) {
    for (const workload of workloads) {
      for (const clients of extent.clientCounts) {
        const row = cells.filter(cell => cell.workload === workload && cell.clients === clients);
        // The first one finds a cooler machine.
        for (const { target, rounds } of round % 2 === 0 ? row : [...row].reverse())
          rounds.push(await load(target, workload, expected.get(workload) ?? [], { ...extent, clients }));
        const seen = row.map(cell => Math.round(cell.rounds.at(-1)?.callsPerSecond ?? 0)).join(' · ');
        say(`  round ${round + 1}, ${workload.name}, ${clients} clients: ${seen}`);
      }
    }
  }
  return cells;
}
